"""One parameter of the catalogue as a control: what all have in common, a switch, a choice of words, a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.focus import leave_keys
from app.panels.controls import caption, named
from app.panels.narrow_list import NarrowList
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.parameter import Parameter, Value

AUTOMATIC = "automatic"
"""What a choice shows that is left to the program."""

LINE_PX = 110
"""Room for a list of about ten numbers."""


class ParameterControl(QWidget):
    """A control for one parameter, built from its row of the catalogue.

    Signals
    -------
    changed(str, object) : name and new value (None: automatic), set by the person
    """

    changed = Signal(str, object)

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self.parameter = parameter
        self.setProperty("parameter", parameter.name)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 2, 0, 4)
        rows.setSpacing(1)
        self._top = QHBoxLayout()
        self._top.setSpacing(6)
        title = QLabel(parameter.title)
        title.setToolTip(self.tip)
        self._top.addWidget(title, 1)
        rows.addLayout(self._top)
        self._rows = rows

    @property
    def tip(self) -> str:
        """What the control does and which way."""
        p = self.parameter
        parts = [p.help, p.effect[:1].upper() + p.effect[1:] + "." if p.effect else ""]
        if not p.live:
            parts.append("A change starts the run anew.")
        return " ".join(part for part in parts if part)

    @property
    def value(self) -> Value:
        """The value shown; None: automatic."""
        raise NotImplementedError

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        raise NotImplementedError

    def show_automatic(self, value: float) -> None:
        """Show what stands for the parameter while it is automatic; there is nothing to show where it cannot be."""

    def _tell(self) -> None:
        self.changed.emit(self.parameter.name, self.value)


class SwitchControl(ParameterControl):
    """Something that is on or off."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.switch = QCheckBox()
        leave_keys(self.switch)
        named(self.switch, parameter.title, self.tip)
        self._top.addWidget(self.switch)
        if parameter.effect:
            self._rows.addWidget(caption(parameter.effect))
        self.show_value(parameter.default)
        self.switch.toggled.connect(self._on_toggled)

    @property
    def value(self) -> Value:
        """True where it is on."""
        return self.switch.isChecked()

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(bool(value))
        self.switch.setText("on" if value else "off")

    def _on_toggled(self, on: bool) -> None:
        self.switch.setText("on" if on else "off")
        self._tell()


class ChoiceControl(ParameterControl):
    """One of a few words."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.chooser = NarrowList()
        self.chooser.addItems([*([AUTOMATIC] if parameter.automatic else []), *parameter.choices])
        named(self.chooser, parameter.title, self.tip)
        self._rows.addWidget(self.chooser)
        if parameter.effect:
            self._rows.addWidget(caption(parameter.effect))
        self.show_value(parameter.default)
        self.chooser.activated.connect(lambda _index: self._tell())

    @property
    def value(self) -> Value:
        """The word chosen; None: automatic."""
        chosen = self.chooser.currentText()
        return None if chosen == AUTOMATIC else chosen

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        self.chooser.setCurrentText(AUTOMATIC if value is None else str(value))


class ListControl(ParameterControl):
    """Whole numbers with commas between them; what is none is not taken, and the last list shown again."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.line = QLineEdit()
        self.line.setMaximumWidth(LINE_PX)
        self._list = _List(parameter, self.line)
        self.line.setValidator(self._list)
        named(self.line, parameter.title, self.tip)
        self._top.addWidget(self.line)
        if parameter.effect:
            self._rows.addWidget(caption(parameter.effect))
        self.show_value(parameter.default)
        self.line.editingFinished.connect(self._on_typed)

    @property
    def value(self) -> Value:
        """The list."""
        return self._list.last

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        self._list.last = str(value)
        self.line.setText(self._list.last)

    def _on_typed(self) -> None:
        typed = str(self.parameter.check(self.line.text()))
        if typed != self._list.last:
            self.show_value(typed)
            self._tell()


class _List(QValidator):
    """Lets a list be typed, and puts back the last where something else is left in the line."""

    def __init__(self, parameter: Parameter, line: QLineEdit) -> None:
        super().__init__(line)
        self._parameter = parameter
        self.last = ""

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Return whether the text is a list, or may become one."""
        try:
            self._parameter.check(text)
        except CleanplateError:
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    def fixup(self, _text: str) -> str:
        """Return the last list."""
        return self.last
