"""The bar of the brush, in rows as the width needs."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication

from app import theme
from app.panels.brush import BrushBar


def shown_bar(qapp, qtbot, width):
    theme.apply_theme(qapp, "dark")
    bar = BrushBar()
    qtbot.addWidget(bar)
    bar.resize(width, 80)
    with qtbot.waitExposed(bar):
        bar.show()
    QApplication.processEvents()
    return bar


def cut_words(bar):
    """Return the words that have less room than they need."""
    buttons = [button for button in bar.findChildren(QAbstractButton) if button.isVisible()]
    return [button.text() for button in buttons if button.width() < button.sizeHint().width()]


@pytest.mark.parametrize("width", [530, 540, 720, 940, 950])
def test_no_words_are_cut_where_others_need_more_room(qapp, qtbot, width):
    bar = shown_bar(qapp, qtbot, width)
    assert not cut_words(bar)
    for button in reversed(bar.kind.findChildren(QAbstractButton)):
        button.click()
        qtbot.waitUntil(lambda: not cut_words(bar))


@pytest.mark.parametrize("width", [860, 1400])
def test_the_pictures_below_stay_as_a_span_is_chosen(qapp, qtbot, width):
    bar = shown_bar(qapp, qtbot, width)
    before = bar.sizeHint().height()
    span, _ = (bar.holds.findChildren(QAbstractButton)[i] for i in (1, 2))
    span.click()
    QApplication.processEvents()
    assert bar.span.isVisible()
    assert bar.sizeHint().height() == before
