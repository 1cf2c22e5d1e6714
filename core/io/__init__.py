"""Inputs and outputs: sources of frames, sinks of results."""
