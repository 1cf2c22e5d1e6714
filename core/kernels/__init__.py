"""Compiled functions: arrays and numbers in, arrays out."""

from core.runtime import checked_cache, numba_blas

numba_blas.leave_out()
checked_cache.install()
