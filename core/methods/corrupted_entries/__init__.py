"""Corrupted and missing entries (Shen and others 2012)."""
