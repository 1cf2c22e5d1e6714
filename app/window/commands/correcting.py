"""Correction by hand: the brush, its bar, and what it tells the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

if TYPE_CHECKING:
    from app.views.panes import PanesView
    from app.window.main_window import MainWindow


class CorrectCommands(QObject):
    """Takes the brush up and puts it away, and hands strokes to the worker.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._panes: PanesView | None = None
        bar = window.parts.brush
        bar.changed.connect(self._take_up)
        bar.closed.connect(lambda: window.parts.top.correct.setChecked(False))
        bar.undo_requested.connect(self.undo)
        bar.forget_requested.connect(self.forget)

    def attach(self, panes: PanesView) -> None:
        """Let people paint on the panes, which are there now."""
        self._panes = panes
        bar = self._window.parts.brush
        # Direct: the worker's thread serves no queue of Qt's; its commands are safe from any thread.
        panes.stroke_painted.connect(self._window.worker.correct, Qt.ConnectionType.DirectConnection)
        panes.brush_left.connect(lambda: self._window.parts.top.correct.setChecked(False))
        panes.brush_thickened.connect(bar.thicken)
        self._take_up()

    def show_brush(self, on: bool) -> None:
        """Take the brush up, or put it away."""
        if self._panes is not None:
            # So that Esc reaches it, and that no button of the bar hands the keys on to a list as it goes.
            self._panes.setFocus()
        self._window.parts.brush.setVisible(on)
        self._window.actions["correct"].setChecked(on)
        self._take_up()

    def undo(self) -> None:
        """Take the last stroke back."""
        self._window.worker.undo_correction()

    def forget(self) -> None:
        """Remember nothing of what was painted."""
        self._window.worker.forget_painted()

    def _take_up(self, *_changed: object) -> None:
        from app.views.tools.brush import Brush  # noqa: PLC0415 - needs OpenCV

        if self._panes is None:
            return
        bar = self._window.parts.brush
        on = self._window.parts.top.correct.isChecked()
        self._panes.set_brush(Brush(bar.paints_background, bar.slider.value()) if on else None)
