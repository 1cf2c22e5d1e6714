"""What a camera makes of a scene: shake, lens, exposure, noise, compression and bits."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.textures import Plane, blurred, fractal_noise, smooth_series

BLOCK = 8
"""Side of the blocks that a codec keeps or sends anew, pixels."""


@dataclass(frozen=True)
class Exposure:
    """Brightness over time: gain (T, 3), offset (T,), and how strongly the mean of the picture is held, 0 to 1."""

    gain: Plane
    offset: Plane
    automatic: float


def draw_exposure(rng: np.random.Generator, n_frames: int) -> Exposure:
    """Draw constant light, drift, flicker, one switch, an automatic exposure."""
    t = np.arange(n_frames)
    gain = np.ones((n_frames, 3), np.float32)
    offset = np.zeros(n_frames, np.float32)
    if rng.random() < 0.35:
        gain += (smooth_series(rng, n_frames, rng.uniform(30, 120)) * rng.uniform(0.01, 0.12))[:, None]
        offset += smooth_series(rng, n_frames, rng.uniform(30, 120)) * np.float32(rng.uniform(0, 4))
    if rng.random() < 0.15:
        gain += smooth_series(rng, n_frames, 60)[:, None] * rng.normal(0, 0.03, 3).astype(np.float32)
    if rng.random() < 0.12:
        wave = np.sin(t * rng.uniform(0.3, 3) + rng.uniform(0, 6)) + rng.normal(0, 0.4, n_frames)
        gain += (wave * rng.uniform(0.01, 0.06))[:, None].astype(np.float32)
    if rng.random() < 0.07:
        gain[round(rng.uniform(0.2, 0.8) * n_frames) :] *= rng.choice([0.55, 0.75, 1.3, 1.6])
    automatic = rng.choice([0.0, 0.4, 0.9], p=[0.7, 0.2, 0.1])
    return Exposure(np.clip(gain, 0.3, 2).astype(np.float32), offset, float(automatic))


@dataclass(frozen=True)
class Lens:
    """Blur (pixels), sharpening afterwards (0: none), and the vignette (H, W, 3)."""

    defocus: float
    halo: float
    vignette: Plane | None

    def through(self, picture: Plane) -> Plane:
        """Return a picture (H, W, 3) as the lens shows it."""
        seen = blurred(picture, self.defocus)
        if self.halo:
            seen = cv2.addWeighted(seen, 1 + self.halo, blurred(seen, 1.2), -self.halo, 0).astype(np.float32)
        return seen if self.vignette is None else np.asarray(seen * self.vignette, np.float32)


def draw_lens(rng: np.random.Generator, shape: tuple[int, int]) -> Lens:
    """Draw a lens, mostly a good one."""
    vignette = None
    if rng.random() < 0.3:
        rows, columns = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]
        fall = (1 - rng.uniform(0.05, 0.3) * (rows**2 + columns**2)).astype(np.float32)
        vignette = np.repeat(fall[..., None], 3, 2)
    defocus = rng.choice([0.0, 0.5, 0.9, 1.8], p=[0.45, 0.25, 0.2, 0.1])
    return Lens(float(defocus), float(rng.choice([0.0, 0.5, 1.2], p=[0.6, 0.25, 0.15])), vignette)


class Noise:
    """Noise of a sensor: a part that all pixels have, a part that grows with the light, rows, and memory.

    Parameters
    ----------
    rng : Generator
    shape : (H, W)
    """

    MARGIN = 48
    """Pixels by which the stored noise is larger than a frame: each frame takes another window of it."""

    def __init__(self, rng: np.random.Generator, shape: tuple[int, int]) -> None:
        size = (shape[0] + self.MARGIN, shape[1] + self.MARGIN, 3)
        self._bank = rng.standard_normal(size, dtype=np.float32)
        common = rng.choice([0.0, 0.5, 0.9])
        self._bank = self._bank * np.float32(1 - common) + self._bank[..., :1] * np.float32(common)
        if rng.random() < 0.45:
            self._bank = blurred(self._bank, rng.uniform(0.5, 1.2))
        self._bank /= self._bank.std()
        self._flat = np.float32(rng.choice([0.4, 1.2, 2.5, 5]) * rng.uniform(0.7, 1.3))
        self._shot = np.float32(rng.choice([0, 0.5, 1.5]) * self._flat / 12)
        self._rows = float(rng.choice([0.0, 0.8], p=[0.88, 0.12]) * self._flat)
        self._memory = np.float32(rng.choice([0.0, 0.5, 0.8], p=[0.7, 0.2, 0.1]))

    def add(self, picture: Plane, rng: np.random.Generator, last: Plane | None) -> Plane:
        """Add noise to a picture (H, W, 3), in place; returns it, which the next call takes as `last`."""
        height, width = picture.shape[:2]
        y, x = rng.integers(0, self.MARGIN, 2)
        window = self._bank[y : y + height, x : x + width]
        flips = rng.integers(0, 2, 2) * 2 - 1
        noise = window[:: flips[0], :: flips[1]]
        if self._memory and last is not None:
            noise = last * self._memory + noise * np.sqrt(1 - self._memory**2)
        if self._shot:
            picture += noise * (self._flat + self._shot * np.sqrt(np.maximum(picture, 0)))
        else:
            picture += noise * self._flat
        if self._rows:
            rows = rng.normal(0, self._rows, (height, 1, 1)).astype(np.float32)
            picture += np.broadcast_to(rows, picture.shape)
        return np.asarray(noise, np.float32)


@dataclass(frozen=True)
class Codec:
    """Lossy compression.

    Attributes
    ----------
    quality : int
        Of JPEG, 1 to 100; 0: none.
    frozen : float
        Blocks that changed by less than so many levels stay as they were; 0: none.
    key_frames : int
        Every so many frames all blocks are sent.
    """

    quality: int
    frozen: float
    key_frames: int

    def coded(self, picture: NDArray[np.uint8], last: NDArray[np.uint8] | None, t: int) -> NDArray[np.uint8]:
        """Return a picture (H, W, 3) or (H, W) as a decoder would."""
        seen = picture
        if self.quality:
            colour = picture.ndim == 3
            bgr = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR) if colour else picture
            _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
            decoded = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE), np.uint8)
            seen = np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGR2RGB) if colour else decoded, np.uint8)
        if not self.frozen or last is None or t % self.key_frames == 0:
            return seen
        change = cv2.absdiff(seen, last)
        change = change.max(2) if change.ndim == 3 else change
        height, width = change.shape
        blocks = cv2.resize(change, (-(-width // BLOCK), -(-height // BLOCK)), interpolation=cv2.INTER_AREA)
        sent = cv2.resize((blocks > self.frozen).view(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
        return np.where(sent[..., None] if seen.ndim == 3 else sent, seen, last).astype(np.uint8)


def draw_codec(rng: np.random.Generator) -> Codec:
    """Draw no compression, JPEG of some quality, or a film of a low bit rate."""
    quality = 0 if rng.random() < 0.25 else int(rng.integers(25, 96))
    frozen = rng.uniform(1.5, 6) if rng.random() < 0.18 else 0.0
    return Codec(quality, frozen, int(rng.integers(10, 60)))


@dataclass(frozen=True)
class Sensor:
    """What the samples are: `grey` or RGB, bits, and the part (low, high) of the range that black and white have."""

    grey: bool
    bit_depth: int
    low: float
    high: float

    def samples(self, picture: Plane) -> NDArray[np.uint8] | NDArray[np.uint16]:
        """Return the integers for a picture (H, W, 3) whose white is 255."""
        if self.grey:
            picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.float32)
        top = 2**self.bit_depth - 1
        if self.bit_depth == 8:
            return np.asarray(np.clip(picture + 0.5, 0, 255), np.uint8)
        values = picture * ((self.high - self.low) / 255) + self.low + 0.5
        return np.asarray(np.clip(values, 0, top), np.uint16)


def draw_sensor(rng: np.random.Generator, grey: bool, deep: float) -> Sensor:
    """Draw the samples: with probability `deep` 10 to 16 bits, half of those in a small part of the range."""
    if rng.random() >= deep:
        return Sensor(grey, 8, 0, 255)
    bits = int(rng.choice([10, 12, 14, 16, 16, 16]))
    top = 2**bits - 1
    if rng.random() < 0.5:
        share = rng.uniform(0.01, 0.05) if bits == 16 else rng.uniform(0.05, 0.2)
        low = rng.uniform(0, 0.03) * top
        return Sensor(grey, bits, low, low + share * top)
    return Sensor(grey, bits, 0, top)


def draw_shake(rng: np.random.Generator, n_frames: int, chance: float) -> Plane | None:
    """Draw where the camera points, (T, 2) of (x, y) in pixels: a wandering hand or a tremble; mostly None."""
    if rng.random() >= chance:
        return None
    reach = rng.uniform(0.3, 3)
    if rng.random() < 0.5:
        way = np.stack([smooth_series(rng, n_frames, rng.uniform(2, 15)) for _ in range(2)], 1)
    else:
        way = rng.standard_normal((n_frames, 2), dtype=np.float32)
    return np.asarray(np.clip(way * reach, -SHAKE_MARGIN + 1, SHAKE_MARGIN - 1), np.float32)


SHAKE_MARGIN = 10
"""Pixels of the scene beyond each edge of the frame, for a camera that shakes."""


def cloud_pattern(rng: np.random.Generator, shape: tuple[int, int]) -> Plane:
    """Draw shadows of clouds, a factor (H, 2W) float32 through which a window slides."""
    strength = rng.uniform(0.05, 0.3)
    return np.asarray(1 - strength * np.clip(fractal_noise(rng, (shape[0], shape[1] * 2), 1.9) + 0.3, 0, 1), np.float32)
