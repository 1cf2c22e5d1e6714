"""The history in the real window: what each step is called, and what is one step; in and out points and markers."""

import json
import threading
from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QStyle, QStyleOptionSlider

from app.engine.kept_runs import KeptRuns
from app.window.dialogs import FileDialogs
from app.window.history import RELEASE_MS, Step
from app.window.step_words import undone_words
from core.export.job import run_job
from core.frames.frame import Planes
from core.project.document import ExportChoice
from core.project.store import load_project
from tests.app.window.test_history_machine import settled, what_is_set
from tests.app.windows import open_window, wait_for, write_clip
from tests.films import write_film

pytestmark = pytest.mark.usefixtures("qapp")

N_FRAMES = 24


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "clip.mkv", N_FRAMES))


def held(window):
    """Wait for the end of the clip; return what the tests act on."""
    wait_for(lambda: window.worker.n_learnt == N_FRAMES, "the end")
    settled(window)
    return window.commands, window.commands.history.steps.stack


def go(window, index):
    window.views.timeline.go_to(index)
    wait_for(lambda: window.display.index == index, f"frame {index}")


def drag(slider, history):
    """Press the handle of a slider, drag it in three moves, and let it go for a while."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    style = slider.style()
    handle = style.subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
    ).center()
    window = slider.window().windowHandle()
    at = slider.mapTo(slider.window(), handle)
    QTest.mousePress(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    for _ in range(3):
        at += QPoint(8, 0)
        QTest.mouseMove(window, at)
        QTest.qWait(2 * RELEASE_MS)
    QTest.mouseRelease(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    wait_for(lambda: not history._release_timer.isActive(), "the button")


def texts(stack):
    return [stack.text(i) for i in range(stack.count())]


def test_keys_that_the_list_names_and_that_events_undo_act_there_too(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        window.parts.method.form.controls["rank"].box.setValue(5)
        settled(window)
        window.action("history").trigger()
        window.action("events").trigger()
        events = commands.events.panel
        panels = (commands.history.panel, commands.history.panel.view), (events, events.table)
        for panel, focused in panels:
            panel.activateWindow()
            wait_for(lambda panel=panel: QApplication.activeWindow() is panel, "the keys")
            focused.setFocus()
            n_steps = stack.index()
            QTest.keyClick(focused, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            wait_for(lambda n=n_steps: stack.index() == n - 1, "a step back")
            settled(window)
            both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
            QTest.keyClick(focused, Qt.Key.Key_Z, both)
            wait_for(lambda n=n_steps: stack.index() == n, "the step again")
            settled(window)


def test_each_step_says_what_it_was_and_a_drag_is_one(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        assert not window.action("undo").isEnabled()
        window.parts.method.form.controls["rank"].box.setValue(5)
        for value in (55, 60, 65):
            window.parts.source.mask_form.controls["sensitivity"].box.setValue(value)
        window.parts.source.mask_form.controls["smallest"].auto.click()
        commands.method.on_method("opgd")
        commands.presets.choose(window.parts.method.preset.itemText(1))
        commands.method.reset()
        window.views.timeline.passes.setValue(2)
        assert texts(stack)[:2] == ["Rank K 3 → 5", "Sensitivity 50 → 65"]
        assert texts(stack)[2].startswith("Smallest region automatic → ")
        preset = f"Preset {window.parts.method.preset.itemText(1)}"
        assert texts(stack)[3:-1] == ["Method fast → opgd", preset, "Defaults"]
        assert texts(stack)[-1].startswith("Passes ")
        assert window.action("undo").text() == f"Undo {texts(stack)[-1]}"
        commands.history.open()
        assert commands.history.panel.view.model().rowCount() == stack.count() + 1
        window.action("undo").trigger()
        assert window.parts.status.currentMessage() == f"Undone: {undone_words(texts(stack)[-1])}"
        assert window.parts.status.currentMessage().startswith("Undone: Passes back to ")
        window.action("redo").trigger()
        assert window.parts.status.currentMessage() == f"Done again: {texts(stack)[-1]}"
        stack.setIndex(1)
        assert window.action("redo").text() == "Redo Sensitivity 50 → 65"
        assert commands.choice.current.values == {"rank": 5}
        assert commands.choice.current.method == "fast"
        assert window.parts.status.currentMessage() == "Undone: Sensitivity back to 50"
        window.parts.source.mask_form.controls["smallest"].auto.click()
        assert window.parts.status.currentMessage() == "", "something else was done"


def test_a_slider_that_is_back_where_it_was_leaves_no_step(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        _, stack = held(window)
        for value in (60, 50):
            window.parts.source.mask_form.controls["sensitivity"].box.setValue(value)
        assert not stack.canUndo()


def test_where_to_export_is_no_step_and_stays_when_others_are_taken_back(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        window.parts.method.form.controls["rank"].box.setValue(5)
        commands.export.open()
        folder = commands.export.panel.form.folder
        folder.setText(str(tmp_path / "elsewhere"))
        assert texts(stack) == ["Rank K 3 → 5"]
        window.action("undo").trigger()
        assert folder.text() == str(tmp_path / "elsewhere")
        assert "rank" not in commands.choice.current.values
        window.action("redo").trigger()
        assert commands.choice.current.values == {"rank": 5}
        assert what_is_set(window)[0]["export"].folder == str(tmp_path / "elsewhere")


def test_late_changes_are_steps_of_their_own(monkeypatch, tmp_path, clip):
    monkeypatch.setattr("app.window.history.TOGETHER_S", 0)
    with open_window(clip, tmp_path) as window:
        _, stack = held(window)
        for value in (60, 70):
            window.parts.source.mask_form.controls["sensitivity"].box.setValue(value)
        assert texts(stack) == ["Sensitivity 50 → 60", "Sensitivity 60 → 70"]
        assert isinstance(stack.command(0), Step)


@pytest.mark.parametrize("together_s", [0, 60])
def test_each_drag_is_a_step_however_long_it_takes_or_soon_it_comes(monkeypatch, tmp_path, clip, together_s):
    monkeypatch.setattr("app.window.history.TOGETHER_S", together_s)
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        slider = window.parts.source.mask_form.controls["sensitivity"].slider
        for _ in range(2):
            drag(slider, commands.history.steps)
        assert stack.count() == 2
        first, second = (next(iter(stack.command(i).changed.values())) for i in range(2))
        assert first[1] == second[0] != 50
        stack.undo()
        assert commands.choice.current.values == {"sensitivity": first[1]}
        assert window.parts.source.mask_form.controls["sensitivity"].value == first[1]


def test_strokes_regions_and_what_was_forgotten_with_them_come_back(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        start = what_is_set(window)
        for is_background in (True, False):
            paint(window, slice(10, 20), is_background=is_background)
            settled(window)
        painted = what_is_set(window)
        commands.input.set_region((0, 0, 40, 32))
        wait_for(lambda: commands.input.request.roi, "the region")
        settled(window)
        assert texts(stack) == ["Brush: background", "Brush: foreground", "Region 40 × 32"]
        assert not window.worker.painted
        stack.undo()
        settled(window)
        assert what_is_set(window) == painted
        assert window.parts.source.region.text() == "whole picture"
        stack.setIndex(0)
        settled(window)
        assert what_is_set(window) == start
        assert not window.commands.project.is_modified


def test_what_was_painted_on_a_film_outlives_other_methods_and_is_as_it_was_when_they_are_undone(tmp_path):
    film = str(tmp_path / "film.mp4")
    write_film(film, N_FRAMES)
    with open_window(film, tmp_path) as window:
        commands, stack = held(window)
        for rows, is_background in ((slice(6, 16), True), (slice(26, 36), False)):
            paint(window, rows, is_background=is_background)
            settled(window)
        painted, strokes = what_is_set(window), window.worker.strokes
        assert strokes.layout.planes is Planes.YCC420
        for method in ("opgd", "median", "mog2"):
            commands.method.on_method(method)
            settled(window)
            assert window.worker.strokes.layout.planes is Planes.RGB, method
            for one, was in zip(window.worker.strokes.strokes, strokes.strokes, strict=True):
                assert (one.is_background, one.index, one.box) == (was.is_background, was.index, was.box)
                assert np.array_equal(one.where, was.where)
            assert not window.parts.banner.text
        stack.setIndex(2)
        settled(window)
        assert what_is_set(window) == painted
        stack.setIndex(3)
        settled(window)
        wait_for(lambda: window.views.panes.report.frame.layout.planes is Planes.RGB, "a frame of the other method")
        paint(window, slice(40, 44), is_background=True)
        settled(window)
        assert len(window.worker.strokes.strokes) == 3
        for n_strokes in (2, 2, 1, 0):
            stack.undo()
            settled(window)
            assert len(window.worker.strokes.strokes) == n_strokes
        for n_strokes in (1, 2, 2, 3):
            stack.redo()
            settled(window)
            assert len(window.worker.strokes.strokes) == n_strokes


@contextmanager
def busy_engine(window):
    """Let the engine do nothing within the block: what is asked of it waits."""
    let_go = threading.Event()
    window.worker.with_session(lambda _: let_go.wait())
    try:
        yield
    finally:
        let_go.set()


def paint(window, rows, *, is_background):
    panes = window.views.panes
    where = np.zeros(panes.report.full_mask.shape, bool)
    where[rows, 10:20] = True
    panes.stroke_painted.emit(panes.report, where, is_background)


def test_undo_takes_back_the_stroke_that_the_engine_has_not_taken_yet_and_no_other(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        commands.history.open()
        start = what_is_set(window)
        with busy_engine(window):
            paint(window, slice(10, 20), is_background=False)
            assert window.action("undo").isEnabled(), "the first stroke cannot be taken back"
            assert not commands.history.panel.view.isEnabled(), "a step of before would be gone back to"
        settled(window)
        assert commands.history.panel.view.isEnabled()
        assert window.action("undo").text() == "Undo Brush: foreground"
        one = what_is_set(window)
        with busy_engine(window):
            paint(window, slice(24, 30), is_background=True)
            window.action("undo").trigger()
            assert stack.index() == 1, "the stroke before was taken back"
        settled(window)
        wait_for(lambda: stack.count() == 2, "the step")
        settled(window)
        assert (texts(stack), stack.index()) == (["Brush: foreground", "Brush: background"], 1)
        assert what_is_set(window) == one
        window.action("redo").trigger()
        settled(window)
        with busy_engine(window):
            paint(window, slice(2, 6), is_background=True)
            commands.correcting.forget()
            for key in ("undo", "undo", "redo", "undo"):
                window.action(key).trigger()
        settled(window)
        wait_for(lambda: stack.count() == 4, "the steps")
        settled(window)
        assert (texts(stack)[2:], stack.index()) == (["Brush: background", "Strokes forgotten"], 2)
        for _ in range(2):
            window.action("undo").trigger()
        settled(window)
        assert what_is_set(window) == start


def test_another_input_begins_another_history(tmp_path, clip):
    other = str(write_clip(tmp_path / "other.mkv", 10))
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        go(window, 5)
        window.action("mark_in").trigger()
        window.action("marker").trigger()
        assert stack.count() == 2
        commands.input.open_path(other)
        wait_for(lambda: commands.input.request.path == other, "the other clip")
        settled(window)
        assert (stack.count(), commands.marks.markers, commands.export.written) == (0, (), (None, None))


def test_in_and_out_points_are_what_is_exported_and_are_kept_with_the_markers(tmp_path, clip, monkeypatch):
    path = tmp_path / "day.cleanplate"
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        marks, strip = commands.marks, window.views.timeline.marks
        for index, key in ((5, "mark_in"), (9, "mark_out"), (7, "marker"), (15, "marker")):
            go(window, index)
            window.action(key).trigger()
        assert (commands.export.written, strip.ends) == ((6, 10), (5, 9))
        monkeypatch.setattr(FileDialogs, "line", lambda *_: "Van")
        window.action("name_marker").trigger()
        assert [(marker.frame, marker.name) for marker in marks.markers] == [(8, "Marker 1"), (16, "Van")]
        go(window, 7)
        window.action("marker").trigger()
        for index in (3, 7):
            go(window, index)
            window.action("marker").trigger()
        assert [marker.name for marker in marks.markers] == ["Marker 1", "Marker 2", "Van"], "no name twice"
        go(window, 3)
        window.action("marker").trigger()
        marks.rename(7, "Marker 1")
        go(window, 15)
        for key, index in (("last_mark", 9), ("last_mark", 7), ("next_mark", 9), ("next_mark", 15)):
            window.action(key).trigger()
            wait_for(lambda index=index: window.display.index == index, f"the mark at {index}")
        commands.export.open()
        form = commands.export.panel.form
        assert (form.first.value(), form.last.value()) == (6, 10)
        form.last.setValue(12)
        assert strip.ends == (5, 11), "one truth, shown twice"
        form.last.setValue(10)
        for name, frames in (("part", form.choice.written), ("whole", (None, None))):
            run_job(
                commands.export.job(ExportChoice(folder=str(tmp_path / name), save=("mask", "cleaned"), written=frames))
            )
        for folder in ("mask", "cleaned"):
            part = {file.name: file.read_bytes() for file in (tmp_path / "part" / folder).iterdir()}
            whole = {file.name: file.read_bytes() for file in (tmp_path / "whole" / folder).iterdir()}
            assert (len(part), len(whole)) == (5, N_FRAMES)
            assert part.items() <= whole.items()
        commands.project.write(path)
        wait_for(lambda: commands.project.path == path, "the saving")
        saved = stack.index()
        window.action("clear_range").trigger()
        assert commands.export.written == (None, None)
        go(window, 12)
        window.action("mark_out").trigger()
        go(window, 18)
        window.action("mark_in").trigger()
        assert commands.export.written == (19, None), "an in point behind the out point takes that away"
        for _ in range(3):
            window.action("undo").trigger()
            first, last = commands.export.written
            assert strip.ends == ((first or 1) - 1, (last or N_FRAMES) - 1)
        stack.setIndex(saved)
        assert not commands.project.is_modified
        assert strip.ends == (5, 9)
    assert json.loads(path.read_text())["markers"][1] == {"frame": 16, "name": "Van"}
    assert load_project(path).document.export.written == (6, 10)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.commands.project.path == path, "the project")
        assert window.commands.export.written == (6, 10)
        assert [marker.frame for marker in window.commands.marks.markers] == [8, 16]
        assert window.commands.history.steps.stack.count() == 0


def test_undoing_another_size_says_where_learning_begins_anew(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        commands, stack = held(window)
        window.parts.source.scale.findChildren(QAbstractButton)[1].click()
        wait_for(lambda: commands.input.request.size == (32, 24) and window.worker.n_learnt > 3, "half the size")
        settled(window)
        assert not window.parts.banner.text
        window.worker._kept_runs = KeptRuns()  # As it took too much memory.
        stack.undo()
        wait_for(lambda: commands.input.request.size is None, "the size of before")
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert window.parts.banner.text.endswith("learning begins anew, with the first frame.")
