"""Compiled functions: arrays and numbers in, arrays out."""
