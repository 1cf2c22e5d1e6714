"""The rows of the catalogue for methods without factorization."""

from __future__ import annotations

from core.methods.background_subtractors.base import background_schema
from core.methods.background_subtractors.median import TemporalMedian, median_schema
from core.methods.background_subtractors.opencv import Knn, Mog2
from core.methods.base import MethodRow
from core.parameter import Parameter

HISTORY = Parameter(
    "history", "History", 500, 2, 10_000, "Over how many frames the model is learnt.",
    "shorter: adapts sooner", "frames", kind=int, logarithmic=True,
)  # fmt: skip

SHADOWS = Parameter(
    "detect_shadows", "Detect shadows", True, help="Tell shadows from foreground, and leave them out of the mask.",
    effect="on: shadows leave the mask", kind=bool,
)  # fmt: skip

OWN_MASK = "Its mask is its own: the settings of the mask change nothing."

MEDIAN = MethodRow(
    "median", "Temporal median", "For reference: the textbook's background",
    f"The median of frames spread over all that was seen. {OWN_MASK}",
    (
        Parameter(
            "frames", "Frames kept", 25, 3, 51, "The median is taken over at most this many frames.",
            "higher: less noise, more memory", "frames", kind=int, live=False, logarithmic=True,
        ),
        Parameter(
            "difference", "Difference", 25, 1, 255, "What differs by more from the median is foreground; white is 255.",
            "lower: more foreground", "grey levels",
        ),
    ),
    lambda layout, values, seed: TemporalMedian(layout, values), median_schema, kind="reference", makes_masks=True,
)  # fmt: skip

MOG2 = MethodRow(
    "mog2", "MOG2 (OpenCV)", "For reference: Zivkovic 2004, as in OpenCV",
    f"A mixture of Gaussians for each pixel. {OWN_MASK}",
    (
        HISTORY,
        Parameter(
            "var_threshold", "Variance threshold", 16, 1, 200,
            "Squared distance from a Gaussian, in its variances, from which on a pixel is foreground.",
            "lower: more foreground", "variances",
        ),
        SHADOWS,
    ),
    Mog2, background_schema, kind="reference", makes_masks=True,
)  # fmt: skip

KNN = MethodRow(
    "knn", "KNN (OpenCV)", "For reference: Zivkovic & van der Heijden 2006, as in OpenCV",
    f"The nearest neighbours among samples of each pixel's past. {OWN_MASK}",
    (
        HISTORY,
        Parameter(
            "dist2_threshold", "Distance threshold", 400, 1, 20_000,
            "Squared distance, over all colours, up to which a sample of the past counts as near; white is 255.",
            "lower: more foreground", "squared grey levels", logarithmic=True,
        ),
        SHADOWS,
    ),
    Knn, background_schema, kind="reference", makes_masks=True,
)  # fmt: skip

ROWS = (MEDIAN, MOG2, KNN)
"""What factorization is compared with."""
