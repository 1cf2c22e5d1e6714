"""A form of parameters: a control for each, those for the curious behind "More"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.controls import TallArea, button
from app.panels.list_control import ListControl
from app.panels.parameter import ChoiceControl, ParameterControl, SwitchControl
from app.panels.slider import SliderControl

if TYPE_CHECKING:
    from core.parameter import Parameter, Value


class ParameterForm(QWidget):
    """Controls for a list of parameters.

    Signals
    -------
    changed(Parameter, object) : which parameter the person set, and its value (None: automatic)
    shown() : values are others, whoever has set them
    """

    changed = Signal(object, object)
    shown = Signal()

    def __init__(self, more: str = "") -> None:
        """``more``: what lies behind "More", for screen readers; such as "mask"."""
        super().__init__()
        self._more = more
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(2)
        self._body: QWidget | None = None
        self._decided: Mapping[str, Value] = {}
        self.controls: dict[str, ParameterControl] = {}

    @property
    def values(self) -> dict[str, Value]:
        """The value of every parameter."""
        return {name: control.value for name, control in self.controls.items()}

    @property
    def chosen(self) -> dict[str, Value]:
        """Those that differ from their defaults."""
        return {n: c.value for n, c in self.controls.items() if c.value != c.parameter.default}

    def build(self, parameters: Iterable[Parameter]) -> None:
        """Make the controls anew, with their defaults."""
        if self._body is not None:
            self._rows.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
        self._body = QWidget()
        rows = QVBoxLayout(self._body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        advanced = QWidget()
        advanced_rows = QVBoxLayout(advanced)
        advanced_rows.setContentsMargins(0, 0, 0, 0)
        advanced_rows.setSpacing(2)
        self.controls = {}
        for parameter in parameters:
            control = control_for(parameter)
            control.changed.connect(self._on_changed)
            self.controls[parameter.name] = control
            (advanced_rows if parameter.advanced else rows).addWidget(control)
        if advanced_rows.count():
            rows.addWidget(self._more_button(advanced))
            rows.addWidget(advanced)
            advanced.hide()
        self._rows.addWidget(self._body)
        self._follow_values()

    def show_values(self, values: Mapping[str, Value]) -> None:
        """Show values without telling; names that are not here are left out."""
        for name, value in values.items():
            if name in self.controls and not self.controls[name].shows(value):
                self.controls[name].show_value(value)
        self._follow_values()

    def show_automatic(self, values: Mapping[str, float]) -> None:
        """Show what stands for parameters that are automatic; names that are not here are left out."""
        for name, value in values.items():
            if name in self.controls:
                self.controls[name].show_automatic(value)

    def forget_automatic(self) -> None:
        """Show what stands for parameters that are automatic no more: it was that of another input."""
        for control in self.controls.values():
            control.forget_automatic()

    def show_defaults(self) -> None:
        """Show every default without telling."""
        for control in self.controls.values():
            control.show_value(control.parameter.default)
        self._follow_values()

    def show_decided(self, values: Mapping[str, Value]) -> None:
        """Take these for the values of parameters that are automatic: what has an effect goes by them."""
        self._decided = values
        self._show_idle()

    def _show_idle(self) -> None:
        """Disable what has no effect, and say why."""
        values = {n: self._decided.get(n) if value is None else value for n, value in self.values.items()}
        titles = {name: control.parameter.title for name, control in self.controls.items()}
        for control in self.controls.values():
            parameter = control.parameter
            acts = parameter.acts(values)
            control.show_idle("" if acts else f"No effect unless {parameter.condition(titles)}.")

    def _more_button(self, advanced: QWidget) -> QWidget:
        about = "Show the parameters that are seldom needed."
        toggle = button("MORE ▸", f"More {self._more} parameters", about, "word")
        toggle.setCheckable(True)

        def show(on: bool) -> None:
            advanced.setVisible(on)
            toggle.setText("LESS ▾" if on else "MORE ▸")
            if on:
                QTimer.singleShot(0, advanced, lambda: _scroll_to(toggle, advanced))  # They have no places until then.

        toggle.toggled.connect(show)
        self.more = toggle
        holder = QWidget()
        row = QVBoxLayout(holder)
        row.setContentsMargins(0, 2, 0, 2)
        row.addWidget(toggle)
        toggle.setSizePolicy(toggle.sizePolicy().Policy.Maximum, toggle.sizePolicy().Policy.Fixed)
        return holder

    def _follow_values(self) -> None:
        self._show_idle()
        self.shown.emit()

    def _on_changed(self, name: str, value: object) -> None:
        self._follow_values()
        self.changed.emit(self.controls[name].parameter, value)


def _scroll_to(first: QWidget, last: QWidget) -> None:
    """Show these and what is between them in the column that they are in, where they are in one."""
    above = first.parentWidget()
    while above is not None and not isinstance(above, TallArea):
        above = above.parentWidget()
    if above is not None:
        above.scroll_to(first, last)


def control_for(parameter: Parameter) -> ParameterControl:
    """Return the control that fits a parameter's kind."""
    if parameter.is_list:
        return ListControl(parameter)
    kinds = {bool: SwitchControl, str: ChoiceControl}
    return kinds.get(parameter.kind, SliderControl)(parameter)
