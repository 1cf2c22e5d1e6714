"""Clips made for measurements: the drawn street at any size, with the noise of a sensor."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Planes, Values
from core.io.sources.samples import street

FIRST = 120
"""Frame of the street from which a clip starts: cars pass and the tree sways."""

NOISE, CHROMA_NOISE = 2.5, 1.5
"""Deviation of the sensor's noise, samples; drawn anew for each pixel and frame."""


def street_clip(layout: Layout, n_frames: int, seed: int = 0) -> list[Frame]:
    """Return consecutive frames of the street sample, enlarged to a layout.

    Edges, texture, leaves that sway, light that drifts and noise that never repeats from frame to frame: a smooth scene
    would let methods with several modes a pixel get by with one, and look faster than they are.

    Parameters
    ----------
    layout : Layout
        Grey or 4:2:0, 8 bit, full range.
    n_frames : int
    seed : int
    """
    scene, rng = street.painted(seed), np.random.default_rng(seed)
    return [_frame(i, layout, scene, rng) for i in range(n_frames)]


def _frame(index: int, layout: Layout, scene: street.Street, rng: np.random.Generator) -> Frame:
    picture = cv2.resize(_noiseless(scene.frame(FIRST + index)), (layout.width, layout.height))
    if layout.planes is Planes.GREY:
        planes = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)]
    else:
        y, cr, cb = cv2.split(cv2.cvtColor(picture, cv2.COLOR_RGB2YCrCb))
        halved = (cv2.resize(c, layout.shapes[1][::-1], interpolation=cv2.INTER_AREA) for c in (cb, cr))
        planes = [np.asarray(plane, np.uint8) for plane in (y, *halved)]
    noisy = [_noisy(plane, CHROMA_NOISE if i else NOISE, rng) for i, plane in enumerate(planes)]
    return Frame(index, index / street.FPS, np.concatenate(noisy), layout)


def _noiseless(frame: Frame) -> Values:
    """Return the picture (H, W, 3) with its noise only where someone passes: enlarged noise would be blotches."""
    truth = frame.truth
    assert truth is not None  # A sample knows all of its truth.
    assert truth.mask is not None
    assert truth.clean is not None
    return np.where(truth.mask[..., None] > 0, frame.image(), frame.layout.image(truth.clean))


def _noisy(plane: NDArray[np.uint8], scale: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    noise = rng.standard_normal(plane.size, dtype=np.float32)
    noise *= np.float32(scale)
    noise += plane.ravel()
    return np.clip(np.rint(noise, out=noise), 0, 255, out=noise).astype(np.uint8)
