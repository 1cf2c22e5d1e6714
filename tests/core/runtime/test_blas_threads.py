import os
import subprocess
import sys

import pytest

from core.runtime import blas_threads

SHOW = "import core, os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
USE = """
import os, core, numpy as np
a = np.ones((1500, 1500))
a @ a
print(len(os.listdir('/proc/self/task')))
"""


def run(code, **chosen):
    clean = {name: value for name, value in os.environ.items() if name not in blas_threads.NAMES}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**clean, **chosen}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
def test_a_matrix_product_takes_one_thread_unless_told_otherwise():
    assert run(USE) == "1"
    if (os.cpu_count() or 1) > 1:
        assert run(USE, OMP_NUM_THREADS="2") == "2", "the count would not notice a second thread"


@pytest.mark.parametrize("name", blas_threads.NAMES)
def test_what_the_environment_says_holds(name):
    assert run(SHOW) == "1"
    assert run(SHOW, **{name: "3"}) == ("3" if name == "OPENBLAS_NUM_THREADS" else "None")


def test_nothing_of_core_brings_numpy_in_before_the_limit_is_set():
    assert run("import core, sys; print('numpy' in sys.modules)") == "False"
    assert run("import app.cli.main, os, sys; print(os.environ['OPENBLAS_NUM_THREADS'])") == "1"
