"""The doctor says what is there, what is not, and what to do, and never ends with a traceback."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from app.system import doctor, qt_libraries
from core.runtime import numba_cache

ROOT = Path(__file__).resolve().parents[3]


def test_a_machine_that_passes_this_suite_can_run_the_program(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    page = io.StringIO()
    assert doctor.doctor(Console(file=page, width=100)) == 0
    assert "Cleanplate can run" in page.getvalue()
    assert "numba" in page.getvalue()


def test_the_doctor_does_not_load_qt_into_its_process():
    code = "import sys, app.system.doctor; list(app.system.doctor.examine()); sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has display servers to miss")
def test_a_display_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":98765")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    env = {k: v for k, v in os.environ.items() if k != "QT_QPA_PLATFORM"}
    problem = doctor.window_problem(env | {"QT_QPA_PLATFORM": "xcb"})
    assert problem is not None
    assert "98765" in problem
    assert "\n" not in problem


def test_what_is_missing_gives_status_2_and_a_command_in_one_piece(monkeypatch):
    command = qt_libraries.install_command(["libEGL.so.1", "libxcb-cursor.so.0"])
    check = doctor.Check("Qt libraries", "missing", "[libEGL.so.1]", command)
    monkeypatch.setattr(doctor, "examine", lambda: iter([check]))
    page = io.StringIO()
    assert doctor.doctor(Console(file=page, width=40)) == 2
    assert command in page.getvalue()
    assert "[libEGL.so.1]" in page.getvalue()


def test_an_absent_package_and_an_absent_encoder_are_lines_not_errors(monkeypatch):
    monkeypatch.setattr(doctor, "PACKAGES", (("no-such-package", "no_such_module"),))
    codecs = ("absent", "no_such_codec", "yuv420p"), ("present", "ffv1", "bgr0")
    monkeypatch.setattr(doctor, "CODECS", codecs)
    found = {check.what: check for check in doctor.examine()}
    assert found["no-such-package"].state == "missing"
    assert "pip install" in found["no-such-package"].remedy
    assert found["absent"].state == "note"
    assert "cannot be written: " in found["absent"].found
    assert found["present"].state == "ok"


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libX11.so.6", "libx11-6"),
        ("libpng16.so.16", "libpng16-16"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libGLdispatch.so.0", "libglvnd0"),
    ],
)
def test_libraries_have_the_names_that_debian_gives_their_packages(library, package):
    assert qt_libraries.debian_package(library) == package


def test_it_is_said_whether_kernels_of_this_version_are_compiled_already(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = numba_cache.lasting_folder()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    assert doctor._compiled_code().found == f"none yet: the first run takes up to a minute more; kept in {folder}"
    for place in (folder / "kernels", tmp_path / "of another version"):
        place.mkdir()
        (place / "kernel.nbi").touch()
    assert doctor._compiled_code().found == f"1 kernel of this version; kept in {folder}"


def test_kernels_are_kept_where_numba_will_keep_them(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    folder = numba_cache.lasting_folder()
    assert folder.parent == tmp_path / "kernels"
    code = "import core; from numba import config; print(config.CACHE_DIR)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(folder)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that not even root can write")
def test_kernels_compile_where_nothing_can_be_written(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/proc/self/nowhere")
    assert numba_cache.lasting_folder() is None
    code = "import core, os; from core.frames import colour; import numpy as np; z = np.zeros((2, 2), np.uint8); "
    code += "colour.ycc_to_rgb(z, z[:1, :1], z[:1, :1], 8, True, 'bt601'); print(os.environ['NUMBA_CACHE_DIR'])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    folder = Path(run.stdout.strip())
    assert folder.parent.name.startswith("cleanplate-")
    assert not folder.parent.exists()


def test_the_doctor_tidies_up_what_a_killed_run_left(tmp_path):
    (tmp_path / ".cleanplate-00000000" / "new").mkdir(parents=True)
    (tmp_path / "plate.png").write_bytes(b"theirs")
    assert doctor._results(tmp_path).found == "what a killed run left is removed"
    assert [p.name for p in tmp_path.iterdir()] == ["plate.png"]
    assert doctor._results(tmp_path).found == "no killed run left anything"
    assert doctor._results(tmp_path / "nowhere").state == "note"
    assert "\x1b" not in doctor._results(tmp_path / "red\x1b[31m").what
    (tmp_path / ".cleanplate-00000000").mkdir()
    (tmp_path / ".cleanplate-00000000" / "journal.json").write_text("{")
    damaged = doctor._results(tmp_path)
    assert (damaged.state, "is damaged" in damaged.remedy) == ("note", True)
