"""What a person does over several panes: draws a region in any of them, paints on some."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRect, Signal

from app.views.pane import ImagePane
from app.views.tools.brush import Brush, BrushTool
from core.session.report import Report


class RegionMode(QObject):
    """Lets a person draw one rectangle, in any of the panes.

    Parameters
    ----------
    panes : sequence of ImagePane
    parent : QObject
    """

    changed = Signal()
    """It became active, or ended."""
    drawn = Signal(QRect)
    """In pixels of the original picture; it is over then."""

    def __init__(self, panes: Sequence[ImagePane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._active = False
        for pane in panes:
            pane.region.drawn.connect(self._on_drawn)

    @property
    def active(self) -> bool:
        """Whether a rectangle is to be drawn."""
        return self._active

    def start(self) -> None:
        """Let a person draw."""
        self._set_active(True)

    def cancel(self) -> None:
        """Give up, where it is active."""
        if self._active:
            self._set_active(False)

    def _on_drawn(self, drawn: QRect) -> None:
        self._set_active(False)
        self.drawn.emit(drawn)

    def _set_active(self, on: bool) -> None:
        self._active = on
        for pane in self._panes:
            pane.region.set_active(on)
        self.changed.emit()


def say_elsewhere(panes: Iterable[ImagePane], taking: Collection[ImagePane], what: str) -> None:
    """Let panes on which ``what`` is not done, such as "Paint", say on which it is; empty: nothing is."""
    words = f"{what} on: {', '.join(pane.title for pane in taking)}" if what else ""
    for pane in panes:
        pane.elsewhere.set_words("" if pane in taking else words)


class BrushMode(QObject):
    """Lets a person paint on panes with one brush.

    Parameters
    ----------
    panes : sequence of ImagePane
    report : callable
        Returns the report that they show at this moment.
    paintable : callable
        Returns those that can be painted on at this moment.
    parent : QObject
    """

    painted = Signal(object, object, bool)
    """The report that was painted on, (H, W) bool in pixels of the original picture, and whether it is background."""

    def __init__(
        self,
        panes: Sequence[ImagePane],
        report: Callable[[], Report | None],
        paintable: Callable[[], Sequence[ImagePane]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._panes, self._report, self._paintable = panes, report, paintable
        self._brush: Brush | None = None
        self._painted_on: Report | None = None
        self._waiting: list[BrushTool] = []
        for pane in panes:
            pane.brush.begun.connect(self._on_begun)
            pane.brush.painted.connect(partial(self._on_painted, pane.brush))

    @property
    def brush(self) -> Brush | None:
        """What is painted with; None: nobody paints."""
        return self._brush

    def set_brush(self, brush: Brush | None) -> None:
        """Let a person paint, or no more."""
        self._brush, paintable = brush, self._paintable()
        for pane in self._panes:
            pane.brush.set_brush(brush if pane in paintable else None)

    def _on_begun(self) -> None:
        # What plays goes on: what was meant is what was seen when the brush was put on it.
        self._painted_on = self._report()

    def let_go(self) -> None:
        """Let the oldest stroke that is kept vanish."""
        if self._waiting:
            self._waiting.pop(0).let_go()

    def let_go_of_all(self) -> None:
        """Let all strokes that are kept vanish."""
        while self._waiting:
            self.let_go()

    def _on_painted(self, tool: BrushTool, covered: NDArray[np.bool_]) -> None:
        if self._painted_on is not None and self._brush is not None:
            tool.keep()
            self._waiting.append(tool)
            self.painted.emit(self._painted_on, covered, self._brush.is_background)
