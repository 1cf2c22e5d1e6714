"""Events and activity in the real window."""

import csv
import threading

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from app.count_words import counted
from app.panels.events import FINDS
from app.window import activity_display
from app.window.activity_display import joined
from core.errors import CleanplateError
from core.events import found
from core.events.activity import ActivityCurve
from core.events.files import NAMES
from core.events.found import read_events
from core.export import job as export_job
from core.scene.areas import Shape
from core.session import overview
from tests.app.windows import open_window, poll, wait_for, write_clip
from tests.cut_film import EACH, FIRSTS, write_cut_film

overview_of = overview.look_through

N_FRAMES = 60


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return write_clip(tmp_path_factory.mktemp("clip") / "clip.mkv", N_FRAMES, 128, 96)


def test_the_whole_clip_is_looked_through_while_the_window_holds(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 0)
    with open_window(str(clip), tmp_path) as window:
        window.worker.pause()
        strip = window.views.timeline.activity
        wait_for(lambda: np.isfinite(strip.bars(N_FRAMES)[1]).all(), "the activity of every frame")
        look = window.display.activity._background
        wait_for(lambda: not look.thread.isRunning(), "the end of the look through the clip")
        assert np.nanmax(strip.bars(N_FRAMES)[1]) > 0


def test_what_plays_shows_in_the_strip(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    with open_window(str(clip), tmp_path) as window:
        strip = window.views.timeline.activity
        wait_for(lambda: np.isfinite(strip.bars(N_FRAMES)[1]).all(), "the activity of every frame that was played")


def test_frames_after_a_cut_that_played_before_it_was_known_do_not_show_in_the_strip(tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    n_frames = EACH * len(FIRSTS)
    with open_window(str(write_cut_film(tmp_path / "cut.mkv", len(FIRSTS))), tmp_path) as window:
        strip = window.views.timeline.activity
        wait_for(lambda: np.isfinite(strip.bars(n_frames)[1][-5:]).all(), "the end")
        assert np.nanmax(strip.bars(n_frames)[1]) < 0.2
        assert np.isnan(strip.bars(n_frames)[1][EACH])


def test_the_strip_leaves_out_what_moves_where_nothing_is_ever_foreground(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 0)
    whole = ((0, 0), (128, 0), (128, 96), (0, 96))
    with open_window(str(clip), tmp_path) as window:
        strip, areas = window.views.timeline.activity, window.commands.areas
        wait_for(lambda: window.display.index == N_FRAMES - 1 and not window.commands.playback.is_playing, "the end")
        wait_for(lambda: np.nanmax(strip.bars(N_FRAMES)[1], initial=0) > 0, "something that moves")
        for kind, moves in (("keep", True), ("never", False), ("none", True)):
            areas.set_areas(areas.areas.with_shape(Shape(kind, whole)))
            wait_for(
                lambda moves=moves: (
                    np.isfinite(bars := strip.bars(N_FRAMES)[1]).all() and bool(bars.max() > 0) is moves
                ),
                f"a strip with {kind}",
            )


def test_closing_the_window_ends_the_look_through_the_clip(clip, tmp_path, monkeypatch, qapp):
    began, found = threading.Event(), []

    def held_in_the_midst(spec, tell, cancelled, *rest):
        def tell_and_wait(curve):
            tell(curve)
            began.set()
            poll(cancelled, "the end of the window", lambda: None)

        found.append(overview_of(spec, tell_and_wait, cancelled, *rest))
        return found[0]

    monkeypatch.setattr(activity_display, "START_MS", 0)
    monkeypatch.setattr(overview, "TELL_FRAMES", N_FRAMES // 2)
    monkeypatch.setattr(overview, "look_through", held_in_the_midst)
    with open_window(str(clip), tmp_path) as window:
        wait_for(began.is_set, "the look through the clip")
        look = window.display.activity._background
        assert look.thread.isRunning()
    assert not look.thread.isRunning()
    assert np.isfinite(found[0].mean).sum() == overview.TELL_FRAMES, "it went on to the end of the clip"


def test_a_look_that_hangs_does_not_hold_the_window(clip, tmp_path, monkeypatch, qapp):
    goes_on, began, ended = threading.Event(), threading.Event(), threading.Event()

    def hang(*_):
        began.set()
        goes_on.wait(600)
        ended.set()

    monkeypatch.setattr(activity_display, "START_MS", 0)
    monkeypatch.setattr(overview, "look_through", hang)
    with open_window(str(clip), tmp_path) as window:
        wait_for(began.is_set, "the look through the clip")
        try:
            areas = window.commands.areas
            areas.set_areas(areas.areas.with_shape(Shape("never", ((0, 0), (20, 0), (20, 20)))))
            window.display.activity.follow()
            assert not ended.is_set(), "the window waited for it"
        finally:
            goes_on.set()


def test_another_input_waits_for_no_search_and_hears_nothing_of_it(clip, tmp_path, monkeypatch, qapp):
    goes_on, began = threading.Event(), threading.Event()

    def hang(*_, **__):
        began.set()
        goes_on.wait(600)
        raise CleanplateError("It came to nothing.")

    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    monkeypatch.setattr(export_job, "run_job", hang)
    other = str(write_clip(tmp_path / "other.mkv"))
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel = window.commands.events.panel
        panel.run.start.click()
        wait_for(began.is_set, "the search")
        try:
            window.commands.input.open_path(other)
            wait_for(lambda: window.commands.input.request.path == other, "the other clip")
            assert panel.run.is_running, "the window waited for it"
        finally:
            goes_on.set()
        wait_for(lambda: not panel.run.is_running, "the end of the search")
        assert panel.message.text() == FINDS


def test_events_are_found_chosen_narrowed_down_and_saved(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel = window.commands.events.panel
        assert not panel.save.isEnabled()
        panel.run.start.click()
        wait_for(panel.model.rowCount, "events")
        assert panel.save.isEnabled()
        n_found = panel.model.rowCount()
        panel.table.selectRow(n_found - 1)
        first = panel.model.event_at(n_found - 1).first
        wait_for(lambda: window.display.index == first, "the first frame of the event")
        marks, event = window.views.panes.event_marks, panel.model.event_at(n_found - 1)
        assert marks.box == tuple(event.rows[0, 1:5])
        window.worker.step()
        wait_for(
            lambda: marks.box == event.box_at(window.display.index) != tuple(event.rows[0, 1:5]), "where it goes on"
        )
        panel.close()
        assert marks.box is None
        window.action("events").trigger()

        panel.form.smallest.setValue(10**6)
        assert panel.model.rowCount() == 0
        assert panel.message.text().startswith(f"0 of {counted(n_found, 'event')}.")
        panel.form.smallest.setValue(0)
        panel.form.line.setText("60,95,60,0")
        panel.form.line.editingFinished.emit()
        assert "over the line" in panel.message.text()
        panel.form.line.setText("60,95")
        panel.form.line.editingFinished.emit()
        assert "The line" in panel.message.text()
        panel.form.line.setText("")
        panel.form.line.editingFinished.emit()

        folder = tmp_path / "saved"
        folder.mkdir()
        panel.write(folder)
        wait_for((folder / "events").exists, "the files")
        assert sorted(path.name for path in (folder / "events").iterdir()) == sorted(NAMES)
        with (folder / "events/events.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == n_found
        wait_for(panel.save.isEnabled, "the end of saving")
        panel.write(folder)
        wait_for(lambda: "is there already" in panel.message.text(), "a refusal")

        # What is listed can be saved while others are looked for, and where that comes to nothing.
        with monkeypatch.context() as patched:
            patched.setattr(panel.run, "begin", lambda job: None)
            panel._on_start()
        again = tmp_path / "again"
        again.mkdir()
        wait_for(panel.save.isEnabled, "the end of the refusal")
        panel.write(again)
        wait_for((again / "events").exists, "the files again")


def test_events_are_found_between_the_in_and_out_points(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel, marks = window.commands.events.panel, window.commands.marks
        assert panel.message.text() == FINDS
        marks.set_range(29, 44)
        assert panel.message.text() == "Finds what moves in frames 30 – 45, with the settings of the window."
        panel.run.start.click()
        wait_for(panel.model.rowCount, "events")
        assert " in frames 30 – 45." in panel.message.text()
        found_in = [panel.model.event_at(row) for row in range(panel.model.rowCount())]
        assert 29 <= min(event.first for event in found_in) <= max(event.last for event in found_in) <= 44
        marks.clear_range()
        assert " in frames 30 – 45." in panel.message.text(), "what is listed is of these still"
        panel.form.smallest.setValue(10**6)
        assert " in frames 30 – 45." in panel.message.text()
        window.commands.export.set_written((31, None))
        panel.clear()
        assert panel.message.text().startswith("Finds what moves in frames 31 – the end,")


def test_what_is_found_can_be_saved_though_other_events_are_looked_for_while_it_is_read(
    clip, tmp_path, monkeypatch, qapp
):
    begun, may_end = threading.Event(), threading.Event()

    def read_slowly(folder):
        begun.set()
        may_end.wait(60)
        return read_events(folder)

    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    monkeypatch.setattr(found, "read_events", read_slowly)
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel = window.commands.events.panel
        panel.run.start.click()
        try:
            wait_for(begun.is_set, "reading the events")
            monkeypatch.setattr(panel.run, "begin", lambda job: None)
            panel.run.start.click()
        finally:
            may_end.set()
        wait_for(panel.model.rowCount, "events")
        panel.write(tmp_path)
        wait_for(lambda: panel.message.text().startswith("Wrote"), panel.message.text())
        assert sorted(path.name for path in (tmp_path / "events").iterdir()) == sorted(NAMES)


def test_a_line_that_cannot_be_read_is_told_of_before_events_are_looked_for(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel = window.commands.events.panel
        panel.form.line.setText("50,200,abc")
        panel.run.start.click()
        assert panel.message.text().startswith("The line 50,200,abc")
        assert not panel.run.is_running


def test_another_input_empties_the_list(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    with open_window(str(clip), tmp_path) as window:
        window.action("events").trigger()
        panel = window.commands.events.panel
        panel.run.start.click()
        wait_for(panel.model.rowCount, "events")
        window.commands.input.open_path("sample:faces")
        wait_for(lambda: not panel.model.rowCount(), "an empty list")
        assert not panel.save.isEnabled()


def test_what_was_looked_at_goes_before_what_was_played():
    nan = np.nan
    looked = ActivityCurve(1, *(np.array([0.1, 0.1, nan]) for _ in range(3)))
    played = ActivityCurve(1, *(np.array([nan, 0.5, 0.5, 0.5]) for _ in range(3)))
    assert joined(looked, played).mean.tolist() == [0.1, 0.1, 0.5, 0.5]


def test_the_choice_of_a_folder_for_events_begins_beside_the_input(clip, tmp_path, monkeypatch, qapp):
    begun = []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: begun.append(args[2]) or "")
    with open_window(str(clip), tmp_path) as window:
        window.commands.events.open()
        window.commands.events.panel.save.clicked.emit()
    assert begun == [str(clip.parent)]
