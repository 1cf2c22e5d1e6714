"""The events as a table: one row each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QTableView

from app.rendering.clock import time_text

if TYPE_CHECKING:
    from core.events.event import Event

Index = QModelIndex | QPersistentModelIndex

HEADINGS = ("Event", "From", "To", "Frames", "Area, px", "Way", "Line")
TIPS = (
    "Number of the event, as in the files and in the film with boxes",
    "When it was seen first", "When it was seen last", "From the first to the last frame, both included",
    "Median of its pixels", "From where to where the middle of its box moved, pixels: column, row",
    "How it crossed the line, or each of several by its number, in turn: forward is from the left of the line to its "
    "right",
)  # fmt: skip
N_NUMBERS = 5
"""Columns of numbers, from the left."""

WAYS = {1: "forward", -1: "backward"}


class EventModel(QAbstractTableModel):
    """Rows for a table view; sorted by a column where the person asks for it."""

    def __init__(self) -> None:
        super().__init__()
        self._events: list[Event] = []
        self._crossed: dict[int, Sequence[Sequence[int]]] = {}
        self._first, self._timed = 1, False

    def show(
        self, events: Sequence[Event], crossed: Sequence[Sequence[Sequence[int]]], first: int, *, timed: bool
    ) -> None:
        """Show other events; ``crossed``: the crossings of each line by each, in turn, 1 forward and -1 backward."""
        self.beginResetModel()
        self._events = list(events)
        self._crossed = {event.number: lines for event, lines in zip(events, crossed, strict=True)}
        self._first, self._timed = first, timed
        self.endResetModel()

    def event_at(self, row: int) -> Event:
        """Return the event of a row."""
        return self._events[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        """Return the number of events."""
        return 0 if parent.isValid() else len(self._events)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a heading, what it means, or on which side it stands."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            # Over numbers in the middle: on the right the mark of the sorting would lie on it.
            return Qt.AlignmentFlag.AlignCenter if section < N_NUMBERS else _side(section)
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return TIPS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell says, or on which side."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        event = self._events[index.row()]
        a, b = event.path[0], event.path[-1]
        return (
            str(event.number), self._when(event, 0), self._when(event, -1), str(event.length), f"{event.area:.0f}",
            f"{a[0]:.0f}, {a[1]:.0f} → {b[0]:.0f}, {b[1]:.0f}", _crossed(self._crossed[event.number]),
        )[index.column()]  # fmt: skip

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; the event that is chosen stays so."""
        keys = {
            1: lambda event: event.first, 2: lambda event: event.last, 3: lambda event: event.length,
            4: lambda event: event.area, 5: lambda event: float(event.path[0, 0]),
            6: lambda event: self._crossed[event.number],
        }  # fmt: skip
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        numbers = [self._events[index.row()].number for index in before]
        key = keys.get(column, lambda event: event.number)
        self._events.sort(key=key, reverse=order is Qt.SortOrder.DescendingOrder)
        rows = {event.number: row for row, event in enumerate(self._events)}
        now = [self.index(rows[number], index.column()) for number, index in zip(numbers, before, strict=True)]
        self.changePersistentIndexList(before, now)
        self.layoutChanged.emit()

    def _when(self, event: Event, place: int) -> str:
        frame = int(event.rows[place, 0])
        return time_text(float(event.times_s[place])) if self._timed else str(frame + self._first)


class EventTable(QTableView):
    """Shows the rows; one that is clicked, reached by a key, or confirmed with Enter is chosen, each time once."""

    chosen = Signal(QModelIndex)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Choose the event of another row."""
        super().currentChanged(current, previous)
        if current.isValid() and current.row() != previous.row():
            self.chosen.emit(current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose an event again."""
        before = self.currentIndex().row()
        super().mousePressEvent(event)
        pressed = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and pressed.isValid() and pressed.row() == before:
            self.chosen.emit(pressed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose an event again with Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


def _crossed(lines: Sequence[Sequence[int]]) -> str:
    """Return how lines were crossed; of several each by its number."""
    words = [" ".join(WAYS[way] for way in ways) for ways in lines]
    if len(words) == 1:
        return words[0]
    return ", ".join(f"{number} {ways}" for number, ways in enumerate(words, 1) if ways)


def _side(column: int) -> Qt.AlignmentFlag:
    """Numbers stand on the right, words on the left."""
    side = Qt.AlignmentFlag.AlignRight if column < N_NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
