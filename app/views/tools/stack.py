"""The tools of a pane one over the other: who gets the press, the keys, and the shape of the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QPainter

from app.rendering.viewport import Viewport
from app.views.tools.base import Tool


class ToolStack(QObject):
    """Hands what happens in a pane to its tools.

    Parameters
    ----------
    tools : sequence of Tool
        The first lies on top: it is offered the press first, and painted last.
    view : callable
        Returns how the picture lies in the pane at this moment; None where there is no picture.
    parent : QObject
    """

    changed = Signal()
    """The marks of a tool changed: the pane is to be painted anew."""
    cursor_changed = Signal(Qt.CursorShape)

    def __init__(self, tools: Sequence[Tool], view: Callable[[], Viewport | None], parent: QObject) -> None:
        super().__init__(parent)
        self._tools, self._view = tuple(tools), view
        self._held: Tool | None = None
        self._pointer: QPointF | None = None
        self._cursor = Qt.CursorShape.ArrowCursor
        for tool in self._tools:
            tool.setParent(self)
            tool.changed.connect(self._on_changed)

    @property
    def modal(self) -> bool:
        """Whether every press is for one of the tools now."""
        return any(tool.modal for tool in self._tools)

    def press(self, at: QPointF) -> bool:
        """Offer a press to the tools; return whether there is a picture that they work on."""
        view = self._view()
        if view is None:
            return False
        self._held = next((tool for tool in self._tools if tool.begin(at, view)), None)
        self._choose_cursor()
        return True

    def move(self, at: QPointF) -> None:
        """Go on with the drag, and tell every tool where the pointer is."""
        self._pointer, view = at, self._view()
        if self._held is not None and view is not None:
            self._held.move(at, view)
            view = self._view()  # Another one, where the drag panned.
        for tool in self._tools:
            if view is None:
                tool.leave()
            else:
                tool.hover(at, view)
        self._choose_cursor()

    def release(self) -> None:
        """End the drag."""
        tool, self._held = self._held, None
        view = self._view()
        if tool is not None and view is not None:
            tool.end(view)
        elif tool is not None:
            tool.cancel()
        self._choose_cursor()

    def leave(self) -> None:
        """Tell every tool that the pointer is elsewhere."""
        self._pointer = None
        for tool in self._tools:
            tool.leave()

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Paint the marks of all tools."""
        for tool in reversed(self._tools):
            painter.save()
            tool.paint(painter, view)
            painter.restore()

    def keeps_key(self, key: int) -> bool:
        """Tell whether a plain key means something to a tool, so that it is no shortcut of the window now."""
        view = self._view()
        return any(tool.keeps_key(key, view) for tool in self._tools)

    def press_key(self, key: int) -> bool:
        """Let the first tool act on a key to which it means something; return whether there is one."""
        view = self._view()
        return any(tool.press_key(key, view) for tool in self._tools)

    def _on_changed(self) -> None:
        self._choose_cursor()
        self.changed.emit()

    def _choose_cursor(self) -> None:
        view = self._view()
        shapes = (tool.cursor(self._pointer, view) for tool in self._tools)
        wanted = next((shape for shape in shapes if shape is not None), Qt.CursorShape.ArrowCursor)
        if wanted is not self._cursor:
            self._cursor = wanted
            self.cursor_changed.emit(wanted)
