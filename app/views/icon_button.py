"""A button that shows an icon alone."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton

from app.focus import leave_keys
from app.theme import icon


def icon_button(icon_name: str, name: str, tip: str, side: int) -> QToolButton:
    """Return a button with an icon of so many pixels, a name for those who cannot see it, and a tip."""
    made = QToolButton()
    made.setIcon(icon(icon_name))
    made.setIconSize(QSize(side, side))
    made.setAccessibleName(name)
    made.setToolTip(tip)
    leave_keys(made)
    return made
