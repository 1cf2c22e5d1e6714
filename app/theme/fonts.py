"""Fonts: the desktop's own for words, figures of one width for numbers."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication


def body_font() -> QFont:
    """Return the desktop's own font, in a size that stays readable where the desktop names none."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPointSizeF(min(max(font.pointSizeF(), 9.0), 14.0))
    return font


def number_font(relative_size: float = 1.0) -> QFont:
    """Return the font of numbers: every figure has one width, so that they stand still while they change."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * relative_size)
    return font


def caption_font() -> QFont:
    """Return the font of captions and headings."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * 0.88)
    return font
