"""The list in which a person finds a method: by group, each with what it is for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QStandardItem, QStandardItemModel, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QStyle, QStyleOptionComboBox, QStylePainter

if TYPE_CHECKING:
    from core.catalogue import MethodGroup
    from core.methods.base import MethodRow

LETTERS = 12
"""Letters of a method's name that always fit."""


def about(row: MethodRow) -> str:
    """Return what a method is, where it comes from and what it is called on the command line."""
    return f"{row.summary}\n{row.paper}\nOn the command line: --method {row.key}"


class MethodChooser(QComboBox):
    """Methods under the headings of their groups; what each is for shows under the pointer.

    The mouse does not give it the focus, for it would then take the window's keys (space, digits, letters) for itself.
    The wheel changes nothing unless it has the focus: each choice starts learning anew.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Method")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(LETTERS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def fill(self, groups: Iterable[MethodGroup]) -> None:
        """Offer the methods of the catalogue."""
        offered = QStandardItemModel(self)
        for group in groups:
            heading = QStandardItem(group.title)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            offered.appendRow(heading)
            for row in group.rows:
                item = QStandardItem(row.title)
                item.setData(row.key, Qt.ItemDataRole.UserRole)
                item.setToolTip(about(row))
                item.setData(row.summary, Qt.ItemDataRole.AccessibleDescriptionRole)
                offered.appendRow(item)
        self.setModel(offered)
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 30)

    def choose(self, key: str) -> None:
        """Show a method as chosen, without telling."""
        self.setCurrentIndex(self.findData(key))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Choose another only where the person is at this control."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as the style does, with a shorter name where there is no room."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width() - 4
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
