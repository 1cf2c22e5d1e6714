"""The fast method for video: the loss of Zhao & Tan (2017), solved on a sample of pixels and by coordinate descent.

Minimising eq. (5) over the outliers leaves Huber's loss of ``v − W h`` with threshold λ. So the K coefficients are a
nonnegative Huber regression, which a few thousand pixels determine; the outliers are needed once, at the end. The
dictionary problem (12) is separable over pixels, and coordinate descent on the statistics solves it in one sweep
where gradient steps need hundreds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Values
from core.frames.running_median import RunningMedian
from core.kernels import dictionary_pass, sampled_nmf
from core.methods.base import MethodRow, WarmUp
from core.methods.recent_frames import N_FRAMES, Recent
from core.nmf.initialisation import shaded_dictionary, shading
from core.nmf.relevance_determination import AUTO_RANK, SETTLED_SAMPLES, Evidence, least_relevant
from core.parameter import Parameter, Value
from core.runtime import bands
from core.scene.stabiliser import STEADY

NOISE_FLOOR = 1 / np.sqrt(12)
"""Standard deviation of rounding to whole samples, in samples."""

PRIOR_FRAMES = 10
"""Weight of the start from the median, in frames."""

DAMPING = 0.01
"""Share of the largest column's weight that is added to each step's denominator: keeps unused columns still."""

LOST = 6
"""After a cut the model misses by more than this many times what the last frames differ among themselves."""

LEAST_MISS = 3 / 255
"""A model that misses by less is not lost, units of white."""

HOPELESS_MISS = 12 / 255
"""A model that misses by more learns nothing from the frame until it is clear whether the scene was cut."""

CALMEST = 0.25
"""Misses and noise are judged by the value that this share of the pixels stays below: something near the camera may
hide the rest."""

CALMEST_OF_GAUSSIAN = 0.31864
"""That share of the absolute values of a standard normal variable lies below this."""

MOST_OF_GRAIN, LEAST_OF_MOST = 3.0, 2 / 255
"""The noise is taken to be so many times the grain from frame to frame at most; but this much is always allowed, units
of white."""

SETTLED_FRAMES, LOOSE = 120, 2.5
"""After so many frames, what no mask covers may differ by so many λ and still teach: remnants of the start fade."""

QUANTILE_VALUES = 1024
"""Values, about, from which quantiles are taken."""

MOSTLY = 0.9
"""Where a mask covers a larger share of the frame, it tells nothing about the noise."""

COVERED_TRUST = np.float32(0.05)
"""Weight of pixels that a mask covers, in the search for coefficients: enough for when it covers all."""

PARAMETERS = (
    Parameter("rank", "Rank K", 3, 1, 50, "Number of basis images.", "higher: follows light and sway", kind=int),
    Parameter(
        "lam", "Outlier penalty λ", None, 0.001, 1,
        "Larger differences are outliers; automatic: three times the noise.",
        "lower: more goes to foreground", "of white", automatic=True, logarithmic=True,
    ),
    Parameter(
        "memory", "Memory", 300, 10, 100_000, "Frames after which what was learnt has faded to a third.",
        "shorter: adapts sooner", "frames", kind=int, logarithmic=True,
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
        "forget", "Forget", True, help="Let what was learnt fade; off: every frame counts the same for ever.",
        effect="on: follows a scene that changes", kind=bool, advanced=True,
    ),
    AUTO_RANK,
    STEADY,
)  # fmt: skip


@dataclass(frozen=True)
class SampledSplit:
    """A split of which only what everyone needs was computed: the background, rounded to whole samples.

    The rest follows when asked for. See `core.frames.split.Split` for what the properties are.

    Attributes
    ----------
    v : (F,) uint8, uint16 or float32
        The vector, and ``scale``, its unit over white.
    rounded : (F,) uint8 or uint16
        ``W h`` in samples, and ``white``, the sample of white.
    lam : float
        Outlier threshold, units of white.
    """

    v: NDArray
    scale: np.float32
    rounded: Values
    white: np.float32
    lam: float
    h: NDArray[np.float64]
    objective: float
    iterations: int

    @cached_property
    def background(self) -> NDArray[np.float32]:
        """``W h``, to the nearest sample."""
        return self.rounded.astype(np.float32) / self.white

    @cached_property
    def residual(self) -> NDArray[np.float32]:
        """``v − W h``."""
        return self.v * self.scale - self.background

    @cached_property
    def outliers(self) -> NDArray[np.float32]:
        """``r = S_λ(v − W h)``."""
        return self.residual - np.clip(self.residual, -np.float32(self.lam), np.float32(self.lam))

    def samples(self, layout: Layout) -> Values:
        """Return the background rounded to samples."""
        return self.rounded


class Fast:
    """Online NMF with outliers on sampled coefficients, for vectors as long as full-HD frames.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `PARAMETERS`.
    seed : int
        Of the pixel sample.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int = 0) -> None:
        self._layout = layout
        self._scale = np.float32(1 / layout.white)
        self._zero = (np.float32(layout.black / layout.white), np.float32(layout.neutral / layout.white))
        self._values = dict(values)
        self._rng = np.random.default_rng(seed)
        self._W = np.zeros((0, layout.n_values), np.float32)
        self._B = np.zeros_like(self._W)
        self._A = np.zeros((0, 0))
        self._h = np.zeros(0)
        self._usage, self._weight, self._n_dropped, self._judged_from = np.zeros(0), 0.0, 0, 0
        self._sigma, self._grain = 0.0, np.inf
        self._miss, self._n_hopeless = 0.0, 0
        self._n_seen = 0
        self._median: RunningMedian | None
        self._hidden: NDArray[np.uint8] | None
        self._begin_warm_up()
        self._draw_sample()

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K): nonnegative, columns of norm 1 at most.

        ``W h`` counts from black; in 4:2:0 chroma counts from the neutral sample, both ways, so that more light
        makes colours stronger and not greener.
        """
        return self._W.T

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    @property
    def warming(self) -> WarmUp | None:
        """How far the warm-up is; None once it is over."""
        n_frames = int(self._values["warm_up"] or 0)
        return WarmUp(self._n_warm, n_frames) if self._median is not None and self._n_warm <= n_frames else None

    @property
    def lam(self) -> float:
        """Outlier threshold in force, units of white: as set, or three times the noise.

        The noise is what the model misses, but little more than what differs from one frame to the next: a model
        that is wrong must not widen its own threshold.
        """
        chosen = self._values["lam"]
        if chosen is not None:
            return float(chosen)
        most = max(MOST_OF_GRAIN * self._grain, LEAST_OF_MOST)
        return 3 * max(min(self._sigma, most), NOISE_FLOOR * float(self._scale))

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value
        if name == "sample":
            self._draw_sample()
        if name in {"rank", "auto_rank"}:
            self._n_dropped, self._judged_from = 0, self._n_seen + SETTLED_SAMPLES

    def drop(self, k: int) -> None:
        """Go on without column ``k``; the rank becomes one less. At least one column stays."""
        if self._h.size > 1:
            self._keep_columns(np.delete(np.arange(self._h.size), k))
            self._values["rank"], self._n_dropped = self._h.size, 0

    def step(self, v: Values | NDArray[np.float32]) -> SampledSplit:
        """Split a vector with the dictionary as it is, then learn from it (see `core.methods.base.Method.step`)."""
        scale = self._unit(v)
        sample = self._sampled(v, scale)
        self._recent.offer(sample)
        step = self._recent.step()
        if step is not None and step.any():
            grain = _noise(step) / np.sqrt(2)
            self._grain = grain if np.isinf(self._grain) else _follow(self._grain, grain)
        self._watch_for_cut()
        self._prepare(v, scale)
        split = self._split(v, sample, scale)
        self._n_seen += 1
        self._n_hopeless = self._n_hopeless + 1 if self._miss > HOPELESS_MISS else 0
        if (self._n_seen - 1) % int(self._values["learn_every"] or 1) == 0 and not 0 < self._n_hopeless < N_FRAMES:
            self._learn(v, scale)
        return split

    def transform(self, v: Values | NDArray[np.float32]) -> SampledSplit:
        """Split a vector; learn nothing."""
        if not self._W.size:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        scale = self._unit(v)
        return self._split(v, self._sampled(v, scale), scale, learn=False)

    def shield(self, foreground: NDArray[np.uint8]) -> None:
        """Let pixels that are not 0 in ``foreground`` (H, W) teach nothing, until told otherwise."""
        self._hidden = foreground

    def adopt(self, v: Values | NDArray[np.float32], where: NDArray[np.bool_]) -> None:
        """Take a vector as background at the values ``where`` (F,), in the light of the last frame."""
        at = np.flatnonzero(where)
        main = int(np.argmax(self._h * np.linalg.norm(self._W_sample, axis=1)))
        if not self._h[main]:
            return
        others = self._h.astype(np.float32) @ self._W[:, at] - np.float32(self._h[main]) * self._W[main, at]
        signed = at >= self._layout.signed_from
        wanted = v[at] * self._unit(v) - np.where(signed, self._zero[1], self._zero[0]) - others
        self._W[main, at] = np.where(signed, wanted, np.maximum(wanted, 0)) / np.float32(self._h[main])
        self._B[:, at] = self._A.astype(np.float32) @ self._W[:, at]
        self._adopted[at] = True
        self._gather()

    def state(self) -> dict[str, NDArray]:
        """Return copies of what was learnt."""
        return {
            "W": self._W.copy(), "B": self._B.copy(), "A": self._A.copy(), "h": self._h.copy(),
            "usage": self._usage.copy(), "scalars": np.array([self._sigma, self._grain, self._n_seen, self._weight]),
        }  # fmt: skip

    def load(self, state: Mapping[str, NDArray]) -> None:
        """Take up a state; the warm-up counts as done."""
        self._W, self._B = (np.array(state[key], np.float32) for key in ("W", "B"))
        self._A, self._h, self._usage = (np.array(state[key], np.float64) for key in ("A", "h", "usage"))
        self._sigma, self._grain, seen, *later = (float(x) for x in state["scalars"])
        self._n_seen = int(seen)
        self._weight = later[0] if later else 0.0  # earlier files lack it
        self._values["rank"] = self._h.size
        self._begin_warm_up()
        self._median = None
        self._recent = Recent(self._index.size)
        self._gather()

    # -- the parts of a step

    def _unit(self, v: NDArray) -> np.float32:
        return np.float32(1) if v.dtype == np.float32 else self._scale

    def _sampled(self, v: NDArray, scale: np.float32) -> NDArray[np.float32]:
        out = np.empty(self._index.size, np.float32)
        sampled_nmf.sample(v, self._index, scale, self._zero_sample, out)
        return out

    def _from_zero(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Let a vector in units of white count from black, or from neutral; in place."""
        x[: self._layout.signed_from] -= self._zero[0]
        x[self._layout.signed_from :] -= self._zero[1]
        return x

    def _begin_warm_up(self) -> None:
        """Forget all that belongs to the scene before, but for the dictionary and its statistics."""
        self._median = RunningMedian()
        self._n_warm, self._n_hopeless, self._miss, self._n_dropped = 0, 0, 0.0, 0
        self._adopted = np.zeros(self._layout.n_values, bool)
        self._hidden = None

    def _watch_for_cut(self) -> None:
        """Begin anew where the frames agree with each other but not with the model: another scene, and it is still."""
        if self._miss <= LEAST_MISS:
            return
        change = self._recent.change()
        if change is None or self._miss <= LOST * _calmest(change):
            return
        self._begin_warm_up()
        self._keep_columns(np.arange(0))
        self._sigma = _noise(change) / np.sqrt(2)

    def _prepare(self, v: NDArray, scale: np.float32) -> None:
        """Start from the median while warming up; follow a change of rank."""
        if self._n_warm > int(self._values["warm_up"] or 0):
            self._median = None
        self._n_warm += 1
        if self._median is not None and self._median.offer(v):
            self._offer_start(self._from_zero(self._median.median() * scale))
        rank = max(int(self._values["rank"] or 1) - self._n_dropped, 1)
        if rank > self._h.size:
            self._add_columns(v, scale, rank - self._h.size)
        elif rank < self._h.size:
            self._keep_columns(np.sort(np.argsort(-self._usage, kind="stable")[:rank]))

    def _offer_start(self, plate: NDArray[np.float32]) -> None:
        """Begin with a plate and smooth shadings of it, unless what was learnt explains the last frames better."""
        rank = int(self._values["rank"] or 1)
        if self._h.size:
            kept = np.flatnonzero(self._adopted)
            plate[kept] = self._h.astype(np.float32) @ self._W[:, kept]
        W = shaded_dictionary(plate, self._layout, rank)
        h = np.zeros(rank)
        h[0] = max(float(np.linalg.norm(plate)), 1e-6)
        if self._h.size:
            known = self._recent.loss(self._W_sample, self._h, self.lam)
            if self._recent.loss(W[:, self._index], h, self.lam) > known:
                return
        self._W, self._h = W, h
        self._A = PRIOR_FRAMES * h[0] ** 2 * np.eye(rank)
        self._B = W * np.diag(self._A).astype(np.float32)[:, None]
        self._usage, self._weight = np.zeros(rank), 0.0
        self._gather()

    def _split(self, v: NDArray, sample: NDArray[np.float32], scale: np.float32, *, learn: bool = True) -> SampledSplit:
        h = self._h.copy()
        if learn and not self._sigma:
            self._sigma = _noise(self._left(sample, h))
        lam = self.lam
        hidden = self._hidden if learn and self._hidden is not None else np.empty(0, np.uint8)
        covered, trust = np.empty(sample.size, np.bool_), np.empty_like(sample)
        sampled_nmf.weigh(sample, self._white_sample, hidden.ravel(), self._pixel_index, COVERED_TRUST, covered, trust)
        loss, rounds = sampled_nmf.encode(sample, self._W_sample, trust, np.float32(lam), h, 50, 1e-4)
        if learn:
            left = self._left(sample, h)
            self._miss = _calmest(left)
            some = slice(None, None, _stride(left))
            seen = left[some][~covered[some]]
            self._sigma = _follow(self._sigma, _noise(seen if seen.size >= (1 - MOSTLY) * left[some].size else left))
            self._h = h
        background: NDArray = np.empty(v.size, self._layout.dtype)
        white = np.float32(self._layout.white)
        bands.run(
            dictionary_pass.background_band, v.size, self._W, h.astype(np.float32) * white, white,
            self._layout.signed_from, self._zero[0] * white, self._zero[1] * white, background,
        )  # fmt: skip
        objective = loss * v.size / self._index.size
        return SampledSplit(v, scale, background, white, lam, h.copy(), objective, rounds)

    def _left(self, sample: NDArray[np.float32], h: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return what coefficients leave of a sample; beyond white there is only white."""
        out = np.empty_like(sample)
        sampled_nmf.clipped_residual(sample, self._W_sample, h.astype(np.float32), self._white_sample, out)
        return out

    def _learn(self, v: NDArray, scale: np.float32) -> None:
        h = self._h
        every = int(self._values["learn_every"] or 1)
        keep = np.exp(-every / float(self._values["memory"] or 1)) if self._values["forget"] else 1.0
        self._A = keep * self._A + np.outer(h, h)
        self._usage, self._weight = keep * self._usage + h**2, keep * self._weight + 1
        damped = self._A + DAMPING * np.max(np.diag(self._A)) * np.eye(h.size)
        hidden = np.empty(0, np.uint8) if self._hidden is None else self._layout.spread(self._hidden)
        is_settled = self._hidden is not None and self._n_warm >= SETTLED_FRAMES
        bound = self.lam * (LOOSE if is_settled else 1)
        norms = sum(
            bands.run(
                dictionary_pass.learn_band, v.size, v, scale, self._W, self._B, self._A.astype(np.float32),
                1 / np.diag(damped).astype(np.float32), h.astype(np.float32), np.float32(keep), np.float32(1),
                np.float32(bound), hidden, self._layout.signed_from, *self._zero,
            )
        )  # fmt: skip
        self._normalise(np.sqrt(norms))
        self._gather()
        if self._values["auto_rank"] and self._median is None and self._n_seen >= self._judged_from:
            self._drop_irrelevant(every)

    def _drop_irrelevant(self, every: int) -> None:
        """Drop the column that is least worth its cost, if one is not; what others can take over, they do."""
        n_values, light = self._layout.n_values, self._W_sample.astype(np.float64)
        gram = light @ light.T * (n_values / self._index.size)
        mean = max(float(np.mean(self._h @ light)), 0.0)
        evidence = Evidence(self._weight * every, n_values, (self.lam / 3) ** 2, mean)
        fold = least_relevant(np.diag(self._usage / self._weight), gram, evidence)
        if fold is None:
            return
        # Statistics hold the start, as if all columns had been used; so they begin anew, at the dictionary as it is.
        self._W, self._A = fold.dictionary(self._W), self._A[np.ix_(fold.kept, fold.kept)]
        self._B = self._A.astype(np.float32) @ self._W
        self._h, self._usage = fold.coefficients(self._h), fold.products(np.diag(self._usage)).diagonal().copy()
        self._n_dropped += 1
        self._gather()

    def _normalise(self, norms: NDArray[np.float64]) -> None:
        """Bring columns back into the unit ball; coefficients and statistics change with them, the fit does not."""
        for k in np.flatnonzero(norms > 1):
            by = norms[k] * 1.25
            self._W[k] /= np.float32(by)
            self._B[k] *= np.float32(by)
            self._A[k] *= by
            self._A[:, k] *= by
            self._h[k] *= by
            self._usage[k] *= by**2

    def _add_columns(self, v: NDArray, scale: np.float32, count: int) -> None:
        """Add columns made of what the model leaves of this frame, shaded so that they differ.

        Outliers leave nothing: a column that holds who passes just now would show him in the background for ever.
        """
        residual = np.abs(self._from_zero(v * scale) - self._h.astype(np.float32) @ self._W)
        leftover = np.where(residual <= self.lam, residual, np.float32(0)) + np.float32(1e-6)
        leftover[self._layout.signed_from :] = 0
        weight = float(np.max(np.diag(self._A)))
        for _ in range(count):
            column = leftover * shading(self._layout, self._h.size)
            column /= np.linalg.norm(column)
            self._W = np.vstack([self._W, column])
            self._B = np.vstack([self._B, column * np.float32(weight)])
            self._A = np.pad(self._A, (0, 1))
            self._A[-1, -1] = weight
            self._h, self._usage = np.append(self._h, 0.0), np.append(self._usage, 0.0)
        self._gather()

    def _keep_columns(self, kept: NDArray[np.intp]) -> None:
        self._W, self._B = self._W[kept], self._B[kept]
        self._A = self._A[np.ix_(kept, kept)]
        self._h, self._usage = self._h[kept], self._usage[kept]
        self._gather()

    def _draw_sample(self) -> None:
        """Draw one value at random from each of S equal stretches of the vector."""
        n = self._layout.n_values
        count = min(int(self._values["sample"] or n), n)
        edges = np.arange(count) * (n / count)
        self._index = np.minimum(edges + self._rng.random(count) * (n / count), n - 1).astype(np.intp)
        if count == n:
            self._index = np.arange(n)
        pixels = np.arange(self._layout.n_pixels).reshape(self._layout.height, self._layout.width)
        self._pixel_index = self._layout.spread(pixels)[self._index]
        self._zero_sample = np.where(self._index >= self._layout.signed_from, self._zero[1], self._zero[0])
        self._white_sample = 1 - self._zero_sample
        self._recent = Recent(count)
        self._gather()

    def _gather(self) -> None:
        self._W_sample = np.empty((len(self._W), self._index.size), np.float32)
        sampled_nmf.gather(self._W, self._index, self._W_sample)


def _stride(residual: NDArray[np.float32]) -> int:
    return max(1, residual.size // QUANTILE_VALUES)


def _calmest(residual: NDArray[np.float32]) -> float:
    """Return the size that the calmest quarter of residuals stays below, from about a thousand of them."""
    size = np.abs(residual[:: _stride(residual)])
    place = int(CALMEST * (size.size - 1))
    return float(np.partition(size, place)[place])


def _noise(residual: NDArray[np.float32]) -> float:
    """Return the scale of Gaussian noise from its calmest quarter, which holds while most of a frame is covered."""
    return _calmest(residual) / CALMEST_OF_GAUSSIAN


def _follow(before: float, now: float) -> float:
    """Follow a scale of noise from frame to frame: slowly up, as one frame may be an accident, and soon down."""
    return before + (0.1 if now > before else 0.5) * (now - before)


FAST = MethodRow(
    "fast", "Fast online robust NMF", "Zhao & Tan 2017, sampled coefficients and coordinate descent",
    "For video: splits full-HD frames in milliseconds.", PARAMETERS, Fast, for_video=True,
)  # fmt: skip
