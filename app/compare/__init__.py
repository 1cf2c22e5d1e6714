"""The window that compares methods side by side."""
