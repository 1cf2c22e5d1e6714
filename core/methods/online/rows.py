"""The rows of the catalogue for the online methods of Zhao & Tan (2016, 2017)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.content import CONTENT
from core.methods.online.extensions import EXTENSIONS, coefficients_penalty, column_norm, domain, outlier_loss
from core.methods.online.nmf import OnlineNmf
from core.methods.online.schema import online_schema
from core.methods.online.settings import IMAGE_SET_BATCH, VIDEO_BATCH, Recipe
from core.methods.stops import steps_parameter, stop_of, tolerance_parameter
from core.nmf.dictionaries.admm import AdmmDictionary
from core.nmf.dictionaries.multiplicative import MultiplicativeDictionary
from core.nmf.dictionaries.projected_gradient import ProjectedGradientDictionary
from core.nmf.encoders.admm import AdmmEncoder
from core.nmf.encoders.multiplicative import MultiplicativeEncoder
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.outlier_losses import Loss, OutlierLoss
from core.nmf.relevance_determination import AUTO_RANK
from core.parameter import Parameter, Value, number

ONMFO_LAM = 1 / 50
"""λ = 1 on the grey range [0, 50] of Zhao & Tan (2016), in units of white."""

WARM_UP = Parameter(
    "warm_up", "Warm-up", None, 0, 10_000,
    "Frames in which the basis follows the median of what was seen; automatic: 240 for video, else none.",
    "longer: fewer ghosts of what stood in the first frames", "frames", kind=int, automatic=True, advanced=True,
)  # fmt: skip

LEARNING = (
    CONTENT,
    Parameter(
        "rank", "Rank K", None, 1, 100, "Number of basis images; automatic: 49 for image sets, 5 for video.",
        "higher: finer backgrounds, which may swallow passers-by", kind=int, automatic=True,
    ),
    Parameter(
        "lam", "Outlier penalty λ", None, 0.0005, 1,
        "Larger differences are outliers; automatic: by the noise, and at least 1/√F, the paper's.",
        "lower: more is an outlier", "of white", automatic=True, logarithmic=True,
    ),
    Parameter(
        "memory", "Memory", None, 10, 100_000,
        "Frames after which what was learnt decays to 1/e; automatic: 300 for video, endless for image sets.",
        "shorter: adapts sooner", "frames", kind=int, automatic=True, logarithmic=True,
    ),
    Parameter(
        "batch", "Mini-batch τ", None, 1, 1000,
        "Frames from which each improvement of the basis is learnt, fewer where frames are large; automatic: "
        f"{VIDEO_BATCH}, growing to {IMAGE_SET_BATCH} as more of an image set is seen.",
        "higher: faster, learns later", "frames", kind=int, automatic=True, logarithmic=True,
    ),
    Parameter(
        "recency", "Recency", 2, 1, 10, "How much more recent frames count; 1: all the same, as in the paper.",
        "higher: forgets the first guesses sooner", advanced=True,
    ),
    Parameter(
        "rounds", "Rounds", None, 1, 10,
        "How often each mini-batch is learnt from; automatic: 3 for image sets, 1 for video (and in the paper).",
        "higher: learns faster, costs more", kind=int, automatic=True, advanced=True,
    ),
    WARM_UP,
)  # fmt: skip
"""Parameters of every online method."""

ONMFO_LEARNING = tuple(
    replace(p, help=f"Larger differences are outliers; automatic: {ONMFO_LAM:g}, the paper's.")
    if p.name == "lam"
    else p
    for p in LEARNING
)
"""The same, with another automatic λ."""

OUTLIERS = (
    Parameter(
        "bound", "Outlier bound M", 1, 0.01, 10, "No outlier is larger than this.", "lower: outliers bend the basis",
        "of white", logarithmic=True, advanced=True,
    ),
    Parameter(
        "brighter_only", "Brighter only", False, help="Outliers only add light; darker differences bend the basis.",
        effect="on: shadows stay in the background", kind=bool, advanced=True,
    ),
)  # fmt: skip

KAPPA = Parameter(
    "kappa", "Step size κ", 1, 0.01, 1, "Length of gradient steps, as part of the longest safe one.",
    "lower: smaller steps, slower", advanced=True, logarithmic=True,
)  # fmt: skip
MOMENTUM = Parameter(
    "momentum", "Momentum", True, help="Nesterov's extrapolation between steps; off: the plain steps of the paper.",
    effect="on: fewer steps", kind=bool, advanced=True,
)  # fmt: skip
RHO = Parameter(
    "rho", "ADMM penalty ρ", 1, 0.01, 100, "Weight that ties the split variables of ADMM together.",
    "higher: smaller, steadier steps", advanced=True, logarithmic=True,
)  # fmt: skip


def _stopping(tolerances: tuple[float, float], iterations: tuple[int, int]) -> tuple[Parameter, ...]:
    """Return the stop rules of encoder and dictionary, with a method's defaults."""
    found: list[Parameter] = []
    for part, tolerance, count in zip(("encode", "dictionary"), tolerances, iterations, strict=True):
        found += [
            tolerance_parameter(part, tolerance, "Steps end when one changes its objective relatively by less."),
            steps_parameter(part, count, "Steps at most."),
        ]
    return tuple(found)


def _nonnegative(_values: Mapping[str, Value], lam: float, _layout: Layout) -> Loss:
    return OutlierLoss(lam, 0.0, np.inf)


