"""A list of choices that may be narrower than its longest name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip

from app.panels.controls import keep_wheel_off

LETTERS = 4
"""Letters of a name that always fit."""

MARGIN_PX = 4


class NarrowList(QComboBox):
    """Cuts the name that is chosen where there is no room, and says it in full in its tip and in the list.

    Neither the wheel nor a click gives it the focus, for it would then take the window's keys for itself.

    Parameters
    ----------
    letters : int
        How many always fit.
    """

    def __init__(self, letters: int = LETTERS) -> None:
        super().__init__()
        # Qt leaves a list narrow when it is first shown, but asks for the longest name as soon as the style changes.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)
        keep_wheel_off(self)

    @property
    def shown_text(self) -> str:
        """The name that is chosen, as there is room for it."""
        option, field = QStyleOptionComboBox(), QStyle.SubControl.SC_ComboBoxEditField
        self.initStyleOption(option)
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width() - MARGIN_PX
        return self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideRight, room)

    @property
    def _name(self) -> str:
        return self.currentText() or self.placeholderText()

    def showPopup(self) -> None:
        """Show the list, as wide as its longest name."""
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width())
        super().showPopup()

    def event(self, event: QEvent) -> bool:
        """Say the whole name before the tip where it is cut."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            name = self._name
            if self.shown_text != name:
                QToolTip.showText(event.globalPos(), f"{name}\n{self.toolTip()}", self)
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as the style does, with the name that there is room for."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
