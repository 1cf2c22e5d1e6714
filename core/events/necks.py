"""Things that hang together in a mask by a thin neck, as cars do in a distance."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

NECK = 1 / 3
"""Largest width of a neck, as a share of the narrower of the two parts: limbs are wider where they leave a body."""

ENOUGH = 16
"""Pixels from the edge of a region to its middle that are enough to see its necks; larger ones are looked at small."""

STEP = 2**0.5
"""Factor between the widths that are looked at, one after the other."""


def cut_at_necks(depth: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the parts of a region that hang together by necks (H, W), from 1; 1 everywhere where there is none.

    Two peaks of the distance to the edge are two parts where the pass between them is less than `NECK` times the lower
    one: a watershed of the distance that does not see small peaks, at any size.

    Parameters
    ----------
    depth : (H, W) float32
        Distance from the edge in the region, 0 around it, pixels.
    """
    step = max(1, int(depth.max(initial=0)) // ENOUGH)
    coarse = depth[::step, ::step] / np.float32(step)
    cores = _cores(coarse, 1.0)
    if len(cores) < 2:
        return np.ones(depth.shape, np.int32)
    seeds = np.ones(coarse.shape, np.uint8)
    for core in cores:
        seeds[core] = 0
    # Cores may touch: the labels are those of OpenCV, one for each connected set of them.
    _, nearest = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_CCOMP)
    fine = np.repeat(np.repeat(nearest, step, axis=0), step, axis=1)
    return np.asarray(fine[: depth.shape[0], : depth.shape[1]], np.int32)


def _cores(depth: NDArray[np.float32], level: float) -> list[NDArray[np.bool_]]:
    """Return the thick parts (H, W) of a region that are connected by nothing thicker than `NECK` of them."""
    peak = float(depth.max(initial=0))
    while level <= NECK * peak:
        n, labels = cv2.connectedComponents((depth > level).astype(np.uint8), connectivity=4)
        thick = [label for label in range(1, n) if depth[labels == label].max() * NECK >= level]
        if len(thick) > 1:
            apart = [labels == label for label in thick]
            return [core for part in apart for core in _cores(np.where(part, depth, np.float32(0)), level * STEP)]
        level *= STEP
    return [depth > level / STEP]
