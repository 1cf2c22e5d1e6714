"""Attacks on the program: what strangers, crashes and bad luck do to it, built by code from a seed."""
