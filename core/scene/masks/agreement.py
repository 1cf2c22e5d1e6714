"""Whether a frame shows the background where a person says that there is background.

A stroke says what class a pixel has. What the pixel shows in the frame that was painted on is the background where the
model has the same, or where it has been there for a while. Else it is something that passes: the model knows better.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.scene.masks.strokes import Pixels
from core.scene.tuning import FEW, SETTLED_FRAMES


def frames_agreed(painted: Pixels, still: NDArray[np.uint16] | None) -> NDArray[np.uint8]:
    """Return for how many frames (H, W) what painted pixels show has agreed, `SETTLED_FRAMES` at most.

    Parameters
    ----------
    painted : (H, W) bool
        Pixels that were painted as background.
    still : (H, W) uint16, or None
        For how many frames each pixel has differed from the background and been still, 0 where it does not differ;
        None where this is not known, and then no pixel is said to have agreed.
    """
    if still is None:
        return np.zeros(painted.shape, np.uint8)
    differs, stands = painted & (still > 0), painted & (still >= SETTLED_FRAMES)
    agreed = np.where(still > 0, np.minimum(still, SETTLED_FRAMES), SETTLED_FRAMES).astype(np.uint8)
    if np.count_nonzero(stands) < (1 - FEW) * np.count_nonzero(differs):
        agreed[differs] = 0  # The inside of something that moves.
    return agreed


def agrees(frames: NDArray[np.uint8]) -> Pixels:
    """Return where what was painted as background has been there for so many frames (h, w) as make it that."""
    found: Pixels = frames >= SETTLED_FRAMES
    return found
