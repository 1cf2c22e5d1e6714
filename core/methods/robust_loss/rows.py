"""The rows of the catalogue for robust losses by half-quadratic weights (Guan et al. 2019 and their table 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.batch import BatchNmf, MakeRule, batch_learning, batch_schema
from core.methods.content import shows_scene
from core.methods.robust_loss.half_quadratic import HalfQuadraticRule
from core.methods.robust_loss.sparse_errors import SparseErrorRule
from core.methods.robust_loss.two_starts import TRIAL, MedianStartRule, TwoStartsRule
from core.methods.rules import BatchRule
from core.methods.stops import stop_of
from core.nmf import robust_losses
from core.nmf.weighted_least_squares import Precision
from core.parameter import Parameter, Value, number

RANK = 40
"""As the paper takes for ORL."""

LEARNING = batch_learning(RANK, iterations=150, tolerance=1e-4)

SOLVING = (
    Parameter(
        "inner_tolerance", "Inner tolerance", 1e-3, 1e-8, 0.5,
        "Coefficients, or the basis, count as solved when their projected gradient has fallen to this part.",
        "lower: more exact, slower", logarithmic=True, advanced=True,
    ),
    Parameter(
        "inner_steps", "Inner steps", 100, 1, 10_000, "Gradient steps for them, at most, in each iteration.",
        "higher: more exact, slower", kind=int, logarithmic=True, advanced=True,
    ),
)  # fmt: skip
SMOOTHING = Parameter(
    "smoothing", "Smoothing μ", 0.001, 1e-4, 0.5,
    "Residuals below this count by their square, so that the loss has no kink; 0 would be the loss itself.",
    "lower: nearer to absolute values, slower", "of white", logarithmic=True,
)  # fmt: skip
KEPT = Parameter(
    "kept", "Frames that teach", 0.9, 0.1, 1.0,
    "The part of the frames, those that fit best, from which is learnt; the paper sets a threshold instead.",
    "lower: more frames count as outliers",
)  # fmt: skip
WIDTH = Parameter(
    "width", "Width c", 1.0, 0.001, 10.0,
    "Residuals far above this count by their size, those below by their square.",
    "lower: more robust", "of white", logarithmic=True,
)  # fmt: skip
LENIENT = Parameter(
    "lenient", "Lenient start", 3, 0, 1000,
    "Iterations without any limit that a second start begins with; it is taken where the strict one misses much.",
    "higher: follows details that few frames show, and objects too; 0: no second start", "iterations", kind=int,
    advanced=True,
)  # fmt: skip
STRICT = Parameter(
    "strict", "Strict iterations", 30, 0, 1000,
    "Iterations with the paper's limit of outliers, which spares few; then it is three robust standard deviations.",
    "higher: fewer pixels teach; 1000: the paper's alone", "iterations", kind=int,
)  # fmt: skip
LAM = Parameter(
    "lam", "Outlier penalty λ", 0.1, 0.001, 2.0, "Residuals larger than half of this are errors.",
    "lower: more is an outlier", "of white", logarithmic=True,
)  # fmt: skip
SWEEPS = Parameter(
    "sweeps", "Sweeps", 10, 1, 100, "Updates of errors and both factors that count as one iteration.",
    "higher: fewer but more expensive iterations", kind=int, advanced=True,
)  # fmt: skip


DEPARTURES = (
    "rank, frames: 5 basis images from 100 frames where frames show one scene; the paper's 40 from all, else.",
    "iterations, tolerance, inner_steps: the paper prints only the inner tolerance that it stops by.",
)
LEAST_SQUARES = "Both factors by weighted least squares in each iteration; the authors use multiplicative updates."
OF_KEY = {
    "l1": ("smoothing: fixed; the authors let it go to 0.",),
    "l21": (LEAST_SQUARES,),
    "capped": ("kept: a share of the frames; the paper sets a threshold.", LEAST_SQUARES),
    "hypersurface": ("width: 1 of white; the paper's is 1 in whatever units its data have.", LEAST_SQUARES),
    "huber": (LEAST_SQUARES,),
    "cim": (LEAST_SQUARES,),
    "truncated-cauchy": (
        "strict: the paper's limit of outliers holds for 30 iterations, then three robust standard deviations of all "
        "residuals; throughout in the paper.",
        f"lenient: for {TRIAL} iterations another start is tried beside the paper's, the first 3 of them without any "
        "limit, and taken where it misses clearly less; the paper has one start, and does not say which. "
        "Ours is a random basis, with coefficients that fit the median of each sample. Where frames show one scene, "
        "the lenient start alone.",
        "The paper takes μ and σ from Γ, the errors not above their median, and as printed looks for outliers there; "
        "here among all errors.",
    ),
}
"""Where methods depart from their papers by default."""


def _precision(values: Mapping[str, Value]) -> Precision:
    return Precision(*stop_of(values, "inner"))


def _half_quadratic(
    values: Mapping[str, Value],
    layout: Layout,
    *,
    loss: Callable[..., robust_losses.RobustLoss],
    names: tuple[str, ...],
) -> BatchRule:
    return HalfQuadraticRule(loss(*(number(values, name) for name in names)), _precision(values))


def _truncated(values: Mapping[str, Value], layout: Layout) -> BatchRule:
    precision = _precision(values)
    n_lenient, n_strict = int(number(values, "lenient")), number(values, "strict")
    if n_strict == STRICT.high:
        n_strict = np.inf  # The paper's alone, however many iterations there are.
    strict = MedianStartRule(robust_losses.TruncatedCauchy(), precision, 0, n_strict)
    if not n_lenient:
        return strict
    lenient = HalfQuadraticRule(robust_losses.TruncatedCauchy(), precision, n_lenient, n_strict)
    # What passes through a scene hides little of it, and the strict start leaves a third of a scene as it began.
    return lenient if shows_scene(values, layout) else TwoStartsRule(strict, lenient)


def _sparse_error(values: Mapping[str, Value], layout: Layout) -> BatchRule:
    return SparseErrorRule(number(values, "lam"), int(number(values, "sweeps")))


def _row(
    key: str, title: str, paper: str, summary: str, loss: Callable[..., robust_losses.RobustLoss], *of_loss: Parameter,
) -> MethodRow:  # fmt: skip
    """Return a row; the loss is made of the values of the parameters ``of_loss``, in their order."""
    make_rule = partial(_half_quadratic, loss=loss, names=tuple(parameter.name for parameter in of_loss))
    return _batch_row(key, title, paper, summary, of_loss, make_rule)


def _batch_row(
    key: str, title: str, paper: str, summary: str, own: tuple[Parameter, ...], make_rule: MakeRule, suits: str = "",
) -> MethodRow:  # fmt: skip
    return MethodRow(
        key, title, paper, summary, (*LEARNING, *own, *SOLVING),
        partial(BatchNmf, make_rule=make_rule, image_set_rank=RANK),
        partial(batch_schema, make_rule=make_rule, image_set_rank=RANK), kind="batch", suits=suits,
        departures=(*DEPARTURES, *OF_KEY.get(key, ())),
    )  # fmt: skip


ROWS = (
    _row(
        "l2", "Least squares NMF", "Guan 2012, NeNMF",
        "Least squares by Nesterov's optimal gradient; not robust, what the others are measured against.",
        robust_losses.LeastSquaresLoss,
    ),
    _row(
        "l1", "Absolute values NMF", "Guan 2012, MahNMF",
        "Minimises the sum of absolute residuals: large ones count by their size, not by its square.",
        robust_losses.Absolute, SMOOTHING,
    ),
    _row(
        "l21", "L2,1 NMF", "Kong 2011", "Frames that fit badly count less, each as a whole.", robust_losses.SampleNorm,
    ),
    _row(
        "capped", "Capped norm NMF", "Gao 2015, RCNMF",
        "Frames that fit badly count less, and those that fit worst not at all.", robust_losses.CappedNorm, KEPT,
    ),
    _row(
        "hypersurface", "Hypersurface NMF", "Hamza & Brady 2006, HCNMF",
        "A smooth loss: squares for small residuals, sizes for large ones.", robust_losses.Hypersurface, WIDTH,
    ),
    _row(
        "huber", "Huber NMF", "Du 2012, Huber-NMF",
        "Squares up to the median residual, which is found anew in each iteration, sizes beyond.", robust_losses.Huber,
    ),
    _row(
        "cim", "Correntropy NMF", "Du 2012, CIM-NMF",
        "Large residuals count almost the same, however large they are.", robust_losses.Correntropy,
    ),
    _row(
        "cauchy", "Cauchy NMF", "Guan 2019, CauchyNMF",
        "Large residuals count by their logarithm, on a scale that is found anew in each iteration.",
        robust_losses.Cauchy,
    ),
    _batch_row(
        "truncated-cauchy", "Truncated Cauchy NMF", "Guan 2019, algorithm 2",
        "As Cauchy NMF, and residuals that the three-sigma rule calls outliers do not count at all.",
        (STRICT, LENIENT), _truncated,
        suits="For image sets in which much is hidden or spoiled, such as faces; masks of video are nearly those of "
        "fast, at many times its cost.",
    ),
    MethodRow(
        "rnmf-l1", "NMF beside sparse errors", "Zhang 2011, RNMF-L1",
        "Learns the scene beside a sparse matrix of errors, by multiplicative updates.",
        (*LEARNING, LAM, SWEEPS), partial(BatchNmf, make_rule=_sparse_error, image_set_rank=RANK),
        partial(batch_schema, make_rule=_sparse_error, image_set_rank=RANK), kind="batch",
        departures=(*DEPARTURES[:1], "lam: 0.1, our choice; the paper leaves it open.",
                    "sweeps: 10 of the paper's iterations count as one, after which progress is judged.",
                    "iterations, tolerance: the paper leaves open when its iterations end."),
    ),
)  # fmt: skip
"""In the order of the catalogue."""
