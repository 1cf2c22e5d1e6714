"""More is asked of what differs where the background sways: crowns of trees before the sky, flags, fountains.

What sways uncovers what lies behind it. A cell there has two looks or more, so that the noise about the one that is
expected is large, in its neighbours as well; the noise of a sensor is as large elsewhere in the frame. The head sees
the noise of a cell, but not of cells in which nothing differs at the moment.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from core.scene.masks.cells import Map
from core.scene.masks.head import Verdict

AROUND = 18
"""Side of the neighbourhood over which the noise is averaged, cells: leaves come where none were so far.

Where cells were left out by their noise, as many as cost five other sequences 0.003 of F at most, `fall` reached 0.74;
by its mean over 5, 9 and 17 cells 0.78, 0.82 and 0.88.
"""

CALM = np.float32(8)
"""Noise around a cell, above what is typical of the frame, of which nothing more is asked, grey levels.

Six other labelled sequences stay below, but for 18 of 1700 frames of `highway`. With 6, `fall` gains 0.02 of F, and
drawn people before drawn trees lose more.
"""

EACH = np.float32(0.5)
"""Logits asked more for each grey level above. With 0.25, `fall` loses 0.05."""

MOST = np.float32(4)
"""Logits asked more at most: what the head is as sure of (98 %) is foreground anywhere. With 2, `fall` loses 0.07."""

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
    side, calm = AROUND // EVERY, np.float32(typical) + CALM
    scale = np.sqrt(variance[::EVERY, ::EVERY])
    around = np.asarray(cv2.blur(scale, (side, side), borderType=cv2.BORDER_REPLICATE), np.float32)
    if around.max() <= calm:
        return verdict
    asked = np.clip(EACH * (around - calm), 0, MOST)
    height, width = variance.shape
    discount = asked.repeat(EVERY, axis=0).repeat(EVERY, axis=1)[:height, :width]
    return replace(verdict, foreground=verdict.foreground - discount, shadow=verdict.shadow - discount)
