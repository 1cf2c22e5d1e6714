"""Which frame the main window shows just now: its commands ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class OnScreen:
    """What is on the screen: the display writes it, commands read it, and neither need know the other.

    Attributes
    ----------
    index : int or None
        Number of the frame that is shown, from 0; None before there are panes to show one.
    """

    index: int | None = None
