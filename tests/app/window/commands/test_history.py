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
