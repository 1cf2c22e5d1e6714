"""The panels around the panes: source, method, figures, export, and the controls that they are made of."""
