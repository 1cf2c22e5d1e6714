"""One image as decoded, and the layout that tells how its values lie in a vector."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from core.frames import colour
from core.frames.motion import AT_REST, Motion
from core.runtime.cached import cached

Item = TypeVar("Item", bound=np.generic)

Values = colour.Samples
"""Integer samples as decoded: uint8 for 8 bits, uint16 for 9 to 16."""

Box = tuple[int, int, int, int]
"""Pixels of a picture: the first row and the one behind the last, the first column and the one behind the last."""

LEAST_CONTRAST = 64.0
"""Samples; a grey level is a quarter of a sample then. With less, rounding of a background alone makes a difference:
clips at an eighth of their light had an F-measure of .05 to .96 at 30 samples, and of .54 to .96 at 64."""

BLANK = 2 / 255
"""Share of the contrast that a plane spans at most where nothing is to be seen: rounding adds a level or two."""

SPREAD = 16
"""Of every so many pixels each way one is looked at first, and most often tells that there is something."""

Vector = NDArray[np.uint8 | np.uint16 | np.float32]
"""A frame's vector (F,): samples as decoded, or units of white."""


class Planes(enum.Enum):
    """Which planes a frame's vector is made of, one after the other."""

    GREY = "grey"
    RGB = "RGB"
    YCC420 = "Y Cb Cr 4:2:0"
    """Luma at full size, the two chroma planes at half size each way (rounded up): what video decodes to."""


