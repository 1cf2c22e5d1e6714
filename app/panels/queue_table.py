"""The table of the queue: a row for each job, with a bar for how far it is, of which several can be chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app import theme
from app.panels.controls import named
from app.panels.queue_model import FOLDER, LEFT, MAKES, NAME, PROGRESS, STATE, Index, QueueModel

if TYPE_CHECKING:
    from app.engine.queue_rows import JobRow

WIDTHS = {NAME: 150, STATE: 80, PROGRESS: 140, LEFT: 90}
"""Of columns, pixels, where their headings need no more; what is made and folders share the rest."""

SHARE = MAKES, FOLDER
"""Columns that share the room that is left."""

MOST_LOOKED_AT = 100
"""Rows whose cells are measured: a list may have thousands."""

BAR_PX, BAR_MARGIN_PX = 6, 8
"""Height of the bar, and what is left free beside it."""


class QueueTable(QTableView):
    """Shows jobs, and lets people choose some of them.

    Attributes
    ----------
    jobs : QueueModel

    Signals
    -------
    job_opened(JobRow) : a double click on a job
    choice_changed() : other rows are chosen
    """

    job_opened = Signal(object)
    choice_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.jobs = QueueModel()
        self.setModel(self.jobs)
        self.setItemDelegateForColumn(PROGRESS, ProgressBar(self))
        self.setItemDelegateForColumn(MAKES, FromTheLeft(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # The end of a path says most.
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.ensurePolished()
        header.setResizeContentsPrecision(MOST_LOOKED_AT)
        header.setSectionResizeMode(MAKES, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(FOLDER, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            self.setColumnWidth(column, max(width, header.sectionSizeHint(column)))
        named(self, "Jobs", "They run from above to below; several can be chosen. A double click opens the results.")
        self.doubleClicked.connect(lambda index: self.job_opened.emit(self.jobs.rows[index.row()]))
        self.selectionModel().selectionChanged.connect(lambda *_: self.choice_changed.emit())

    @property
    def chosen(self) -> list[JobRow]:
        """The rows that are chosen, from above to below."""
        picked = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.jobs.rows[i] for i in picked if i < len(self.jobs.rows)]

    def choose(self, numbers: Collection[int]) -> None:
        """Choose the jobs with these numbers."""
        selection = self.selectionModel()
        selection.clearSelection()
        for i, row in enumerate(self.jobs.rows):
            if row.job.number in numbers:
                flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
                selection.select(self.jobs.index(i, 0), flags)

    def show_jobs(self, rows: Sequence[JobRow]) -> bool:
        """Show other rows, and return whether they are other jobs; those that are chosen stay so where they moved."""
        chosen = [row.job.number for row in self.chosen]
        are_others = [row.job.number for row in rows] != [row.job.number for row in self.jobs.rows]
        are_elsewhere = [row.job.output for row in rows] != [row.job.output for row in self.jobs.rows]
        self.jobs.show(rows)
        if are_others or are_elsewhere:
            self._share_out()
        if are_others and chosen:
            self.choose(chosen)
        return are_others

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room out anew."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Let what is made have half of the room that is left, and what folders do not need of theirs."""
        header = self.horizontalHeader()
        room = header.width() - sum(
            header.sectionSize(column) for column in range(header.count()) if column not in SHARE
        )
        needs = [max(self.sizeHintForColumn(column), header.sectionSizeHint(column)) for column in SHARE]
        self.setColumnWidth(MAKES, shared(room, *needs))


def shared(room: int, needed: int, beside: int) -> int:
    """Return how much of the room one of two gets, by what both need: half of it where both are cut or have enough."""
    half = room // 2
    return min(needed, max(half, room - beside)) if needed > half else max(needed, min(half, room - beside))


class FromTheLeft(QStyledItemDelegate):
    """Cuts words at their end where there is no room: what is said first says most."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Say how a cell is drawn."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight


class ProgressBar(QStyledItemDelegate):
    """Draws the part of the way that is done as a bar, and the words over its right half."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell."""
        super().paint(painter, option, index)
        done = index.data(Qt.ItemDataRole.UserRole)
        if done is None:
            return
        colours, cell = theme.colours(), option.rect
        width = cell.width() - 2 * BAR_MARGIN_PX - self._words_px(option)
        bar = QRectF(cell.right() - BAR_MARGIN_PX - width, cell.center().y() - BAR_PX / 2, width, BAR_PX)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setBrush(QColor(colours.track))
        painter.drawRoundedRect(bar, BAR_PX / 2, BAR_PX / 2)
        bar.setWidth(max(bar.width() * done, BAR_PX if done else 0.0))
        painter.setBrush(QColor(colours.on_accent if chosen else colours.accent))
        painter.drawRoundedRect(bar, BAR_PX / 2, BAR_PX / 2)
        painter.restore()

    @staticmethod
    def _words_px(option: QStyleOptionViewItem) -> int:
        """Return how wide the words before the bar are at most, pixels."""
        return option.fontMetrics.horizontalAdvance("100 %") + 2 * BAR_MARGIN_PX
