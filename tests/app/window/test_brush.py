"""Correction by hand: the brush in the panes, its bar, and what comes of a stroke."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app import theme
from app.engine.choice import Choice
from app.equivalent_command import command_line
from app.panels.brush import FOREGROUND, SPAN, BrushBar
from app.views.panes import BACKGROUND, INPUT, MASK, PanesView
from app.views.tools.brush import Brush
from core.io.input_spec import InputSpec
from core.project.document import ExportChoice
from core.scene.masks import stroke_room
from tests.app.view_helpers import HEIGHT, WIDTH, drag, exposed, make_report, mouse
from tests.app.windows import has_said, open_window, running_worker, wait_for, write_clip

SPOT = (slice(20, 30), slice(2, 40))
"""Rows and columns of what is painted on the clip of `write_clip`."""


@pytest.fixture
def view(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = exposed(qtbot, PanesView(), 700, 520)
    made.show_report(make_report())
    return made


def point_on(pane, x, y):
    return pane.viewport.to_pane(x, y)


# -- the brush


@pytest.mark.parametrize("index", [INPUT, MASK])
def test_a_drag_over_the_input_or_the_mask_paints_on_the_report_that_is_seen(view, index, qtbot):
    seen = view.report
    view.set_brush(Brush(True, 8))
    pane = view.panes[index]
    camera = view.look
    with qtbot.waitSignal(view.stroke_painted) as stroke:
        drag(pane, point_on(pane, 30, 40), point_on(pane, 90, 40))
    report, where, is_background = stroke.args
    assert report is seen
    assert is_background
    assert where.shape == (HEIGHT, WIDTH)
    assert where[40, 31:89].all()
    assert not where[:34].any()
    assert not where[46:].any()
    assert view.look == camera, "the picture was panned too"


def test_what_plays_on_under_the_brush_is_not_what_was_painted_on(view, qtbot):
    seen = view.report
    view.set_brush(Brush(False, 8))
    pane = view.panes[MASK]
    mouse(pane, QEvent.Type.MouseButtonPress, point_on(pane, 30, 40))
    view.show_report(make_report(seed=1))
    with qtbot.waitSignal(view.stroke_painted) as stroke:
        mouse(pane, QEvent.Type.MouseButtonRelease, point_on(pane, 30, 40), held=Qt.MouseButton.NoButton)
    assert stroke.args[0] is seen
    assert stroke.args[2] is False


def test_a_stroke_stays_to_be_seen_until_what_came_of_it_is_shown(view):
    view.set_brush(Brush(False, 8))
    pane = view.panes[INPUT]
    at = point_on(pane, 60, 20)
    unpainted = pane.grab().toImage().pixelColor(round(at[0]), round(at[1])).red()

    def redness():
        return pane.grab().toImage().pixelColor(round(at[0]), round(at[1])).red() - unpainted

    for _ in range(2):
        drag(pane, point_on(pane, 30, 20), point_on(pane, 90, 20))
        mouse(pane, QEvent.Type.MouseMove, point_on(pane, 60, 70))
    assert redness() > 60
    view.set_brush(None)
    assert redness() > 60, "also when the brush is put away"
    view.show_report(make_report())
    assert redness() > 60, "another frame is no answer"
    view.let_go_of_stroke()
    assert redness() > 20, "one of two is still to be answered"
    view.let_go_of_stroke()
    assert abs(redness()) < 10
    view.let_go_of_stroke()


def test_other_panes_pan_and_without_a_brush_all_do(view, qtbot):
    view.set_brush(Brush(True, 8))
    view.zoom_in()
    view.zoom_in()  # A picture that its pane shows whole stays where it is.
    for index, brush in ((BACKGROUND, Brush(True, 8)), (MASK, None)):
        view.set_brush(brush)
        before = view.look
        pane = view.panes[index]
        with qtbot.assertNotEmitted(view.stroke_painted):
            drag(pane, (60, 60), (90, 80))
        assert view.look != before


def test_escape_puts_the_brush_away_before_it_shows_all_panes(view, qtbot):
    view.set_enlarged(MASK)
    view.set_brush(Brush(True, 8))
    view.panes[MASK].setFocus()
    with qtbot.waitSignal(view.brush_left):
        qtbot.keyClick(view.panes[MASK], Qt.Key.Key_Escape)
    assert view.panes[MASK].brush.brush is None
    assert view.enlarged == MASK
    qtbot.keyClick(view.panes[MASK], Qt.Key.Key_Escape)
    assert view.enlarged == -1


def test_brackets_change_the_thickness_and_a_double_click_is_two_dabs(view, qtbot):
    view.set_brush(Brush(True, 8))
    with qtbot.waitSignal(view.brush_thickened) as steps:
        qtbot.keyClick(view.panes[MASK], Qt.Key.Key_BracketLeft)
    assert steps.args == [-1]
    pane = view.panes[MASK]
    with qtbot.waitSignal(view.stroke_painted):
        mouse(pane, QEvent.Type.MouseButtonDblClick, point_on(pane, 30, 40))
        mouse(pane, QEvent.Type.MouseButtonRelease, point_on(pane, 30, 40), held=Qt.MouseButton.NoButton)
    assert view.enlarged == -1


def test_the_bar_tells_of_each_change(qtbot):
    bar = BrushBar()
    qtbot.addWidget(bar)
    assert bar.paints_background
    with qtbot.waitSignal(bar.changed):
        bar.slider.thicken(1)
    assert bar.slider.value() > 24
    assert bar.slider.words.text() == f"{bar.slider.value()} px"
    room = bar.slider.words.minimumWidth()
    assert room >= bar.slider.words.fontMetrics().horizontalAdvance("200 px"), "the thickest fits, too"
    for _ in range(60):
        bar.slider.thicken(-1)
    assert bar.slider.value() == bar.slider.minimum()
    with qtbot.waitSignal(bar.changed):
        bar.kind.findChildren(QAbstractButton)[FOREGROUND].click()
    assert not bar.paints_background


def test_a_span_may_lie_as_far_as_frames_go(qtbot):
    bar = BrushBar()
    qtbot.addWidget(bar)
    bar.holds.choose(SPAN)
    bar.show_span(10**7 + 3, 10**7 + 9)
    assert bar.frames_for(0) == (10**7 + 3, 10**7 + 9)


# -- what comes of it


@pytest.fixture
def paused(tmp_path):
    """A worker that holds on a clip whose square is in the mask."""
    path = str(write_clip(tmp_path / "clip.mkv"))
    with running_worker() as record:
        record.worker.open(InputSpec(path), Choice(values={"smallest": 0}), play=False)
        wait_for(lambda: record.indices, "the first frame")
        for n in range(1, 21):
            record.worker.step()
            wait_for(lambda n=n: record.indices[-1] == n, "a step")
        yield record


def last(record):
    return record.take().reports[-1]


def painted_on(report):
    where = np.zeros(report.mask.shape, bool)
    where[SPOT] = True
    return where


def test_a_stroke_is_shown_while_it_holds_goes_on_and_is_taken_back(paused):
    report = last(paused)
    assert (report.mask[SPOT] > 0).any()
    assert report.frame.index == 20
    shown, before = paused.n_shown, paused.worker.strokes
    paused.worker.correct(report, painted_on(report), True)
    wait_for(lambda: paused.n_shown > shown, "the corrected frame")
    corrected = last(paused)
    assert corrected.frame.index == 20
    assert not (corrected.mask[SPOT] > 0).any()
    paused.worker.restore_strokes(before)
    wait_for(lambda: paused.n_shown > shown + 1, "the frame as it was")
    assert np.array_equal(last(paused).mask, report.mask)
    paused.worker.correct(report, painted_on(report), False)
    wait_for(lambda: paused.n_shown > shown + 2, "the corrected frame")
    assert (last(paused).mask[SPOT] > 0).all()
    paused.worker.step()
    wait_for(lambda: last(paused).frame.index == 21, "the next frame")
    assert (last(paused).mask[SPOT] > 0).mean() > 0.6, "what still shows what was painted is held"
    assert not paused.failures


def test_the_engine_answers_each_stroke_once_what_came_of_it_can_be_seen(paused, tmp_path):
    report, answers = last(paused), []
    paused.worker.stroke_taken.connect(lambda: answers.append(paused.worker.strokes.strokes))
    paused.worker.correct(report, painted_on(report), False)
    wait_for(lambda: answers, "an answer")
    assert len(answers[0]) == 1
    assert (last(paused.take()).mask[SPOT] > 0).all(), "it lies in the slot"
    paused.worker.open(InputSpec(str(write_clip(tmp_path / "other.mkv", width=80))), Choice(), play=False)
    wait_for(lambda: len(paused.opened) == 2, "the other clip")
    paused.worker.correct(report, painted_on(report), True)
    wait_for(lambda: len(answers) == 2, "an answer to a stroke that is left out")
    assert not answers[1]


def test_strokes_outlive_a_fresh_start_until_they_are_forgotten(paused):
    report = last(paused)
    paused.worker.correct(report, painted_on(report), False)
    wait_for(lambda: paused.worker.painted, "the stroke")
    paused.worker.play()
    paused.worker.restart(Choice(values={"smallest": 0}))
    wait_for(lambda: paused.state == "FINISHED", "the end of the second run")
    assert paused.worker.painted
    paused.worker.forget_painted()
    wait_for(lambda: not paused.worker.painted, "forgetting")
    assert not paused.failures


def test_a_stroke_of_a_run_that_is_over_is_left_alone(paused, tmp_path):
    report, strokes = last(paused), paused.worker.strokes
    other = str(write_clip(tmp_path / "other.mkv", width=80))
    paused.worker.open(InputSpec(other), Choice(), play=False)
    wait_for(lambda: len(paused.opened) == 2, "the other clip")
    paused.worker.correct(report, painted_on(report), True)
    paused.worker.restore_strokes(strokes)
    paused.worker.step()
    wait_for(lambda: last(paused).frame.layout.width == 80 and last(paused).frame.index == 1, "a step")
    assert not paused.failures


def test_a_stroke_on_the_clip_before_is_left_out_though_both_have_one_size(paused, tmp_path):
    report, answers = last(paused), []
    paused.worker.stroke_taken.connect(lambda: answers.append(len(paused.worker.strokes.strokes)))
    paused.worker.open(InputSpec(str(write_clip(tmp_path / "other.mkv"))), Choice(), play=False)
    wait_for(lambda: len(paused.opened) == 2, "the other clip")
    wait_for(lambda: last(paused).frame.index == 0, "its first frame")
    paused.worker.correct(report, painted_on(report), True)
    wait_for(lambda: len(answers) == 1, "an answer")
    paused.worker.correct(last(paused), painted_on(report), True)
    wait_for(lambda: len(answers) == 2, "an answer")
    assert answers == [0, 1]
    assert not paused.failures


def test_a_stroke_on_a_frame_of_the_same_clip_is_taken_though_it_has_begun_anew(paused):
    report = last(paused)
    paused.worker.restart(Choice())
    wait_for(lambda: last(paused).frame.index == 0, "the first frame")
    paused.worker.correct(report, painted_on(report), True)
    wait_for(lambda: paused.worker.painted, "the stroke")


def test_the_window_takes_the_brush_up_paints_undoes_and_puts_it_away(tmp_path, qtbot):
    path = str(write_clip(tmp_path / "clip.mkv", n_frames=30))
    with open_window(path, tmp_path) as window:
        wait_for(lambda: window.display.index == 29 and not window.commands.playback.is_playing, "the end")
        bar, panes = window.parts.brush, window.views.panes
        assert not bar.isVisible()
        window.action("correct").trigger()
        assert bar.isVisible()
        assert window.parts.top.correct.isChecked()
        assert panes.panes[MASK].brush.brush == Brush(True, bar.slider.value())
        bar.kind.findChildren(QAbstractButton)[1].click()
        bar.slider.setValue(6)
        before = panes.report
        pane = panes.panes[MASK]
        drag(pane, point_on(pane, 8, 8), point_on(pane, 50, 8))
        held = pane.brush._kept
        assert len(held) == 1
        wait_for(lambda: not held, "an answer")
        assert panes.report is not before, "the stroke on the frame"
        wait_for(window.commands.history.steps.stack.count, "what can be undone")
        assert (panes.report.mask[8, 9:49] == 255).all()
        assert panes.report.frame.index == 29
        wait_for(lambda: len(pane.painted.outlines) == 1, "its outline")
        wanted = ExportChoice(folder=str(tmp_path / "out"), save=("mask",))
        assert window.commands.export.job(wanted).settings.painted, "an export knows nothing of it"
        assert command_line(window.commands.export.job(wanted)).endswith("save a project, and run that")
        window.commands.export.open()
        command = window.commands.export.panel.command
        assert "painted by hand" in command.toPlainText()
        window.action("undo").trigger()
        wait_for(lambda: "painted by hand" not in command.toPlainText(), "the command without the stroke")
        wait_for(lambda: not (panes.report.mask[8] == 255).any(), "the stroke taken back")
        wait_for(lambda: not pane.painted.outlines, "its outline gone")
        assert not window.commands.export.job(wanted).settings.painted
        drag(pane, point_on(pane, 8, 8), point_on(pane, 50, 8))
        wait_for(lambda: window.worker.painted, "another stroke")
        bar.forget.click()
        wait_for(lambda: not window.worker.painted, "forgetting")
        qtbot.keyClick(pane, Qt.Key.Key_Escape)
        assert not bar.isVisible()
        assert not window.action("correct").isChecked()
        assert pane.brush.brush is None
        assert not window.parts.banner.text


def test_a_stroke_for_which_there_is_no_room_is_a_sentence_and_no_step(tmp_path, qtbot, monkeypatch):
    monkeypatch.setattr(stroke_room, "MOST", 1)
    path = str(write_clip(tmp_path / "clip.mkv", n_frames=30))
    with open_window(path, tmp_path) as window:
        wait_for(lambda: window.display.index == 29 and not window.commands.playback.is_playing, "the end")
        panes, steps = window.views.panes, window.commands.history.steps
        window.action("correct").trigger()
        window.parts.brush.slider.setValue(6)
        pane = panes.panes[MASK]
        drag(pane, point_on(pane, 8, 8), point_on(pane, 50, 8))
        wait_for(lambda: steps.stack.count() == 1, "the first stroke")
        kept = window.worker.strokes
        drag(pane, point_on(pane, 8, 30), point_on(pane, 50, 30))
        wait_for(lambda: has_said(window, "This stroke is left out"), "the sentence")
        wait_for(lambda: not pane.brush._kept and not steps.awaits_painted, "an answer")
        assert steps.stack.count() == 1
        assert window.worker.strokes is kept
        window.parts.brush.holds.findChildren(QAbstractButton)[2].click()
        drag(pane, point_on(pane, 8, 30), point_on(pane, 50, 30))
        wait_for(lambda: steps.stack.count() == 2, "the same stroke for this frame")
        for n in (1, 0):
            window.action("undo").trigger()
            wait_for(lambda n=n: len(window.worker.strokes.strokes) == n, "a stroke taken back")


def test_frames_that_were_painted_are_found_again(tmp_path):
    path = str(write_clip(tmp_path / "clip.mkv", n_frames=30))
    with open_window(path, tmp_path) as window:
        wait_for(lambda: window.display.index == 29 and not window.commands.playback.is_playing, "the end")
        panes, bar, strip = window.views.panes, window.parts.brush, window.views.timeline.marks
        window.action("correct").trigger()
        bar.slider.setValue(6)

        def go(index):
            window.views.timeline.go_to(index)
            wait_for(lambda: window.display.index == index, "the frame")

        def paint(holds, row):
            bar.holds.findChildren(QAbstractButton)[holds].click()
            n = len(window.worker.strokes.strokes)
            pane = panes.panes[MASK]
            drag(pane, point_on(pane, 8, row), point_on(pane, 50, row))
            wait_for(lambda: len(window.worker.strokes.strokes) > n, "the stroke")

        def told(words):
            wait_for(lambda: strip.accessibleDescription().endswith(f"Markers: none.{words}"), words or "nothing")

        paint(0, 40)  # Learnt: it has the place where it was painted.
        told(" Painted by hand: frame 30.")
        go(20)
        paint(2, 8)
        told(" Painted by hand: frame 21, frame 30.")
        go(5)
        paint(2, 8)
        told(" Painted by hand: frame 6, frame 21, frame 30.")
        for key, index in (("next_mark", 20), ("next_mark", 29), ("last_mark", 20)):
            window.action(key).trigger()
            wait_for(lambda index=index: window.display.index == index, f"frame {index} by {key}")
        window.action("undo").trigger()
        told(" Painted by hand: frame 21, frame 30.")
        window.action("redo").trigger()
        told(" Painted by hand: frame 6, frame 21, frame 30.")
        bar.forget.click()
        told("")
        window.action("undo").trigger()
        told(" Painted by hand: frame 6, frame 21, frame 30.")
        other = str(write_clip(tmp_path / "other.mkv", n_frames=30))
        window.commands.input.open_path(other)
        wait_for(lambda: window.commands.input.request.path == other, "the other clip")
        told("")


def test_another_size_says_that_strokes_are_forgotten(tmp_path, qtbot):
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as window:
        wait_for(lambda: window.display.index == 39 and not window.commands.playback.is_playing, "the end")
        seen, opened = window.views.panes.report, []
        window.worker.opened.connect(lambda *_: opened.append(1))
        window.commands.input.reopen()
        wait_for(lambda: opened and window.views.panes.report is not seen, "the input opened anew")
        assert not window.parts.banner.isVisible()
        report = window.views.panes.report
        window.worker.correct(report, painted_on(report), True)
        wait_for(lambda: window.worker.painted, "the stroke")
        window.parts.source.scale.findChildren(QAbstractButton)[1].click()
        wait_for(lambda: has_said(window, "painted by hand"), "the sentence")
        assert not window.worker.painted
        assert "Ctrl+Z brings both back" in window.parts.banner.text
        wait_for(lambda: window.commands.input.request.size is not None, "the other size")
        window.action("undo").trigger()
        wait_for(
            lambda: window.worker.painted and window.commands.input.request.size is None, "the stroke, at its size"
        )


# -- the keys


def test_space_after_a_click_on_a_button_plays_and_takes_no_second_stroke_back(qapp, tmp_path):
    path = write_clip(tmp_path / "clip.mkv", n_frames=200)
    with open_window(str(path), tmp_path, real_time=True) as window:
        bar = window.parts.brush
        window.activateWindow()
        wait_for(window.isActiveWindow, "the keys")
        window.action("play").trigger()
        wait_for(lambda: not window.commands.playback.is_playing, "the pause")
        window.action("correct").trigger()
        undone = []
        bar.undo_requested.connect(lambda: undone.append(1))
        window.parts.method.form.controls["lam"].box.setFocus()
        QTest.mouseClick(bar.undo, Qt.MouseButton.LeftButton)
        QTest.keyClick(qapp.focusWidget(), Qt.Key.Key_Space)
        assert undone == [1]
        wait_for(lambda: window.commands.playback.is_playing, "playing on")
        card = window.views.basis.cards[0]
        QTest.mouseClick(card, Qt.MouseButton.LeftButton)
        assert not card.hasFocus(), "the space bar would enlarge it again"


def test_the_brush_hands_the_keys_back_to_the_panes_wherever_they_were(qapp, tmp_path):
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as window:
        window.activateWindow()
        wait_for(window.isActiveWindow, "the keys")
        window.action("correct").trigger()
        window.parts.brush.done.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(qapp.focusWidget(), Qt.Key.Key_Escape)
        assert not window.parts.brush.isVisible()
        assert window.views.panes.panes[INPUT].hasFocus(), "a list of methods took the keys"
