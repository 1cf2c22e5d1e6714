"""What counts as an event: shortest, smallest, area of interest, a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QSpinBox, QWidget

from app.command_words import AREA, LINE, event_rules, format_points, parse_line, parse_points
from app.focus import leave_space
from app.panels.controls import button, named
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.events.rules import Point, Rules

MOST = 10**9
"""Largest number that can be typed."""


class EventRulesForm(QWidget):
    """The choices, which narrow down what is found at once.

    Signals
    -------
    changed()
    drawing_changed(str) : the person wants to draw the `LINE` or the `AREA`, or (empty) no more
    """

    changed = Signal()
    drawing_changed = Signal(str)

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
        ends = button("Draw", "Draw the line", "Drag it from end to end in any picture; Esc gives up.")
        corners = button("Draw", "Draw the area of interest", "Drag a rectangle in any picture; Esc gives up.")
        self.switches = {LINE: ends, AREA: corners}
        for what, switch in self.switches.items():
            switch.setCheckable(True)
            switch.setAutoDefault(False)  # Else Enter after a number would push the first of them.
            switch.clicked.connect(partial(self._on_switch, what))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setColumnStretch(3, 1)
        for row, (left, box, right, edit, switch) in enumerate(
            [
                ("Shortest", self.shortest, "Area of interest", self.area, corners),
                ("Smallest", self.smallest, "Line", self.line, ends),
            ]
        ):
            leave_space(box)
            box.setMinimumWidth(130)
            box.setKeyboardTracking(False)
            box.lineEdit().setTextMargins(4, 0, 0, 0)  # Qt leaves out the padding where a box has buttons.
            box.valueChanged.connect(self.changed)
            edit.editingFinished.connect(self.changed)
            for column, widget in enumerate((QLabel(left), box, QLabel(right), edit, switch)):
                grid.addWidget(widget, row, column)

    # Drawing

    @property
    def drawing(self) -> str:
        """What the person wants to draw; empty: nothing."""
        return next((what for what, switch in self.switches.items() if switch.isChecked()), "")

    def draw_no_more(self) -> None:
        """Let the person draw nothing."""
        if self.drawing:
            self.switches[self.drawing].setChecked(False)
            self.drawing_changed.emit("")

    def set_drawn(self, what: str, points: Sequence[Point]) -> None:
        """Write what was drawn into its field."""
        (self.line if what == LINE else self.area).setText(format_points(points))
        self.draw_no_more()
        self.changed.emit()

    def _on_switch(self, what: str) -> None:
        self.switches[AREA if what == LINE else LINE].setChecked(False)
        self.drawing_changed.emit(self.drawing)

    @property
    def marks(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Ends of the line and corners of the area, as far as they can be read; nothing where there is none."""
        return _points(self.line, parse_line), _points(self.area, partial(parse_points, ""))

    def rules(self) -> tuple[Rules | None, str]:
        """Return what counts, or None and in a sentence why that cannot be read."""
        area, line = self.area.text().strip(), self.line.text().strip()
        try:
            rules = event_rules(area or None, [line] if line else [], self.shortest.value(), self.smallest.value())
        except CleanplateError as error:
            return None, str(error).replace("--event-area ", "The area ").replace("--event-line ", "The line ")
        return rules, ""


def _points(edit: QLineEdit, read: Callable[[str], tuple[Point, ...]]) -> tuple[Point, ...]:
    """Return what a field says, nothing where that cannot be read."""
    try:
        return read(edit.text().strip())
    except CleanplateError:
        return ()
