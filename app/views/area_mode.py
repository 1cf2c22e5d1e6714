"""Areas over several panes: drawn in any of them, seen in all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.views.pane import ImagePane
from app.views.tools.area_board import TINTS, AreaBoard, Drawing, Point
from app.views.tools.brush import Brush
from core.scene.area_maps import simplified
from core.scene.areas import Areas


class AreaMode(QObject):
    """Shows areas on panes, and lets a person draw them.

    Parameters
    ----------
    panes : sequence of ImagePane
    parent : QObject

    Attributes
    ----------
    board : AreaBoard
    """

    drawn = Signal(object, int)
    """The points of a new area in pixels of the input, and the thickness of the brush, 0 of a polygon."""

    def __init__(self, panes: Sequence[ImagePane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self.board = AreaBoard(self)
        self.board.drawn.connect(lambda corners: self.drawn.emit(corners, 0))
        for pane in panes:
            pane.areas.use(self.board)
            pane.area_brush.drawn.connect(self._on_stroke)

    @property
    def is_active(self) -> bool:
        """Whether a person draws."""
        return self.board.drawing is not None

    def show_areas(self, areas: Areas, corner: tuple[int, int]) -> None:
        """Show these from now on; ``corner``: of the pictures in the input."""
        self.board.show_areas(areas, corner)

    def draw_with(self, drawing: Drawing | None) -> None:
        """Let a person draw, or no more."""
        self.board.draw_with(drawing)
        brush = None
        if drawing is not None and not drawing.is_polygon:
            brush = Brush(False, drawing.thickness, TINTS[drawing.kind])
        for pane in self._panes:
            pane.area_brush.set_brush(brush)

    def _on_stroke(self, points: Sequence[Point]) -> None:
        drawing, (left, top) = self.board.drawing, self.board.corner
        if drawing is not None:
            self.drawn.emit(simplified([(x + left, y + top) for x, y in points]), drawing.thickness)
