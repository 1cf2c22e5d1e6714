"""Controls in as many rows as the width needs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

SPACING = 12
"""Between two groups beside each other, points."""


class Wrapping(QWidget):
    """Groups of controls, each in one piece, as many beside each other as there is room for.

    Parameters
    ----------
    *groups : QWidget
        Those that are hidden take no room: see `arrange`.
    """

    def __init__(self, *groups: QWidget) -> None:
        super().__init__()
        self._groups = groups
        self._arranged: list[list[QWidget]] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        self._rows.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        for group in groups:
            group.setParent(self)
        self.arrange()

    def arrange(self) -> None:
        """Lay the groups out anew: one was hidden or shown."""
        rows: list[list[QWidget]] = []
        left = 0
        for group in self._groups:
            if group.isHidden():
                continue
            width = group.sizeHint().width() + SPACING
            if not rows or width > left:
                rows.append([])
                left = self.width() + SPACING
            rows[-1].append(group)
            left -= width
        if rows != self._arranged:
            self._arranged = rows
            while self._rows.count():
                self._rows.takeAt(0)
            for groups in rows:
                row = QHBoxLayout()
                row.setSpacing(SPACING)
                for group in groups:
                    row.addWidget(group)
                row.addStretch(1)
                self._rows.addLayout(row)
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest group, and the height of the rows that there are."""
        width = max((group.minimumSizeHint().width() for group in self._groups), default=0)
        return QSize(width, self._rows.minimumSize().height())

    def event(self, event: QEvent) -> bool:
        """Lay the groups out anew where one needs more room, or less."""
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            self.arrange()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self.arrange()
