"""What people do with the mouse in a pane: one class for each tool."""
