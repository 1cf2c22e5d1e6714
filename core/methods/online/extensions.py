"""The extensions of Zhao & Tan (2017), section VI, as parameters, and what is made of their values."""

from __future__ import annotations

from collections.abc import Mapping

from core.frames.frame import Layout
from core.nmf.constraints import Constraint, ElasticNetBall, NonnegativeBall, NonnegativeOrthant, Simplex
from core.nmf.dictionaries.domain import Domain
from core.nmf.groups import Groups, ImageBlocks, Runs
from core.nmf.outlier_losses import Loss, OutlierLoss, PenalisedLoss
from core.nmf.penalties import ElasticNet, Lasso, NoPenalty, Penalty, Ridge, SparseGroupLasso
from core.parameter import Parameter, Value, listed, number

_GROUPED = ("group", "sparse-group")
_ELASTIC_SET = (("dictionary_set", ("elastic-net",)),)

EXTENSIONS = (
    Parameter(
        "dictionary_set", "Basis images in", "ball",
        help="What bounds each basis image: its norm, nothing, its sum, or the elastic net of γ₁ and γ₂.",
        effect="simplex: none can vanish; elastic net: sparser", kind=str,
        choices=("ball", "orthant", "simplex", "elastic-net"), advanced=True,
    ),
    Parameter(
        "gamma_1", "Elastic net γ₁", 1, 0, 100,
        "Weight of the sum of a basis image in the elastic net that bounds it; 1: a flat image just fits.",
        "higher: sparser basis images", logarithmic=True, advanced=True, acts_with=_ELASTIC_SET,
    ),
    Parameter(
        "gamma_2", "Elastic net γ₂", 1, 0, 100, "Weight of the squares of a basis image in the elastic net.",
        "higher: smaller, not sparser", logarithmic=True, advanced=True, acts_with=_ELASTIC_SET,
    ),
    Parameter(
        "w_lasso", "Sparse basis", 0, 0, 1,
        "Penalty on the sum of basis images: pixels that bring a frame less than about this vanish.",
        "higher: sparser basis images", "of white", logarithmic=True, advanced=True,
    ),
    Parameter(
        "w_ridge", "Small basis", 0, 0, 10,
        "Penalty on the squares of basis images, as part of their curvature without it; their norms stay as they are.",
        "higher: smoother basis images", logarithmic=True, advanced=True,
    ),
    Parameter(
        "h_penalty", "Coefficients' penalty", "none",
        help="What more and larger coefficients cost: their sum, their squares, or groups of basis images.",
        effect="lasso: fewer basis images a frame; group: fewer groups", kind=str,
        choices=("none", "lasso", "ridge", "group", "sparse-group"), advanced=True,
    ),
    Parameter(
        "h_weight", "Its weight", 0.01, 0, 10,
        "Weight of that penalty: a basis image that brings a frame less than about this is not used.",
        "higher: fewer, smaller coefficients", "of white", logarithmic=True, advanced=True,
        acts_with=(("h_penalty", ("lasso", "ridge", *_GROUPED)),),
    ),
    Parameter(
        "h_group", "Groups of coefficients", "2", 1, 50,
        "How many basis images, in their order, make each group, such as 4,4,8; those that are left go on as the last.",
        "higher: larger groups come and go together", kind=str, is_list=True, advanced=True,
        acts_with=(("h_penalty", _GROUPED),),
    ),
    Parameter(
        "h_growth", "Growth of groups", 0, 0, 20,
        "By how many basis images each group behind the listed ones is larger than the one before it; 0: as the last.",
        "higher: later groups are larger", kind=int, advanced=True, acts_with=(("h_penalty", _GROUPED),),
    ),
    Parameter(
        "r_penalty", "Outliers' penalty", "lasso",
        help="What outliers cost: single pixels (lasso), squares (ridge, not robust), both, or blocks of the image.",
        effect="group: outliers come in blocks", kind=str,
        choices=("lasso", "ridge", "elastic-net", "group", "sparse-group"), advanced=True,
    ),
    Parameter(
        "r_ridge", "Squares of outliers", 0.1, 0, 10,
        "Weight of the squares in the outliers' elastic net: an outlier is smaller by this share, and bends the basis.",
        "higher: outliers are smaller, less robust", logarithmic=True, advanced=True,
        acts_with=(("r_penalty", ("elastic-net",)),),
    ),
    Parameter(
        "r_block", "Block of outliers", 4, 1, 64, "Side of the blocks that are outliers together.",
        "higher: larger blocks", "pixels", kind=int, logarithmic=True, advanced=True,
        acts_with=(("r_penalty", _GROUPED),),
    ),
    Parameter(
        "group_share", "Share of groups", 0.5, 0, 1,
        "Share of a sparse-group penalty that counts groups; the rest counts their single members.",
        "higher: whole groups", advanced=True,
        acts_with=(("h_penalty", ("sparse-group",)), ("r_penalty", ("sparse-group",))),
    ),
)  # fmt: skip
"""Parameters that OPGD and OADMM share, and their batch counterparts."""


def domain(values: Mapping[str, Value], layout: Layout) -> Domain:
    """Return the set of the dictionary, and its elastic net."""
    return Domain(_constraint(values, layout), number(values, "w_lasso"), number(values, "w_ridge"))


def column_norm(values: Mapping[str, Value], layout: Layout) -> float:
    """Return about the norm of basis images."""
    return _constraint(values, layout).column_norm(layout.n_values)


def coefficients_penalty(values: Mapping[str, Value], layout: Layout) -> Penalty:
    """Return the penalty on the coefficients.

    Its weight counts in what a basis image brings a frame, root mean square, so that it means the same for all sizes
    of frames and all sets of the dictionary.
    """
    norm, weight = column_norm(values, layout), number(values, "h_weight")
    if values["h_penalty"] == "ridge":
        return Ridge(weight * norm**2)
    groups = Runs(listed(values["h_group"]), int(number(values, "h_growth")))
    return _penalty(values, "h_penalty", weight * norm * layout.n_values**0.5, groups)


def outlier_loss(values: Mapping[str, Value], lam: float, layout: Layout) -> Loss:
    """Return the loss for an outlier penalty λ; of groups, λ counts in the root mean square of a block."""
    bound = number(values, "bound")
    low = 0.0 if values["brighter_only"] else -bound
    if values["r_penalty"] == "lasso":
        return OutlierLoss(lam, low, bound)
    if values["r_penalty"] == "elastic-net":
        return PenalisedLoss(ElasticNet(lam, number(values, "r_ridge")), lam, low, bound)
    blocks = ImageBlocks(layout.shapes, int(number(values, "r_block")))
    return PenalisedLoss(_penalty(values, "r_penalty", lam, blocks), lam, low, bound)


def _constraint(values: Mapping[str, Value], layout: Layout) -> Constraint:
    chosen = values["dictionary_set"]
    if chosen == "elastic-net":
        return ElasticNetBall(number(values, "gamma_1") / layout.n_values**0.5, number(values, "gamma_2"))
    sets: dict[Value, Constraint] = {
        "ball": NonnegativeBall(), "orthant": NonnegativeOrthant(), "simplex": Simplex(),
    }  # fmt: skip
    return sets[chosen]


def _penalty(values: Mapping[str, Value], name: str, weight: float, groups: Groups) -> Penalty:
    kind = values[name]
    if kind == "lasso":
        return Lasso(weight)
    if kind == "ridge":
        return Ridge(weight)
    if kind == "none":
        return NoPenalty()
    share = 1.0 if kind == "group" else number(values, "group_share")
    return SparseGroupLasso(weight * (1 - share), weight * share, groups)
