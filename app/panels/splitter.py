"""Parts of a window beside each other, with handles between them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

HANDLE_PX = 3
"""Of what is dragged between two parts."""


def splitter(orientation: Qt.Orientation, parent: QWidget | None = None) -> QSplitter:
    """Return what puts handles between its parts, which are its children."""
    made = QSplitter(orientation, parent)
    made.setChildrenCollapsible(False)
    made.setHandleWidth(HANDLE_PX)
    return made


def share(parts: QSplitter, *, grows: int) -> None:
    """Let the part numbered ``grows`` take what the window grows by."""
    for i in range(parts.count()):
        parts.setStretchFactor(i, int(i == grows))
