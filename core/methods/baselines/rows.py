"""The rows of the catalogue for the online methods that the papers compare theirs with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.frames.frame import Layout
from core.methods.base import MethodRow
from core.methods.baselines.documents import SecondOrder
from core.methods.baselines.itakura_saito import LefevreRule
from core.methods.baselines.onmf import StochasticApproximation
from core.methods.baselines.orpca import RobustComponents
from core.methods.baselines.robust_dictionary import RobustDictionary, check_size
from core.methods.mini_batch import STREAM_LEARNING, StochasticNmf, stream_schema
from core.methods.online.settings import IMAGE_SET_RANK
from core.methods.rule_based import rank_of
from core.methods.rules import StreamRule
from core.methods.stops import steps_parameter, stop_of, tolerance_parameter
from core.parameter import Parameter, Value, number
from core.state_schema import FREE

ParameterValues = Mapping[str, Value]


def _or_paper(values: ParameterValues, name: str, layout: Layout) -> float:
    """Return a penalty as set, or the papers' ``1/√F``."""
    chosen = values[name]
    return layout.n_values**-0.5 if chosen is None else float(chosen)


ENCODING = (
    tolerance_parameter("encode", 1e-4, "Steps of the coefficients end when one changes relatively less."),
    steps_parameter("encode", 100, "Steps of the coefficients, at most."),
)
LEARNING_STEPS = partial(steps_parameter, "dictionary", steps="Steps of the dictionary, at most.")


def _onmf(values: ParameterValues, _layout: Layout) -> StreamRule:
    return StochasticApproximation(
        int(number(values, "dictionary_steps")), number(values, "theta"), int(number(values, "buffer"))
    )


def _orpca(values: ParameterValues, layout: Layout) -> StreamRule:
    return RobustComponents(
        _or_paper(values, "lam_low_rank", layout), _or_paper(values, "lam", layout),
        *stop_of(values, "encode"),
    )  # fmt: skip


def _ol_wang(values: ParameterValues, layout: Layout) -> StreamRule:
    check_size(rank_of(values, layout, IMAGE_SET_RANK), layout.n_values)
    return RobustDictionary(
        number(values, "delta"), number(values, "sparsity"), number(values, "forgetting"),
        *stop_of(values, "encode"), int(number(values, "dictionary_steps")),
    )  # fmt: skip


def _ol_wang2(values: ParameterValues, _layout: Layout) -> StreamRule:
    return SecondOrder(values["steps"] == "second order", *stop_of(values, "dictionary"))


def _ol_lef(values: ParameterValues, _layout: Layout) -> StreamRule:
    return LefevreRule(number(values, "floor"), number(values, "forgetting"), *stop_of(values, "encode"))


