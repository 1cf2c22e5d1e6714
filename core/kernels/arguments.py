"""Types of what kernels take. Numba finds its own; these are for readers and type checkers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.uint8 | np.uint16]
"""As decoded: uint8 for 8 bits, uint16 for 9 to 16."""

Bytes = NDArray[np.uint8]
"""Masks, which hold 255 and 0, and small counts."""

Floats = NDArray[np.float32]
Vector = NDArray[np.uint8 | np.uint16 | np.float32]
"""Samples, or units of white."""

Real = NDArray[np.floating]
"""All arrays of a call are of one type, float32 or float64."""

Integers = NDArray[np.int32]
Scalar = float | np.floating
"""Kernels compute in float32 where they are given one: call them with the type that their docstring names."""
