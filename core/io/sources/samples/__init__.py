"""Inputs that the program draws itself."""
