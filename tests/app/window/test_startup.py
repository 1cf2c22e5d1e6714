"""What no slot expected is a sentence in the window, on whatever thread it happened."""

import sys
import threading
from functools import partial

import pytest

from app.engine.threads import listen
from app.panels.banner import Banner
from app.window import startup
from core.errors import CleanplateError

pytestmark = pytest.mark.usefixtures("qapp")


def fail(error):
    raise error


@pytest.mark.parametrize(
    ("error", "said"), [(CleanplateError("The disk is gone."), "The disk is gone."), (KeyError(3), "clicked")]
)
def test_it_is_shown_by_the_thread_of_the_window(qtbot, monkeypatch, error, said):
    banner = Banner()
    qtbot.addWidget(banner)
    unexpected = startup._Unexpected(banner)
    listen(unexpected.told, banner.show_error)
    monkeypatch.setattr(sys, "excepthook", partial(startup._tell, unexpected))
    monkeypatch.setattr(threading, "excepthook", lambda of: sys.excepthook(of.exc_type, of.exc_value, of.exc_traceback))
    thread = threading.Thread(target=fail, args=(error,))
    thread.start()
    thread.join()
    assert not banner.text
    qtbot.waitUntil(lambda: said in banner.text)
