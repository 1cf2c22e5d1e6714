"""Cores, threads, caches and memory."""
