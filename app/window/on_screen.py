"""What the main window shows just now, as far as its commands ask."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class OnScreen:
    """What is on the screen: the display writes it, commands read it, and neither need know the other.

    Attributes
    ----------
    index : int or None
        Number of the frame that is shown, from 0; None before there are panes to show one.
    has_plots : bool
        The plots are there, and the plotting library with them.
    """

    index: int | None = None
    has_plots: bool = False
