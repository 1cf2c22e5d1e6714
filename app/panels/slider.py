"""A number as a control: slider and value move together, and the method may choose where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSlider

from app.focus import leave_ends, leave_keys
from app.panels.controls import caption, keep_wheel_off, named
from app.panels.number_box import NumberBox
from app.panels.parameter import ParameterControl
from app.panels.scale import Scale

if TYPE_CHECKING:
    from core.parameter import Parameter, Value


class SliderControl(ParameterControl):
    """A number: slider and value move together; automatic where the parameter allows it."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self._scale = Scale(parameter)
        self.box = NumberBox(parameter)
        named(self.box, f"{parameter.title}, value", self.tip)
        self._top.addWidget(self.box)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        named(self.slider, parameter.title, self.tip)
        self.slider.setRange(0, self._scale.steps)
        self.slider.setSingleStep(self._scale.key_step)
        self.slider.setPageStep(self._scale.page_step)
        leave_ends(self.slider)
        self._rows.addWidget(self.slider)
        bottom = QHBoxLayout()
        bottom.setSpacing(10)
        bottom.addWidget(caption(parameter.effect), 1)
        self._in_force: float | None = None
        self.auto: QCheckBox | None = None
        if parameter.automatic:
            self.auto = QCheckBox("auto")
            leave_keys(self.auto)
            named(self.auto, f"{parameter.title}, automatic", f"Let the method choose: {parameter.title.lower()}.")
            self.auto.toggled.connect(self._on_auto)
            bottom.addWidget(self.auto)
        self._rows.addLayout(bottom)
        keep_wheel_off(self.box, self.slider)
        self.slider.valueChanged.connect(self._on_slider)
        self.box.valueChanged.connect(self._on_box)
        self.show_value(parameter.default)

    @property
    def value(self) -> Value:
        """The value shown; None: automatic."""
        if self.auto is not None and self.auto.isChecked():
            return None
        number = self.box.value()
        return int(number) if self.parameter.kind is int else number

    def show_value(self, value: Value) -> None:
        """Show a value without telling; None sets automatic."""
        if self.auto is not None:
            with QSignalBlocker(self.auto):
                self.auto.setChecked(value is None)
        known = self._scale.rest if self._in_force is None else self._in_force
        self._show_number(known if value is None else float(value))
        self._grey_out(value is None)

    def show_automatic(self, value: float) -> None:
        """Show what stands for the parameter while it is automatic; that is taken over when a person leaves it."""
        self._in_force = value
        is_touched = self.box.hasFocus() or self.slider.isSliderDown()
        if self.value is None and not is_touched:
            self._grey_out(True)
            self._show_number(value)

    def forget_automatic(self) -> None:
        """Show that what stands for the parameter is not known, as at the start."""
        self._in_force = None
        if self.value is None:
            self.show_value(None)

    def _show_number(self, value: float) -> None:
        with QSignalBlocker(self.box):
            self.box.setValue(value)
        self._move_slider(value)

    def _move_slider(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._scale.step_of(value))

    def _grey_out(self, automatic: bool) -> None:
        with QSignalBlocker(self.box):
            self.box.set_automatic(automatic, known=self._in_force is not None)

    def _on_slider(self, step: int) -> None:
        was_automatic = self._leave_auto()
        before = self.box.value()
        with QSignalBlocker(self.box):
            self.box.setValue(self._scale.value_at(step))
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
        with QSignalBlocker(self.auto):
            self.auto.setChecked(False)
        self._grey_out(False)
        return True

    def _on_auto(self, on: bool) -> None:
        self._grey_out(on)
        self._tell()
