"""The mathematics and the stream: sources, methods, masks, sessions and sinks, without a window."""

from core.runtime import blas_threads, heap, numba_cache

blas_threads.limit()
heap.keep()
numba_cache.provide()
