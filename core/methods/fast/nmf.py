"""The fast method for video: the loss of Zhao & Tan (2017), solved on a sample of pixels and by coordinate descent.

Minimising eq. (5) over the outliers leaves Huber's loss of ``v − W h`` with threshold λ. So the K coefficients are a
nonnegative robust regression, which a few thousand pixels determine; the outliers are needed once, at the end. The loss
levels off here for what lies far from the model: Huber's lets a lorry that fills half the view pass for other light.
The dictionary problem (12) is separable over pixels, and coordinate descent on the statistics solves it in one sweep
where gradient steps need hundreds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Values, Vector
from core.methods.base import FrameByFrame, WarmUp
from core.methods.fast.cuts import CutDetector
from core.methods.fast.first_light import FirstLight
from core.methods.fast.noise import NoiseTracker
from core.methods.fast.pixel_sample import NO_MASK, Encoded, PixelSample
from core.methods.fast.recent_frames import RecentFrames
from core.methods.fast.split import SampledSplit
from core.methods.fast.start import MedianStart
from core.methods.fast.state import State, by_first, places_in_parts
from core.methods.fast.structure import is_unlike
from core.methods.fast.units import Units
from core.nmf.initialisation import shaded_column, shaded_dictionary, shading
from core.nmf.relevance_determination import SETTLED_SAMPLES, RankEvidence, least_relevant
from core.parameter import Value

SETTLED_FRAMES, LOOSE = 120, 2.5
"""After so many frames, what no mask covers may differ by so many λ and still teach: remnants of the start fade."""

NO_COLUMNS = np.arange(0)
"""Of a dictionary, to forget all."""

NO_VALUES = np.empty(0, np.uint8)
"""Stands for a map over values that excludes none."""


class Fast(FrameByFrame):
    """Online NMF with outliers on sampled coefficients, for vectors as long as full-HD frames.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `core.methods.fast.rows.PARAMETERS`.
    seed : int
        Of the pixel sample.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int = 0) -> None:
        self._layout, self._units = layout, Units(layout)
        self._values = dict(values)
        self._rng = np.random.default_rng(seed)
        self._sample = self._draw_sample()
        self._recent = RecentFrames(self._sample.size)
        self._state = State(layout.n_values, self._units, self._sample)
        self._noise = self._new_noise()
        self._light = FirstLight(float(self._units.step), self._units.contrast)
        self._n_seen, self._judged_from = 0, 0
        self._scene_began: int | None = None
        self._foreground: NDArray[np.uint8] | None = None
        self._before: Vector | None = None
        self._begin_scene()

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K): nonnegative, columns of norm 1 at most.

        ``W h`` counts from no light, or from the darkest that was seen below black; in 4:2:0 chroma counts from the
        neutral sample, both ways, so that more light makes colours stronger and not greener.
        """
        return self._state.W.T

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    @property
    def automatic(self) -> Mapping[str, float]:
        """The outlier threshold, by its name."""
        return {"lam": self.lam}

    @property
    def warming(self) -> WarmUp | None:
        """How far the warm-up is; None once it is over."""
        return self._start.progress(int(self._values["warm_up"] or 0))

    @property
    def scene_began(self) -> int | None:
        """By how many vectors another scene began before that of the last step, if that has found it.

        Since a cut the model was lost; light that falls for the first time is noticed at once.
        """
        return self._scene_began

    @property
    def lam(self) -> float:
        """Outlier threshold in force, units of white: as set, or three times the noise."""
        chosen = self._values["lam"]
        return self._noise.threshold if chosen is None else float(chosen)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value
        if name == "sample":
            self._sample = self._draw_sample()
            self._recent, self._cuts = RecentFrames(self._sample.size), self._new_cuts()
            self._state.set_sample(self._sample)
        if name in {"rank", "auto_rank"}:
            self._n_dropped, self._judged_from = 0, self._n_seen + SETTLED_SAMPLES

    def drop(self, k: int) -> None:
        """Go on without column ``k``; the rank becomes one less. At least one column stays."""
        if self._state.rank > 1:
            self._state.keep_columns(np.delete(np.arange(self._state.rank), k))
            self._values["rank"], self._n_dropped = self._state.rank, 0

    def step(self, v: Vector) -> SampledSplit:
        """Split a vector with the dictionary as it is, then learn from it (see `core.methods.base.Method.step`)."""
        scale = self._units.scale_of(v)
        teaches = self._n_seen % int(self._values["learn_every"] or 1) == 0
        if teaches:
            self._reach(v)
        sample = self._sample.of(v, scale)
        self._scene_began = None
        self._watch_for_light(sample)
        self._recent.offer(sample)
        self._noise.follow_grain(self._recent.step())
        self._watch_for_cut()
        self._prepare(v, scale)
        split = self._follow(v, scale, sample)
        self._n_seen += 1
        if teaches and self._cuts.may_learn:
            self._learn(v, scale)
        return split

    def transform(self, v: Vector) -> SampledSplit:
        """Split a vector; learn nothing."""
        if not self._state.rank:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        scale, h, lam = self._units.scale_of(v), self._state.h.copy(), self.lam
        found = self._encode(self._sample.of(v, scale), h, lam, NO_MASK)
        return self._split(v, scale, h, lam, found, self._state.background(h, self._layout.empty()))

    def exclude_pixels(self, foreground: NDArray[np.uint8]) -> None:
        """Let pixels that are not 0 in ``foreground`` (H, W) teach nothing, until told otherwise."""
        self._foreground = foreground

    def overwrite_background(self, v: Vector, where: NDArray[np.bool_]) -> None:
        """Take a vector as background at the values ``where`` (F,), in the light of the last frame."""
        if not self._state.rank:
            return
        scale = self._units.scale_of(v)
        self._reach(v)

        def wanted(at: NDArray[np.intp]) -> NDArray[np.float32]:
            return np.asarray(v[at] * scale - self._units.zero_at(at), np.float32)

        if self._state.overwrite(where, wanted):
            self._start.overwrite(where)
        elif where.all():  # What was learnt is black.
            plate = self._units.plate(v, scale)
            self._begin_with(plate, by_first(plate, self._state.rank))
            self._start.overwrite(where)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        scalars = [self._noise.sigma, self._noise.grain, self._n_seen, self._state.weight, self._wanted_rank]
        dark = {} if self._units.is_nominal else {"dark": np.array([self._units.dark], np.float64)}
        return {**self._state.arrays(), **dark, "scalars": np.array(scalars)}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state; the warm-up counts as done, but of one that has no columns yet."""
        sigma, grain, seen, weight, rank = (float(x) for x in state["scalars"])
        self._noise.load(sigma, grain)
        self._n_seen = int(seen)
        self._units.count_from(float(state["dark"][0]) if "dark" in state else None)
        self._sample.follow_zero(self._units)
        self._state.load(state, weight)
        self._begin_scene()
        if self._state.rank:
            self._values["rank"] = int(rank)
            self._start.end()
            self._light.end()
        self._recent = RecentFrames(self._sample.size)

    # -- the scene, and its start

    @property
    def _wanted_rank(self) -> int:
        """Columns from the next step on: as set, without those that were dropped since."""
        return max(int(self._values["rank"] or 1) - self._n_dropped, 1)

    def _draw_sample(self) -> PixelSample:
        count = int(self._values["sample"] or self._layout.n_values)
        return PixelSample(self._layout, self._units, count, self._rng)

    def _new_noise(self) -> NoiseTracker:
        return NoiseTracker(float(self._units.step), self._units.contrast)

    def _new_cuts(self) -> CutDetector:
        return CutDetector(self._units.contrast, self._sample.n_light)

    def _begin_scene(self) -> None:
        """Forget all that belongs to the scene before, but for the dictionary and its statistics."""
        self._start = MedianStart(self._layout.n_values)
        self._cuts = self._new_cuts()
        self._foreground = None
        self._n_dropped = 0

    def _reach(self, v: Vector) -> None:
        """Count light from the darkest that a vector shows: ``W h`` shows nothing below where it counts from."""
        by = self._units.reach(v)
        if by:
            self._sample.follow_zero(self._units)
            self._recent.lift(by, self._sample.n_light)
            self._state.lift(by)

    def _watch_for_light(self, sample: NDArray[np.float32]) -> None:
        """Begin as if nothing had been seen where light falls for the first time."""
        if self._light.falls(sample, self._noise.grain):
            self._scene_began = 0
            self._begin_scene()
            self._state.keep_columns(NO_COLUMNS)
            self._noise, self._recent = self._new_noise(), RecentFrames(self._sample.size)

    def _watch_for_cut(self) -> None:
        """Begin anew where there is another scene."""
        change = self._cuts.find(self._recent)
        if change is not None:
            self._scene_began = self._cuts.n_lost
            self._begin_scene()
            self._state.keep_columns(NO_COLUMNS)
            self._noise.begin_from_change(change)

    def _prepare(self, v: Vector, scale: np.float32) -> None:
        """Start from the median while warming up; follow a change of rank."""
        median = self._start.offer(v, int(self._values["warm_up"] or 0))
        if median is not None:
            self._offer_start(self._units.plate(median, scale))
        rank = self._wanted_rank
        if rank > self._state.rank:
            self._add_columns(v, scale, rank - self._state.rank)
        elif rank < self._state.rank:
            self._state.keep_columns(self._state.most_used(rank))

    def _offer_start(self, plate: NDArray[np.float32]) -> None:
        """Begin with a plate and smooth shadings of it, unless what was learnt explains the last frames better.

        Where foreground hides the scene, what was learnt stays: a median would soon show who stands there.
        """
        rank, state = int(self._values["rank"] or 1), self._state
        if state.rank:
            stays = self._start.overwritten
            if self._foreground is not None:
                stays = stays | (self._layout.spread(self._foreground) > 0)
            for kept in places_in_parts(stays):
                plate[kept] = state.explained(kept)
        h = by_first(plate, rank)
        if state.rank:
            known = self._recent.loss(state.W_sample, state.h, self.lam)
            if self._recent.loss(self._shaded_sample(plate, rank), h, self.lam) > known:
                return
        self._begin_with(plate, h)

    def _begin_with(self, plate: NDArray[np.float32], h: NDArray[np.float64]) -> None:
        """Begin anew with shadings of a plate (F,), and the coefficients (K,) with which they show it."""
        self._state.keep_columns(NO_COLUMNS)  # Gone before as much is taken again.
        self._state.begin(shaded_dictionary(plate, self._layout, h.size), h)

    def _shaded_sample(self, plate: NDArray[np.float32], rank: int) -> NDArray[np.float32]:
        """Return what `shaded_dictionary` gives at the sampled values (K, S), with one column in memory at a time."""
        out, column = np.empty((rank, self._sample.size), np.float32), np.empty((1, plate.size), np.float32)
        for k in range(rank):
            shaded_column(plate, self._layout, k, column[0])
            out[k] = self._sample.columns(column)[0]
        return out

    def _add_columns(self, v: Vector, scale: np.float32, count: int) -> None:
        """Add columns made of what the model leaves of this frame, shaded so that they differ.

        Outliers leave nothing: a column that holds who passes just now would show him in the background for ever.
        """
        residual = np.abs(self._units.from_zero(v, scale) - self._state.explained(slice(None)))
        leftover = np.where(residual <= self.lam, residual, np.float32(0)) + np.float32(1e-6)
        leftover[self._layout.signed_from :] = 0
        first = self._state.rank
        columns = [leftover * shading(self._layout, k) for k in range(first, first + count)]
        self._state.add_columns(np.array([column / np.linalg.norm(column) for column in columns]))

    # -- the parts of a step

    def _follow(self, v: Vector, scale: np.float32, sample: NDArray[np.float32]) -> SampledSplit:
        """Split a vector; let noise, cut detector and coefficients follow it."""
        state, h = self._state, self._state.h.copy()
        if not self._noise.sigma:
            self._noise.begin(self._sample.residual(sample, state.W_sample, h))
        lam = self.lam
        foreground = NO_MASK if self._foreground is None else self._foreground
        found = self._encode(sample, h, lam, foreground)
        residual = self._sample.residual(sample, state.W_sample, h)
        background = state.following_background(h, self._layout.empty)
        known = [background] if self._before is None else [background, self._before]
        self._cuts.follow(
            residual,
            sample,
            self._recent,
            lambda: all(self._is_unlike(v, one) for one in known),
            lambda: self._is_unlike(v, background),
        )
        self._noise.follow(residual, found.covered)
        state.follow(h)
        self._before = v
        return self._split(v, scale, h, lam, found, background)

    def _is_unlike(self, v: Vector, other: Vector) -> bool:
        """Tell whether two vectors show different structure."""
        return is_unlike(self._layout.in_samples(v), self._layout.in_samples(other), self._layout, self._noise.grain)

    def _encode(
        self, sample: NDArray[np.float32], h: NDArray[np.float64], lam: float, foreground: NDArray[np.uint8]
    ) -> Encoded:
        bounded = bool(self._values["bounded"])
        return self._sample.encode(sample, self._state.W_sample, h, lam, foreground, bounded=bounded)

    def _split(
        self, v: Vector, scale: np.float32, h: NDArray[np.float64], lam: float, found: Encoded, background: Values
    ) -> SampledSplit:
        objective = found.loss * v.size / self._sample.size
        return SampledSplit(v, scale, background, self._units.white, lam, h.copy(), objective)

    def _learn(self, v: Vector, scale: np.float32) -> None:
        every = int(self._values["learn_every"] or 1)
        keep = np.exp(-every / float(self._values["memory"] or 1)) if self._values["forget"] else 1.0
        excluded, is_settled = NO_VALUES, False
        if self._foreground is not None:
            excluded, is_settled = self._layout.spread(self._foreground), self._start.n_frames >= SETTLED_FRAMES
        self._state.learn(v, scale, keep, self.lam * (LOOSE if is_settled else 1), excluded)
        if self._values["auto_rank"] and self._start.is_over and self._n_seen >= self._judged_from:
            self._drop_irrelevant(every)

    def _drop_irrelevant(self, every: int) -> None:
        """Drop the column that is least worth its cost, if one is not; what others can take over, they do."""
        state, n_values = self._state, self._layout.n_values
        light = state.W_sample.astype(np.float64)
        gram = light @ light.T * (n_values / self._sample.size)
        mean = max(float(np.mean(state.h @ light)), 0.0)
        evidence = RankEvidence(state.weight * every, n_values, (self.lam / 3) ** 2, mean)
        fold = least_relevant(np.diag(state.usage / state.weight), gram, evidence)
        if fold is not None:
            state.fold(fold)
            self._n_dropped += 1
