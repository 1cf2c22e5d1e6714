"""The pages of help."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from app.window.commands.help import PAGES, HelpCommands


@pytest.mark.parametrize("key", PAGES)
def test_a_page_is_one_window_however_often_it_is_asked_for(key, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    show = HelpCommands(window).handlers()[key]
    show()
    show()
    (page,) = pages_of(window)
    assert page.isVisible()
    page.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not pages_of(window)
    show()
    assert [page.isVisible() for page in pages_of(window)] == [True], "not that which was closed"


def pages_of(window):
    return [child for child in window.children() if isinstance(child, QWidget)]
