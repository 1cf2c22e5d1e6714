"""The handles between the parts of the window."""

import pytest
from PySide6.QtCore import QCoreApplication

from app.window import settings
from tests.app.view_helpers import drag
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def pull(splitter, handle, by):
    """Drag a handle."""
    grip = splitter.handle(handle)
    middle = (grip.width() / 2, grip.height() / 2)
    drag(grip, middle, (middle[0] + by[0], middle[1] + by[1]))


def at_rest(read):
    """Return what is read once it is twice the same: layouts settle in several events."""
    last = [read()]

    def is_same():
        QCoreApplication.processEvents()
        last.append(read())
        return last[-1] == last[-2]

    wait_for(is_same, "that all is at rest")
    return last[-1]


def test_panels_are_as_wide_as_people_make_them_and_stay_so(tmp_path):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(clip, tmp_path) as window:
        window.resize(1300, 800)
        wait_for(lambda: window.width() == 1300, "the size")
        source, method = window.parts.source, window.parts.method
        before = at_rest(lambda: (source.width(), method.width(), window.views.plots.width()))
        pull(window.parts.sides, 1, (60, 0))
        pull(window.parts.sides, 2, (-40, 0))
        pull(window.views.bottom, 1, (-50, 0))
        after = at_rest(lambda: (source.width(), method.width(), window.views.plots.width()))
        # Places are told to a handle in its own coordinates, which move with it.
        grown = [now - then for now, then in zip(after, before, strict=True)]
        assert min(grown) >= 40, (before, after, window.parts.sides.sizes(), window.views.bottom.sizes())
        window.resize(1200, 800)
        wait_for(lambda: window.width() == 1200, "the size")
        assert (source.width(), method.width()) == after[:2], "the pictures give way"
        window.action("source_panel").setChecked(False)
        window.action("source_panel").setChecked(True)
        assert source.width() == pytest.approx(after[0], abs=2)
    assert set(settings.load(tmp_path / "window.json").parts) == {"sides", "bottom"}
    with open_window(clip, tmp_path) as window:
        window.resize(1300, 800)
        wait_for(lambda: window.width() == 1300, "the size")
        parts = window.parts.source, window.parts.method, window.views.plots
        # Parts follow their window in events of their own, which may come after it has its size.
        wait_for(lambda: [part.width() for part in parts] == pytest.approx(after, abs=2), f"{after} pixels again")


def test_the_usual_layout_comes_back_whatever_was_moved_hidden_and_chosen(tmp_path):
    clip = str(write_clip(tmp_path / "clip.mkv"))

    def now():
        panes = window.views.panes
        parts = window.parts.source, window.parts.method, window.views.plots
        widths = [part.isVisible() and part.width() for part in parts]
        return *widths, window.parts.bottom.height(), panes.kinds, panes.enlarged

    with open_window(clip, tmp_path) as window:
        window.resize(1300, 900)
        wait_for(lambda: window.width() == 1300, "the size")
        window.worker.pause()  # What is learnt has pictures, which take room.
        window.action("usual_layout").trigger()
        usual = at_rest(now)
        pull(window.parts.sides, 1, (60, 0))
        pull(window.parts.split, 1, (0, -60))
        pull(window.views.bottom, 1, (-50, 0))
        window.action("method_panel").setChecked(False)
        window.views.panes.choice.show(2, "residual")
        window.views.panes.set_enlarged(2)
        wait_for(lambda: all(a != b for a, b in zip(now(), usual, strict=True)), "other places")
        window.action("usual_layout").trigger()
        wait_for(lambda: now() == usual, "the usual layout")
    kept = settings.load(tmp_path / "window.json")
    assert (kept.parts, kept.hidden) == ({}, [])


@pytest.mark.parametrize("parts", ['{"sides": [0, 5, 5]}', '{"sides": [1]}', '{"sides": "wide"}', '{"x": [1, 2, 3]}'])
def test_sizes_that_make_no_sense_leave_every_part_visible(tmp_path, parts):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    (tmp_path / "window.json").write_text(f'{{"version": 1, "parts": {parts}}}')
    with open_window(clip, tmp_path) as window:
        for part in (window.parts.source, window.parts.method):
            assert part.width() >= part.minimumWidth()
