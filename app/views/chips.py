"""Words over a picture: what is measured, said or asked there, and the title of a pane."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from app.theme import icon

MARGIN = 8
"""Between a chip and the border of its pane, points."""

_BORDER = 10
"""Of the title of a pane at both sides, with its padding, as in `resources/style.qss`; points."""

_GAP = 10
"""Between the title of a pane and its arrow, points: Qt leaves more, which small panes do not have."""

_PADDING = 10
"""Between the words of a chip and its border, with some to spare."""


class Chip(QLabel):
    """Words over a picture, which let the mouse through.

    Parameters
    ----------
    name : str
        For screen readers.
    parent : QWidget
    role : str
        ``chip``, or ``chip-number`` for figures of one width.
    """

    def __init__(self, name: str, parent: QWidget, role: str = "chip") -> None:
        super().__init__(parent)
        self._parent = parent
        self.setProperty("role", role)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show words; none hide the chip."""
        if self.text() != words:
            self.setText(words)
        self.setHidden(not words)

    def width_of(self, words: str) -> int:
        """Return how wide it is with these words, points."""
        return self.fontMetrics().horizontalAdvance(words) + 2 * _PADDING

    def say_in_lines(self, parts: Sequence[str]) -> None:
        """Show parts beside each other as far as there is room, the rest below."""
        lines: list[str] = []
        room = self._parent.width() - 2 * (MARGIN + _PADDING)
        for part in parts:
            wider = f"{lines[-1]} · {part}" if lines else part
            if lines and self.fontMetrics().horizontalAdvance(wider) <= room:
                lines[-1] = wider
            else:
                lines.append(part)
        self.say("\n".join(lines))


class TitleChip(QToolButton):
    """The title of a pane; where there is a choice of pictures, a button.

    Parameters
    ----------
    title : str
    parent : QWidget
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "title-chip")
        self.setAccessibleName(f"{title}: title")
        self.setToolTip("What this pane shows")
        self.setText(title)
        self._tip = self.toolTip()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show words."""
        if self.text() != words:
            self.setText(words)

    def offer(self, name: str, tip: str) -> None:
        """Be a button from now on, which tells when it is clicked."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(name)
        self._tip = tip
        self.setToolTip(tip)
        self.setIconSize(QSize(10, 10))
        self.setIcon(icon("chevron-down", "on_chip"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    def sizeHint(self) -> QSize:
        """Return the size of the words, the border, and the arrow where there is one."""
        hint = super().sizeHint()
        if not self.icon().isNull():
            needed = self.fontMetrics().horizontalAdvance(self.text()) + self.iconSize().width() + _GAP + _BORDER
            hint.setWidth(min(hint.width(), needed))
        return hint

    def tell_whole(self, words: str) -> None:
        """Let the tip say what is cut; empty: nothing is."""
        self.setToolTip(f"{words}. {self._tip}" if words else self._tip)
