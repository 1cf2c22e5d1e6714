"""The rows of the catalogue for the batch methods of Zhao & Tan (2016, 2017): counterparts of their online ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.batch import BatchNmf, batch_learning, batch_schema
from core.methods.online.extensions import EXTENSIONS, coefficients_penalty, column_norm, domain
from core.methods.online.rows import OADMM, OADMM_RECIPE, ONMFO, ONMFO_RECIPE, OPGD, OPGD_RECIPE
from core.methods.online.settings import Recipe, Settings
from core.methods.stops import stop_of
from core.methods.zhao_tan_batch.rules import AdmmRule, GradientRule, MultiplicativeRule
from core.nmf.dictionaries.domain import Domain
from core.parameter import Parameter, Value, number


def _settings(counterpart: MethodRow, recipe: Recipe, values: Mapping[str, Value], layout: Layout) -> Settings:
    """Return the settings of the online counterpart; what the batch method does not have keeps its default there."""
    return Settings(layout, {**counterpart.defaults(), **values}, recipe)


def _gradient(values: Mapping[str, Value], layout: Layout) -> GradientRule:
    settings = _settings(OPGD, OPGD_RECIPE, values, layout)
    given = settings.values
    steps = bool(given["momentum"]), *stop_of(given, "dictionary")
    return GradientRule(
        settings, number(given, "kappa"), steps, _held(given, layout), coefficients_penalty(given, layout)
    )


def _admm(values: Mapping[str, Value], layout: Layout) -> AdmmRule:
    settings = _settings(OADMM, OADMM_RECIPE, values, layout)
    given = settings.values
    norm, penalty = column_norm(given, layout), coefficients_penalty(given, layout)
    return AdmmRule(settings, float(values["rho"] or 1), norm, _held(given, layout), penalty)


def _held(values: Mapping[str, Value], layout: Layout) -> Domain:
    return domain(values, layout).held(layout.n_values)


def _multiplicative(values: Mapping[str, Value], layout: Layout) -> MultiplicativeRule:
    return MultiplicativeRule(_settings(ONMFO, ONMFO_RECIPE, values, layout))


def _same(counterpart: MethodRow, *names: str, **helps: str) -> tuple[Parameter, ...]:
    """Return parameters of the online counterpart, some with another help."""
    found = {p.name: p for p in counterpart.parameters}
    return tuple(replace(found[name], help=helps.get(name, found[name].help)) for name in names)


APPLYING = {
    "encode_tolerance": "When the result is applied, steps end when one changes its objective relatively by less.",
    "encode_steps": "Steps at most when the result is applied.",
}

PRICED = {
    "w_lasso": "Penalty on the sum of basis images, whose norms it leaves alone: pixels that bring a frame less than "
    "about this vanish.",
    "w_ridge": "Penalty on the squares of what basis images bring a frame, as part of their curvature without it; "
    "backgrounds are darker while it learns.",
}
"""What the elastic net is where both factors are learnt for it."""

BPGD = MethodRow(
    "bpgd", "Batch robust NMF, gradient", "Zhao & Tan 2017, BPGD",
    "Learns scene and outliers of a whole set of frames at once by gradient steps.",
    (
        *batch_learning(iterations=500),
        *_same(OPGD, "lam", "bound", "brighter_only", "kappa", "momentum", "encode_tolerance", "encode_steps",
               "dictionary_tolerance", "dictionary_steps", **APPLYING),
        *_same(OPGD, *(p.name for p in EXTENSIONS), **PRICED),
    ),
    partial(BatchNmf, make_rule=_gradient),
    partial(batch_schema, make_rule=_gradient), kind="batch",
)  # fmt: skip
BADMM = MethodRow(
    "badmm", "Batch robust NMF, ADMM", "Zhao & Tan 2017, BADMM",
    "The same problem as BPGD by alternating directions: fewer, more expensive iterations.",
    (
        *batch_learning(),
        *_same(OADMM, "lam", "bound", "brighter_only", "rho", "encode_tolerance", "encode_steps", **APPLYING),
        *_same(OPGD, *(p.name for p in EXTENSIONS), **PRICED),
    ),
    partial(BatchNmf, make_rule=_admm),
    partial(batch_schema, make_rule=_admm), kind="batch",
)  # fmt: skip
RNMF_MU = MethodRow(
    "rnmf-mu", "Batch robust NMF, multiplicative", "Zhao & Tan 2016, eqs. (6)-(8)",
    "Multiplicative updates of a whole set of frames, for outliers that only add light.",
    (*batch_learning(iterations=500), *_same(ONMFO, "lam", "encode_tolerance", "encode_steps", **APPLYING)),
    partial(BatchNmf, make_rule=_multiplicative),
    partial(batch_schema, make_rule=_multiplicative), kind="batch",
)  # fmt: skip

_LEARNING = (
    "rank, frames: 5 basis images from 100 frames where frames show one scene; 49, the paper's, from all, else.",
    "iterations, tolerance, encode_tolerance, encode_steps: the paper names no such stops for the whole set.",
)
_NET = (
    "w_lasso: in units of the root mean square of coefficients that share the samples' squares, and basis images have "
    "the norm of the brightest flat one of their set; those of the simplex have their sum.",
    "w_ridge: in units of the coefficients' mean square, so that they pay for it too.",
)
_LAM = "lam: by the noise, and at least the paper's 1/√F."
BPGD = replace(
    BPGD,
    departures=(
        *_LEARNING, _LAM, "momentum: on, for the dictionary; plain steps in the paper.",
        "dictionary_steps, dictionary_tolerance: up to 50 steps of the dictionary in each iteration; one in the paper.",
        "The outliers are minimised twice in each iteration, before and after the step of the coefficients.",
        *_NET,
    ),
)  # fmt: skip
BADMM = replace(
    BADMM,
    departures=(
        *_LEARNING, _LAM, "rho: for the dictionary in units of tr(A)/K; absolute in the paper.",
        *_NET,
    ),
)  # fmt: skip
RNMF_MU = replace(RNMF_MU, departures=_LEARNING)

ROWS = (BPGD, BADMM, RNMF_MU)
"""In the order of the catalogue."""
