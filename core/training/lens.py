"""What a camera makes of a scene: its light, focus, noise and compression, drawn for a clip."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


class Lens:
    """Takes pictures of what was painted.

    Parameters
    ----------
    rng : Generator
        What it is like is drawn of this.
    size : (H, W)
    n_frames : int
    """

    def __init__(self, rng: np.random.Generator, size: tuple[int, int], n_frames: int) -> None:
        frames = np.arange(n_frames)
        self._gain = np.ones(n_frames)
        if rng.random() < 0.4:
            period, phase = rng.uniform(40, 400), rng.uniform(0, 2 * np.pi)
            self._gain += rng.uniform(0.01, 0.08) * np.sin(2 * np.pi * frames / period + phase)
        self._blur = rng.uniform(0.4, 1.3) if rng.random() < 0.35 else 0.0
        self._grey = bool(rng.random() < 0.2)
        self._quality = int(rng.integers(40, 96)) if rng.random() < 0.5 else None
        self._bank = self._draw_noise(rng, size) if rng.random() < 0.85 else None
        self._starts = rng.integers(0, 64, (n_frames, 2))
        self.shake = np.zeros((n_frames, 2))
        if rng.random() < 0.1:
            swing = rng.normal(0, rng.uniform(0.5, 3), (n_frames, 2))
            self.shake = np.asarray(cv2.GaussianBlur(swing, (1, 5), 0), np.float64)

    @property
    def margin(self) -> int:
        """Pixels around the picture that the shake brings in."""
        return int(np.ceil(np.abs(self.shake).max()))

    def soften(self, cover: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a picture or a cover (H, W, ...) as this lens shows it."""
        return np.asarray(cv2.GaussianBlur(cover, (0, 0), self._blur), np.float32) if self._blur else cover

    def take(self, scene: NDArray[np.float32], frame: int) -> Pixels:
        """Return the picture (H, W, 3) or (H, W) of a scene (H, W, 3), samples, in a frame."""
        seen = self.soften(scene)
        if self._grey:
            seen = np.asarray(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY), np.float32)
        seen = seen * np.float32(self._gain[frame])
        if self._bank is not None:
            (top, left), (height, width) = self._starts[frame], seen.shape[:2]
            noise = self._bank[top : top + height, left : left + width]
            seen += noise[..., 0] if self._grey else noise
        picture = np.asarray(cv2.convertScaleAbs(np.maximum(seen, 0, out=seen)), np.uint8)
        return picture if self._quality is None else _through_jpeg(picture, self._quality)

    @staticmethod
    def _draw_noise(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
        """Draw a sheet of noise larger than the picture: each frame shows another part, which costs no time."""
        noise = rng.standard_normal((size[0] + 64, size[1] + 64, 3), np.float32)
        if rng.random() < 0.3:
            noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.7), np.float32) * 2  # As a codec leaves it.
        common = noise[..., :1]
        return np.asarray((0.6 * common + 0.8 * noise) * np.exp(rng.uniform(np.log(0.5), np.log(6))), np.float32)


def _through_jpeg(picture: Pixels, quality: int) -> Pixels:
    colour = picture.ndim == 3
    packed = cv2.imencode(".jpg", picture[..., ::-1] if colour else picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    read = np.asarray(cv2.imdecode(packed, cv2.IMREAD_UNCHANGED), np.uint8)
    return np.ascontiguousarray(read[..., ::-1]) if colour else read
