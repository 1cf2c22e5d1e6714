"""What a pane asks of a tool."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QPainter

from app.rendering.viewport import Viewport


class Tool(QObject):
    """A use of the left button in a pane: what a drag does, the shape of the pointer, marks on the picture, keys.

    A pane has several tools in an order. It offers a press to each until one takes it with `begin`; that one gets
    the moves and the end of the drag. Every tool hears where the pointer is and is painted. What a tool did it tells
    by signals of its own; it knows neither the pane nor other tools.

    All points are in points of the pane, unless said otherwise. The methods here do nothing, which suits most tools.
    """

    changed = Signal()
    """The tool looks different now: the pane is to be painted anew."""

    @property
    def modal(self) -> bool:
        """Whether every press is for this tool now, also the second of a double click, until Esc is pressed."""
        return False

    def begin(self, at: QPointF, view: Viewport) -> bool:
        """Begin a drag where the button was pressed; return whether this tool takes it."""
        return False

    def move(self, at: QPointF, view: Viewport) -> None:
        """Go on with the drag that was begun."""

    def end(self, view: Viewport) -> None:
        """Complete the drag, where one was begun, and tell what came of it."""

    def cancel(self) -> None:
        """Forget the drag: the picture went away meanwhile."""

    def hover(self, at: QPointF, view: Viewport) -> None:
        """Hear where the pointer is, with or without the button held."""

    def leave(self) -> None:
        """Hear that the pointer is not over a picture any more."""

    def cursor(self, at: QPointF | None, view: Viewport | None) -> Qt.CursorShape | None:
        """Return the shape of the pointer at a point (None: not known), or None where this tool does not mind."""
        return None

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Paint marks over the picture. The pane saves the painter's state before and restores it afterwards."""

    def keeps_key(self, key: int, view: Viewport | None) -> bool:
        """Tell whether a plain key means something here, so that it is no shortcut of the window now."""
        return False

    def press_key(self, key: int, view: Viewport | None) -> bool:
        """Act on a key; return False where it means nothing here."""
        return False
