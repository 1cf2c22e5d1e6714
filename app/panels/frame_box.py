"""The number of a frame, typed."""

from __future__ import annotations

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QSpinBox

MOST_FRAMES = 10**9
"""Largest number that can be typed where the length of the input is not known."""

MOST_DIGITS = 10
"""That can be typed."""


class FrameBox(QSpinBox):
    """A frame, counted from 1, that counts when typing is finished; a number behind the end is the last frame.

    Qt refuses the digit that leads beyond the largest number, and what was typed so far would count as another frame.
    """

    def __init__(self, least: int) -> None:
        super().__init__()
        self.setKeyboardTracking(False)
        self.setRange(least, MOST_FRAMES)

    def set_length(self, n_frames: int | None) -> None:
        """Offer the frames of an input; None where their number is not known."""
        self.setMaximum(n_frames or MOST_FRAMES)

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let larger numbers be typed, too."""
        if self._is_behind_end(text):
            return QValidator.State.Intermediate, text, position
        return super().validate(text, position)

    def fixup(self, text: str) -> str:
        """Return the last frame for a number behind it."""
        return str(self.maximum()) if self._is_behind_end(text) else super().fixup(text)

    def _is_behind_end(self, text: str) -> bool:
        return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > self.maximum()
