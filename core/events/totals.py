"""What a run has counted, as plain data: it is told at the end of the run, and by whoever runs many."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Number = Annotated[int, Meta(ge=0)]


class Crossings(msgspec.Struct, frozen=True):
    """How often events crossed a line, each way: forward is from its left side to its right."""

    forward: Number
    backward: Number


class EventTotals(msgspec.Struct, frozen=True):
    """How many events there are.

    Attributes
    ----------
    events : int
    lines : tuple of Crossings
        In the order of the rules' lines.
    """

    events: Number
    lines: tuple[Crossings, ...] = ()
