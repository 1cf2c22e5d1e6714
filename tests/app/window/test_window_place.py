"""Where a window beside the main one lies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QDialog

from app.window import window_place
from app.window.settings import Remembered, load, save
from app.window.window_place import WindowPlace, free_place
from tests.app.windows import open_window, wait_for, write_clip

ROOM = QRect(0, 24, 1920, 1056)
SIZE, LEAST = QSize(760, 520), QSize(600, 220)

SIDES = st.integers(0, 2500)
RECTS = st.builds(QRect, st.integers(-200, 2000), st.integers(-200, 1200), SIDES, SIDES)


def leaves_room(there):
    """Tell by columns and rows whether there is room beside what lies there."""
    n_columns = max(there.left() - ROOM.left(), ROOM.right() - there.right())
    n_rows = max(there.top() - ROOM.top(), ROOM.bottom() - there.bottom())
    return n_columns >= LEAST.width() or n_rows >= LEAST.height()


@given(st.lists(RECTS, min_size=1, max_size=2))
def test_it_lies_in_the_room_and_over_nothing_that_is_spared_where_any_of_it_leaves_room(spared):
    placed = free_place(SIZE, LEAST, ROOM, spared)
    assert ROOM.contains(placed)
    assert placed.size().expandedTo(LEAST) == placed.size()
    assert placed.size().boundedTo(SIZE) == placed.size()
    first = next((one for one in spared if leaves_room(one)), None)
    if first is None:
        assert placed.bottomRight() == ROOM.bottomRight()
    else:
        assert not placed.intersects(first)


@pytest.mark.parametrize(
    ("spared", "placed"),
    [
        ([QRect(100, 100, 1000, 800)], QRect(1100, 100, 760, 520)),
        ([QRect(100, 100, 1000, 800), QRect(300, 200, 500, 300)], QRect(1100, 100, 760, 520)),
        ([QRect(0, 24, 1920, 1056), QRect(270, 90, 1360, 700)], QRect(870, 790, 760, 290)),
        ([QRect(0, 24, 1920, 1056), QRect(0, 90, 1920, 980)], QRect(1160, 860, 760, 220)),
    ],
    ids=["beside the window", "rather there than over its panels", "below the pictures", "as low as it can be"],
)
def test_it_lies_beside_the_window_or_else_beside_the_pictures(spared, placed):
    assert free_place(SIZE, LEAST, ROOM, spared) == placed


@pytest.fixture
def dialog(qtbot, monkeypatch):
    monkeypatch.setattr(window_place, "RESTS_MS", 20)
    made = QDialog()
    qtbot.addWidget(made)
    made.resize(200, 100)
    return made


def shown(qtbot, dialog, place):
    place.give()
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.wait(60)
    return dialog.geometry()


def test_where_a_person_has_put_it_is_remembered_and_where_it_was_put_by_itself_is_not(qtbot, tmp_path, dialog):
    remembered, free, told = Remembered(), [QRect(40, 60, 200, 100)], []
    place = WindowPlace("events", dialog, remembered, lambda size, least: free[0])
    place.changed.connect(lambda: told.append(1))
    assert shown(qtbot, dialog, place) == free[0]
    dialog.hide()
    free[0] = QRect(90, 80, 210, 110)
    assert shown(qtbot, dialog, place) == free[0], "it goes by where the main window is now"
    dialog.hide()
    assert not remembered.windows
    assert not told
    shown(qtbot, dialog, place)
    dialog.setGeometry(300, 200, 250, 150)
    dialog.hide()
    assert told
    path = tmp_path / "window.json"
    save(remembered, path)
    again = QDialog()
    qtbot.addWidget(again)
    there = WindowPlace("events", again, load(path), lambda size, least: free[0])
    assert shown(qtbot, again, there) == QRect(300, 200, 250, 150)


def test_the_events_lie_over_no_picture_and_their_place_is_remembered(tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(window_place, "RESTS_MS", 20)
    clip = str(write_clip(tmp_path / "clip.mkv", 20))
    with open_window(clip, tmp_path) as window:
        window.resize(780, 600)
        window.move(0, 0)
        wait_for(lambda: window.views is not None and window.height() == 600, "the window")
        window.action("events").trigger()
        panel, panes = window.commands.events.panel, window.views.panes
        assert not panel.geometry().intersects(QRect(panes.mapToGlobal(QPoint()), panes.size()))
        assert panel.screen().availableGeometry().contains(panel.geometry())
        place = window.commands.events._place
        wait_for(lambda: place._given is not None, "its rest")
        panel.resize(640, 300)
        panel.close()
        assert "events" in load(tmp_path / "window.json").windows
    with open_window(clip, tmp_path) as window:
        window.action("events").trigger()
        assert window.commands.events.panel.size() == QSize(640, 300)
