"""In a bundle, in the place of Qt's module: the plotting library imports it, and uses it where graphics cards draw."""
