"""What an input shows, one scene or an image set: by its kind, and by how alike its frames are."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cache
from itertools import islice, pairwise

import numpy as np

from core.frames.frame import Frame, Planes
from core.io.sources.base import Source, SourceInfo
from core.io.sources.failing import damage_passed_over
from core.methods.content import CONTENT, IMAGES, SCENE
from core.parameter import Value
from core.session.picture_distance import Difference, Look, difference

N_FRAMES = 8
"""First frames that are compared, each with the next."""

ALIKE = 0.25
"""Median difference of two frames, in units of the frame's own spread, below which they show the same; that of means
over blocks too, where averaging takes most of the difference away (`CORRELATED`), as it does in a noisy camera's. The
largest is 0.2 at the beginnings of seven sequences of one scene, leaves and rain among them, and 0.45 where all leaves
move; the smallest is 0.3 in five image sets, slices of a brain among them."""

CORRELATED = 0.5
"""Part of the difference of two frames that averaging has to leave. It leaves most of faces and slices of a brain, and
an eighth of a sky full of stars in the noise of a camera, which is one scene."""

STILL = 0.08
"""Below it, in units of the frame's spread, the pixels that differ least from frame to frame
(`core.session.picture_distance.STILL_PART`) show a scene. They differ by 0.06 at most in leaves that move all over the
picture, by 0.11 at least in faces, and by 0.18 in values by chance."""

RELATED = 0.1
"""Difference of the first frames from which on they may be several pictures of one thing, as a set is sorted that has
more: then frames all over the input are looked at, too. That of means is 0.08 at most in seven sequences of one scene,
and 0.12 at least in ten pictures of a face; synthetic noise makes it more in scenes, but not that of pixels."""

STEP = 1.5
"""The largest steps from frame to frame lead to another thing where they are so many times as large as the difference
of the first frames. With synthetic noise they are 1.2 times as large in scenes, and 1.8 times in sorted sets."""

N_SPANS = 7
"""Parts of an input in each of which the largest step from one frame to the next is looked for."""

FOR_IMAGES = "These look like different pictures, not one scene: the preset “Faces, denoise” (faces) is for image sets."
"""Said where a scene is learnt of them."""


def decided(values: Mapping[str, Value], source: Source) -> dict[str, Value]:
    """Return what an input shows, by the name of its parameter; nothing where that is set, or not asked for.

    What has a rate or is a camera is one scene; it is not read. The first frames of anything else are, and some all
    over it where those are alike and yet not the same: a set may begin with several pictures of one thing.

    Parameters
    ----------
    values : mapping
        Those of the method's own parameters.
    source : Source
    """
    if values.get(CONTENT.name, SCENE) is not None:
        return {}
    return {CONTENT.name: SCENE if is_film(source.info) or _alike(source) else IMAGES}


class SeenContent:
    """Whether the frames of a run seem to show different things, found as they pass: many methods do not ask before.

    Frames are compared with those before them, the first ones all and later ones ever more seldom, and with the first
    one, ever further apart: in one scene the same look returns. In doubt it is a scene.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    """

    def __init__(self, info: SourceInfo) -> None:
        self._is_film, self._is_mixed = is_film(info), info.is_mixed
        self._n_seen = 0
        self._first: Look | None = None
        self._before: Look | None = None
        self._near: list[Difference] = []
        self._far: list[Difference] = []

    def see(self, frame: Frame) -> None:
        """Take note of the next frame."""
        number = self._n_seen
        self._n_seen += 1
        if self._is_film or not (number < N_FRAMES or _is_far(number) or _is_far(number + 1)):
            return
        look = Look(frame)
        self._first = self._first or look
        if self._before is not None and (number < N_FRAMES or _is_far(number)):
            self._near.append(look.difference(self._before))
        if _is_far(number):
            self._far.append(look.difference(self._first))
        self._before = look

    def are_images(self, chosen: Value) -> bool:
        """Return whether the input is an image set: by the value of `CONTENT`, or (automatic) as seen."""
        if chosen is not None:
            return chosen == IMAGES
        if not self._near:
            return False
        near = np.median(self._near, axis=0) >= (ALIKE, STILL, CORRELATED)
        return bool(near.all() and np.median([apart for apart, _, _ in self._far]) >= ALIKE)

    @property
    def notes(self) -> list[str]:
        """A sentence for who learns a scene of it, where the first frames show none, and nothing else says why."""
        is_told = self._n_seen >= N_FRAMES and not self._is_mixed
        return [FOR_IMAGES] if is_told and self.are_images(None) else []


def _is_far(number: int) -> bool:
    """Whether a frame, counted from 0, is compared with the first one: the numbers are powers of 2."""
    return number > 0 and number & (number - 1) == 0


def is_film(info: SourceInfo) -> bool:
    """Return whether it is one scene by its kind, whatever its frames show."""
    return info.live or info.fps is not None or info.layout.planes is Planes.YCC420


def _alike(source: Source) -> bool:
    frames: list[Frame] = []
    with damage_passed_over(), contextlib.closing(source.frames()) as coming:
        for frame in islice(coming, N_FRAMES):
            frames.append(frame)
    if len(frames) < 2:
        return False
    looks = [Look(frame) for frame in frames]
    left, apart = np.median([now.averaged(before) for before, now in pairwise(looks)], axis=0)
    near = float(np.median([difference(*pair) for pair in pairwise(frames)]))
    if near >= ALIKE and not (left < CORRELATED and apart < ALIKE):
        return False
    return min(near, apart) < RELATED or _largest_step(source) < max(ALIKE, STEP * float(apart))


def _largest_step(source: Source) -> float:
    """Return by how much an input differs from one frame to the next where it does most; the median of its spans.

    A scene whose light changes, or that a camera passes, becomes another little by little, a sorted set at once. In a
    span the step is found by halving: the half whose ends differ more holds it. 0 where an input is too short.
    """
    n_frames = source.info.n_frames
    if n_frames is None or n_frames <= N_SPANS:
        return 0.0

    @cache
    def look(index: int) -> Look:
        with contextlib.closing(source.frames(index)) as coming:
            return Look(next(coming))

    def apart(ends: tuple[int, int]) -> float:
        return look(ends[1]).averaged(look(ends[0]))[1]

    steps = []
    with damage_passed_over(), contextlib.suppress(StopIteration):  # There are fewer frames than are declared.
        for span in pairwise(round(part * (n_frames - 1) / N_SPANS) for part in range(N_SPANS + 1)):
            ends = span
            while ends[1] - ends[0] > 1:
                middle = sum(ends) // 2
                ends = max((ends[0], middle), (middle, ends[1]), key=apart)
            steps.append(apart(ends))
    return float(np.median(steps)) if len(steps) == N_SPANS else 0.0
