"""Figures of quality where the truth is known."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Planes
from core.frames.split import Split

Real = NDArray[np.integer[Any] | np.floating[Any]]
"""An array of numbers of any type."""


def psnr_db(image: Real, clean: Real, white: float = 1.0) -> float:
    """Peak signal-to-noise ratio, dB, of arrays of one shape in units where white is ``white``."""
    error = np.subtract(image, clean, dtype=np.float64)
    return float(10 * np.log10(white**2 / max(float(np.mean(np.square(error, out=error))), 1e-20)))


def squared_norms(image: Real, clean: Real) -> NDArray[np.float64]:
    """Return ``‖X̂ − X‖²`` and ``‖X‖²`` of one image of any shape, the parts of the relative error of many."""
    exact = clean.astype(np.float64)
    return np.array([np.square(image.astype(np.float64) - exact).sum(), np.square(exact).sum()])


class RunningScore:
    """Scores that accumulate over a pass, for frames that carry their truth.

    Video in luma and chroma is scored as the RGB picture that it is, so that figures do not depend on the planes that a
    method works in.
    """

    def __init__(self) -> None:
        self._found = np.zeros(3, np.int64)
        self._squared = np.zeros(2)

    def update(self, frame: Frame, split: Split, mask: NDArray[np.uint8]) -> dict[str, float]:
        """Return the figures after this frame and its mask (H, W); empty where nothing is known."""
        truth, figures = frame.truth, {}
        if truth is None:
            return {}
        if truth.clean is not None:
            white, layout = float(frame.layout.white), frame.layout
            noisy: Real
            clean: Real
            found: Real
            noisy, clean, found = frame.values, truth.clean, np.clip(split.background, 0, 1) * white
            if layout.planes is Planes.YCC420:
                noisy, clean, found = (layout.image(x) for x in (noisy, clean, split.samples(layout)))
            figures["psnr_noisy_db"] = psnr_db(noisy, clean, white)
            figures["psnr_db"] = psnr_db(found, clean, white)
            self._squared += squared_norms(found, clean)
            figures["relative_error"] = float(np.sqrt(self._squared[0] / max(self._squared[1], 1e-20)))
        if truth.mask is not None:
            self._found += confusion(mask, truth.mask)
            score = detection(self._found)
            figures["f_measure"] = score.f_measure
            figures["precision"] = score.precision
            figures["recall"] = score.recall
        return figures


class DetectionScore(NamedTuple):
    """Precision, recall and their harmonic mean, 0 to 1."""

    precision: float
    recall: float
    f_measure: float


def detection(counts: NDArray[np.int64]) -> DetectionScore:
    """Return the figures of counts (3,) that `confusion` gave, of one mask or summed over many."""
    hit, false, missed = (int(n) for n in counts)
    return DetectionScore(
        hit / max(hit + false, 1), hit / max(hit + missed, 1), 2 * hit / max(2 * hit + false + missed, 1)
    )


def shows_foreground(truth: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where labels (H, W), `frame.Truth`, say foreground."""
    return truth > 200


def shows_background(truth: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where labels (H, W) say background or shadow; what neither says is not scored."""
    return truth < 60


def confusion(mask: NDArray[np.uint8], truth: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return (3,) true positives, false positives and false negatives of a mask (H, W) by labels (`frame.Truth`)."""
    real = shows_foreground(truth)
    scored = shows_background(truth) | real
    found = (mask > 127) & scored
    return np.array([(found & real).sum(), (found & ~real).sum(), (~found & real).sum()])
