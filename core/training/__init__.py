"""Labelled clips that a mask can be learned from."""
