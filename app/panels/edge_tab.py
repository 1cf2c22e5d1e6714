"""What is left of a panel that is hidden: a slim tab at its edge, which shows it again."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from app.focus import leave_keys
from app.panels.controls import named

THICK_PX, ENDS_PX = 6, 24
"""What the words leave free across the tab and along it."""


class EdgeTab(QPushButton):
    """A button as long as the edge that it lies at.

    Parameters
    ----------
    text : str
        What is behind it.
    tip : str
    upright : bool
        It lies at a side: its words are read from below.
    """

    def __init__(self, text: str, tip: str, *, upright: bool) -> None:
        super().__init__(text)
        self._upright = upright
        leave_keys(self)
        self.setProperty("role", "tab")
        named(self, f"Show {text[0].lower()}{text[1:]}", tip)
        long, thin = QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed
        self.setSizePolicy(*((thin, long) if upright else (long, thin)))

    def sizeHint(self) -> QSize:
        """Return the size of the words and what lies around them."""
        words = self.fontMetrics().size(0, self.text())
        size = QSize(words.width() + ENDS_PX, words.height() + THICK_PX)
        return size.transposed() if self._upright else size

    def minimumSizeHint(self) -> QSize:
        """Likewise."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as any button, turned where it stands upright."""
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        if self._upright:
            painter.rotate(-90)
            painter.translate(-self.height(), 0)
            option.rect = option.rect.transposed()
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
