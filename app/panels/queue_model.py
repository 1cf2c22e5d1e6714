"""What the table of the queue says of each job."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from app import theme
from app.count_words import counted
from app.panels.job_words import makes
from app.panels.status import format_time_left
from app.panels.window_words import in_window
from core.batch.job import JobState

if TYPE_CHECKING:
    from app.engine.queue_rows import JobRow

Index = QModelIndex | QPersistentModelIndex

HEADINGS = ("Name", "Makes", "State", "Progress", "Time left", "Results in")
NAME, MAKES, STATE, PROGRESS, LEFT, FOLDER = range(6)

WORDS = {
    JobState.WAITING: "Waiting", JobState.RUNNING: "Running", JobState.PAUSED: "Paused", JobState.DONE: "Done",
    JobState.FAILED: "Failed", JobState.CANCELLED: "Cancelled",
}  # fmt: skip
COLOURS = {
    JobState.RUNNING: attrgetter("link"), JobState.DONE: attrgetter("good"), JobState.FAILED: attrgetter("bad"),
    JobState.PAUSED: attrgetter("warn"),
}  # fmt: skip
"""Colours of states that stand out, of those of the theme."""


class QueueModel(QAbstractTableModel):
    """Rows for a table view."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[JobRow, ...] = ()

    def show(self, rows: Sequence[JobRow]) -> None:
        """Show other rows; while there are as many as before, what is chosen stays chosen."""
        if len(rows) != len(self._rows):
            self.beginResetModel()
            self._rows = tuple(rows)
            self.endResetModel()
        elif tuple(rows) != self._rows:
            self._rows = tuple(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(HEADINGS) - 1))

    @property
    def rows(self) -> tuple[JobRow, ...]:
        """What is shown."""
        return self._rows

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        """Return the number of jobs."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a heading, which stands on the left."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell says, its colour, its tip, or the part of the way that is done."""
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.job.name, makes(row.job), _state(row), _how_far(row), _left(row), row.job.output)[column]
        if role == Qt.ItemDataRole.UserRole and column == PROGRESS:
            return share(row)
        if role == Qt.ItemDataRole.ForegroundRole and column == STATE and row.job.state in COLOURS:
            return QColor(COLOURS[JobState.PAUSED if row.is_given_up else row.job.state](theme.colours()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return {
                STATE: in_window(row.job.sentence) or "\n".join(map(in_window, row.job.notes)),
                NAME: row.job.input,
                MAKES: makes(row.job),
                FOLDER: row.job.output,
            }.get(column)
        return None


def _state(row: JobRow) -> str:
    """Return what has become of a job, in a few words; what is to be known of its results is said of the chosen one."""
    if row.is_given_up:
        return "Cancelling…"
    job = row.job
    n = len(job.notes) if job.state is JobState.DONE else 0
    return WORDS[job.state] + (f", {counted(n, 'note')}" if n else "")


def share(row: JobRow) -> float | None:
    """Return how much of a job is done, from 0 to 1; None where there is nothing to tell."""
    if row.job.state is JobState.DONE:
        return 1.0
    if row.progress is None or not row.progress.total:
        return None
    return min(row.progress.done / row.progress.total, 1.0)


def _how_far(row: JobRow) -> str:
    done = share(row)
    if done is not None:
        return f"{100 * done:.0f} %"
    if row.progress is not None:
        return counted(row.progress.done)
    return "Starting" if row.job.state is JobState.RUNNING and not row.is_given_up else ""


def _left(row: JobRow) -> str:
    if row.is_given_up:
        return ""
    if row.job.state is JobState.RUNNING and row.progress is not None and row.progress.seconds_left:
        return format_time_left(row.progress.seconds_left).removesuffix(" left")
    return ""
