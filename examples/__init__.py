"""Each view alone, in a few lines: ``python -m examples.panes``."""
