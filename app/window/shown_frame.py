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
    sought : int or None
        Number of the frame that takes its place soon: it was sought, and has not come yet.
    """

    index: int | None = None
    sought: int | None = None

    @property
    def soon(self) -> int | None:
        """Number of the frame that will be shown when what was sought has come."""
        return self.index if self.sought is None else self.sought
