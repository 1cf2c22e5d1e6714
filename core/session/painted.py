"""One stroke, and what is kept of it so that it can be taken back."""

from __future__ import annotations

from dataclasses import dataclass

from core.frames.frame import Values
from core.scene.clean_plate import Hidden
from core.scene.masks.strokes import Pixels
from core.session.report import Report
from core.session.strokes import Strokes


@dataclass(frozen=True)
class Painted:
    """One stroke, and how things were before and after it.

    Attributes
    ----------
    before, after : Strokes
        What was painted.
    scene_began : int
        First frame of the scene that was painted on.
    seen : (F,) samples
        The frame that was painted on, aligned with the scene.
    scene : (F,) samples
        What was taken for the background in the frame that was painted on.
    background : (H, W) bool, or None
        Where the stroke said that there is background: it was learnt from there at once, or some frames later.
    told : (H, W) bool, or None
        Where it was taken at once, from the frame that was painted on.
    where : (H, W) bool
        All that was painted.
    hidden : Hidden
        What the plate knew of it.
    report : Report or None
        What was shown.
    taught : bool
        It has taught the head.
    """

    before: Strokes
    after: Strokes
    scene_began: int
    seen: Values
    scene: Values
    background: Pixels | None
    told: Pixels | None
    where: Pixels
    hidden: Hidden
    report: Report | None
    taught: bool
