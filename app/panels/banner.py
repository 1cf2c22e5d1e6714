"""A calm line over the panes for errors and warnings: it never blocks, and goes when it is dismissed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton

from app import theme
from app.engine.threads import on_own_thread
from app.panels.controls import named


class Banner(QFrame):
    """One sentence at a time; an error stays until it is dismissed, and a warning does not displace it.

    Signals
    -------
    dismissed() : the person closed it
    """

    dismissed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(8)
        self._icon = QLabel()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QToolButton()
        close.setIcon(theme.icon("close"))
        close.setProperty("role", "flat")
        named(close, "Dismiss the message", "Dismiss the message")
        close.clicked.connect(self._on_close)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self._is_error = False
        self._paint()
        theme.theme_changed().connect(self._paint)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    @on_own_thread
    def show_error(self, sentence: str) -> None:
        """Show what failed."""
        self._show(sentence, error=True)

    def show_warning(self, sentence: str) -> None:
        """Show what was skipped or repaired, unless an error is being shown."""
        if not (self._is_error and self.isVisible()):
            self._show(sentence, error=False)

    def clear(self) -> None:
        """Take the sentence away."""
        self._is_error = False
        self.hide()

    def clear_error(self) -> None:
        """Take an error away: what was asked for since went well."""
        if self._is_error:
            self.clear()

    def clear_warning(self) -> None:
        """Take a warning away: what it said is over."""
        if not self._is_error:
            self.clear()

    def _show(self, sentence: str, *, error: bool) -> None:
        self._is_error = error
        self._text.setText(sentence)
        self._text.setAccessibleName(sentence)
        self._paint()
        self.show()

    def _paint(self) -> None:
        colours = theme.colours()
        token: theme.Token = "bad" if self._is_error else "warn"
        self._icon.setPixmap(theme.icon("warning", token).pixmap(16, 16))
        self.setStyleSheet(
            f"#banner {{ background: {colours.raised}; border-left: 3px solid {colours.of(token)};"
            " border-radius: 4px; }"
        )

    def _on_close(self) -> None:
        self.clear()
        self.dismissed.emit()
