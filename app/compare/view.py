"""Two to four methods side by side, with linked panes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.compare.column import BACKGROUND, MASK, CompareColumn
from app.compare.snapshot import ColumnShown
from app.rendering import tone_mapping
from app.rendering.report_images import Pictures
from app.rendering.tone_mapping import Levels
from app.views.contrast import Contrast
from app.views.linked import Linked
from app.views.pane import ImagePane
from app.views.picture_actions import PictureActions

if TYPE_CHECKING:
    from core.catalogue import MethodGroup

FEWEST, MOST = 2, 4
"""Methods that are compared."""


class CompareView(QWidget):
    """The columns.

    Parameters
    ----------
    groups : sequence of MethodGroup
        What can be compared.

    Signals
    -------
    method_chosen(int, str) : another method for a column
    settings_requested(int), removal_requested(int) : of a column
    detail_changed(int) : how often the size of pictures may be halved before the screen shows less than now
    save_requested(Save) : a file that someone wants of a picture
    """

    method_chosen = Signal(int, str)
    settings_requested = Signal(int)
    removal_requested = Signal(int)
    detail_changed = Signal(int)
    save_requested = Signal(object)

    def __init__(self, groups: Sequence[MethodGroup]) -> None:
        super().__init__()
        self._groups = groups
        self.columns: list[CompareColumn] = []
        self._shown: Sequence[ColumnShown | None] = ()
        self._rows: tuple[int, ...] = (BACKGROUND, MASK)
        self._size: tuple[int, int] | None = None
        self._levels = Levels(0, 65535)
        self.setAccessibleName("Methods side by side")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(8, 4, 8, 4)
        self._line.setSpacing(8)
        self.linked = Linked(self.visible_panes, self)
        self.linked.detail_changed.connect(self.detail_changed)
        self.linked.zoom_changed.connect(self._on_zoomed)
        self.linked.pointed.connect(self._update_readouts)
        self.linked.contrast_changed.connect(self._fill)

    # Columns

    def set_columns(self, methods: Sequence[tuple[str, str]]) -> None:
        """Have a column for each of these: key of a method, and what its tip says of it."""
        while len(self.columns) < len(methods):
            self._add_column()
        while len(self.columns) > len(methods):
            self._remove_column()
        for column, (key, about) in zip(self.columns, methods, strict=True):
            column.set_method(key, about)
            column.remove_button.setEnabled(len(methods) > FEWEST)
        self.clear()

    def _add_column(self) -> None:
        column = CompareColumn(len(self.columns), self._groups)
        # A column's number is its place, which does not change while it is there.
        number = len(self.columns)
        column.method_chosen.connect(lambda key: self.method_chosen.emit(number, key))
        column.settings_requested.connect(lambda: self.settings_requested.emit(number))
        column.removal_requested.connect(lambda: self.removal_requested.emit(number))
        for row, pane in enumerate(column.panes):
            self.linked.add(pane)
            actions = PictureActions(pane)
            actions.save_requested.connect(self.save_requested)
            pane.enlarge_requested.connect(lambda row=row: self.toggle_enlarged(row))
        column.show_rows(self._rows)
        self.columns.append(column)
        self._line.addWidget(column, 1)

    def _remove_column(self) -> None:
        column = self.columns.pop()
        for pane in column.panes:
            self.linked.remove(pane)
        self._line.removeWidget(column)
        column.hide()
        column.deleteLater()

    def visible_panes(self) -> list[ImagePane]:
        """Return the panes that can be seen."""
        return [column.panes[row] for row in self._rows for column in self.columns]

    def toggle_enlarged(self, row: int) -> None:
        """Show one row of panes only, or both again."""
        self._rows = (row,) if len(self._rows) > 1 else (BACKGROUND, MASK)
        for column in self.columns:
            column.show_rows(self._rows)
        self._fill()

    def show_all_rows(self) -> None:
        """Show both rows of panes, where one is alone."""
        if len(self._rows) == 1:
            self.toggle_enlarged(self._rows[0])

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of panes that are shown: `BACKGROUND`, `MASK`."""
        return self._rows

    # What is shown

    def show_turn(self, shown: Sequence[ColumnShown | None]) -> None:
        """Show the newest of each method; None leaves a column empty."""
        self._shown = shown
        known = [one for one in shown if one is not None]
        if not known:
            return
        if self._size != known[0].pictures.size:
            self._size = known[0].pictures.size
            self.linked.forget()
        self._fill()
        for column, one in zip(self.columns, shown, strict=True):
            if one is not None:
                column.show_figures(one)
        self._update_readouts()

    def clear(self) -> None:
        """Show nothing: another run begins. The look stays."""
        self._shown = ()
        for column in self.columns:
            column.show_nothing()

    def _fill(self) -> None:
        first = next((one for one in self._shown if one is not None), None)
        if first is None:
            return
        white = first.report.frame.full.layout.white
        if white > 255 or any(pane.contrast.choice is Contrast.PERCENTILES for pane in self.visible_panes()):
            self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(first.pictures.input))
        for column, one in zip(self.columns, self._shown, strict=True):
            if one is None:
                continue
            for row in self._rows:
                pane, pictures = column.panes[row], one.pictures
                if row == BACKGROUND and not pictures.are_learnt:
                    pane.show_image(None)
                    continue
                picture, mask = (pictures.input, pictures.mask) if row == MASK else (pictures.background, None)
                levels = None if pane.contrast.own else self._levels
                pane.show_image(picture, mask, white=white, levels=levels, size=pictures.size, wide=pictures.wide)
        self.linked.settle()

    def _on_zoomed(self, percent: float) -> None:
        """Where the pictures show too little now, make them here: while it is paused none come."""
        finer = self.linked.halvings
        if any(one is not None and one.pictures.halvings > finer for one in self._shown):
            self._shown = [
                one and replace(one, pictures=Pictures(one.report, min(finer, one.pictures.halvings)))
                for one in self._shown
            ]
            self._fill()

    def _update_readouts(self) -> None:
        point = self.linked.point
        for column, one in zip(self.columns, self._shown, strict=False):
            for row in self._rows:
                text = "" if point is None or one is None else column.readout_text(row, one, *point)
                column.panes[row].set_readout(text)
