"""The rows of the catalogue for general divergences: Zhao, Tan & Xu (2017), online, and their batch counterparts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.batch import BatchNmf, batch_learning, batch_schema
from core.methods.divergence.rules import DivergentSet, DivergentStream
from core.methods.mini_batch import StochasticNmf, stream_learning, stream_schema
from core.methods.stops import steps_parameter, stop_of, tolerance_parameter
from core.nmf.divergence_families import Alpha, AlphaBeta, Beta, Gamma
from core.nmf.divergences import L1, L2, Divergence, HuberDivergence, ItakuraSaito, KullbackLeibler, Squared
from core.parameter import Parameter, Value, number

RANK, BATCH = 40, 20
"""K and τ of the paper's canonical setting."""

ParameterValues = Mapping[str, Value]

FLOOR = Parameter(
    "floor", "Floor ε", 1 / 510, 1e-6, 0.1,
    "Darker samples count as this, as ratios to black are infinite; half a grey level of 255.",
    "lower: the darkest pixels rule", "of white", logarithmic=True,
)  # fmt: skip
DELTA = Parameter(
    "delta", "Huber threshold δ", 10 / 255, 0.0005, 1,
    "Larger differences count linearly, not by their square; 10 grey levels of 255, the paper's.",
    "lower: less swayed by outliers", "of white", logarithmic=True,
)  # fmt: skip
ALPHA = Parameter(
    "alpha", "α", 0.5, 0.1, 3, "Which α-divergence: 0.5 is Hellinger's distance, 1 Kullback-Leibler's.",
    "higher: what stands above the model counts more",
)  # fmt: skip
BETA = Parameter(
    "beta", "β", 1.5, 0, 3, "Which β-divergence: 0 is Itakura-Saito's, 1 Kullback-Leibler's, 2 the squared error.",
    "higher: bright values count more",
)  # fmt: skip
SECOND = Parameter(
    "beta", "β", 1, 0, 3,
    "Which α-β-divergence: with 1 − α it is the α-divergence, with α = 1 the β-divergence of 1 + β.",
    "higher: bright values count more",
)  # fmt: skip
GAMMA = Parameter(
    "gamma", "γ", 0.5, 0.05, 2, "Which γ-divergence: near 0 is Kullback-Leibler's, of shapes without their level.",
    "higher: bright values count more",
)  # fmt: skip
STEPS = (
    Parameter(
        "a", "Step numerator a", 1e4, 1, 1e8,
        "After n samples the dictionary's step is a/(b + n), in units of the longest safe one, and no longer than 1.",
        "higher: learns faster, less steadily", logarithmic=True, advanced=True,
    ),
    Parameter(
        "b", "Step offset b", 1e4, 1, 1e8, "Samples after which the dictionary's steps become shorter.",
        "higher: later samples count more", "samples", logarithmic=True, advanced=True,
    ),
)  # fmt: skip
"""The paper leaves open how it scales the data, and so how long a step of η is: here 1 is the longest safe one."""

ENCODING = (
    tolerance_parameter(
        "encode", 3e-4, "Steps of the coefficients end when one lowers the divergence relatively by less."
    ),
    steps_parameter("encode", 60, "Steps of the coefficients, at most."),
)

ONLINE_DEPARTURES = (
    "rank, warm_up: where frames show one scene 5 basis images, which are the median and shadings of it in the first "
    "240 frames; 40 and a random start, as in the paper, else.",
    "a, b: steps are in units of the longest safe one at each entry; in the paper of the gradient alone.",
    "encode_tolerance, encode_steps: the paper leaves open when the steps of the coefficients end.",
)
BATCH_DEPARTURES = (
    "rank, frames: 5 basis images from 100 frames where frames show one scene; the paper's 40 from all, else.",
    "iterations, tolerance, encode_tolerance, encode_steps: the paper leaves open when its iterations end.",
)
"""Where they depart from the paper by default."""


