"""What tools share with which people draw a rectangle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.rendering.viewport import Viewport
from app.views.tools.base import Tool

if TYPE_CHECKING:
    from core.io.input_spec import Region


class RectangleTool(Tool):
    """While it is active, a drag goes from one corner of a rectangle to the other."""

    def __init__(self) -> None:
        super().__init__()
        self._active = False
        self._start: tuple[float, float] | None = None

    @property
    def active(self) -> bool:
        """Whether the next drag draws a rectangle."""
        return self._active

    def set_active(self, on: bool) -> None:
        """Let the next drag draw a rectangle, or no more; what is half drawn is forgotten."""
        self._active = on
        self.cancel()

    @property
    def modal(self) -> bool:
        """Whether it is active."""
        return self._active

    @property
    def is_begun(self) -> bool:
        """Whether one corner is put and the other follows the pointer."""
        return self._start is not None

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Put the first corner."""
        if self._active:
            self._start = view.to_picture(at.x(), at.y())
        return self._active

    def cancel(self) -> None:
        """Forget what is half drawn."""
        self._start = None
        self.changed.emit()

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return a cross while it is active."""
        return Qt.CursorShape.CrossCursor if self._active else None

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Keep Esc, with which whoever made it active ends it."""
        return self._active and key == Qt.Key.Key_Escape

    def _touched(self, at: QPointF, view: Viewport) -> Region | None:
        """Return the rectangle of all pixels that are touched with the other corner here; None where none is begun."""
        if self._start is None:
            return None
        xs, ys = (sorted(pair) for pair in zip(self._start, view.to_picture(at.x(), at.y()), strict=True))
        left, top = math.floor(xs[0]), math.floor(ys[0])
        return left, top, math.ceil(xs[1]) - left, math.ceil(ys[1]) - top
