"""Numba without SciPy's linear algebra, which no kernel calls."""

from __future__ import annotations

import importlib
import sys

ASKED = "scipy.linalg"
"""Numba asks once whether it is there, and loads all of it: 17 MiB, and 0.15 s of each start."""


def leave_out() -> None:
    """Let numba find no linear algebra of SciPy. Call this before the first kernel is compiled or loaded.

    Products of matrices are NumPy's, outside of kernels. Whoever else imports SciPy gets all of it.
    """
    if ASKED in sys.modules:
        return
    sys.modules[ASKED] = None  # type: ignore[assignment] # An import that meets it fails: the language's own means.
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[ASKED]
