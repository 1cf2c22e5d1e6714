"""The comparison that is opened, the brush, and how the panes are looked at."""

from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtGui import QAction, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.compare.chosen import ChosenMethods
from app.compare.view import CompareView
from app.engine.state import State
from app.panels.brush import LEARNT, SPAN, THIS_FRAME, BrushBar
from app.views.panes import PanesView
from app.views.tools.brush import Brush
from app.window.commands.compare import CompareCommands
from app.window.commands.correcting import CorrectCommands
from app.window.commands.history import HistoryCommands
from app.window.commands.playback import PlaybackCommands
from app.window.commands.view import ViewCommands
from app.window.shown_frame import ShownFrame
from core.io.input_spec import InputSpec
from tests.app.view_helpers import make_report


def compare_commands(worker, input_, choice, remembered, banner, *, is_ready=True):
    playback = PlaybackCommands(worker, input_, ShownFrame(index=0), Mock(), Mock(), remembered)
    playback.on_state(State.LEARNING)
    compare = CompareCommands(worker, input_, Mock(), choice, playback, remembered, banner)
    if is_ready:
        compare.on_plots()
    return compare


def test_nothing_is_compared_before_the_plots_are_there(worker, input_, choice, remembered, banner, clip_info):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    compare = compare_commands(worker, input_, choice, remembered, banner, is_ready=False)
    compare.open()
    assert compare.window is None
    assert not worker.pause.called


def test_a_camera_is_not_compared_on(worker, input_, choice, remembered, banner, camera_info):
    compare = compare_commands(worker, input_, choice, remembered, banner)
    compare.open()
    assert "There is nothing to compare on" in banner.show_error.call_args.args[0]
    input_.on_opened(camera_info, InputSpec("camera:0"))
    compare.open()
    assert "camera cannot be compared on" in banner.show_error.call_args.args[0]
    assert compare.window is None
    assert not worker.pause.called


@pytest.mark.parametrize(("is_image_set", "method", "rivals", "further"), [
    (False, "fast", ["opgd", "mog2"], "median"), (False, "opgd", ["mog2", "fast"], "median"),
    (True, "opgd", ["oadmm", "l21"], "robust-nmf"), (True, "l21", ["opgd", "oadmm"], "robust-nmf"),
])  # fmt: skip
def test_a_method_is_compared_with_others_for_such_inputs(
    worker, input_, choice, remembered, banner, clip_info, monkeypatch, qtbot, is_image_set, method, rivals, further
):
    compare = compare_commands(worker, input_, choice, remembered, banner)
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    compare.on_content(is_image_set)
    monkeypatch.setattr(type(choice), "current", replace(choice.current, method=method))
    made = Mock()
    monkeypatch.setattr("app.compare.window.CompareWindow", made)
    compare.open()
    chosen, named = made.call_args.args[1], made.call_args.kwargs
    assert [one.method for one in chosen] == [method, *rivals]
    methods = ChosenMethods(chosen, CompareView([]), {}, 0, is_image_set=named["is_image_set"])
    methods.add()
    assert methods.all[-1].method == further


def test_an_ampersand_in_the_name_of_a_step_is_shown_in_the_menu(qtbot):
    window, stack = QWidget(), QUndoStack()
    qtbot.addWidget(window)
    actions = {"undo": QAction(), "redo": QAction()}
    HistoryCommands(Mock(stack=stack), actions.__getitem__, window).attach()
    stack.push(QUndoCommand("Marker “R&D”"))
    assert actions["undo"].text() == "Undo Marker “R&&D”"


@pytest.fixture
def brush(worker, qtbot):
    bar, switch = BrushBar(), QPushButton(checkable=True)
    qtbot.addWidget(bar)
    qtbot.addWidget(switch)
    return CorrectCommands(worker, bar, switch), bar, switch


def test_the_brush_is_taken_up_where_there_are_panes_and_put_away_by_its_bar(brush, qtbot):
    commands, bar, switch = brush
    panes = PanesView()
    qtbot.addWidget(panes)
    switch.setChecked(True)
    assert bar.isVisibleTo(None)
    painting = []
    panes.set_brush = painting.append
    commands.attach(panes)
    assert painting[-1] == Brush(True, bar.slider.value())
    bar.slider.setValue(9)
    assert painting[-1] == Brush(True, 9)
    bar.done.click()
    assert not switch.isChecked()
    assert painting[-1] is None
    switch.setChecked(True)
    panes.brush_left.emit()
    assert not switch.isChecked()


