"""More is asked of what differs where the background sways: crowns of trees before the sky, flags, fountains.

What sways uncovers what lies behind it. A cell there has two looks or more, so that the noise about the one that is
expected is large, in its neighbours as well; the noise of a sensor is as large elsewhere in the frame. The head sees
the noise of a cell, but not of cells in which nothing differs at the moment.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.kernels import sway
from core.scene.masks.cells import Map
from core.scene.masks.head import Verdict
from core.scene.masks.head_weights import REACHES
from core.scene.tuning import LIKENESS

AROUND = 1 + 2 * sum(REACHES)
"""Side of the neighbourhood over which the noise is averaged, cells: about as far as the layers of the head reach.

Leaves come where none were so far. With 18 and 10, the last 350 frames of `fall` have an F of 0.930 and 0.925, with all
0.940."""

CALM = np.float32(255 * LIKENESS)
"""Noise around a cell, above what is typical of the frame, of which nothing more is asked, grey levels: what sways by
less looks the same. As much again asks for the most."""

MOST = np.float32(4)
"""Logits asked more at most: what the head is as sure of (98 %) is foreground anywhere.

With 3, `fall` loses 0.011 of F in its last 350 frames; without a bound, and as steep, it gains 0.001.
"""

EVERY = 2
"""The noise of every n-th row and column of cells is looked at: all of them cost four times as much."""


def discounted(verdict: Verdict, variance: Map, typical: float) -> Verdict:
    """Return a verdict less sure of cells around which the background sways; itself where it does not.

    Parameters
    ----------
    verdict : Verdict
    variance : (h, w) float32
        Square of the noise scale of luma, grey levels².
    typical : float
        Noise scale of the frame, grey levels.
    """
    calm, height, width = np.float32(typical) + CALM, *variance.shape
    around = np.empty((-(-height // EVERY), -(-width // EVERY)), np.float32)
    if sway.noise_around(variance, EVERY, AROUND // EVERY, around) <= calm:
        return verdict
    foreground, shadow = np.empty_like(verdict.foreground), np.empty_like(verdict.shadow)
    sway.discount(around, calm, MOST / CALM, MOST, EVERY, verdict.foreground, verdict.shadow, foreground, shadow)
    return replace(verdict, foreground=foreground, shadow=shadow, untaught=foreground)
