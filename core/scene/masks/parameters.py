"""Parameters of the mask, the same for every method, and their values as the mask uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.frames.frame import Layout
from core.parameter import Parameter, Value

MASK_PARAMETERS = (
    Parameter(
        "threshold", "Threshold", 5, 1, 15, "How many noise scales a pixel must differ to be foreground.",
        "lower: more foreground", "σ",
    ),
    Parameter(
        "smallest", "Smallest region", None, 0, 100_000, "Smaller regions are dropped.", "higher: fewer specks",
        "pixels", kind=int, automatic=True,
    ),
    Parameter(
        "holes", "Smallest hole", None, 0, 100_000,
        "Smaller holes in the foreground are filled, and narrow gaps; 0: none.", "higher: fewer holes", "pixels",
        kind=int, automatic=True,
    ),
    Parameter("shadows", "Remove cast shadows", True, help="Leave cast shadows to the background.",
              effect="on: shadows leave the mask", kind=bool),
    Parameter(
        "weak", "Hysteresis: low threshold", 100, 30, 100,
        "Pixels above this share of the threshold are foreground where they are connected to it; 100: off.",
        "lower: objects keep more of their edges, and shadows", "%", advanced=True,
    ),
    Parameter(
        "park", "Absorb static objects after", 3000, 0, 60_000,
        "Foreground that stands still this long becomes background; 0: never.",
        "shorter: parked cars leave the mask sooner", "frames", kind=int, advanced=True,
    ),
    Parameter(
        "calm", "Swaying texture", 20, 0, 100, "How much flicker, as of leaves and water, raises the threshold.",
        "higher: fewer leaves in the mask", advanced=True,
    ),
    Parameter(
        "noise_memory", "Noise memory", 50, 5, 10_000, "Frames over which each pixel's noise is measured.",
        "shorter: adapts sooner", "frames", kind=int, logarithmic=True, advanced=True,
    ),
)  # fmt: skip
"""Parameters of the mask, the same for every method."""

PIXELS_A_REGION, PIXELS_A_HOLE = 3000, 300
"""Pixels of a frame for each pixel of the smallest region, and of the smallest hole, unless they are set."""


@dataclass(frozen=True)
class MaskSettings:
    """Values of `MASK_PARAMETERS`, as the mask uses them.

    Attributes
    ----------
    threshold : float32
        Noise scales by which foreground differs.
    flicker_gain : float32
        How much flicker raises the threshold.
    low_threshold : float32
        Share of the threshold above which pixels connected to foreground are foreground too; 1: only the threshold.
    smallest_region, smallest_hole : int
        Pixels.
    without_shadows : bool
        Cast shadows leave the mask.
    static_frames : int
        After so many frames foreground that stands still becomes background; 0: never.
    noise_frames : float
        Frames over which noise is measured.
    """

    threshold: np.float32
    flicker_gain: np.float32
    low_threshold: np.float32
    smallest_region: int
    smallest_hole: int
    without_shadows: bool
    static_frames: int
    noise_frames: float

    @staticmethod
    def of(values: Mapping[str, Value], layout: Layout) -> MaskSettings:
        """Return the settings for frames of a layout; ``values`` has one for each of `MASK_PARAMETERS`."""

        def automatic(name: str, share: int) -> int:
            value = values[name]
            return round(layout.n_pixels / share) if value is None else int(value)

        return MaskSettings(
            threshold=np.float32(values["threshold"] or 0),
            flicker_gain=np.float32(values["calm"] or 0),
            low_threshold=np.float32(float(values["weak"] or 100) / 100),
            smallest_region=automatic("smallest", PIXELS_A_REGION),
            smallest_hole=automatic("holes", PIXELS_A_HOLE),
            without_shadows=bool(values["shadows"]),
            static_frames=int(values["park"] or 0),
            noise_frames=float(values["noise_memory"] or 1),
        )
