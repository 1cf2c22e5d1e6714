"""The list in which a person finds a method: by group, each with what it is for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QSizePolicy

from app.panels.narrow_list import NarrowList
from app.theme import colours

if TYPE_CHECKING:
    from core.catalogue import MethodGroup
    from core.methods.base import MethodRow

LETTERS = 12
"""Letters of a method's name that always fit."""

ROWS = 24
"""Of the list, seen at a time: all of them would be higher than many screens."""


class Heading(QStandardItem):
    """The name of a group; it cannot be chosen, and is read as well as what can."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.setFlags(Qt.ItemFlag.NoItemFlags)
        font = self.font()
        font.setBold(True)
        self.setFont(font)

    def data(self, role: int = Qt.ItemDataRole.UserRole) -> object:
        """Return what is shown of it; its colour is the theme's at the moment."""
        return QColor(colours().muted) if role == Qt.ItemDataRole.ForegroundRole else super().data(role)


def about(row: MethodRow) -> str:
    """Return what a method is, where it comes from and what it is called on the command line."""
    return f"{row.summary}\n{row.paper}\nOn the command line: --method {row.key}"


class MethodChooser(NarrowList):
    """Methods under the headings of their groups; what each is for shows under the pointer.

    The wheel changes nothing unless it has the focus: each choice starts learning anew.
    """

    def __init__(self) -> None:
        super().__init__(LETTERS)
        self.setAccessibleName("Method")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(ROWS)
        self.setStyleSheet("QComboBox { combobox-popup: 0; }")  # Else the style shows all rows.
        self.view().setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def fill(self, groups: Iterable[MethodGroup]) -> None:
        """Offer the methods of the catalogue."""
        offered = QStandardItemModel(self)
        for group in groups:
            offered.appendRow(Heading(group.title))
            for row in group.rows:
                item = QStandardItem(row.title)
                item.setData(row.key, Qt.ItemDataRole.UserRole)
                item.setToolTip(about(row))
                item.setData(row.summary, Qt.ItemDataRole.AccessibleDescriptionRole)
                offered.appendRow(item)
        self.setModel(offered)

    def choose(self, key: str) -> None:
        """Show a method as chosen, without telling."""
        self.setCurrentIndex(self.findData(key))