def test_strokes_teach_unless_they_are_for_this_frame_only(brush, worker, qtbot):
    commands, bar, switch = brush
    panes = PanesView()
    qtbot.addWidget(panes)
    commands.attach(panes)
    commands.toggle_learning()
    assert bar.teaches, "the brush is put away"
    switch.setChecked(True)
    seen = Mock(**{"frame.index": 7})
    panes.stroke_painted.emit(seen, None, True)
    commands.toggle_learning()
    panes.stroke_painted.emit(seen, None, False)
    assert [made.args[2:] for made in worker.correct.call_args_list] == [(True, None), (False, (7, 7))]


def test_the_brush_says_that_foreground_holds_from_its_frame_on(brush):
    _, bar, _ = brush
    kinds, learnt = bar.kind.findChildren(QAbstractButton), bar.holds.findChildren(QAbstractButton)[LEARNT]
    for kind, says in ((0, "All frames"), (1, "From here on"), (0, "All frames")):
        kinds[kind].click()
        assert learnt.text() == says
        assert learnt.accessibleName() == f"Stroke holds for: {says}"
        assert ("from this frame on" in learnt.toolTip()) == (kind == 1)
        assert bar.frames_for(7) is None


def test_a_span_of_strokes_begins_at_the_frame_that_is_shown_and_its_ends_can_be_typed(brush, worker, qtbot):
    commands, bar, switch = brush
    panes = PanesView()
    qtbot.addWidget(panes)
    commands.attach(panes)
    switch.setChecked(True)
    made = make_report()
    panes.show_report(replace(made, frame=replace(made.frame, index=40)))
    bar.holds.findChildren(QAbstractButton)[SPAN].click()
    assert (bar.first.value(), bar.last.value()) == (41, 65)
    assert bar.frames_for(40) == (40, 64)
    bar.last.setValue(30)
    panes.stroke_painted.emit(panes.report, None, True)
    assert worker.correct.call_args.args[3] == (29, 40), "the ends in either order"
    bar.holds.findChildren(QAbstractButton)[THIS_FRAME].click()
    assert bar.span.isHidden()
    assert bar.frames_for(3) == (3, 3)


def test_a_span_of_another_place_or_clip_is_not_kept_where_the_brush_is_taken_up_again(brush, worker, qtbot):
    commands, bar, switch = brush
    panes = PanesView()
    qtbot.addWidget(panes)
    commands.attach(panes)
    made = make_report()
    panes.show_report(replace(made, frame=replace(made.frame, index=300)))
    switch.setChecked(True)
    bar.holds.findChildren(QAbstractButton)[SPAN].click()
    bar.last.setValue(310)
    for index, span in ((305, (301, 310)), (139, (140, 164))):
        switch.setChecked(False)
        panes.show_report(replace(made, frame=replace(made.frame, index=index)))
        switch.setChecked(True)
        assert (bar.first.value(), bar.last.value()) == span


def test_strokes_are_taken_back_by_the_history_and_forgotten_by_the_engine(brush, worker, qtbot):
    _commands, bar, _switch = brush
    with qtbot.waitSignal(bar.undo_requested):
        bar.undo.click()
    bar.forget.click()
    assert worker.forget_painted.call_count == 1


def test_the_panes_are_not_asked_before_they_are_there_but_the_wipe_is_kept(qapp):
    view, panes = ViewCommands(), Mock(spec=PanesView)
    for command in (view.fit, view.zoom_in, view.zoom_out, view.back, view.draw_region):
        command()
    view.toggle_enlarged(2)
    view.set_wipe(True)
    view.attach(panes)
    assert panes.set_wipe.call_args.args == (True,)
    view.fit()
    view.zoom_in()
    view.zoom_out()
    view.back()
    view.draw_region()
    view.toggle_enlarged(2)
    names = {"set_wipe", "fit", "zoom_in", "zoom_out", "back", "start_region_selection", "toggle_enlarged"}
    assert {made[0] for made in panes.method_calls} == names
