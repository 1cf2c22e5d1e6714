"""What stands in a bundle for larger libraries and modules does what is asked of it."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def scripts(monkeypatch):
    """The folder of scripts, to be imported from."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """OpenCV's functions of OpenBLAS, passed on to NumPy's."""
    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("bundles for Linux are made with gcc")
    other = next((Path(np.__file__).parent.parent / "numpy.libs").glob("libscipy_openblas64_*"), None)
    if other is None:
        pytest.skip("this NumPy has no OpenBLAS of its own")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        import blas_stand_in
    library = tmp_path_factory.mktemp("blas") / "libopenblasp.so"
    blas_stand_in.make(other, library, str(other.parent))
    return ctypes.CDLL(str(library))


def _told(*values):
    """What is passed to Fortran: numbers and letters by address, arrays as they are; and the numbers, to be read."""
    kept = [
        value if isinstance(value, np.ndarray) else np.array(value, "S1" if isinstance(value, str) else np.int32)
        for value in values
    ]
    return [ctypes.c_void_p(value.ctypes.data) for value in kept], kept


def test_linear_equations_are_solved_by_numpys_openblas_as_opencv_asks(stand_in):
    rng = np.random.default_rng(0)
    for name, kind in (("sgesv_", np.float32), ("dgesv_", np.float64)):
        A, b = rng.standard_normal((5, 5)).astype(kind), rng.standard_normal((2, 5)).astype(kind)
        factors, x, pivots = np.asfortranarray(A), b.copy(), np.full(6, -7, np.int32)
        passed, kept = _told(5, 2, factors, 5, pivots, x, 5, 99)
        getattr(stand_in, name)(*passed)
        np.testing.assert_allclose(A @ x.T, b.T, rtol=0, atol=1e3 * np.finfo(kind).eps)
        assert (kept[-1], pivots[5]) == (0, -7)  # No byte behind what is its own.
        assert np.all((pivots[:5] >= 1) & (pivots[:5] <= 5))


def test_singular_values_are_found_by_numpys_openblas_as_opencv_asks(stand_in):
    A = np.random.default_rng(1).standard_normal((6, 4))
    a, s, room, integers = np.asfortranarray(A), np.empty(4), np.empty(500), np.full(33, -7, np.int32)
    U, Vt = np.empty((6, 6), order="F"), np.empty((4, 4), order="F")
    passed, kept = _told("A", 6, 4, a, 6, s, U, 6, Vt, 4, room, 500, integers, 99)
    stand_in.dgesdd_(*passed)
    np.testing.assert_allclose((U[:, :4] * s) @ Vt, A, rtol=0, atol=1e-12)
    assert (kept[-1], integers[32]) == (0, -7)


def test_matrices_that_are_not_positive_definite_are_told_by_numpys_openblas(stand_in):
    passed, kept = _told("L", 2, np.asfortranarray([[1.0, 2.0], [2.0, 1.0]]), 2, 99)
    stand_in.dpotrf_(*passed)
    assert kept[-1] == 2


def test_products_of_matrices_are_numpys(stand_in):
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((3, 5)), rng.standard_normal((5, 4))
    out, pointer, number = np.ones((3, 4)), ctypes.c_void_p, ctypes.c_double
    row_major, plain = 101, 111
    stand_in.cblas_dgemm(
        row_major, plain, plain, 3, 4, 5, number(2), pointer(a.ctypes.data), 5, pointer(b.ctypes.data), 4, number(1),
        pointer(out.ctypes.data), 4,
    )  # fmt: skip
    np.testing.assert_allclose(out, 2 * a @ b + 1, rtol=0, atol=1e-12)


@pytest.mark.usefixtures("scripts")
def test_a_service_manager_hands_no_sockets_to_a_program_with_a_window(tmp_path, monkeypatch):
    import systemd_stand_in

    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("bundles for Linux are made with gcc")
    library = tmp_path / systemd_stand_in.NAME
    systemd_stand_in.make(library)
    assert ctypes.CDLL(str(library)).sd_listen_fds(1) == 0
    assert systemd_stand_in.replace(tmp_path)
    other = tmp_path / "other" / systemd_stand_in.NAME
    other.parent.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(systemd_stand_in, "ASKED", ("sd_notify",))
        systemd_stand_in.make(other)
    (tmp_path / "more.c").write_text("int sd_notify(void);\nint f(void) { return sd_notify(); }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "more.so", "more.c", str(other)], cwd=tmp_path, check=True)
    assert not systemd_stand_in.replace(tmp_path)  # Else it would be sought in vain.


STANDS_IN = """
import importlib.util, sys
class StandIns:
    @staticmethod
    def find_spec(name, path=None, target=None):
        file = {files}.get(name)
        places = None if file is None or not file.endswith("__init__.py") else [path[0] + "/" + name.split(".")[-1]]
        return file and importlib.util.spec_from_file_location(name, file, submodule_search_locations=places)
sys.meta_path.insert(0, StandIns)
"""
"""Has Python find the modules that stand in a bundle for others."""


def _within_a_bundle(code, **files):
    """Return what a program prints that finds stand-ins, by the names of modules."""
    places = {name: str(ROOT / "release" / "stand_ins" / file) for name, file in files.items()}
    command = [sys.executable, "-c", STANDS_IN.format(files=places) + code]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_API": "pyside6"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_of_scipy_a_bundle_keeps_what_its_one_function_needs():
    spec = (ROOT / "release" / "cleanplate.spec").read_text()
    kept = set(re.findall(r'"(.+?)"', re.search(r"^KEPT = \((.+?)^\)", spec, re.MULTILINE | re.DOTALL)[1]))
    told = _within_a_bundle(
        "from scipy.optimize import linear_sum_assignment as f\nprint(*f([[1, 0], [0, 1]], maximize=True))\n"
        "print(*(name for name in sys.modules if name.startswith('scipy.')))",
        **{"scipy.optimize": "scipy_optimize/__init__.py"},
    )
    found, loaded = told.splitlines()
    assert found == "[0 1] [0 1]"
    assert set(loaded.split()) - {"scipy.optimize"} <= kept


def test_curves_are_drawn_without_qts_modules_for_graphics_cards():
    told = _within_a_bundle(
        "import pyqtgraph as pg\napp = pg.mkQApp()\nplot = pg.PlotWidget()\nplot.plot([0, 2, 1])\n"
        "print(plot.grab().isNull(), hasattr(sys.modules['PySide6.QtOpenGL'], 'QOpenGLBuffer'))",
        **{"PySide6.QtOpenGL": "QtOpenGL.py", "PySide6.QtOpenGLWidgets": "QtOpenGLWidgets.py"},
    )
    assert told == "False False\n"
