"""A word on the desktop, where there is a tray."""

from unittest.mock import Mock

import pytest
from PySide6.QtCore import QObject

from app.window import notifier
from app.window.notifier import Notifier

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("there_is_one", [True, False])
def test_a_sentence_is_shown_and_the_icon_goes_with_it(monkeypatch, there_is_one):
    tray = Mock()
    kind = Mock(return_value=tray)
    kind.isSystemTrayAvailable.return_value = there_is_one
    monkeypatch.setattr(notifier, "QSystemTrayIcon", kind)
    parent = QObject()
    made = Notifier(parent)
    made.tell("The queue is done", "6 jobs done, 1 failed.")
    assert tray.showMessage.called == there_is_one
    if there_is_one:
        assert tray.showMessage.call_args.args[:2] == ("The queue is done", "6 jobs done, 1 failed.")
        assert made._timer.isActive()
        made._timer.timeout.emit()
        assert tray.hide.called
