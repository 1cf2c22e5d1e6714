"""What an online method is made of, and the values in force where a parameter is automatic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.frames.frame import Layout
from core.methods.content import shows_scene
from core.nmf.dictionaries.base import DictionaryRule
from core.nmf.encoders.base import Encoder
from core.nmf.outlier_losses import Loss
from core.parameter import Value

IMAGE_SET_RANK, VIDEO_RANK = 49, 5
"""Automatic rank: the papers' for faces; few for a scene, as a high rank on a short clip swallows passers-by."""

VIDEO_MEMORY = 300
"""Automatic memory for video, frames."""

VIDEO_WARM_UP = 240
"""Automatic warm-up for video, frames."""

IMAGE_SET_ROUNDS, VIDEO_ROUNDS = 3, 1
"""Automatic rounds: a video shows the same again, a face comes once."""

VIDEO_BATCH, MOST_BYTES = 4, 256 << 20
"""Automatic mini-batch for video, samples; and those that wait, as float32, where more were asked for."""

IMAGE_SET_BATCH, BATCH_GROWTH = 16, 50
"""Largest automatic mini-batch for image sets, samples; it is as for video at first, and one sample in so many that
were seen later. On 2,429 faces of 19×19 pixels that takes half of the time of mini-batches of 4, and the objective
after one pass is about 2 % above theirs."""

LAM_PER_NOISE = 1.345
"""Automatic λ over the scale of the noise: Huber's constant, 95 % efficient where there are no outliers."""


@dataclass(frozen=True)
class Recipe:
    """What tells one online method from another.

    Attributes
    ----------
    encoder, dictionary : callable
        Make the two parts from the values of the parameters and the layout.
    loss : callable
        Makes the loss from the values, λ and the layout.
    fixed_lam : float or None
        Automatic λ, units of white; None: by the noise, and at least the paper's ``1/√F``.
    """

    encoder: Callable[[Mapping[str, Value], Layout], Encoder]
    dictionary: Callable[[Mapping[str, Value], Layout], DictionaryRule]
    loss: Callable[[Mapping[str, Value], float, Layout], Loss]
    fixed_lam: float | None = None


class Settings:
    """The parameters of an online method, as set or else by what the layout looks like.

    Parameters
    ----------
    layout : Layout
    values : mapping
        A value for each parameter of the method's row.
    recipe : Recipe

    Attributes
    ----------
    values : dict
        As set, by name; None: automatic.
    is_scene : bool
        Frames show one scene; else they are an image set.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value], recipe: Recipe) -> None:
        self.values = dict(values)
        self._recipe, self._layout = recipe, layout
        self.is_scene = shows_scene(values, layout)

    @property
    def rank(self) -> int:
        """Number of basis images."""
        return self._whole("rank", VIDEO_RANK if self.is_scene else IMAGE_SET_RANK)

    @property
    def warm_up(self) -> int:
        """Frames in which the basis follows the median."""
        return self._whole("warm_up", VIDEO_WARM_UP if self.is_scene else 0)

    def batch(self, n_seen: int) -> int:
        """Return the samples of a mini-batch after ``n_seen`` samples: as many as were asked for, as memory allows."""
        most = max(VIDEO_BATCH, MOST_BYTES // (4 * self._layout.n_values))
        grown = VIDEO_BATCH if self.is_scene else min(IMAGE_SET_BATCH, max(VIDEO_BATCH, n_seen // BATCH_GROWTH))
        return min(self._whole("batch", grown), most)

    @property
    def rounds(self) -> int:
        """How often each mini-batch is learnt from."""
        return self._whole("rounds", VIDEO_ROUNDS if self.is_scene else IMAGE_SET_ROUNDS)

    @property
    def auto_rank(self) -> bool:
        """Whether basis images go that are not worth their cost."""
        return bool(self.values.get("auto_rank"))

    def counted(self, n_past: int) -> float:
        """Return how many samples of equal weight a past of so many samples stands for.

        If the weight of sample t is ``t^(q − 1)``, n samples tell as much as ``n (2q − 1) / q²`` of equal weight.
        """
        recency = float(self.values["recency"] or 1)
        n_samples = n_past * (2 * recency - 1) / recency**2
        memory = self.values["memory"] or (VIDEO_MEMORY if self.is_scene else None)
        return min(n_samples, float(memory)) if memory else n_samples

    def keep(self, n_samples: int, n_past: int) -> float:
        """Return the share of a past of ``n_past`` samples, in [0, 1], that remains when a mini-batch joins it.

        Samples are counted, not mini-batches: these differ in size, as they grow, and the last may be incomplete.
        """
        keep = (1 - n_samples / (n_past + n_samples)) ** float(self.values["recency"] or 1)
        memory = self.values["memory"] or (VIDEO_MEMORY if self.is_scene else None)
        out: float = min(keep, float(np.exp(-n_samples / float(memory)))) if memory else keep
        return out

    def loss(self, sigma: float) -> Loss:
        """Return the loss, where the noise has the standard deviation ``sigma``, units of white."""
        return self._recipe.loss(self.values, self.lam(sigma), self._layout)

    def lam(self, sigma: float) -> float:
        """Return the outlier penalty, where the noise has the standard deviation ``sigma``, units of white."""
        chosen = self.values["lam"]
        if chosen is not None:
            return float(chosen)
        if self._recipe.fixed_lam is not None:
            return self._recipe.fixed_lam
        least: float = self._layout.n_values**-0.5
        return max(LAM_PER_NOISE * sigma, least)

    def automatic(self, sigma: float, n_seen: int) -> dict[str, float]:
        """Return what stands for parameters that are automatic, by name; an endless memory is no number."""
        told = {
            "rank": self.rank, "batch": self.batch(n_seen), "warm_up": self.warm_up, "rounds": self.rounds,
            "lam": self.lam(sigma),
        }  # fmt: skip
        return {**told, "memory": VIDEO_MEMORY} if self.is_scene else told

    def encoder(self) -> Encoder:
        """Make the encoder; it knows no dictionary yet."""
        return self._recipe.encoder(self.values, self._layout)

    def dictionary(self) -> DictionaryRule:
        """Make the dictionary rule."""
        return self._recipe.dictionary(self.values, self._layout)

    def _whole(self, name: str, automatic: int) -> int:
        chosen = self.values[name]
        return automatic if chosen is None else int(chosen)
