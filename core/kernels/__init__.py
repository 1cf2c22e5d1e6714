"""Compiled functions: arrays and numbers in, arrays out."""

from core.runtime import checked_cache

checked_cache.install()
