"""Coefficients and outliers of samples, with the dictionary fixed."""
