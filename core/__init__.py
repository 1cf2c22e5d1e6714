"""The mathematics and the stream: sources, methods, masks, sessions and sinks, without a window."""

from core import numba_cache

numba_cache.provide()
