"""Presets and pictures that come with the program."""
