"""What was painted by hand, where people paint: the outlines of the strokes on the frame that is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.views.pane import ImagePane
from app.views.tools.outline import outline
from app.views.tools.painted import PaintedOutline
from core.frames.frame import Frame
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
        self._known: dict[tuple[int, int, int], tuple[Stroke, PaintedOutline]] = {}
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
        shift, known = (round(frame.shift.down), round(frame.shift.right)), self._known
        keys = [(id(stroke), *shift) for stroke in here]  # The stroke is kept beside its border: no other has its id.
        self._known = {
            key: known.get(key) or (stroke, _outline_of(stroke, shift, frame.layout.width))
            for key, stroke in zip(keys, here, strict=True)
        }
        self._shown = tuple(border for _, border in self._known.values())
        self.refresh()

    def refresh(self) -> None:
        """Show the same on the panes that are painted on now."""
        for pane in self._panes:
            pane.painted.show_outlines(() if pane.brush.brush is None else self._shown)


def _outline_of(stroke: Stroke, shift: tuple[int, int], width: int) -> PaintedOutline:
    """Return the border of a stroke, which lies in the scene, in a frame so wide that is shifted against that."""
    border = outline(stroke.where)
    border.translate(stroke.box[2] - shift[1], stroke.box[0] - shift[0])
    return PaintedOutline(border, width, stroke.is_background)
