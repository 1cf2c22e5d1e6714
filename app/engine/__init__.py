"""The session's thread and what crosses to the window."""
