import subprocess
import sys
import threading
import time

import pytest

from app.system import log
from app.window.preload import Preload, make_qt_classes


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Make a module that notes the thread on which it is imported, or fails."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(log, "log_path", lambda: tmp_path / "cleanplate.log")

    def make(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return make


def test_a_module_is_imported_off_the_windows_thread(qapp, qtbot, module):
    preload = Preload(module("slow_to_import", "import threading\nby = threading.current_thread()\n"))
    with qtbot.waitSignal(preload.loaded):
        preload.start()
    preload.stop()
    assert sys.modules.pop("slow_to_import").by is not threading.main_thread()


def test_a_module_that_is_broken_is_told_of_in_a_sentence(qapp, qtbot, module, tmp_path):
    preload = Preload(module("broken_module", "raise ImportError('libEGL.so.1 is missing')\n"))
    with qtbot.waitSignal(preload.failed) as told:
        preload.start()
    preload.stop()
    assert "loading the plots" in told.args[0]
    assert "libEGL.so.1" in (tmp_path / "cleanplate.log").read_text()


def test_one_that_never_began_can_be_stopped(qapp):
    Preload("pyqtgraph").stop()


def test_qt_makes_its_classes_before_the_module_is_imported(qapp, qtbot, module, monkeypatch):
    made = {}
    monkeypatch.setattr(
        "app.window.preload.make_qt_classes",
        lambda: (made.setdefault(name, time.perf_counter()) for name in make_qt_classes()),
    )
    preload = Preload(module("imported_last", "import time\nat = time.perf_counter()\n"))
    with qtbot.waitSignal(preload.loaded):
        preload.start()
    preload.stop()
    assert {"QImage", "QGraphicsView", "QDataStream", "QOpenGLWidget"} <= set(made)
    assert max(made.values()) < sys.modules.pop("imported_last").at


def test_one_that_is_stopped_before_its_thread_began_imports_nothing(qapp, qtbot, module):
    preload = Preload(module("never_imported", ""))
    preload.start()
    preload.stop()
    qtbot.wait(100)
    assert "never_imported" not in sys.modules


def test_the_window_is_painted_before_the_engine_is_imported():
    heavy = {"numba", "cv2", "av", "scipy", "pyqtgraph"}
    code = f"import sys, app.window.startup; print(sorted({heavy} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
