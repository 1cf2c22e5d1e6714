"""Projects: what a person works on, in one readable file, and beside it what is too large for that."""
