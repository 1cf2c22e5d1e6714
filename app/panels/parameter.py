"""One parameter of the catalogue as a control: title, value with unit, slider, direction, and automatic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.panels.controls import NoWheel, caption, named

if TYPE_CHECKING:
    from core.methods import Parameter, Value

STEPS = 1000
"""Places of a slider."""

LEAST_RATIO = 1e-4
"""Where a logarithmic slider of a range from 0 begins, as a part of the largest value."""


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

    def _tell(self) -> None:
        self.changed.emit(self.parameter.name, self.value)


class NumberBox(QDoubleSpinBox):
    """A number that is typed, with as many digits as it needs and its unit."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        self._integer = parameter.kind is int
        self._automatic = False
        self.setDecimals(0 if self._integer else 12)
        self.setRange(float(parameter.low or 0), float(parameter.high or 1))
        unit = {"pixels": "px"}.get(parameter.unit, parameter.unit)
        self._suffix = f" {unit}" if unit else ""
        self.setSuffix(self._suffix)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.lineEdit().setStyleSheet("padding: 0; border: none; background: transparent;")

    def set_automatic(self, on: bool) -> None:
        """Say "auto" instead of a number, until one is typed."""
        if on != self._automatic:
            self._automatic = on
            self.setSuffix("" if on else self._suffix)

    def textFromValue(self, value: float) -> str:
        """Return three significant digits, never an exponent."""
        if self._automatic:
            return "auto"
        return f"{value:.0f}" if self._integer else format_number(value)


def format_number(value: float) -> str:
    """Return a number with three significant digits, such as 0.020, 5.0 or 120."""
    if value == 0:
        return "0"
    decimals = max(0, min(12, 2 - math.floor(math.log10(abs(value)))))
    text = f"{value:.{decimals}f}"
    if "." in text and decimals > 1:
        text = text.rstrip("0")
        text += "0" if text.endswith(".") else ""
    return text


class SliderControl(ParameterControl):
    """A number: slider and value move together; automatic where the parameter allows it."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self._low, self._high = float(parameter.low or 0), float(parameter.high or 1)
        self._floor = self._low if self._low > 0 else self._high * LEAST_RATIO
        self._filter = NoWheel(self)
        self.box = NumberBox(parameter)
        named(self.box, f"{parameter.title}, value", self.tip)
        self._top.addWidget(self.box)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        named(self.slider, parameter.title, self.tip)
        # Whole numbers of a short range have one step each, so that the arrow keys change them by one.
        self._by_one = parameter.kind is int and not parameter.logarithmic and self._high - self._low <= STEPS
        self._steps = int(self._high - self._low) if self._by_one else STEPS
        self.slider.setRange(0, self._steps)
        self.slider.setSingleStep(1 if self._by_one else STEPS // 100)
        self.slider.setPageStep(max(1, self._steps // 10))
        self._rows.addWidget(self.slider)
        bottom = QHBoxLayout()
        bottom.addWidget(caption(parameter.effect), 1)
        self.auto: QCheckBox | None = None
        if parameter.automatic:
            self.auto = QCheckBox("auto")
            named(self.auto, f"{parameter.title}, automatic", f"Let the method choose: {parameter.title.lower()}.")
            self.auto.toggled.connect(self._on_auto)
            bottom.addWidget(self.auto)
        self._rows.addLayout(bottom)
        for widget in (self.box, self.slider):
            widget.installEventFilter(self._filter)
            widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.valueChanged.connect(self._on_slider)
        self.box.valueChanged.connect(self._on_box)
        self.show_value(parameter.default)

    @property
    def value(self) -> Value:
        """The value shown; None: automatic."""
        if self.auto is not None and self.auto.isChecked():
            return None
        return self.parameter.kind(self.box.value())

    def show_value(self, value: Value) -> None:
        """Show a value without telling; None sets automatic."""
        if self.auto is not None:
            self.auto.blockSignals(True)
            self.auto.setChecked(value is None)
            self.auto.blockSignals(False)
        self._show_number(self._middle() if value is None else float(value))
        self._grey_out(value is None)

    def _show_number(self, value: float) -> None:
        self.box.blockSignals(True)
        self.box.setValue(value)
        self.box.blockSignals(False)
        self._move_slider(value)

    def _move_slider(self, value: float) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(round(self._steps * self._position(value)))
        self.slider.blockSignals(False)

    def _grey_out(self, automatic: bool) -> None:
        self.box.blockSignals(True)
        self.box.set_automatic(automatic)
        self.box.blockSignals(False)

    def _middle(self) -> float:
        return self._value_at(0.4)

    def _position(self, value: float) -> float:
        if self.parameter.logarithmic:
            if value < self._floor:
                return 0.0
            return math.log(value / self._floor) / math.log(self._high / self._floor)
        return (value - self._low) / (self._high - self._low)

    def _value_at(self, position: float) -> float:
        if self.parameter.logarithmic:
            value = self._floor * (self._high / self._floor) ** position if position > 0 else self._low
            value = value if self.parameter.kind is int else float(f"{value:.3g}")
        else:
            value = self._low + (self._high - self._low) * position
            digits = max(0, 3 - math.ceil(math.log10(self._high - self._low))) if self._high > self._low else 3
            value = round(value, digits)
        if self.parameter.kind is int:
            value = round(value) if value < 100 else float(f"{value:.3g}")
        return min(max(value, self._low), self._high)

    def _on_slider(self, step: int) -> None:
        was_automatic = self._leave_auto()
        before = self.box.value()
        self.box.blockSignals(True)
        self.box.setValue(self._value_at(step / self._steps))
        self.box.blockSignals(False)
        if was_automatic or self.box.value() != before:
            self._tell()

    def _on_box(self, value: float) -> None:
        self._leave_auto()
        self._move_slider(value)
        self._tell()

    def _leave_auto(self) -> bool:
        """Switch automatic off without telling; True where it was on."""
        if self.auto is None or not self.auto.isChecked():
            return False
        self.auto.blockSignals(True)
        self.auto.setChecked(False)
        self.auto.blockSignals(False)
        self._grey_out(False)
        return True

    def _on_auto(self, on: bool) -> None:
        self._grey_out(on)
        self._tell()


class SwitchControl(ParameterControl):
    """Something that is on or off."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.switch = QCheckBox()
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
        self.switch.blockSignals(True)
        self.switch.setChecked(bool(value))
        self.switch.blockSignals(False)
        self.switch.setText("on" if value else "off")

    def _on_toggled(self, on: bool) -> None:
        self.switch.setText("on" if on else "off")
        self._tell()


class ChoiceControl(ParameterControl):
    """One of a few words."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self._filter = NoWheel(self)
        self.chooser = QComboBox()
        self.chooser.addItems(list(parameter.choices))
        self.chooser.installEventFilter(self._filter)
        self.chooser.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        named(self.chooser, parameter.title, self.tip)
        self._rows.addWidget(self.chooser)
        if parameter.effect:
            self._rows.addWidget(caption(parameter.effect))
        self.show_value(parameter.default)
        self.chooser.activated.connect(lambda _index: self._tell())

    @property
    def value(self) -> Value:
        """The word chosen."""
        return self.chooser.currentText()

    def show_value(self, value: Value) -> None:
        """Show a value without telling."""
        self.chooser.setCurrentText(str(value))


def control_for(parameter: Parameter) -> ParameterControl:
    """Return the control that fits a parameter's kind."""
    kinds = {bool: SwitchControl, str: ChoiceControl}
    return kinds.get(parameter.kind, SliderControl)(parameter)
