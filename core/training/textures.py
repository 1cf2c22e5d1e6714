"""Random fields: what every surface of a drawn scene is textured with."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
"""One plane (H, W), or a picture (H, W, 3), of 32-bit samples; white is 255."""


def fractal_noise(
    rng: np.random.Generator, shape: tuple[int, int], exponent: float = 1.0, stretch: tuple[float, float] = (1.0, 1.0)
) -> Plane:
    """Draw noise whose amplitude falls with the frequency as 1 / f^exponent, as in natural pictures.

    Parameters
    ----------
    rng : Generator
    shape : (H, W)
    exponent : float
        0 is white, 1 natural, 2 cloudy.
    stretch : (vertical, horizontal)
        Factors of the frequencies: (0.2, 1) draws vertical fibres.

    Returns
    -------
    (H, W) float32 of mean 0 and standard deviation 1.
    """
    height, width = shape
    spectrum = np.fft.rfft2(rng.standard_normal(shape, dtype=np.float32))
    rows = np.fft.fftfreq(height)[:, None] * stretch[0]
    columns = np.fft.rfftfreq(width)[None] * stretch[1]
    frequency = np.sqrt(rows**2 + columns**2)
    frequency[0, 0] = 1.0
    field = np.fft.irfft2(spectrum * np.maximum(frequency, 1 / max(shape)) ** -exponent, shape)
    field -= field.mean()
    return np.asarray(field / max(float(field.std()), 1e-6), np.float32)


def smooth_field(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Plane:
    """Draw a smooth field (H, W) float32 of about unit deviation that changes over `scale` pixels."""
    coarse = rng.standard_normal([max(2, round(n / scale) + 2) for n in shape], dtype=np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def smooth_series(rng: np.random.Generator, n: int, period: float) -> Plane:
    """Draw a smooth series (n,) float32 of about unit deviation that changes over `period` frames."""
    knots = rng.standard_normal(int(n / period) + 4)
    return np.interp(np.arange(n) / period + rng.random(), np.arange(len(knots)), knots).astype(np.float32)


def blurred(picture: Plane, sigma: float) -> Plane:
    """Return the picture, (H, W) or (H, W, 3), after a Gaussian of `sigma` pixels."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32) if sigma > 0 else picture


def random_colour(rng: np.random.Generator, saturation: float = 1.0, level: tuple[float, float] = (20, 235)) -> Plane:
    """Draw a colour (3,) float32: a level, and a hue around it, half of them warm as wood, stone and lamps are."""
    grey = rng.uniform(*level)
    hue = rng.normal(0, 1, 3)
    hue -= hue.mean()
    if rng.random() < 0.5:
        hue = np.array([1.0, 0.1, -1.1]) * abs(rng.normal())
    return np.clip(grey + hue * saturation * rng.exponential(14), 2, 250).astype(np.float32)


def tinted(texture: Plane, colour: Sequence[float] | Plane, contrast: float) -> Plane:
    """Return a picture (H, W, 3) of a colour whose brightness varies with a texture (H, W) of unit deviation."""
    base = np.asarray(colour, np.float32)
    weight = 0.6 + 0.4 * base / max(float(base.mean()), 1)
    return np.asarray(base + texture[..., None] * (contrast * weight), np.float32)


def mix(part: Plane, colour: Plane, alpha: Plane) -> None:
    """Lay colours (H, W, 3) over a part of a picture (H, W, 3), in place, as densely as alpha (H, W) says.

    Planes are merged first: numpy is slow where it repeats an operand over an innermost axis of three.
    """
    part += cv2.merge([alpha, alpha, alpha]) * (colour - part)


def dim(part: Plane, shade: Plane, factor: Sequence[float] | Plane) -> None:
    """Multiply a part of a picture (H, W, 3), in place, by `factor` (3,) where shade (H, W) is 1."""
    part *= cv2.merge([1 - shade * np.float32(1 - value) for value in factor])


class Canvas:
    """A picture on which polygons of materials are laid.

    Parameters
    ----------
    picture : (H, W, 3) float32
        Written in place.
    """

    def __init__(self, picture: Plane) -> None:
        self.picture = picture
        self.height, self.width = picture.shape[:2]

    def mask(self, points: Sequence[tuple[float, float]]) -> Plane:
        """Return how much a polygon of (x, y) covers each pixel: (H, W) float32 of 0 to 1."""
        cover = np.zeros((self.height, self.width), np.uint8)
        corners = np.round(np.asarray(points, np.float64) * 16).astype(np.int32)
        cv2.fillPoly(cover, [corners], 255, cv2.LINE_AA, 4)
        return np.asarray(cover.astype(np.float32) / np.float32(255), np.float32)

    def polygon(self, points: Sequence[tuple[float, float]], material: Plane, opacity: float = 1.0) -> None:
        """Lay a material, a colour (3,) or a picture (H, W, 3), over a polygon."""
        cover = self.mask(points)[..., None] * np.float32(opacity)
        self.picture += cover * (material - self.picture)

    def rectangle(self, box: tuple[float, float, float, float], material: Plane, opacity: float = 1.0) -> None:
        """Lay a material over a box (left, top, right, bottom) in pixels."""
        left, top, right, bottom = box
        x0, x1 = max(0, round(left)), min(self.width, round(right))
        y0, y1 = max(0, round(top)), min(self.height, round(bottom))
        if x1 > x0 and y1 > y0:
            part = self.picture[y0:y1, x0:x1]
            part += np.float32(opacity) * ((material[y0:y1, x0:x1] if material.ndim == 3 else material) - part)
