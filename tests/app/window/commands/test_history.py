import pytest
import shiboken6
from PySide6.QtGui import QAction, QUndoCommand
from PySide6.QtWidgets import QWidget

from app.window.commands.history import HistoryCommands
from app.window.history import History


def test_a_window_with_steps_goes_without_a_word(qapp, capsys):
    window = QWidget()
    actions = {key: QAction(key, window) for key in ("undo", "redo")}  # They go first.
    commands = HistoryCommands(History(None, window), actions.__getitem__, window)
    commands.attach()
    commands.steps.stack.push(QUndoCommand("Rank & K"))
    assert actions["undo"].text() == "Undo Rank && K"
    shiboken6.delete(window)
    assert capsys.readouterr().err == ""


@pytest.fixture
def steps(qapp):
    """A history of two settings, where strokes are asked for and answered by hand."""
    history = History(None)
    for name in ("one", "two"):
        history.stack.push(QUndoCommand(name))
    return history


def paint(history, *, becomes_step: bool):
    """Answer the oldest stroke, as the engine does."""
    if becomes_step:
        history.stack.push(QUndoCommand("stroke"))
        history._became_step = True
    history.on_done_by_hand()


def test_undo_of_a_stroke_that_is_left_out_takes_nothing_else_back(steps):
    steps.await_painted()
    steps.undo()
    paint(steps, becomes_step=False)
    assert steps.stack.index() == 2, "the stroke was meant, and there is none"
    steps.undo()
    assert steps.stack.index() == 1


def test_each_undo_that_waits_is_about_one_stroke_and_the_next_about_what_was_before(steps):
    for _ in range(2):
        steps.await_painted()
    for _ in range(3):
        steps.undo()
    paint(steps, becomes_step=True)
    paint(steps, becomes_step=False)
    assert steps.stack.index() == 1, "the first stroke, and a setting; not the second stroke"
    assert not steps.awaits_painted


def test_redo_that_waits_brings_back_what_undo_would_have_taken(steps):
    steps.await_painted()
    for act in (steps.undo, steps.redo):
        act()
    paint(steps, becomes_step=True)
    assert steps.stack.index() == 3
    steps.undo()
    steps.await_painted()
    for act in (steps.undo, steps.redo):
        act()
    paint(steps, becomes_step=False)
    assert steps.stack.index() == 2, "neither the stroke that was left out nor the one before"
