"""The bar at the top: the name of what is open has room before what is said elsewhere too."""

import pytest
from PySide6.QtWidgets import QMenu, QMenuBar

from app import theme
from app.panels.top_bar import TITLE_PX, TopBar

LONG = "2026-11-22 Kreuzung Nordstraße, camera 4, evening, take 2 of the long film.mp4"


@pytest.fixture
def bar(qtbot, qapp):
    theme.apply_theme(qapp, "light")
    made = TopBar()
    qtbot.addWidget(made)
    made.set_menus(QMenu(made), QMenu(made))
    for title in ("File", "Edit", "View", "Play", "Help"):
        made.menus.addMenu(QMenu(title, made))
    assert isinstance(made.menus, QMenuBar)
    made.resize(1440, 40)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.mark.parametrize("width", [1000, 1100, 1440, 1900])
def test_the_name_of_what_is_open_can_be_read_at_every_width(bar, qtbot, width):
    bar.show_title(LONG)
    bar.resize(width, 40)
    qtbot.waitUntil(lambda: bar.title.width() >= bar.title.fontMetrics().horizontalAdvance(bar.title.text()))
    assert bar.title.toolTip() == LONG
    start, _, end = bar.title.text().partition("…")
    assert LONG.startswith(start)
    assert LONG.endswith(end)
    assert bar.title.width() > TITLE_PX - 60
    assert bar.title.text() == LONG or len(bar.title.text()) > 25
    for widget in (bar.open, bar.wipe, bar.correct, bar.areas, bar.compare, bar.export):
        assert widget.isVisible()
        assert bar.rect().contains(widget.geometry())


def test_samples_stay_at_hand_on_a_small_screen_and_a_long_name_is_cut_in_its_middle(bar, qtbot):
    bar.resize(1024, 40)
    for title in ("a.mp4", "pedestrians_480x360.mp4", LONG):
        bar.show_title(title)
        assert bar.samples.isVisible()
        assert bar.rect().contains(bar.samples.geometry())
    qtbot.waitUntil(lambda: bar.title.width() >= bar.title.fontMetrics().horizontalAdvance(bar.title.text()))
    assert "…" in bar.title.text()
    assert len(bar.title.text()) > 15


def test_what_had_no_room_comes_back(bar, qtbot):
    bar.resize(1000, 40)
    bar.show_title(LONG)
    assert not bar.name.isVisible()
    assert not bar.samples.isVisible()
    bar.resize(1440, 40)
    qtbot.waitUntil(lambda: bar.name.isVisible() and bar.samples.isVisible())
    bar.resize(1000, 40)
    bar.show_title("a.mp4")
    qtbot.waitUntil(lambda: bar.title.text() == "a.mp4")