@dataclass(frozen=True)
class Choice:
    """One divergence, as a person chooses it.

    Attributes
    ----------
    key, title, summary : str
        Of the two rows, after what tells online from batch.
    make : callable
        Makes the divergence from the values of the parameters.
    parameters : tuple of Parameter
        Its own.
    departures : tuple of str
        Its own.
    """

    key: str
    title: str
    summary: str
    make: Callable[[ParameterValues], Divergence] = field(repr=False)
    parameters: tuple[Parameter, ...] = ()
    departures: tuple[str, ...] = ()

    def stream(self, values: ParameterValues, _layout: Layout) -> DivergentStream:
        """Make the rule that learns online."""
        return DivergentStream(self.make(values), *stop_of(values, "encode"), number(values, "a"), number(values, "b"))

    def set(self, values: ParameterValues, _layout: Layout) -> DivergentSet:
        """Make the rule that learns a whole set."""
        return DivergentSet(self.make(values), *stop_of(values, "encode"))

    @property
    def online_row(self) -> MethodRow:
        """``ol-…``."""
        return MethodRow(
            f"ol-{self.key}", f"Online NMF, {self.title}", "Zhao, Tan & Xu 2017, algorithm 1", self.summary,
            (*stream_learning(RANK, BATCH), *self.parameters, *STEPS, *ENCODING),
            partial(StochasticNmf, make_rule=self.stream, image_set_rank=RANK, learns_in_warm_up=False),
            partial(stream_schema, make_rule=self.stream, image_set_rank=RANK),
            departures=(*ONLINE_DEPARTURES, *self.departures),
        )  # fmt: skip

    @property
    def batch_row(self) -> MethodRow:
        """``b-…``."""
        return MethodRow(
            f"b-{self.key}", f"Batch NMF, {self.title}", "Zhao, Tan & Xu 2017, B-Div; Févotte & Idier 2011",
            self.summary, (*batch_learning(RANK, iterations=300, tolerance=1e-5), *self.parameters, *ENCODING),
            partial(BatchNmf, make_rule=self.set, image_set_rank=RANK),
            partial(batch_schema, make_rule=self.set, image_set_rank=RANK), kind="batch",
            departures=(*BATCH_DEPARTURES, *self.departures),
        )  # fmt: skip


CHOICES = (
    Choice(
        "is", "Itakura-Saito", "Fits ratios rather than differences, so dark and bright count the same.",
        lambda values: ItakuraSaito(number(values, "floor")), (FLOOR,),
    ),
    Choice(
        "kl", "Kullback-Leibler", "For counts: a difference counts less where it is bright.",
        lambda values: KullbackLeibler(),
    ),
    Choice(
        "l2sq", "squared error", "Plain least squares; it knows no outliers, so they get into the basis.",
        lambda values: Squared(),
    ),
    Choice(
        "huber", "Huber", "Small differences count by their square, large ones linearly: outliers sway it little.",
        lambda values: HuberDivergence(number(values, "delta")), (DELTA,),
    ),
    Choice("l1", "ℓ1", "All differences count linearly: a fit like a median.", lambda values: L1()),
    Choice("l2", "ℓ2", "Whole samples that fit badly count less; single pixels do not.", lambda values: L2()),
    Choice(
        "alpha", "α-divergence", "From 0.5, Hellinger's distance, over 1, Kullback-Leibler, to what counts peaks most.",
        lambda values: Alpha(number(values, "alpha")), (ALPHA,),
        ("alpha: 0.5; the paper names the family, and runs none but Kullback-Leibler.",),
    ),
    Choice(
        "beta", "β-divergence", "From Itakura-Saito at 0 over Kullback-Leibler at 1 to the squared error at 2.",
        lambda values: Beta(number(values, "beta")), (BETA,),
        ("beta: 1.5; the paper names the family, and runs 0, 1 and 2.",),
    ),
    Choice(
        "ab", "α-β-divergence", "Both families at once: α for what stands above the model, β for what is bright.",
        lambda values: AlphaBeta(number(values, "alpha"), number(values, "beta")), (ALPHA, SECOND),
        ("alpha, beta: 0.5 and 1; the paper names the family, and runs its members with α = 1 alone.",),
    ),
    Choice(
        "gamma", "γ-divergence", "Compares shapes: dark samples count as much as bright ones.",
        lambda values: Gamma(number(values, "gamma")), (GAMMA,),
        ("gamma: 0.5; the paper names the family, and runs none of it.",
         "The γ-divergence leaves open how bright a background is; here it is as bright as fits best."),
    ),
)  # fmt: skip
"""The six divergences of the paper's section 6.3, and the four families of its remark 1."""

ROWS = (*(choice.online_row for choice in CHOICES), *(choice.batch_row for choice in CHOICES))
"""In the order of the catalogue."""
