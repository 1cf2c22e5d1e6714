"""How many threads a matrix product takes."""

from __future__ import annotations

import os

NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
"""What OpenBLAS, which numpy and scipy bring along, goes by; it reads them once, when numpy is first imported."""


def limit() -> None:
    """Keep matrix products on one thread, unless the environment says otherwise. Call this before numpy is imported.

    OpenBLAS's threads wait for each other by spinning. Beside a thread that decodes and one that draws, a product of a
    third of a millisecond then takes ten and more (measured on two busy cores: 126 ms a frame for `opgd` at 320×240 in
    colour, 9 ms on one thread). And sums no longer depend on the number of cores. Long vectors are shared between cores
    by `core.runtime.bands`.
    """
    if not any(name in os.environ for name in NAMES):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
