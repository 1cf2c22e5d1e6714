"""What counts as an event: shortest, smallest, area of interest, lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget

from app.command_words import AREA, LINE, event_rules, format_points, parse_line, parse_points
from app.focus import leave_space
from app.panels.controls import button, named
from app.theme import pad_text
from core.errors import CleanplateError
from core.events.rules import MOST

if TYPE_CHECKING:
    from core.events.rules import Point, Rules

BETWEEN = ";"
"""Stands between two lines in their field."""


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
        self._shortest = shortest
        self._make_fields(shortest)
        self._make_switches()
        self._lay_out()
        self.changed.connect(self._offer_another)
        self._offer_another()

    def _make_fields(self, shortest: int) -> None:
        self.shortest, self.smallest = QSpinBox(), QSpinBox()
        self.shortest.valueChanged.connect(lambda n: self.shortest.setSuffix(" frame" if n == 1 else " frames"))
        self.shortest.setRange(shortest, MOST)
        self.smallest.setRange(0, MOST)
        self.smallest.setSuffix(" px")
        named(self.shortest, "Shortest event", "Events seen in fewer frames are left out.")
        named(self.smallest, "Smallest event", "Frames in which fewer pixels of it are set do not count.")
        self.area, self.line = QLineEdit(), QLineEdit()
        self.area.setPlaceholderText("whole picture, or x,y,x,y,x,y…")
        self.line.setPlaceholderText("none, or x,y,x,y; x,y,x,y…")
        named(self.area, "Area of interest", "Corners of a polygon, pixels: only what passes in it counts.")
        about = "Two points, pixels: events are counted over this line; forward is from its left to its right."
        named(self.line, "Lines to count over", f"{about} Between two lines stands a semicolon.")
        for box in (self.shortest, self.smallest):
            leave_space(box)
            box.setMinimumWidth(130)
            box.setKeyboardTracking(False)
            pad_text(box)
            box.valueChanged.connect(self.changed)
        for edit in (self.area, self.line):
            edit.setMinimumWidth(140)
            edit.editingFinished.connect(self.changed)

    def _make_switches(self) -> None:
        """Make what lets the person draw: one at a time is on."""
        ends = button(
            "Draw",
            "Draw the line",
            "Drag it from end to end in any picture, in place of those there are; Esc gives up.",
        )
        self.another = button("Add", "Add a line", "Drag another line, which is counted by itself; Esc gives up.")
        self.another.setCheckable(True)
        self.another.setAutoDefault(False)
        self.another.clicked.connect(self._on_another)
        corners = button("Draw", "Draw the area of interest", "Drag a rectangle in any picture; Esc gives up.")
        self.switches = {LINE: ends, AREA: corners}
        for what, switch in self.switches.items():
            switch.setCheckable(True)
            switch.setAutoDefault(False)  # Else Enter after a number would push the first of them.
            switch.clicked.connect(partial(self._on_switch, what))

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setColumnStretch(3, 1)
        rows = (
            (QLabel("Shortest"), self.shortest, QLabel("Area of interest"), self.area, self.switches[AREA]),
            (QLabel("Smallest"), self.smallest, QLabel("Lines"), self.line, self.switches[LINE], self.another),
        )
        for row, widgets in enumerate(rows):
            for column, widget in enumerate(widgets):
                grid.addWidget(widget, row, column)

    # Drawing

    @property
    def drawing(self) -> str:
        """What the person wants to draw; empty: nothing."""
        if self.another.isChecked():
            return LINE
        return next((what for what, switch in self.switches.items() if switch.isChecked()), "")

    def draw_no_more(self) -> None:
        """Let the person draw nothing."""
        if self.drawing:
            self._push(None)
            self.drawing_changed.emit("")

    def set_drawn(self, what: str, points: Sequence[Point]) -> None:
        """Write what was drawn or moved into its field: of lines two points each, of one that is added its own."""
        if what == LINE:
            before = [self.line.text()] if self.another.isChecked() else []
            lines = (format_points(points[i : i + 2]) for i in range(0, len(points), 2))
            self.line.setText(f"{BETWEEN} ".join([*before, *lines]))
        else:
            self.area.setText(format_points(points))
        self.draw_no_more()
        self.changed.emit()

    def _push(self, pushed: QPushButton | None) -> None:
        """Let this switch be on alone, or none."""
        for switch in (*self.switches.values(), self.another):
            switch.setChecked(switch is pushed and switch.isChecked())

    def _on_switch(self, what: str) -> None:
        self._push(self.switches[what])
        self.drawing_changed.emit(self.drawing)

    def _on_another(self) -> None:
        self._push(self.another)
        self.drawing_changed.emit(self.drawing)

    def _offer_another(self) -> None:
        """Offer another line where there is one."""
        self.another.setEnabled(bool(self.marks[0]))

    @property
    def _lines(self) -> list[str]:
        return [said for line in self.line.text().split(BETWEEN) if (said := line.strip())]

    @property
    def marks(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Both ends of each line, and the corners of the area; nothing where they cannot be read."""
        lines = [_points(line, parse_line) for line in self._lines]
        ends = tuple(point for line in lines for point in line) if all(lines) else ()
        return ends, _points(self.area.text().strip(), partial(parse_points, ""))

    def show_rules(self, rules: Rules) -> None:
        """Show what counts, without telling."""
        self.blockSignals(True)
        # A project may count shorter ones than a person can ask for here.
        self.shortest.setMinimum(min(self._shortest, rules.shortest))
        self.shortest.setValue(rules.shortest)
        self.smallest.setValue(rules.smallest)
        self.area.setText(format_points(rules.area))
        self.line.setText(f"{BETWEEN} ".join(map(format_points, rules.lines)))
        self.blockSignals(False)
        self._offer_another()

    def rules(self) -> tuple[Rules | None, str]:
        """Return what counts, or None and in a sentence why that cannot be read."""
        area = self.area.text().strip()
        try:
            rules = event_rules(area or None, self._lines, self.shortest.value(), self.smallest.value())
        except CleanplateError as error:
            return None, str(error).replace("--event-area ", "The area ").replace("--event-line ", "The line ")
        return rules, ""


def _points(said: str, read: Callable[[str], tuple[Point, ...]]) -> tuple[Point, ...]:
    """Return what words say, nothing where they cannot be read."""
    try:
        return read(said)
    except CleanplateError:
        return ()
