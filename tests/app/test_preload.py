import sys
import threading

import pytest

from app import log
from app.preload import Preload


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
    preload.wait()
    assert sys.modules.pop("slow_to_import").by is not threading.main_thread()


def test_a_module_that_is_broken_is_told_of_in_a_sentence(qapp, qtbot, module, tmp_path):
    preload = Preload(module("broken_module", "raise ImportError('libEGL.so.1 is missing')\n"))
    with qtbot.waitSignal(preload.failed) as told:
        preload.start()
    preload.wait()
    assert "loading the plots" in told.args[0]
    assert "libEGL.so.1" in (tmp_path / "cleanplate.log").read_text()


def test_one_that_never_began_is_not_waited_for(qapp):
    Preload("pyqtgraph").wait()