ONMF = MethodRow(
    "onmf", "Online NMF, stochastic approximation", "Guan et al. 2012, OR-NMF",
    "Plain online NMF with columns of sum 1; it knows no outliers, so they get into the basis.",
    (
        *STREAM_LEARNING,
        Parameter(
            "theta", "Step length θ", 0.1, 0.001, 10, "Length of the first step, as part of the dictionary's.",
            "higher: learns faster, less steadily", logarithmic=True, advanced=True,
        ),
        Parameter(
            "buffer", "Buffer", 100, 1, 10_000, "Newest samples kept to draw steps from; fewer where frames are large.",
            "higher: steadier, takes more memory", "frames", kind=int, logarithmic=True, advanced=True,
        ),
        LEARNING_STEPS(100),
    ),
    partial(StochasticNmf, make_rule=_onmf), partial(stream_schema, make_rule=_onmf),
)  # fmt: skip
ORPCA = MethodRow(
    "orpca", "Online robust PCA", "Feng, Xu & Yan 2013, ORPCA",
    "Low rank and sparse parts without constraint on signs: fast, but its basis shows no parts.",
    (
        *STREAM_LEARNING,
        Parameter(
            "lam", "Outlier penalty λ", None, 0.0005, 1,
            "Larger differences are outliers, λ₂ in the paper; automatic: 1/√F, as there.",
            "lower: more is an outlier", "of white", automatic=True, logarithmic=True,
        ),
        Parameter(
            "lam_low_rank", "Low rank penalty λ₁", None, 1e-6, 10,
            "Keeps coefficients and basis small; automatic: 1/√F, the paper's.", "higher: lower effective rank",
            automatic=True, logarithmic=True, advanced=True,
        ),
        *ENCODING,
    ),
    partial(StochasticNmf, make_rule=_orpca), partial(stream_schema, make_rule=_orpca, dictionary=FREE),
)  # fmt: skip
OL_WANG = MethodRow(
    "ol-wang", "Online robust dictionary", "Wang, Wang & Yeung 2013",
    "Huber's loss with statistics for each pixel alone; needs 4 K² bytes a value, so for few columns or small images.",
    (
        replace(
            STREAM_LEARNING[0], live=False,
            help=STREAM_LEARNING[0].help[:-1] + "; memory grows with its square, up to 1 GiB.",
        ),
        replace(STREAM_LEARNING[1], default=5),
        *STREAM_LEARNING[2:],
        Parameter(
            "delta", "Huber threshold δ", 10 / 255, 0.0005, 1,
            "Larger differences count linearly, not by their square; λ in the paper.",
            "lower: less swayed by outliers", "of white", logarithmic=True,
        ),
        Parameter(
            "sparsity", "Sparsity γ", 0.005, 0, 1, "Penalty on the sum of the coefficients.",
            "higher: fewer columns at a time", advanced=True,
        ),
        Parameter(
            "forgetting", "Forgetting factor", 0.99, 0.5, 1, "What remains of the past after each mini-batch.",
            "lower: adapts sooner", advanced=True,
        ),
        *ENCODING, LEARNING_STEPS(1),
    ),
    partial(StochasticNmf, make_rule=_ol_wang), partial(stream_schema, make_rule=_ol_wang),
)  # fmt: skip
OL_WANG2 = MethodRow(
    "ol-wang2", "Online NMF for documents", "Wang, Tan, König & Li 2011",
    "Plain online NMF by second order steps on statistics; it knows no outliers.",
    (
        *STREAM_LEARNING,
        Parameter(
            "steps", "Steps", "second order", kind=str, choices=("second order", "gradient"), advanced=True,
            help="How the dictionary is improved: by the diagonal of the Hessian, or by the gradient alone.",
        ),
        tolerance_parameter("dictionary", 1e-4, "Steps of the dictionary end when one changes relatively less."),
        LEARNING_STEPS(20),
    ),
    partial(StochasticNmf, make_rule=_ol_wang2), partial(stream_schema, make_rule=_ol_wang2),
)  # fmt: skip
OL_LEF = MethodRow(
    "ol-lef", "Online Itakura-Saito NMF", "Lefèvre, Bach & Févotte 2011",
    "Fits ratios rather than differences, so dark and bright count the same.",
    (
        *STREAM_LEARNING,
        Parameter(
            "floor", "Floor ε", 1 / 510, 1e-6, 0.1,
            "Added to samples and model, as ratios to black are infinite; half a grey level of 255.",
            "lower: the darkest pixels rule", "of white", logarithmic=True,
        ),
        Parameter(
            "forgetting", "Forgetting factor", 0.999, 0.5, 1,
            "What remains of the past after each frame; the paper's is 0.7 after a pass over all of them.",
            "lower: adapts sooner", advanced=True,
        ),
        *ENCODING,
    ),
    partial(StochasticNmf, make_rule=_ol_lef), partial(stream_schema, make_rule=_ol_lef),
)  # fmt: skip

_LEARNING = (
    "rank, warm_up: 5 basis images, from the median on, where frames show one scene; 49 and a random start else.",
    "batch: mini-batches, as Zhao & Tan run all of them; one sample at a time in the paper.",
)
_STOPPING = "encode_tolerance, encode_steps: the paper leaves open when the steps of the coefficients end."
ONMF = replace(
    ONMF,
    departures=(
        *_LEARNING, "theta, buffer, dictionary_steps: our choice; steps are drawn from the newest samples kept.",
    ),
)  # fmt: skip
ORPCA = replace(ORPCA, departures=(*_LEARNING, _STOPPING))
OL_WANG = replace(
    OL_WANG,
    departures=(
        *_LEARNING, _STOPPING, "sparsity, forgetting, delta: our choice; the paper tunes them to its data.",
        "dictionary_steps: one sweep of coordinate descent; the authors take gradient steps and encode after each.",
    ),
)  # fmt: skip
OL_WANG2 = replace(
    OL_WANG2,
    departures=(*_LEARNING, "dictionary_tolerance, dictionary_steps: the paper leaves open when the steps end."),
)
OL_LEF = replace(
    OL_LEF,
    departures=(
        *_LEARNING, _STOPPING, "floor: half a grey level, added to samples and model, as ratios to black are infinite.",
        "forgetting: 0.999 after each frame; 0.7 after each pass in the paper.",
    ),
)  # fmt: skip

ROWS = (ONMF, ORPCA, OL_WANG, OL_WANG2, OL_LEF)
"""In the order of the catalogue."""
