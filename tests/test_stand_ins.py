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


@pytest.fixture
def library_stand_ins(scripts):
    if sys.platform != "linux" or shutil.which("gcc") is None:
        pytest.skip("bundles for Linux are made with gcc")
    import library_stand_ins

    return library_stand_ins


def _library(folder, name, code, *others, versions=""):
    """Compile a library in a folder, which loads others."""
    (folder / "code.c").write_text(code)
    (folder / "versions").write_text(versions)
    options = ["-shared", "-fPIC", f"-Wl,-soname,{name}", *(["-Wl,--version-script,versions"] if versions else [])]
    subprocess.run(["gcc", *options, "-o", name, "code.c", *map(str, others)], cwd=folder, check=True)
    return folder / name


def test_a_service_manager_hands_no_sockets_to_a_program_with_a_window(tmp_path, library_stand_ins):
    code = "".join(f"int {name}(void) {{ return 7; }}\n" for name in ("sd_is_socket", "sd_listen_fds", "sd_notify"))
    own = _library(tmp_path, "libsystemd.so.0", code, versions="LIBSYSTEMD_209 { global: *; };")
    _library(tmp_path, "libdbus.so", "int sd_listen_fds(int);\nint f(void) { return sd_listen_fds(1); }\n", own)
    assert library_stand_ins.replace(tmp_path) == [own.name]
    assert ctypes.CDLL(str(own)).sd_listen_fds(1) == 0
    assert ctypes.CDLL(str(tmp_path / "libdbus.so")).f() == 0, "found under the version that was asked for"


def test_a_library_stays_where_more_is_asked_of_it(tmp_path, library_stand_ins):
    own = _library(tmp_path, "libsystemd.so.0", "int sd_notify(void) { return 7; }\n")
    _library(tmp_path, "more.so", "int sd_notify(void);\nint f(void) { return sd_notify(); }\n", own)
    assert library_stand_ins.replace(tmp_path) == []
    assert ctypes.CDLL(str(own)).sd_notify() == 7


def test_what_is_never_called_has_one_answer(tmp_path, library_stand_ins):
    code = "int snd_pcm_open(void) { return 7; }\nconst char *snd_strerror(int n) { return 0; }\n"
    own = _library(tmp_path, "libasound-1.so.2", code)
    declared = "int snd_pcm_open(void);\nconst char *snd_strerror(int);\n"
    asks = declared + "int f(void) { return snd_pcm_open() + !snd_strerror(1); }\n"
    user = _library(tmp_path, "libavdevice.so", asks, own)
    assert library_stand_ins.replace(tmp_path) == [own.name]
    ctypes.CDLL(str(own))
    assert ctypes.CDLL(str(user)).f() == -19


@pytest.fixture
def fortran(tmp_path, library_stand_ins):
    """The functions of Fortran that OpenBLAS asks for."""
    (row,) = (row for row in library_stand_ins.STAND_INS if "gfortran" in row.name)
    library = tmp_path / "libgfortran-1.so.5"
    library_stand_ins.make(library, row, {f"{name}@GFORTRAN_8" for name in row.functions})
    return ctypes.CDLL(str(library))


def test_whole_powers_are_fortrans(fortran):
    for name, kind, dtype in (
        ("_gfortran_pow_r4_i8", ctypes.c_float, np.float32), ("_gfortran_pow_r8_i8", ctypes.c_double, np.float64),
    ):  # fmt: skip
        power = getattr(fortran, name)
        power.restype, power.argtypes = kind, (kind, ctypes.c_long)
        assert [power(2, n) for n in (-3, -1, 0, 1, 2, 10)] == [0.125, 0.5, 1, 2, 4, 1024]
        found = [power(x, n) for x in (-1.5, 0.3, 7) for n in range(-9, 10)]
        expected = [float(dtype(x) ** dtype(n)) for x in (-1.5, 0.3, 7) for n in range(-9, 10)]
        np.testing.assert_allclose(found, expected, rtol=8 * np.finfo(dtype).eps)


def test_words_of_fortran_are_put_together_and_filled_with_blanks(fortran):
    for room, expected in ((7, b"LNtwo  "), (5, b"LNtwo"), (3, b"LNt"), (1, b"L")):
        out = ctypes.create_string_buffer(b"?" * 9, 9)
        fortran._gfortran_concat_string(
            ctypes.c_long(room), out, ctypes.c_long(2), b"LN", ctypes.c_long(3), b"two"
        )  # fmt: skip
        assert out.raw == expected + b"?" * (9 - room)


def test_libraries_that_nothing_loads_go_and_those_that_links_lead_to_stay(tmp_path, library_stand_ins):
    import shared_libraries

    wheel = tmp_path / "av.libs"
    wheel.mkdir()
    deep = _library(wheel, "libdeep.so.1", "int deep(void) { return 1; }\n")
    _library(wheel, "liborphan.so.1", "int deep(void);\nint g(void) { return deep(); }\n", deep)
    _library(wheel, "libtwin-1.so.1", "int twin(void) { return 3; }\n")
    twin = _library(tmp_path, "libtwin.so.1", "int twin(void) { return 2; }\nint unused(void) { return 2; }\n")
    (tmp_path / "cv2").mkdir()
    _library(tmp_path / "cv2", "cv2.so", "int twin(void);\nint f(void) { return twin(); }\n", twin)
    assert shared_libraries._link_newer(tmp_path, twin, "av.libs/libtwin-*")
    assert shared_libraries.drop_unneeded(tmp_path) == ["liborphan.so.1", "libdeep.so.1"]
    assert {path.name for path in tmp_path.rglob("*.so*")} == {"libtwin.so.1", "libtwin-1.so.1", "cv2.so"}
    assert twin.readlink() == Path("av.libs/libtwin-1.so.1")


def test_a_newer_library_that_lacks_what_is_asked_takes_no_place(tmp_path, library_stand_ins):
    import shared_libraries

    _library(tmp_path, "libtwin-1.so.1", "int other(void) { return 3; }\n")
    twin = _library(tmp_path, "libtwin.so.1", "int twin(void) { return 2; }\n")
    _library(tmp_path, "user.so", "int twin(void);\nint f(void) { return twin(); }\n", twin)
    assert not shared_libraries._link_newer(tmp_path, twin, "libtwin-*")
    assert not twin.is_symlink()


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
