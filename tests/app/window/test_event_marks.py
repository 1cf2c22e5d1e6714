"""The line and the area of the events panel, drawn in the pictures of the real window."""

import csv
from contextlib import contextmanager
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app.cli.main import invoke
from app.command_words import AREA, LINE
from app.equivalent_command import command_line
from app.panels.event_table import HEADINGS
from app.views.panes import FOREGROUND, INPUT
from app.window import activity_display
from core.events.files import EVENTS_JSON, NAMES
from core.events.rules import Rules
from core.export.job import run_job
from core.io.input_spec import InputSpec
from core.project.document import Document, ExportChoice, input_of
from core.project.store import Project, load_document, save_project
from tests.app.view_helpers import drag, keeps, mouse
from tests.app.windows import at_home, open_window, wait_for, write_clip

SIZE = (128, 96)


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    return write_clip(tmp_path_factory.mktemp("clip") / "clip.mkv", 60, *SIZE)


@contextmanager
def panel_open(clip, folder):
    """Open the window on a clip, and in it the events panel."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(activity_display, "START_MS", 10**6)
        with open_window(str(clip), folder) as made:
            made.action("events").trigger()
            yield made


@pytest.fixture
def window(clip, tmp_path, qapp):
    with panel_open(clip, tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def window_of_all(clip, tmp_path_factory, qapp):
    folder = tmp_path_factory.mktemp("window")
    with at_home(folder), panel_open(clip, folder) as made:
        yield made


@pytest.fixture
def empty(window_of_all):
    """A window that tests which only type and draw share: nothing is drawn, and the panel is open."""
    for key, wanted in (("areas", False), ("events", True)):
        shown = panel_of(window_of_all).isVisible() if key == "events" else window_of_all.action(key).isChecked()
        if shown is not wanted:
            window_of_all.action(key).trigger()
    form = panel_of(window_of_all).form
    for edit in (form.line, form.area):
        write(edit, "")
    assert not form.drawing
    return window_of_all


def panel_of(window):
    return window.commands.events.panel


def draw(window, what, start, end, pane=INPUT):
    """Push the switch, and drag between two points of the picture."""
    panel_of(window).form.switches[what].click()
    there = window.views.panes.panes[pane]
    drag(there, *(there.viewport.to_pane(*point) for point in (start, end)))


def save(window, path):
    window.commands.project.write(path)
    wait_for(lambda: window.commands.project.path == path and not window.commands.project.is_modified, "the saving")


def write(edit, text):
    edit.setFocus()
    edit.clear()
    QTest.keyClicks(edit, text)
    edit.editingFinished.emit()


@pytest.mark.parametrize("scale", [0, 1], ids=["full size", "half size"])
def test_a_drag_gives_the_pixels_of_the_original(window, scale):
    if scale:
        window.parts.source.scale.findChildren(QAbstractButton)[scale].click()
        wait_for(lambda: window.commands.input.request.size == (64, 48), "half size")
        wait_for(lambda: window.views.panes.report.mask.shape == (48, 64), "its picture")
    form = panel_of(window).form
    for enlarged in (False, True):
        if enlarged:
            for _ in range(4):
                window.views.panes.zoom_in()
            assert window.views.panes.panes[INPUT].viewport.can_pan
        for edit in (form.line, form.area):
            write(edit, "")
        draw(window, LINE, (60, 60), (62, 30))
        assert form.line.text() == "60,60,62,30", enlarged
        draw(window, AREA, (50, 30), (80, 66), pane=FOREGROUND)
        assert form.area.text() == "50,30,80,30,80,66,50,66", enlarged
        assert not form.drawing


def test_in_a_region_it_is_pixels_of_the_region_as_results_have_them(window):
    window.views.panes.region_selected.emit(40, 20, 80, 60)
    wait_for(lambda: window.views.panes.panes[INPUT].size_of_picture == (80, 60), "the region")
    draw(window, LINE, (10, 50), (12, 5))
    assert panel_of(window).form.line.text() == "10,50,12,5"


def test_what_is_drawn_counts_as_what_is_typed(window, tmp_path):
    panel = panel_of(window)
    panel.run.start.click()
    wait_for(panel.model.rowCount, "events")
    write(panel.form.line, "60,95,60,0")
    typed = panel.message.text()
    assert "over the line 1 forward" in typed
    write(panel.form.line, "")
    draw(window, LINE, (60, 95), (60, 0))
    assert panel.message.text() == typed
    draw(window, LINE, (60, 0), (60, 95))
    assert "0 forward, 1 backward" in panel.message.text()
    panel.write(tmp_path)
    wait_for((tmp_path / "events").exists, "the files")
    with (tmp_path / "events/events.csv").open(newline="") as file:
        assert "backward" in [row["line_1"] for row in csv.DictReader(file)]
    wait_for(panel.save.isEnabled, "the end of saving")
    draw(window, AREA, (0, 60), (40, 90))
    assert panel.model.rowCount() == 0, "nothing moves down there"


def test_several_lines_are_drawn_moved_and_counted_each_by_itself(window, tmp_path):
    panel, pane = panel_of(window), window.views.panes.panes[INPUT]
    form, to_pane = panel.form, pane.viewport.to_pane
    assert not form.another.isEnabled(), "there is none yet"
    draw(window, LINE, (60, 95), (60, 0))
    form.another.click()
    assert form.drawing == LINE
    drag(pane, to_pane(40, 10), to_pane(40, 90))
    assert form.line.text() == "60,95,60,0; 40,10,40,90"
    assert not form.drawing
    drag(pane, to_pane(40, 90), to_pane(40, 80))
    assert form.line.text() == "60,95,60,0; 40,10,40,80", "an end of the second one was moved"
    assert window.views.panes.event_marks.points[LINE] == ((60, 95), (60, 0), (40, 10), (40, 80))
    panel.run.start.click()
    wait_for(panel.model.rowCount, "events")
    assert "over line 1: 1 forward, 0 backward · over line 2: 0 forward, 1 backward" in panel.message.text()
    ways = {panel.model.index(row, len(HEADINGS) - 1).data() for row in range(panel.model.rowCount())}
    assert "1 forward, 2 backward" in ways
    panel.model.sort(len(HEADINGS) - 1)
    panel.write(tmp_path)
    wait_for((tmp_path / "events").exists, "the files")
    with (tmp_path / "events/events.csv").open(newline="") as file:
        assert ("forward", "backward") in [(row["line_1"], row["line_2"]) for row in csv.DictReader(file)]
    wait_for(panel.save.isEnabled, "the end of saving")
    write(form.line, "60,95,60,0; 40,10")
    assert panel.message.text().startswith("The line 40,10 has 1 points")
    assert not window.views.panes.event_marks.points[LINE]
    assert not form.another.isEnabled()


def test_what_counts_is_of_the_project_of_undo_and_of_every_export(clip, window, tmp_path):
    panel, commands, path = panel_of(window), window.commands, tmp_path / "day.cleanplate"
    wait_for(lambda: commands.playback.state.name == "FINISHED", "the end, so that no frame comes between")
    save_now = partial(save, window, path)
    save_now()
    draw(window, LINE, (60, 95), (60, 0))
    assert window.isWindowModified()
    assert window.action("undo").text().endswith("Lines that events cross")
    window.action("undo").trigger()
    assert not panel.form.line.text()
    assert not window.views.panes.event_marks.points[LINE]
    assert not window.isWindowModified()
    window.action("redo").trigger()
    assert panel.form.line.text() == "60,95,60,0"
    panel.form.shortest.setValue(8)
    panel.form.shortest.setValue(9)
    assert commands.history.steps.stack.undoText() == "Shortest event 5 → 9", "numbers that follow each other are one"
    rules = Rules((), 9, 0, (((60.0, 95.0), (60.0, 0.0)),))
    write(panel.form.area, "1,2,3")
    assert commands.events.rules == rules, "what cannot be read is not counted by"
    write(panel.form.area, "")

    wanted = ExportChoice(folder=str(tmp_path / "window"), save=("events",))
    job = commands.export.job(wanted)
    assert job.rules == rules
    assert "--event-line 60,95,60,0 --event-length 9" in command_line(job)
    assert commands.export.job(ExportChoice(folder="x", save=("mask",))).rules == Rules(), "no events in it"
    assert commands.events.job(tmp_path).rules == Rules(), "what the panel lists is narrowed down by itself"
    commands.export.open()
    form = commands.export.panel.form
    form.show_choice(wanted)
    form.changed.emit()
    commands.export.refresh()
    assert "--event-line 60,95,60,0" in commands.export.panel.command.toPlainText()
    panel.form.shortest.setValue(10)
    assert "--event-length 10" in commands.export.panel.command.toPlainText(), "it follows while both are open"
    panel.form.shortest.setValue(9)
    other = commands.export.job_for(str(tmp_path / "other.mkv")).rules
    assert other == Rules(shortest=9), "another input is not counted over lines that were drawn on this one"
    run_job(job)
    save_now()
    assert load_document(path).events == rules
    assert invoke(["run", str(path), "-o", str(tmp_path / "line"), "--quiet"]) == 0
    names = {name: (tmp_path / "window/events" / name).read_bytes() for name in NAMES}
    assert {name: (tmp_path / "line/events" / name).read_bytes() for name in NAMES} == names
    assert b'"forward": 1' in names[EVENTS_JSON]

    commands.input.open_path("sample:street")
    wait_for(lambda: commands.input.request.path == "sample:street", "another input")
    assert not panel.form.line.text(), "the line was drawn on the other"
    assert panel.form.shortest.value() == 9
    commands.opening.open_path(str(path))
    wait_for(lambda: commands.input.request.path == str(clip), "the project")
    assert panel.form.rules()[0] == rules
    assert window.views.panes.event_marks.points[LINE] == ((60, 95), (60, 0))
    wait_for(lambda: commands.project.path == path, "the name of the project")
    assert not window.isWindowModified()


def test_a_new_window_shows_what_a_project_counts_though_its_panel_was_never_open(clip, tmp_path, monkeypatch, qapp):
    monkeypatch.setattr(activity_display, "START_MS", 10**6)
    rules = Rules(((1.0, 2.0), (90.0, 2.0), (90.5, 80.25)), 2, 30, (((60.0, 95.0), (60.0, 0.0)),) * 2)
    path = tmp_path / "day.cleanplate"
    save_project(Project(Document(input=input_of(InputSpec(str(clip))), events=rules)), path)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.commands.project.path == path, "the project")
        assert window.commands.export.job(ExportChoice(folder="x", save=("boxes",))).rules == rules
        window.action("events").trigger()
        form = panel_of(window).form
        assert form.rules()[0] == rules
        assert window.commands.events.job(tmp_path).rules == Rules(shortest=2)
        assert not window.isWindowModified(), "showing it changes nothing"


def test_one_switch_is_on_at_a_time(empty):
    form = panel_of(empty).form
    write(form.line, "60,95,60,0")
    switches = (*form.switches.values(), form.another)
    for switch in switches:
        switch.click()
        assert [other.isChecked() for other in switches] == [other is switch for other in switches]
    form.another.click()
    assert not form.drawing


def test_what_is_typed_is_seen_and_only_while_the_panel_is(empty):
    panel, marks = panel_of(empty), empty.views.panes.event_marks
    write(panel.form.line, "10,20,30,40")
    write(panel.form.area, "1,2,3,4,5,60")
    both = {LINE: ((10, 20), (30, 40)), AREA: ((1, 2), (3, 4), (5, 60))}
    assert marks.points == both
    write(panel.form.line, "10,20,30")
    assert marks.points == both | {LINE: ()}
    write(panel.form.line, "10,20,30,40")
    panel.close()
    assert not any(marks.points.values())
    empty.action("events").trigger()
    assert marks.points == both


def test_an_end_is_dragged_and_the_field_says_so(empty):
    panel, pane = panel_of(empty), empty.views.panes.panes[INPUT]
    write(panel.form.line, "60,90,60,10")
    drag(pane, pane.viewport.to_pane(60, 90), pane.viewport.to_pane(20, 80))
    assert panel.form.line.text() == "20,80,60,10"


@pytest.mark.parametrize("where", ["picture", "panel", "elsewhere"])
def test_esc_gives_up_and_leaves_what_was_there(empty, where):
    panel, panes = panel_of(empty), empty.views.panes
    pane = panes.panes[INPUT]
    write(panel.form.line, "10,20,30,40")
    said = panel.message.text()
    panel.form.switches[LINE].click()
    assert panel.message.text() == "Drag the line from end to end in any picture; Esc gives up."
    assert pane.header.title_chip.text().startswith("Drag the line")
    if where == "picture":
        mouse(pane, QEvent.Type.MouseButtonPress, pane.viewport.to_pane(60, 60))
        mouse(pane, QEvent.Type.MouseMove, pane.viewport.to_pane(80, 20), held=Qt.MouseButton.LeftButton)
        assert keeps(pane, Qt.Key.Key_Escape)
        QTest.keyClick(pane, Qt.Key.Key_Escape)
        mouse(pane, QEvent.Type.MouseButtonRelease, pane.viewport.to_pane(80, 20), held=Qt.MouseButton.NoButton)
    elif where == "panel":
        QTest.keyClick(panel.form.line, Qt.Key.Key_Escape)
    else:
        empty.action("all_panes").trigger()
    assert panel.isVisible()
    assert not panel.form.drawing
    assert not panes.event_marks.drawing
    assert panel.form.line.text() == "10,20,30,40"
    assert panel.message.text() == said
    assert pane.header.title_chip.text() == "Input"
    if where == "panel":
        QTest.keyClick(panel.form.line, Qt.Key.Key_Escape)
        assert not panel.isVisible(), "now it closes the panel"


def test_one_thing_is_drawn_at_a_time(empty):
    form, panes = panel_of(empty).form, empty.views.panes
    form.switches[LINE].click()
    form.switches[AREA].click()
    assert [what for what, switch in form.switches.items() if switch.isChecked()] == [AREA]
    assert panes.event_marks.drawing == AREA
    panes.start_region_selection()
    assert not form.drawing
    form.switches[AREA].click()
    panes.back()
    assert not form.drawing
    assert not any(pane.region.active for pane in panes.panes), "the region was given up before"
    form.switches[LINE].click()
    form.switches[LINE].click()
    assert not panes.event_marks.drawing


def test_a_tool_that_is_taken_up_does_not_keep_one_from_drawing(empty):
    empty.action("areas").trigger()
    for _ in range(3):
        QCoreApplication.processEvents()  # The panes make room for its bar.
    draw(empty, LINE, (60, 90), (60, 10))
    assert panel_of(empty).form.line.text() == "60,90,60,10"
    assert empty.commands.areas.areas.are_none


def test_nothing_is_drawn_any_more_when_the_panel_closes_or_another_input_opens(window):
    panel, marks = panel_of(window), window.views.panes.event_marks
    panel.form.switches[LINE].click()
    panel.close()
    assert not marks.drawing
    window.action("events").trigger()
    panel.form.switches[LINE].click()
    assert marks.drawing == LINE
    window.commands.input.open_path("sample:street")
    wait_for(lambda: not marks.drawing, "another input")


def test_enter_after_what_was_typed_draws_nothing(empty):
    form = panel_of(empty).form
    for edit in (form.line, form.area):
        edit.setFocus()
        QTest.keyClicks(edit, "1,2,3,4,5,60"[: 7 if edit is form.line else None])
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(panel_of(empty).run, "begin", lambda job: None)
            QTest.keyClick(edit, Qt.Key.Key_Return)
        assert not form.drawing
    assert empty.views.panes.event_marks.points[LINE] == ((1, 2), (3, 4))


def test_switches_say_what_they_are(empty):
    for what, switch in panel_of(empty).form.switches.items():
        assert what in switch.accessibleName()
        assert "drag" in switch.accessibleDescription().lower()


def test_line_and_area_are_shown_and_drawn_in_second_windows_too(empty):
    empty.commands.pictures.open_window()
    (second,) = empty.commands.pictures.windows
    wait_for(lambda: second.panes.panes[INPUT].viewport, "its picture")
    draw(empty, LINE, (10.2, 60.3), (90.4, 61.2))
    shown = second.panes.panes[INPUT].event_marks._marks.points[LINE]
    assert shown == empty.views.panes.event_marks.points[LINE]
    assert len(shown) == 2
    panel_of(empty).form.switches[AREA].click()
    there = second.panes.panes[INPUT]
    drag(there, *(there.viewport.to_pane(*point) for point in ((20.3, 20.2), (100.1, 80.2))))
    assert len(panel_of(empty).marks[1]) == 4
    second.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    draw(empty, LINE, (10.2, 20.3), (90.4, 21.2))
    assert len(panel_of(empty).marks[0]) == 2, "and the main window goes on without it"
