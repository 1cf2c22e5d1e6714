"""What was painted by hand, shown on the frame that is shown and on the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.engine.threads import listen, on_own_thread

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.views.panes import PanesView
    from app.window.commands.marks import MarkCommands
    from app.window.display_updates import DisplayUpdater


class PaintedDisplay(QObject):
    """Gives panes and timeline the strokes that the engine remembers, with each frame and with each change of them.

    What a person has just painted stays on its pane until the frame is there that it has corrected.

    Parameters
    ----------
    worker : Worker
    panes : PanesView
    marks : MarkCommands
    display : DisplayUpdater
    parent : QObject
    """

    def __init__(
        self, worker: Worker, panes: PanesView, marks: MarkCommands, display: DisplayUpdater, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._worker, self._panes, self._marks, self._display = worker, panes, marks, display
        panes.shown.connect(self._show)
        listen(worker.painted_changed, self._show)
        listen(worker.stroke_taken, self._on_taken)

    @on_own_thread
    def _on_taken(self) -> None:
        self._display.tick()  # What it has corrected may lie in the slot still.
        self._panes.let_go_of_stroke()

    @on_own_thread
    def _show(self, *_: object) -> None:
        report, now = self._panes.report, self._worker.strokes
        strokes = () if now is None else now.strokes
        self._marks.show_painted(strokes)
        if report is not None:
            self._panes.painted.show_strokes(strokes, report.frame)
