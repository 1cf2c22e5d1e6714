"""Which picture each row of a comparison shows: one for all methods, chosen in a menu that any title of it opens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from app.rendering.picture_kinds import KINDS
from app.views.kind_menu import kind_menu, open_below_title
from app.views.pane import ImagePane
from app.views.pane_contents import PaneContent, contents

OFFERED = tuple(key for key in KINDS if key != "confidence")
"""Keys of what can be shown: a comparison makes no plates."""

OF_A_SCENE, OF_AN_IMAGE_SET = ("background", "mask"), ("background", "outliers")
"""Keys of what the rows show until a person chooses."""


class RowChoice(QObject):
    """Gives rows of panes their contents.

    Parameters
    ----------
    kinds : sequence of str
        Keys of `OFFERED`, one for each row, to begin with.
    parent : QObject

    Signals
    -------
    changed(int) : another picture is to be shown in this row
    """

    changed = Signal(int)

    def __init__(self, kinds: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._kinds, self._contents = list(kinds), contents()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Keys of what the rows show."""
        return tuple(self._kinds)

    def content(self, row: int) -> PaneContent:
        """Return what a row shows."""
        return self._contents[self._kinds[row]]

    def offer_in(self, pane: ImagePane, row: int) -> None:
        """Let the title of a pane of a row open the menu."""
        pane.header.title_chip.offer(f"Picture of row {row + 1}", "Choose what this row shows of every method")
        pane.header.title_chip.clicked.connect(lambda: open_below_title(self.menu(row, pane), pane))

    def menu(self, row: int, pane: ImagePane) -> QMenu:
        """Return a menu over a pane of what its row can show, in which the one that holds is checked."""
        return kind_menu(pane, f"Picture of row {row + 1}", OFFERED, self._kinds[row], partial(self.show, row))

    def show(self, row: int, key: str) -> None:
        """Show another kind of picture in a row."""
        if key != self._kinds[row]:
            self._kinds[row] = key
            self.changed.emit(row)
