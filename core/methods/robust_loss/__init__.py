"""Robust losses by half-quadratic steps (Guan and others 2019)."""