def _gradient(values: Mapping[str, Value]) -> tuple[float, bool]:
    return number(values, "kappa"), bool(values["momentum"])


def _opgd_encoder(values: Mapping[str, Value], layout: Layout) -> ProjectedGradientEncoder:
    penalty = coefficients_penalty(values, layout)
    return ProjectedGradientEncoder(*_gradient(values), *stop_of(values, "encode"), penalty)


def _oadmm_encoder(values: Mapping[str, Value], layout: Layout) -> AdmmEncoder:
    penalty, norm = coefficients_penalty(values, layout), column_norm(values, layout)
    return AdmmEncoder(number(values, "rho"), *stop_of(values, "encode"), penalty, norm)


OPGD_RECIPE = Recipe(
    _opgd_encoder,
    lambda values, layout: ProjectedGradientDictionary(
        *_gradient(values), *stop_of(values, "dictionary"), domain(values, layout)
    ),
    outlier_loss,
)
OADMM_RECIPE = Recipe(
    _oadmm_encoder,
    lambda values, layout: AdmmDictionary(
        number(values, "rho"), *stop_of(values, "dictionary"), domain(values, layout)
    ),
    outlier_loss,
)
ONMFO_RECIPE = Recipe(
    lambda values, _layout: MultiplicativeEncoder(*stop_of(values, "encode")),
    lambda values, _layout: MultiplicativeDictionary(*stop_of(values, "dictionary")),
    _nonnegative,
    fixed_lam=ONMFO_LAM,
)

OPGD = MethodRow(
    "opgd", "Online robust NMF, gradient", "Zhao & Tan 2017, OPGD",
    "Learns scene and outliers together by gradient steps; for image sets and small video.",
    (*LEARNING, AUTO_RANK, *OUTLIERS, *EXTENSIONS, KAPPA, MOMENTUM, *_stopping((1e-4, 3e-4), (60, 50))),
    partial(OnlineNmf, recipe=OPGD_RECIPE), partial(online_schema, recipe=OPGD_RECIPE),
)  # fmt: skip
OADMM = MethodRow(
    "oadmm", "Online robust NMF, ADMM", "Zhao & Tan 2017, OADMM",
    "The same problem as OPGD by alternating directions: fewer, more expensive steps.",
    (*LEARNING, AUTO_RANK, *OUTLIERS, *EXTENSIONS, RHO, *_stopping((3e-4, 1e-3), (60, 50))),
    partial(OnlineNmf, recipe=OADMM_RECIPE), partial(online_schema, recipe=OADMM_RECIPE),
)  # fmt: skip
ONMFO = MethodRow(
    "onmfo", "Online robust NMF, multiplicative", "Zhao & Tan 2016, ONMFO",
    "Multiplicative updates for outliers that only add light.",
    (*ONMFO_LEARNING, *_stopping((1e-4, 3e-4), (100, 50))), partial(OnlineNmf, recipe=ONMFO_RECIPE),
    partial(online_schema, recipe=ONMFO_RECIPE),
)  # fmt: skip

_SINCE_2017 = ("lam: by the noise, and at least the paper's 1/√F, which at video sizes is less than two grey levels.",)
_AS_THEY_COME = (
    "Samples are taken as they come; the paper repeats and shuffles them, and scales each to maximum 1, as passes, "
    "shuffle and unit_maximum do."
)
_LEARNING = (
    "rank, memory: 5 basis images that forget where frames show one scene; 49 and no forgetting, the paper's, else.",
    f"batch: {VIDEO_BATCH}, up to {IMAGE_SET_BATCH} for image sets; one in the paper of 2016, about 5·10⁻⁴ of the "
    "samples in that of 2017.",
    "recency: 2, so later samples count more; 1 in the paper, where all count the same.",
    "rounds: a mini-batch of an image set is learnt from 3 times; once in the paper.",
    "warm_up: where frames show one scene the start is their median; random in the paper.",
)
_STOPPING = (
    "encode_tolerance, encode_steps, dictionary_tolerance, dictionary_steps: steps end sooner than in the paper's "
    "experiments, which allow 100 for the coefficients and 200 and more for the dictionary.",
)
OPGD = replace(
    OPGD,
    departures=(
        *_SINCE_2017, _AS_THEY_COME, *_LEARNING, "momentum: on; in the paper a remark only.", *_STOPPING,
        "w_lasso, w_ridge: in units of the coefficients' root mean square, and basis images keep their norms.",
    ),
)  # fmt: skip
OADMM = replace(
    OADMM,
    departures=(
        *_SINCE_2017, _AS_THEY_COME, *_LEARNING,
        "rho: for the dictionary in units of tr(A)/K, A's mean eigenvalue, so that it means the same in all sizes; "
        "absolute in the paper.", *_STOPPING,
        "w_lasso, w_ridge: in units of the coefficients' root mean square, and basis images keep their norms.",
    ),
)  # fmt: skip
ONMFO = replace(
    ONMFO,
    suits="For image sets spoiled by bright specks; what is darker than a scene bends its background, so masks of "
    "video are better with fast or opgd.",
    departures=(
        *_LEARNING,
        "encode_tolerance, encode_steps, dictionary_tolerance, dictionary_steps: the paper leaves open when steps end.",
    ),
)

ROWS = (OPGD, OADMM, ONMFO)
"""In the order of the catalogue."""
