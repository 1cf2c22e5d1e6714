"""Dragging moves the picture; plus, minus, 0 and the arrow keys zoom and pan."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal

from app.rendering.viewport import STEP, Viewport
from app.views.tools.base import Tool

_ARROW_POINTS = 40
_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1),
}  # fmt: skip
_ZOOMS: dict[int, float] = {
    Qt.Key.Key_Plus: STEP, Qt.Key.Key_Equal: STEP, Qt.Key.Key_Minus: 1 / STEP, Qt.Key.Key_Underscore: 1 / STEP,
}  # fmt: skip


class PanZoomTool(Tool):
    """Takes every press that no other tool wants."""

    looked = Signal(object)
    """The `Look` that a person asks for; None: the whole picture."""

    def __init__(self) -> None:
        super().__init__()
        self._held: QPointF | None = None

    def zoom(self, factor: float, at: QPointF | None, view: Viewport | None) -> None:
        """Enlarge by a factor around a point, or around the middle of the pane."""
        if view is not None:
            self.looked.emit(view.zoomed(factor, None if at is None else (at.x(), at.y())))

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Take hold of the picture."""
        self._held = at
        return True

    def move(self, at: QPointF, view: Viewport) -> None:
        """Move the picture along."""
        if self._held is not None:
            moved, self._held = at - self._held, at
            self.looked.emit(view.panned(moved.x(), moved.y()))

    def end(self, view: Viewport) -> None:
        """Let go."""
        self.cancel()

    def cancel(self) -> None:
        """Let go."""
        self._held = None

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a closed hand while the picture is held."""
        return None if self._held is None else Qt.CursorShape.ClosedHandCursor

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep the arrows while the picture is larger than the pane."""
        return key in _ARROWS and view is not None and view.can_pan

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Zoom, pan, or show the whole picture."""
        if key == Qt.Key.Key_0:
            self.looked.emit(None)
        elif key in _ZOOMS:
            self.zoom(_ZOOMS[key], None, view)
        elif view is not None and self.keeps_key(key, view):
            dx, dy = _ARROWS[key]
            self.looked.emit(view.panned(dx * _ARROW_POINTS, dy * _ARROW_POINTS))
        else:
            return False
        return True
