"""A rate of frames, typed."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox

from app.panels.number_box import DECIMALS
from core.export.job_spec import LEAST_FPS, MOST_FPS

SHOWN = 5
"""Decimals that are shown at most: 30000/1001, the rate of NTSC, is off by a frame in a month then."""


class RateBox(QDoubleSpinBox):
    """Frames a second, as films are given them: a rate such as 23.976 or 30000/1001 stays what it is."""

    def __init__(self) -> None:
        super().__init__()
        self.setKeyboardTracking(False)
        self.setDecimals(DECIMALS)
        self.setRange(LEAST_FPS, MOST_FPS)
        self.setSuffix(" a second")

    def textFromValue(self, value: float) -> str:
        """Return the decimals that it has, such as 25, 12.5 or 29.97003."""
        return f"{value:.{SHOWN}f}".rstrip("0").rstrip(".")
