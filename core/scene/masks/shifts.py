"""A shift by a pixel is a difference where the scene is known to keep its place.

What a cell differs by is how far it leaves the range of the background's 3×3 neighbourhood: a camera that trembles, and
texture that sways, stay inside. So does a person who stands for most of a clip, and then leans over by a pixel or two.
Once a pass has shown by how much each place leaves the clean plate, the two are told apart: a tremble or a sway that is
usual there was in that; what exceeds it by far has moved.
"""

from __future__ import annotations

import cv2
import numpy as np

from core.scene.masks.cells import Cells, Map
from core.scene.tuning import DIFFERS


def count_shifts(cells: Cells, deviation: Map, variance: Map) -> None:
    """Let cells differ by all that their luma does, where that is beyond what is usual there.

    Parameters
    ----------
    cells : Cells
        ``peak`` and ``square`` of luma are changed: they become no less than the difference d of the means, and d²,
        where d exceeds `DIFFERS` deviations and as many noise scales.
    deviation : (h, w) float32
        By how much pixels of the cell leave the plate, shifts by a pixel included, grey levels. It is no less than
        that of the means, so that more is asked of a place that trembles than of noise.
    variance : (h, w) float32
        Square of the noise scale of luma, grey levels². It goes on being learnt: without it, F of all of `foliage` in
        two passes falls by .037, as leaves hide by how much what is behind them changes.
    """
    apart = np.asarray(cv2.absdiff(cells.shown[0], cells.expected[0]))
    apart *= apart > DIFFERS * np.maximum(deviation, np.sqrt(variance))
    np.maximum(cells.peak, apart, out=cells.peak)
    np.maximum(cells.square[0], apart * apart, out=cells.square[0])
