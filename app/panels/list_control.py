"""A list of whole numbers as a control: it is typed, and what is none stays there with a sentence on why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.panels.controls import caption, named
from app.panels.parameter import ParameterControl
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.parameter import Parameter, Value

LINE_PX = 110
"""Room for a list of about ten numbers."""


class ListControl(ParameterControl):
    """Whole numbers with commas between them; what is none is not taken, until it is corrected or given up (Esc)."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.line = QLineEdit()
        self.line.setMaximumWidth(LINE_PX)
        self.line.installEventFilter(self)
        named(self.line, parameter.title, self.tip)
        self._top.addWidget(self.line)
        self.fault = caption()
        self.fault.setProperty("role", "fault")
        self._rows.addWidget(self.fault)
        if parameter.effect:
            self._rows.addWidget(caption(parameter.effect))
        self._value = ""
        self.show_value(parameter.default)
        self.line.editingFinished.connect(self._on_typed)

    @property
    def value(self) -> Value:
        """The list that was taken last."""
        return self._value

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        self._value = str(value)
        self.line.setText(self._value)
        self._say("")

    def shows(self, value: Value) -> bool:
        """Whether it shows this value, and nothing that was not taken."""
        return super().shows(value) and not self.fault.text()

    def show_idle(self, reason: str) -> None:
        """Give up what was typed where it can be set no more."""
        if reason and self.line.text() != self._value:
            self.show_value(self._value)
        super().show_idle(reason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give up what was typed and not taken at Esc, which is else the window's."""
        is_key = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if not is_key or self.line.text() == self._value:
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            self.show_value(self._value)
            return True
        return False

    def _on_typed(self) -> None:
        try:
            typed = str(self.parameter.check(self.line.text()))
        except CleanplateError:
            self._say(f"Not taken. Allowed: {self.parameter.allowed.removeprefix('it is ')}.")
            return
        is_other = typed != self._value
        self.show_value(typed)
        if is_other:
            self._tell()

    def _say(self, sentence: str) -> None:
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
