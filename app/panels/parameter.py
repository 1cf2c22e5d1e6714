"""One parameter of the catalogue as a control: what all have in common, a switch, a choice of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.focus import leave_keys
from app.panels.controls import caption, named
from app.panels.narrow_list import NarrowList

if TYPE_CHECKING:
    from core.parameter import Parameter, Value

AUTOMATIC = "automatic"
"""What a choice shows that is left to the program."""


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
        self._idle_because = ""
        self._tips: dict[QWidget, str] = {}

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

    def shows(self, value: Value) -> bool:
        """Whether it shows this value, and nothing beside it."""
        return self.value == value

    def show_automatic(self, value: float) -> None:
        """Show what stands for the parameter while it is automatic; there is nothing to show where it cannot be."""

    def forget_automatic(self) -> None:
        """Show that what stands for the parameter is not known, as at the start; likewise."""

    def show_idle(self, reason: str) -> None:
        """Let it be set no more, and say in its tips why it has no effect; empty: it has one."""
        if reason == self._idle_because:
            return
        self._idle_because = reason
        self.setEnabled(not reason)
        self._tips = self._tips or {part: part.toolTip() for part in self.findChildren(QWidget) if part.toolTip()}
        for part, tip in self._tips.items():
            part.setToolTip(f"{reason} {tip}".strip())
            if part.accessibleDescription():
                part.setAccessibleDescription(part.toolTip())

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
