"""Rates of frames stay what they are, shown and typed."""

import pytest
from PySide6.QtCore import Qt

from app.panels.rate_box import RateBox


@pytest.fixture
def box(qtbot):
    box = RateBox()
    qtbot.addWidget(box)
    return box


@pytest.mark.parametrize(
    ("rate", "shown"),
    [(25, "25"), (12.5, "12.5"), (23.976, "23.976"), (30000 / 1001, "29.97003"), (0.01, "0.01"), (1000, "1000")],
)
def test_a_rate_that_is_shown_is_kept(box, rate, shown):
    box.setValue(rate)
    assert (box.value(), box.text()) == (rate, f"{shown} a second")


def test_a_rate_can_be_typed(box, qtbot):
    box.setValue(25)
    box.selectAll()
    qtbot.keyClicks(box, "23.976")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert box.value() == 23.976
