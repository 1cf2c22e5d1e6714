"""Labelled clips made of real ones: cut-outs that play before other backdrops, with shadows, seen by another camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.training.cutout_actors import Actor, draw_actor
from core.training.cutouts import Cutout
from core.training.labelled import FOREGROUND, NOT_SCORED, SHADOW, LabelledFrame
from core.training.lens import Lens
from core.training.pasting import Canvas, Sun
from core.training.plate_backdrops import Size, plate_backdrop, texture_backdrop
from core.training.shadows import CLOSE

Backdrop = Callable[[np.random.Generator, Size], NDArray[np.uint8]]
"""Draws a still picture (H, W, 3) uint8 of a size (H, W)."""

HEIGHTS = (120, 144, 180, 240)
ASPECTS = (4 / 3, 3 / 2, 16 / 9, 3 / 4)
"""Of clips whose size is drawn."""

FRAMES = (60, 160)
"""Least and most of clips whose length is drawn."""

MOST_ACTORS = 8

PLATES = 0.6
"""How many clips have a plate for a backdrop, where both are there."""

VISIBLE = 0.03
"""A shadow that takes less of the light than this is none: noise hides it."""


class CompositeClip:
    """Actors before a backdrop; see `composite_clip`.

    Parameters
    ----------
    backdrop : (H + 2 m, W + 2 m, 3) uint8
        With the lens's margin m on each side.
    actors : sequence of Actor
    suns : sequence of Sun
        Each casts a shadow of each actor.
    lens : Lens
    n_frames : int

    Attributes
    ----------
    bit_depth, n_frames : int
    """

    bit_depth = 8

    def __init__(
        self, backdrop: NDArray[np.uint8], actors: Sequence[Actor], suns: Sequence[Sun], lens: Lens, n_frames: int
    ) -> None:
        self.n_frames = n_frames
        self._backdrop, self._actors, self._suns, self._lens = backdrop, actors, suns, lens

    def frames(self) -> Iterator[LabelledFrame]:
        """Yield the frames, the same at each call."""
        for frame in range(self.n_frames):
            canvas = self._painted(frame)
            yield LabelledFrame(self._lens.take(canvas.picture, frame), self._labels(canvas))

    def _painted(self, frame: int) -> Canvas:
        margin, shake = self._lens.margin, self._lens.shake[frame]
        height, width = (side - 2 * margin for side in self._backdrop.shape[:2])
        moved = np.array([[1, 0, shake[0] - margin], [0, 1, shake[1] - margin]])
        canvas = Canvas(np.asarray(cv2.warpAffine(self._backdrop, moved, (width, height)), np.uint8))
        # Who stands lower in the picture is nearer, and hides the others.
        order = sorted(self._actors, key=lambda actor: float(actor.path.feet[frame, 1]))
        places = [(actor.patch(frame), tuple(actor.path.feet[frame] + shake)) for actor in order]
        for patch, feet in places:
            for sun in self._suns:
                canvas.shade(patch, feet, sun)
        for patch, feet in places:
            canvas.paste(patch, feet)
        return canvas

    def _labels(self, canvas: Canvas) -> NDArray[np.uint8]:
        cover = self._lens.soften(canvas.cover)
        labels = np.where(canvas.dimmed > VISIBLE, np.uint8(SHADOW), np.uint8(0))
        labels[cover > 0.25] = NOT_SCORED
        labels[cover >= 0.75] = FOREGROUND
        return labels


def composite_clip(
    seed: int,
    cutouts: Sequence[Cutout],
    plates: Sequence[NDArray[np.uint8]],
    size: Size | None = None,
    n_frames: int | None = None,
    *,
    backdrop: Backdrop = texture_backdrop,
) -> CompositeClip:
    """Draw a clip with exact labels.

    Parameters
    ----------
    seed : int
        The same seed gives the same bytes.
    cutouts : sequence of Cutout
        What may play.
    plates : sequence of (h, w, 3) uint8
        RGB; nothing plays before the plate that it was cut out of, where there is anything else.
    size : (H, W), optional
    n_frames : int, optional
    backdrop : callable
        Draws the backdrop where it is no plate.

    Raises
    ------
    CleanplateError
        There is no cut-out.
    """
    if not cutouts:
        raise CleanplateError("There is nothing to paste: no cut-out was given.")
    rng = np.random.default_rng((seed, 0xC0))
    if size is None:
        height = int(rng.choice(HEIGHTS))
        size = height, 2 * round(height * rng.choice(ASPECTS) / 2)
    n_frames = n_frames or int(rng.integers(*FRAMES))
    lens = Lens(rng, size, n_frames)
    wide = size[0] + 2 * lens.margin, size[1] + 2 * lens.margin
    chosen = int(rng.integers(len(plates))) if plates and rng.random() < PLATES else None
    behind = backdrop(rng, wide) if chosen is None else plate_backdrop(rng, plates[chosen], wide)
    strangers = [cutout for cutout in cutouts if cutout.source != chosen] or list(cutouts)
    cast = _draw_cast(rng, strangers)
    inner = behind[lens.margin : lens.margin + size[0], lens.margin : lens.margin + size[1]]
    actors = [draw_actor(rng, cutout, inner, size, n_frames) for cutout in cast]
    return CompositeClip(behind, actors, _draw_suns(rng, size), lens, n_frames)


def _draw_cast(rng: np.random.Generator, cutouts: Sequence[Cutout]) -> list[Cutout]:
    """Draw who plays: those of a source with few cut-outs more often, as it shows other things than the rest."""
    sources = np.array([cutout.source for cutout in cutouts])
    weights = 1 / np.sqrt(np.bincount(sources)[sources])
    chosen = rng.choice(len(cutouts), int(rng.integers(1, MOST_ACTORS + 1)), p=weights / weights.sum())
    return [cutouts[index] for index in chosen]


def _draw_suns(rng: np.random.Generator, size: Size) -> list[Sun]:
    """Draw the sun, where it shines, the dark under the feet, which falls straight down, and that all around."""
    suns = []
    if rng.random() < 0.65:
        shade = rng.uniform(0.25, 0.9) * np.array([1, 1, 1]) + rng.uniform(0, 0.05) * np.array([-1, 0, 1])
        fall = rng.uniform(0.1, 0.7) * rng.choice([-1, 1])
        softness = size[0] / 240 * rng.uniform(0.5, 4)
        suns.append(Sun(rng.normal(0, 1.2), fall, shade.astype(np.float32), softness))
    if rng.random() < 0.6:
        dark = np.full(3, rng.uniform(0.4, 0.85), np.float32)
        suns.append(Sun(0.0, rng.uniform(0.03, 0.1), dark, size[0] / 240 * rng.uniform(1.5, 4)))
    if rng.random() < CLOSE:
        suns.append(Sun(0.0, 1.0, np.full(3, rng.uniform(0.55, 0.95), np.float32), size[0] / 240 * rng.uniform(5, 30)))
    return suns
