"""What was painted by hand, on the panes that show masks: of the strokes on the frame that is shown, the outlines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.views.pane import ImagePane
from app.views.pane_choice import PaneChoice
from app.views.tools.outline import outline
from app.views.tools.painted import PaintedOutline
from core.frames.frame import Frame
from core.scene.masks.strokes import Stroke

KINDS = ("mask", "matte")
"""The kinds of picture on which outlines are seen; on others only while they are painted on."""


class PaintedMode(QObject):
    """Shows outlines of strokes.

    Parameters
    ----------
    panes : sequence of ImagePane
    choice : PaneChoice
        Knows which pane shows what.
    parent : QObject
    """

    def __init__(self, panes: Sequence[ImagePane], choice: PaneChoice, parent: QObject) -> None:
        super().__init__(parent)
        self._panes, self._choice = panes, choice
        self._known: dict[tuple[int, int, int], tuple[Stroke, PaintedOutline]] = {}
        self._shown: tuple[PaintedOutline, ...] = ()
        choice.changed.connect(self.refresh)

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
        """Show the same on the panes that show masks or are painted on now."""
        chosen = self._choice.showing(*KINDS)
        for index, pane in enumerate(self._panes):
            is_seen = index in chosen or pane.brush.brush is not None
            pane.painted.show_outlines(self._shown if is_seen else ())


def _outline_of(stroke: Stroke, shift: tuple[int, int], width: int) -> PaintedOutline:
    """Return the border of a stroke, which lies in the scene, in a frame so wide that is shifted against that."""
    border = outline(stroke.where)
    border.translate(stroke.box[2] - shift[1], stroke.box[0] - shift[0])
    return PaintedOutline(border, width, stroke.is_background)
