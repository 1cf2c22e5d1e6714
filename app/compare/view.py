"""Two to four methods side by side, with linked panes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.compare.column import LOWER, UPPER, CompareColumn
from app.compare.row_choice import OF_A_SCENE, OF_AN_IMAGE_SET, RowChoice
from app.compare.snapshot import ColumnShown
from app.rendering.saving import data_of, write_data
from app.views.linked import Linked
from app.views.pane import ImagePane
from app.views.pane_contents import SharedLevels
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
    folder : callable
        ``folder()`` names the folder in which to begin where it is asked where to save.
    is_image_set : bool
        Of different pictures: there are no masks to look at.

    Attributes
    ----------
    choice : RowChoice
        Which pictures are shown.

    Signals
    -------
    method_chosen(int, str) : another method for a column
    use_requested(int), settings_requested(int), removal_requested(int) : of a column
    kinds_changed(frozenset of str) : keys of what is shown now
    detail_changed(int) : how often the size of pictures may be halved before the screen shows less than now
    save_requested(Save) : a file that someone wants of a picture
    """

    method_chosen = Signal(int, str)
    use_requested = Signal(int)
    settings_requested = Signal(int)
    removal_requested = Signal(int)
    kinds_changed = Signal(frozenset)
    detail_changed = Signal(int)
    save_requested = Signal(object)

    def __init__(
        self, groups: Sequence[MethodGroup], folder: Callable[[], str] = str, *, is_image_set: bool = False
    ) -> None:
        super().__init__()
        self._groups, self._folder = groups, folder
        self.columns: list[CompareColumn] = []
        self._shown: Sequence[ColumnShown | None] = ()
        self._rows: tuple[int, ...] = (UPPER, LOWER)
        self._size: tuple[int, int] | None = None
        self._levels = SharedLevels()
        self.choice = RowChoice(OF_AN_IMAGE_SET if is_image_set else OF_A_SCENE, self)
        self.choice.changed.connect(self._on_choice)
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
        column = CompareColumn(len(self.columns), self._groups, self.choice.kinds)
        # A column's number is its place, which does not change while it is there.
        number = len(self.columns)
        column.method_chosen.connect(lambda key: self.method_chosen.emit(number, key))
        column.use_requested.connect(lambda: self.use_requested.emit(number))
        column.settings_requested.connect(lambda: self.settings_requested.emit(number))
        column.removal_requested.connect(lambda: self.removal_requested.emit(number))
        for row, pane in enumerate(column.panes):
            self.linked.add(pane)
            self.choice.offer_in(pane, row)
            actions = PictureActions(pane)
            actions.set_data(partial(self._data_writer, number, row))
            actions.set_folder(self._folder)
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
        self._rows = (row,) if len(self._rows) > 1 else (UPPER, LOWER)
        for column in self.columns:
            column.show_rows(self._rows)
        self._fill()

    def show_all_rows(self) -> None:
        """Show both rows of panes, where one is alone."""
        if len(self._rows) == 1:
            self.toggle_enlarged(self._rows[0])

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of panes that are shown: `UPPER`, `LOWER`."""
        return self._rows

    # What is shown

    @property
    def kinds(self) -> frozenset[str]:
        """The pictures that are to be made: of a hidden row too, so that they are there at once."""
        return frozenset(self.choice.kinds)

    def _on_choice(self, row: int) -> None:
        for column in self.columns:
            column.show_kind(row, self.choice.kinds[row])
        self.kinds_changed.emit(self.kinds)

    def _data_writer(self, number: int, row: int) -> Callable[[Path], None] | None:
        """Return what writes the data of a picture, on any thread; None where there are none."""
        one, kind = self._shown[number] if self._shown else None, self.choice.kinds[row]
        return None if one is None else lambda path: write_data(path, data_of(one.report, kind), None)

    def show_turn(self, shown: Sequence[ColumnShown | None]) -> None:
        """Show the newest of each method; None leaves a column empty."""
        self._shown = shown
        known = [one for one in shown if one is not None]
        if not known:
            return
        if self._size != known[0].pictures.size:
            self._size = known[0].pictures.size
            self.linked.forget()
        self._levels.follow(known[0].pictures)
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
        for column, one in zip(self.columns, self._shown, strict=False):
            if one is None:
                continue
            for row in self._rows:
                if one.pictures.has(self.choice.kinds[row]):  # Else the engine knows by now that it is wanted.
                    self.choice.content(row).fill(column.panes[row], one.pictures, self._levels)
        self.linked.settle()

    def _on_zoomed(self, percent: float) -> None:
        """Where the pictures show too little now, make them here: while it is paused none come."""
        finer = self.linked.halvings
        if any(one is not None and one.pictures.halvings > finer for one in self._shown):
            self._shown = [
                one and replace(one, pictures=one.pictures.finer(min(finer, one.pictures.halvings)))
                for one in self._shown
            ]
            self._fill()

    def _update_readouts(self) -> None:
        point = self.linked.point
        for column, one in zip(self.columns, self._shown, strict=False):
            for row in self._rows:
                text = "" if point is None or one is None else self.choice.content(row).pixel_text(one.pictures, *point)
                column.panes[row].set_readout(text)
