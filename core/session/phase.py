"""What becomes of a frame; light to import, as views and the window's thread ask for it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Phase(enum.Enum):
    """What becomes of a frame."""

    LEARNING = "learning"
    """The method learns from it as it comes."""
    GATHERING = "gathering"
    """A batch method keeps it, or not; nothing is learnt yet, and its split means little."""
    ITERATING = "iterating"
    """A batch method improves what it makes of all that it kept; this frame is one of them, shown again."""
    APPLYING = "applying"
    """It is split by what was learnt before."""
    LOOKING = "looking"
    """It is shown out of its turn, by what is learnt so far, and teaches nothing."""


@dataclass(frozen=True)
class Iteration:
    """One iteration of a batch method.

    Attributes
    ----------
    number, at_most : int
        Which one, from 1, of how many at most.
    n_kept : int
        Frames that it learns from.
    objective : float
        Mean over these frames.
    """

    number: int
    at_most: int
    n_kept: int
    objective: float
