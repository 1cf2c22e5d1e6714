"""SciPy's linear algebra is loaded by whoever wants it, and not by numba."""

import subprocess
import sys

KERNEL = """
import sys
import core.kernels
from core.kernels import colour
from numba import njit
assert njit(lambda x: x + 1)(1) == 2
assert "scipy.linalg" not in sys.modules
import scipy.linalg
assert scipy.linalg.norm([3.0, 4.0]) == 5
"""

LOADED_BEFORE = """
import scipy.linalg, sys
import core.kernels
assert sys.modules["scipy.linalg"] is scipy.linalg
"""


def works(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    return (done.returncode, done.stderr) == (0, "")


def test_kernels_load_no_linear_algebra_and_leave_it_to_others():
    assert works(KERNEL)


def test_what_is_loaded_already_stays():
    assert works(LOADED_BEFORE)
