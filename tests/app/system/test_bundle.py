"""What is different where the program is a folder without Python around it."""

import os
import subprocess
import sys

import pytest

from app.system import bundle, doctor, qt_libraries


@pytest.fixture
def frozen(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    return tmp_path


def test_the_doctor_asks_the_bundle_itself_to_open_a_display(frozen, monkeypatch):
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    assert doctor.window_problem() is None
    assert asked == [[sys.executable, bundle.OPEN_APPLICATION]]


def test_a_bundle_that_is_asked_opens_a_display_and_ends(monkeypatch):
    for name in bundle.SEARCHED:
        monkeypatch.delenv(name, raising=False)
    code = f"from app.system import bundle; bundle.begin(['{bundle.OPEN_APPLICATION}']); print('went on')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == ""


def test_what_a_bundle_starts_finds_its_own_libraries(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/theirs")
    monkeypatch.setenv("DYLD_LIBRARY_PATH", "/bundle")
    monkeypatch.setenv(bundle.STARTS_AFRESH, "")
    bundle.begin([])
    assert os.environ[bundle.STARTS_AFRESH] == "1", "and the bundle's own processes its libraries"
    assert os.environ["LD_LIBRARY_PATH"] == "/theirs"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    assert "DYLD_LIBRARY_PATH" not in os.environ


def test_nobody_is_told_to_install_into_a_bundle(frozen):
    assert "pip" not in bundle.remedy("numpy")
    assert qt_libraries.missing_libraries() == []


def test_a_bundle_brings_fonts(frozen):
    assert bundle.fonts() == []
    (frozen / "fonts").mkdir()
    (frozen / "fonts" / "DejaVuSans.ttf").touch()
    assert [path.name for path in bundle.fonts()] == ["DejaVuSans.ttf"]


def test_without_a_bundle_nothing_changes():
    assert not bundle.is_bundle()
    assert bundle.fonts() == []
    assert "pip install" in bundle.remedy("numpy")
    assert bundle.probe_command()[:2] == [sys.executable, "-c"]
