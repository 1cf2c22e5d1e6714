"""What was painted by hand, where people paint: the outlines of the strokes on the frame that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QPainterPath, QTransform

from app.views.pane import ImagePane
from app.views.tools.outline import outlines
from app.views.tools.painted import PaintedOutline
from core.frames.frame import Frame, Layout
from core.frames.motion import Motion
from core.scene.masks.strokes import Stroke


class PaintedMode(QObject):
    """Shows outlines of strokes.

    Parameters
    ----------
    panes : sequence of ImagePane
    parent : QObject
    """

    def __init__(self, panes: Sequence[ImagePane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._here: list[Stroke] = []
        self._borders: list[QPainterPath] = []
        self._shown: tuple[PaintedOutline, ...] = ()

    def show_strokes(self, strokes: Sequence[Stroke], frame: Frame) -> None:
        """Show those that were painted on a frame, or correct it.

        Parameters
        ----------
        strokes : sequence of Stroke
            All that are remembered.
        frame : Frame
            At the working size, as it came.
        """
        here = [stroke for stroke in strokes if stroke.index == frame.index or stroke.holds_on(frame.index)]
        if [*map(id, here)] != [*map(id, self._here)]:
            self._here, self._borders = here, _borders_of(here)
        to_frame = _transform(frame.motion, frame.layout)
        self._shown = tuple(
            PaintedOutline(to_frame.map(border), frame.layout.width, stroke.is_background)
            for stroke, border in zip(here, self._borders, strict=True)
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the same on the panes that are painted on now."""
        for pane in self._panes:
            pane.painted.show_outlines(() if pane.brush.brush is None else self._shown)


def _borders_of(strokes: Sequence[Stroke]) -> list[QPainterPath]:
    """Return the borders of strokes, which lie in the scene."""
    borders = outlines([stroke.where for stroke in strokes])
    for stroke, border in zip(strokes, borders, strict=True):
        border.translate(stroke.box[2], stroke.box[0])
    return borders


def _transform(motion: Motion, layout: Layout) -> QTransform:
    """Return where in a frame lies what lies in the scene."""
    right, down = motion.matrix(layout.height / 2, layout.width / 2)
    return QTransform(right[0], down[0], right[1], down[1], right[2], down[2])
