"""Rules that learn a dictionary from statistics of the past."""
