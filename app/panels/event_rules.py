"""What counts as an event: shortest, smallest, area of interest, a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QSpinBox, QWidget

from app.command_words import event_rules
from app.focus import leave_space
from app.panels.controls import named
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.events.rules import Rules

MOST = 10**9
"""Largest number that can be typed."""


class EventRulesForm(QWidget):
    """The choices, which narrow down what is found at once.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(self, shortest: int) -> None:
        super().__init__()
        self.shortest, self.smallest = QSpinBox(), QSpinBox()
        self.shortest.setRange(shortest, MOST)
        self.shortest.setSuffix(" frames")
        self.smallest.setRange(0, MOST)
        self.smallest.setSuffix(" px")
        named(self.shortest, "Shortest event", "Events seen in fewer frames are left out.")
        named(self.smallest, "Smallest event", "Frames in which fewer pixels of it are set do not count.")
        self.area, self.line = QLineEdit(), QLineEdit()
        self.area.setPlaceholderText("whole picture, or x,y,x,y,x,y…")
        self.line.setPlaceholderText("none, or x,y,x,y")
        named(self.area, "Area of interest", "Corners of a polygon, pixels: only what passes in it counts.")
        about = "Two points, pixels: events are counted over this line; forward is from its left to its right."
        named(self.line, "Line to count over", about)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setColumnStretch(3, 1)
        for row, (left, box, right, edit) in enumerate(
            [("Shortest", self.shortest, "Area of interest", self.area), ("Smallest", self.smallest, "Line", self.line)]
        ):
            leave_space(box)
            box.setMinimumWidth(130)
            box.setKeyboardTracking(False)
            box.lineEdit().setTextMargins(4, 0, 0, 0)  # Qt leaves out the padding where a box has buttons.
            box.valueChanged.connect(self.changed)
            edit.editingFinished.connect(self.changed)
            for column, widget in enumerate((QLabel(left), box, QLabel(right), edit)):
                grid.addWidget(widget, row, column)

    def rules(self) -> tuple[Rules | None, str]:
        """Return what counts, or None and in a sentence why that cannot be read."""
        area, line = self.area.text().strip(), self.line.text().strip()
        try:
            rules = event_rules(area or None, [line] if line else [], self.shortest.value(), self.smallest.value())
        except CleanplateError as error:
            return None, str(error).replace("--event-area ", "The area ").replace("--event-line ", "The line ")
        return rules, ""
