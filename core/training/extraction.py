"""Cut-outs of all that moves in real clips, by our own masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values
from core.io.sources import InputSpec, open_source
from core.scene.masks.head_weights import Weights
from core.session.session import Session
from core.session.settings import Settings
from core.training.cutouts import Cutout, Cutouts
from core.training.following import Follower
from core.training.silhouettes import find_silhouettes

MOST_ROWS = 400
"""Clips are reduced to this height: training pictures are no larger, and the edges of a large clip become sharp."""

PASSES = 2
"""The first learns the background, so that whoever stands in the first frames is cut out too."""


def extract(
    paths: Sequence[Path], weights: Weights, tell: Callable[[str, int], None] = lambda name, n_tracks: None
) -> Cutouts:
    """Cut out of clips all that is whole, solid, and long enough to be seen.

    Parameters
    ----------
    paths : sequence of Path
        Inputs in colour that show one still scene each.
    weights : Weights
        Of the head that finds what moves.
    tell : callable
        Called after each clip with its name and how many tracks it gave.

    Raises
    ------
    CleanplateError
        A clip cannot be read.
    """
    tracks: list[Cutout] = []
    plates: list[NDArray[np.uint8]] = []
    for path in paths:
        follower = Follower(len(plates))
        plates.append(_follow(path, weights, follower))
        tracks += follower.tracks
        tell(path.name, len(follower.tracks))
    return Cutouts(tracks, plates).bounded()


def _follow(path: Path, weights: Weights, follower: Follower) -> NDArray[np.uint8]:
    """Feed a follower with all frames of a clip, and return its plate (H, W, 3)."""
    source = open_source(InputSpec(str(path), size=_working_size(path)))
    try:
        session = Session(source, Settings(passes=PASSES), weights=weights)
        for report in session.run():
            if report.pass_index == report.n_passes - 1:
                layout = report.frame.layout
                picture, background = report.frame.image(), layout.image(report.split.samples(layout))
                seen, behind = (_rgb(one, layout.bit_depth) for one in (picture, background))
                follower.take(find_silhouettes(seen, behind, report.mask))
        follower.finish()
        return _rgb(session.plate(), source.info.layout.bit_depth)
    finally:
        source.close()


def _working_size(path: Path) -> tuple[int, int] | None:
    """Return width and height of a clip reduced to `MOST_ROWS`, both even; None where it is small enough."""
    source = open_source(InputSpec(str(path)))
    try:
        layout = source.info.layout
    finally:
        source.close()
    if layout.height <= MOST_ROWS:
        return None
    return 2 * round(layout.width * MOST_ROWS / layout.height / 2), MOST_ROWS


def _rgb(picture: Values, bit_depth: int) -> NDArray[np.uint8]:
    """Return a picture of so many bits in 8 bits and three channels."""
    eight = picture >> (bit_depth - 8)
    return np.ascontiguousarray(eight if eight.ndim == 3 else np.dstack([eight] * 3), np.uint8)
