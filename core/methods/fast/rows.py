"""The row of the catalogue for the fast method."""

from __future__ import annotations

from core.methods.base import MethodRow
from core.methods.fast.nmf import Fast
from core.methods.fast.schema import fast_schema
from core.nmf.relevance_determination import AUTO_RANK
from core.parameter import Parameter

PARAMETERS = (
    Parameter("rank", "Rank K", 3, 1, 50, "Number of basis images.", "higher: follows light and sway", kind=int),
    Parameter(
        "lam", "Outlier penalty λ", None, 0.001, 1,
        "Larger differences are outliers, from which little is learnt; masks hardly follow it; automatic: three times "
        "the noise.",
        "lower: more is an outlier", "of white", automatic=True, logarithmic=True,
    ),
    Parameter(
        "memory", "Memory", 300, 10, 100_000, "Frames after which what was learnt decays to 1/e.",
        "shorter: adapts sooner", "frames", kind=int, logarithmic=True, acts_with=(("forget", (True,)),),
    ),
    Parameter(
        "learn_every", "Learn every", 8, 1, 60, "The basis is improved at each n-th frame.",
        "higher: faster", "frames", kind=int,
    ),
    Parameter(
        "warm_up", "Warm-up", 240, 0, 10_000, "Frames during which the basis follows the median of what was seen.",
        "longer: fewer ghosts of what stood in the first frames", "frames", kind=int, advanced=True,
    ),
    Parameter(
        "sample", "Pixel sample", 8192, 256, 100_000_000, "Pixels from which the coefficients are computed.",
        "higher: steadier, slower", "pixels", kind=int, logarithmic=True, advanced=True,
    ),
    Parameter(
        "bounded", "Bounded loss", True,
        help="What lies far from the background hardly counts for the light of a frame; off: the paper's loss.",
        effect="on: large things do not bend the background", kind=bool, advanced=True,
    ),
    Parameter(
        "forget", "Forget", True, help="Let what was learnt fade; off: every frame counts the same for ever.",
        effect="on: follows a scene that changes", kind=bool, advanced=True,
    ),
    AUTO_RANK,
)  # fmt: skip

FAST = MethodRow(
    "fast", "Fast online robust NMF", "Zhao & Tan 2017, sampled coefficients and coordinate descent",
    "For video: splits full-HD frames in milliseconds.", PARAMETERS, Fast, fast_schema, for_video=True, aligned=True,
)  # fmt: skip
