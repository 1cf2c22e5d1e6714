"""What the window's commands do."""
