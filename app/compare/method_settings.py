"""The parameters of one method of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.controls import Column, button, caption
from app.panels.parameters import ParameterForm
from app.side_window import SideWindow

if TYPE_CHECKING:
    from core.methods.base import MethodRow
    from core.parameter import Value

WIDTH, HEIGHT = 320, 460


class CompareSettings(SideWindow):
    """A small window beside the comparison; each change starts it anew.

    Parameters
    ----------
    row : MethodRow
    values : mapping
        Parameters that differ from their defaults.
    parent : QWidget

    Signals
    -------
    changed(dict) : the parameters that differ from their defaults now
    """

    changed = Signal(object)

    def __init__(self, row: MethodRow, values: Mapping[str, Value], parent: QWidget) -> None:
        from core import catalogue  # noqa: PLC0415 - numba; imported on the worker's thread by the time there are rows

        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(f"Parameters of {row.title}")
        self.form = ParameterForm("method")
        self.form.build(catalogue.listed_parameters(row))
        self.form.show_values(values)
        self.form.changed.connect(lambda *_: self.changed.emit(self.form.chosen))
        reset = button("Reset to defaults", "Reset all parameters", "Set every parameter back.", "link")
        reset.clicked.connect(self._on_reset)
        column = Column("Parameters", WIDTH)
        column.add_section(row.title, caption(f"{row.paper}. {row.summary}"), self.form)
        column.rows.addWidget(reset, 0, Qt.AlignmentFlag.AlignLeft)
        column.add(caption("Every change starts all methods anew, so that they have seen the same."))
        column.rows.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(column)
        self.resize(WIDTH, HEIGHT)

    def _on_reset(self) -> None:
        self.form.show_defaults()
        self.changed.emit({})
