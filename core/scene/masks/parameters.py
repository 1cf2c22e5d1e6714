"""Parameters of the mask, the same for every method, and their values as the mask uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.frames.frame import Layout
from core.parameter import Parameter, Value
from core.scene.masks.cells import side_of
from core.scene.masks.finish import FINISH_PARAMETERS, MaskFinish
from core.scene.tuning import SURE

SCENE, FOREGROUND = "scene", "foreground"
"""What may be said of a part that changes at once."""

MASK_PARAMETERS = (
    Parameter(
        "sensitivity", "Sensitivity", 50, 1, 99, "How readily a pixel is taken for foreground.",
        "higher: more foreground", "%",
    ),
    Parameter("shadows", "Remove cast shadows", True, help="Leave cast shadows to the background.",
              effect="on: shadows leave the mask", kind=bool),
    Parameter(
        "smallest", "Smallest region", None, 0, 100_000, "Smaller regions are dropped, by a number by their size "
        "alone; automatic: smaller ones stay too that are surely foreground and not gone in the next frame.",
        "higher: fewer specks", "pixels", kind=int, automatic=True, logarithmic=True,
    ),
    Parameter(
        "holes", "Smallest hole", None, 0, 100_000, "Smaller holes in the foreground are filled, by a number by "
        "their size alone; 0: none; automatic: larger ones too that are nearly foreground.", "higher: fewer holes",
        "pixels", kind=int, automatic=True, logarithmic=True,
    ),
    Parameter(
        "park", "Absorb static after", 3000, 0, 60_000,
        "Foreground that stands still this long becomes background; 0: never.",
        "shorter: parked cars leave the mask sooner", "frames", kind=int,
    ),
    Parameter(
        "sudden", "Sudden changes are", None,
        help="What a part is that changes at once and stays, in a file that is read twice; automatic: scene, as slides "
        "are, where its outline was there before or it changes again, and foreground where something came or left.",
        effect="scene: slides leave the mask", kind=str, choices=(SCENE, FOREGROUND), automatic=True, advanced=True,
    ),
    Parameter(
        "cell", "Cell size", None, 1, 32, "Side of the squares in which it is decided what is foreground: what is less "
        "than four of them wide is mostly missed; an even number where there is colour; automatic: 2 in pictures of up "
        "to 576 rows, more in larger ones.",
        "lower: smaller things are found, slower", "pixels", kind=int, automatic=True, live=False, advanced=True,
    ),
    *FINISH_PARAMETERS,
)  # fmt: skip
"""Parameters of the mask, the same for every method."""

PIXELS_A_REGION, PIXELS_A_HOLE = 3000, 300
"""Pixels of a frame for each pixel of the smallest region, and of the smallest hole, unless they are set.

With 300 for regions `highway1` loses 0.003 of F, and `ibmtest2` gains 0.005; with 3000 for holes `foliage` loses 0.006,
and `highway1` 0.002.
"""


def asked_side(values: Mapping[str, Value]) -> int | None:
    """Return the side of a cell that values of `MASK_PARAMETERS` ask for, pixels; None: automatic."""
    return None if values["cell"] is None else int(values["cell"])


@dataclass(frozen=True)
class MaskSettings:
    """Values of `MASK_PARAMETERS`, as the mask uses them.

    Attributes
    ----------
    bar : float32
        Logit above which a pixel is foreground.
    smallest_region, smallest_hole : int
        Pixels.
    sure : float32
        Smaller regions stay where the logit of what has not moved away exceeds this: it lies above the bar by as much
        as makes a cell sure. Infinite where their size was set.
    doubt : float32
        Holes of any size whose mean logit exceeds this are filled: it lies below the bar by as much as makes a cell
        sure. Infinite where their size was set.
    without_shadows : bool
        Cast shadows leave the mask.
    static_frames : int
        After so many frames foreground that stands still becomes background; 0: never.
    follows_changes : bool or None
        What changes at once and stays is the scene from then on; None: it is to be judged.
    cell_side : int
        Rows and columns of pixels of a cell.
    finish : MaskFinish
        For whoever shows or saves a mask.
    """

    bar: np.float32
    smallest_region: int
    smallest_hole: int
    sure: np.float32
    doubt: np.float32
    without_shadows: bool
    static_frames: int
    follows_changes: bool | None
    cell_side: int
    finish: MaskFinish

    @staticmethod
    def of(values: Mapping[str, Value], layout: Layout) -> MaskSettings:
        """Return the settings for frames of a layout; ``values`` has one for each of `MASK_PARAMETERS`."""

        def automatic(name: str, share: int) -> int:
            value = values[name]
            return round(layout.n_pixels / share) if value is None else int(value)

        share = float(values["sensitivity"] or 50) / 100
        bar = np.float32(np.log((1 - share) / share))
        return MaskSettings(
            bar=bar,
            smallest_region=automatic("smallest", PIXELS_A_REGION),
            smallest_hole=automatic("holes", PIXELS_A_HOLE),
            sure=bar + SURE if values["smallest"] is None else np.float32(np.inf),
            doubt=bar - SURE if values["holes"] is None else np.float32(np.inf),
            without_shadows=bool(values["shadows"]),
            static_frames=int(values["park"] or 0),
            follows_changes=None if values["sudden"] is None else values["sudden"] == SCENE,
            cell_side=side_of(layout, asked_side(values)),
            finish=MaskFinish.of(values),
        )