@dataclass(frozen=True)
class Layout:
    """How the values of a frame lie in a vector of length ``n_values``.

    Attributes
    ----------
    height, width : int
        Size of the image, pixels.
    planes : Planes
        The planes that follow each other in the vector, each in row-major order.
    bit_depth : int
        Significant bits of a sample, 8 to 16.
    full_range : bool
        False for video levels (black 16, white 235 of 255), True where black is 0 and white is ``white``.
    matrix : Matrix
        How luma and chroma were made from RGB, or how luma is where the planes are RGB.
    used : float
        Share of ``white`` that the input makes use of, over 0 to 1, where that was measured
        (`core.io.sources.measured`).
    pedestal : int
        Luma sample that shows no light, where that was measured to lie above ``black``.
    """

    height: int
    width: int
    planes: Planes
    bit_depth: int = 8
    full_range: bool = True
    matrix: colour.Matrix = "bt601"
    used: float = 1.0
    pedestal: int = 0

    @cached
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """Height and width of each plane, pixels."""
        full = (self.height, self.width)
        if self.planes is Planes.GREY:
            return (full,)
        if self.planes is Planes.RGB:
            return (full, full, full)
        half = (-(-self.height // 2), -(-self.width // 2))
        return (full, half, half)

    def step(self, index: int) -> int:
        """Return how many pixels there are to a sample of a plane, each way: 2 for chroma in 4:2:0, else 1."""
        return 2 if index and self.planes is Planes.YCC420 else 1

    @cached
    def slices(self) -> tuple[slice, ...]:
        """Where each plane lies in the vector."""
        ends = np.cumsum([0] + [h * w for h, w in self.shapes])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached
    def n_values(self) -> int:
        """Length of the vector, the F of the methods."""
        return sum(height * width for height, width in self.shapes)

    @property
    def signed_from(self) -> int:
        """Where in the vector the chroma planes begin, whose samples depart from a neutral one both ways.

        ``n_values`` where there are none.
        """
        return self.n_pixels if self.planes is Planes.YCC420 else self.n_values

    @property
    def luma_index(self) -> int:
        """Which plane shows the light of the scene: luma, of RGB green, which is most of it."""
        return 1 if self.planes is Planes.RGB else 0

    @property
    def black(self) -> int:
        """The luma sample that stands for no light."""
        return 0 if self.full_range else colour.VIDEO_BLACK << (self.bit_depth - 8)

    @property
    def dark(self) -> int:
        """The luma sample that shows no light, as far as it is known: light is what lies above it."""
        return max(self.black, self.pedestal)

    @property
    def has_pedestal(self) -> bool:
        """Whether no light is known to be more than black."""
        return self.dark > self.black

    def is_signed(self, index: int) -> bool:
        """Tell whether the samples of a plane depart from a neutral one both ways: chroma."""
        return index > 0 and self.planes is Planes.YCC420

    def zero(self, index: int) -> int:
        """Return the sample that a plane counts from: of light the dark one, of chroma the neutral one."""
        return self.neutral if self.is_signed(index) else self.dark

    @property
    def luma_span(self) -> int:
        """Samples of luma from no light to full light."""
        return self.white if self.full_range else colour.VIDEO_LUMA_SPAN << (self.bit_depth - 8)

    @property
    def neutral(self) -> int:
        """The chroma sample that stands for no colour."""
        return (self.white + 1) // 2

    @property
    def n_pixels(self) -> int:
        """Pixels of the image."""
        return self.height * self.width

    @property
    def white(self) -> int:
        """The largest sample; a vector divided by it lies in [0, 1]."""
        return (1 << self.bit_depth) - 1

    @property
    def is_measured(self) -> bool:
        """True where it is known what the input makes use of."""
        return (self.used, self.pedestal) != (1.0, 0)

    @property
    def contrast(self) -> float:
        """Samples that the input spans, `LEAST_CONTRAST` or more: ``white``, or what it uses of it.

        A grey level is a 255th of it.
        """
        return max(LEAST_CONTRAST, self.used * self.white)

    @property
    def dtype(self) -> type[np.uint8] | type[np.uint16]:
        """Type of a sample."""
        return np.uint8 if self.bit_depth == 8 else np.uint16

    @property
    def n_bytes(self) -> int:
        """Memory of a frame's vector."""
        return self.n_values * np.dtype(self.dtype).itemsize

    def plane(self, vector: NDArray[Item], index: int) -> NDArray[Item]:
        """Return plane ``index`` of a vector as an (h, w) view."""
        return vector[self.slices[index]].reshape(self.shapes[index])

    def part(self, vector: NDArray[Item], index: int, box: Box) -> NDArray[Item]:
        """Return a view of plane ``index`` of a vector within a box of pixels."""
        (top, bottom, left, right), step = box, self.step(index)
        return self.plane(vector, index)[top // step : -(-bottom // step), left // step : -(-right // step)]

    def at_samples(self, pixels: NDArray[Item], index: int) -> NDArray[Item]:
        """Return a view of a map over pixels (H, W) as one over the samples of plane ``index`` (h, w)."""
        return pixels[:: self.step(index), :: self.step(index)]

    def spread(self, pixels: NDArray[Item]) -> NDArray[Item]:
        """Return a map over pixels (H, W) as one over values (F,); half-size planes take every other row and column."""
        return np.concatenate([self.at_samples(pixels, index).ravel() for index in range(len(self.shapes))])

    def is_blank(self, values: Values) -> bool:
        """Tell whether a vector of samples (F,) shows nothing: each of its planes is one level."""
        planes, most = [self.plane(values, index) for index in range(len(self.shapes))], BLANK * self.contrast
        parts = [*(plane[::SPREAD, ::SPREAD] for plane in planes), *planes]
        return all(int(part.max()) - int(part.min()) <= most for part in parts)

    def image(self, values: Values) -> Values:
        """Return the picture that a vector of samples shows, full range: (H, W) grey or (H, W, 3) RGB."""
        if self.planes is Planes.GREY:
            return colour.expand(self.plane(values, 0), self.bit_depth, self.full_range)
        if self.planes is Planes.RGB:
            return np.dstack([self.plane(values, i) for i in range(3)])
        y, cb, cr = (self.plane(values, i) for i in range(3))
        return colour.ycc_to_rgb(y, cb, cr, self.bit_depth, self.full_range, self.matrix)

    def empty(self) -> Values:
        """Return room for a vector of samples (F,), not set."""
        return np.empty(self.n_values, np.uint8) if self.bit_depth == 8 else np.empty(self.n_values, np.uint16)

    def in_white(self, v: Vector) -> NDArray[np.float32]:
        """Return a vector in units of white: samples times the inverse of ``white``, floats as they are."""
        return cast(NDArray[np.float32], v) if v.dtype == np.float32 else v * np.float32(1 / self.white)

    def in_samples(self, v: Vector) -> Values:
        """Return a vector in samples: floats in units of white rounded, samples as they are."""
        return self.quantise(cast(NDArray[np.float32], v)) if v.dtype == np.float32 else cast(Values, v)

    def quantise(self, vector: NDArray[np.floating]) -> Values:
        """Round a vector in units of white (1 is ``white``) to samples, clipped to their range."""
        return colour.quantise(vector, self.white, self.dtype)

    def grey(self) -> Layout:
        """Return the layout of this frame in grey."""
        return replace(self, planes=Planes.GREY)

    def expanded(self) -> Layout:
        """Return the layout of what `image` shows: grey or RGB at full range.

        ``used`` stays, which is measured on such pictures; the pedestal is stretched as luma is.
        """
        planes = Planes.GREY if self.planes is Planes.GREY else Planes.RGB
        pedestal = max(self.pedestal - self.black, 0) * self.white / self.luma_span
        return replace(self, planes=planes, full_range=True, pedestal=min(round(pedestal), self.white))


@dataclass(frozen=True)
class Truth:
    """What is known of a frame beforehand, from a generator or from labels.

    Attributes
    ----------
    mask : (H, W) uint8, or None
        Foreground in the convention of changedetection.net: 255 foreground, 0 background, 50 shadow, 85 and 170
        not scored.
    clean : (F,) samples, or None
        The frame without corruption or without foreground, in the layout of the frame.
    """

    mask: NDArray[np.uint8] | None = None
    clean: Values | None = None


@dataclass(frozen=True)
class Frame:
    """One image of a source. Its arrays are never written after it was made.

    Attributes
    ----------
    index : int
        Place in the source, from 0.
    time_s : float
        Presentation time, seconds from the first frame that is read.
    values : (F,) uint8 or uint16
        The samples, planes one after the other.
    layout : Layout
    truth : Truth, optional
    original : Frame, optional
        The frame before it was scaled to the working size.
    name : str
        File name where frames are files, else empty.
    before_s : float
        Time of the first frame that is read, where a range of the input is, seconds from the first of all.
    motion : Motion
        How the scene lies in it against what was learnt, as far as it is known (`core.scene.stabiliser`).
    n_missed : int
        Frames of a live input that came just before it, faster than they were worked on, and were left out.
    """

    index: int
    time_s: float
    values: Values
    layout: Layout
    truth: Truth | None = None
    original: Frame | None = None
    name: str = ""
    before_s: float = 0.0
    motion: Motion = AT_REST
    n_missed: int = 0

    @property
    def input_s(self) -> float:
        """Presentation time in the whole input, seconds from its first frame."""
        return self.before_s + self.time_s

    @property
    def full(self) -> Frame:
        """The frame at its original size."""
        return self.original or self

    def image(self) -> Values:
        """Return the picture: (H, W) grey or (H, W, 3) RGB, full range, 8 bits in uint8 or more in uint16."""
        return self.layout.image(self.values)


def frame_from_image(
    index: int, time_s: float, image: Values, *, bit_depth: int | None = None, name: str = ""
) -> Frame:
    """Make a frame of a picture.

    Parameters
    ----------
    index, time_s
        As in `Frame`.
    image : (H, W) or (H, W, 3) RGB, uint8 or uint16
    bit_depth : int, optional
        Significant bits; 8 or 16 by the array's type when not given.
    name : str
        File name, if any.
    """
    depth = bit_depth or (8 if image.dtype == np.uint8 else 16)
    planes = Planes.GREY if image.ndim == 2 else Planes.RGB
    layout = Layout(image.shape[0], image.shape[1], planes, depth)
    values = image.ravel() if image.ndim == 2 else np.ascontiguousarray(image.transpose(2, 0, 1)).ravel()
    return Frame(index, time_s, np.ascontiguousarray(values), layout, name=name)
