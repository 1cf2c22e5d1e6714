"""The rows of the catalogue for robust NMF by the squared ℓ1 norm, and for missing entries (Shen et al. 2012)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.batch import BatchNmf, batch_learning, batch_schema
from core.methods.corrupted_entries.alternating import SetAside
from core.methods.corrupted_entries.impulse_noise import LonePixels, LonePixelsThenMissing
from core.methods.corrupted_entries.missing_entries import DetectThenMissing, Extremes
from core.methods.corrupted_entries.squared_l1 import SquaredL1
from core.methods.rules import BatchRule
from core.parameter import Parameter, Value, number

RANK = 10
"""As in Shen et al. (2012), section 6.1."""

LAM, LAM_VALUES = 0.04, 1024
"""λ there, and the pixels of its faces: the threshold of a sample is λ times the sum of its outliers, so where as large
a part of more pixels is outliers, the same threshold takes a λ that is as much smaller. Of fewer it stays the paper's:
a larger one would find fewer of them."""

LEARNING = batch_learning(rank=RANK, iterations=300)

PENALTY = Parameter(
    "lam_squared", "Outlier penalty λ", None, 0.00001, 100,
    f"Price of outliers; it grows with their sum in a frame, squared; automatic: {LAM}, the paper's, up to "
    f"{LAM_VALUES} values a frame, and less at more.", "lower: more is an outlier", automatic=True,
    logarithmic=True,
)  # fmt: skip

ENDS = {"black and white": (True, True), "white": (False, True), "black": (True, False), "nothing": (False, False)}

MISSING = Parameter(
    "missing", "Missing", "black and white", kind=str, choices=tuple(ENDS),
    help="Which values say that a pixel was not measured: it is filled in from the rest, and is the foreground.",
)  # fmt: skip
MARGIN = Parameter(
    "margin", "Margin", 0, 0, 127, "How near to black or white a missing value may be; of 255, whatever the bit depth.",
    "higher: more is missing", "grey levels", advanced=True,
    acts_with=((MISSING.name, tuple(name for name in ENDS if name != "nothing")),),
)  # fmt: skip

LONE = Parameter(
    "lone_pixels", "Lone pixels", False, help="Find pixels that stand out from their neighbours too, by the noise "
    "instead of the penalty; off: as in the paper.", effect="on: finds more spoiled pixels, and no whole objects",
    kind=bool,
)  # fmt: skip
THRESHOLD = Parameter(
    "lone_threshold", "Lone pixel threshold", 4.5, 2.5, 20, "How far a lone pixel stands out.",
    "lower: more pixels count as spoiled", "noise scales", advanced=True, acts_with=((LONE.name, (True,)),),
)  # fmt: skip


def _price(values: Mapping[str, Value], layout: Layout) -> SquaredL1:
    chosen = values["lam_squared"]
    return SquaredL1(LAM * min(1.0, LAM_VALUES / layout.n_values) if chosen is None else float(chosen))


def _robust(values: Mapping[str, Value], layout: Layout) -> SetAside:
    return SetAside(_price(values, layout))


def _missing(values: Mapping[str, Value], _layout: Layout) -> SetAside:
    black, white = ENDS[str(values["missing"])]
    return SetAside(Extremes(black, white, number(values, "margin") / 255))


def _both(values: Mapping[str, Value], layout: Layout) -> BatchRule:
    outliers, iterations = _price(values, layout), int(number(values, "iterations"))
    tolerance = number(values, "tolerance")
    if not values["lone_pixels"]:
        return DetectThenMissing(outliers, iterations, tolerance)
    return LonePixelsThenMissing(outliers, LonePixels(layout, number(values, "lone_threshold")), iterations, tolerance)


ROBUST = MethodRow(
    "robust-nmf", "Robust NMF, squared ℓ1", "Shen et al. 2012, RobustNMF",
    "Outliers at a price that grows with their number: finds spoiled pixels of image sets.",
    (*LEARNING, PENALTY), partial(BatchNmf, make_rule=_robust, image_set_rank=RANK),
    partial(batch_schema, make_rule=_robust, image_set_rank=RANK), kind="batch",
)  # fmt: skip
WNMF = MethodRow(
    "wnmf", "NMF with missing pixels", "Zhang et al. 2006, WNMF, as in Shen et al. 2012",
    "Leaves out pixels that were not measured, such as stuck or saturated ones, and fills them in.",
    (*LEARNING, MISSING, MARGIN), partial(BatchNmf, make_rule=_missing, image_set_rank=RANK),
    partial(batch_schema, make_rule=_missing, image_set_rank=RANK), kind="batch",
)  # fmt: skip
BOTH = MethodRow(
    "robust-nmf+wnmf", "Robust NMF, then missing pixels", "Shen et al. 2012, RobustNMF+WNMF",
    "Finds spoiled pixels as RobustNMF does, then learns anew without them.",
    (*LEARNING, PENALTY, LONE, THRESHOLD), partial(BatchNmf, make_rule=_both, image_set_rank=RANK),
    partial(batch_schema, make_rule=_both, image_set_rank=RANK), kind="batch",
)  # fmt: skip

_LEARNING = (
    "rank, frames: 5 basis images from 100 frames where frames show one scene; the paper's 10 from all, else.",
    "iterations, tolerance: the paper leaves open when its iterations end.",
    "Both factors by coordinate descent, and outliers exactly, as a soft threshold; multiplicative steps in the paper.",
)
_LAM = f"lam_squared: {LAM}, the paper's, up to {LAM_VALUES} values a frame, and in inverse proportion to more."
ROBUST = replace(
    ROBUST,
    departures=(*_LEARNING, _LAM),
    suits="It finds lone spoiled pixels; of whole objects in a video it absorbs much, so masks are better with fast or "
    "opgd.",
)
WNMF = replace(WNMF, departures=_LEARNING)
BOTH = replace(BOTH, departures=(*_LEARNING, _LAM))

ROWS = (ROBUST, WNMF, BOTH)
"""In the order of the catalogue."""
