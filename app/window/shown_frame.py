"""Which frame the main window shows just now: its commands ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ShownFrame:
    """The frame that is shown: the display writes it, commands read it, and neither need know the other.

    Attributes
    ----------
    index : int or None
        Its number, from 0; None before there are panes to show one.
    """

    index: int | None = None
