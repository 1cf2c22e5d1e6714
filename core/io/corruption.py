"""Noise of known kind put on clean images, so that denoising can be shown and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import msgspec
import numpy as np

from core.frames.frame import Frame, Planes, Truth, Values
from core.parameter import Parameter, Value
from core.seed import LARGEST_SEED

USES = {
    "salt-and-pepper": ("density",),
    "occlusion": ("density",),
    "laplace": ("density", "scale"),
    "uniform": ("density", "low", "high"),
}
"""Which numbers each kind has, in the order in which the command line takes them; all have a seed."""

KINDS = tuple(USES)

PARAMETERS = (
    Parameter(
        "kind", "Kind", "salt-and-pepper", kind=str, choices=KINDS,
        help="What is put on the images: black and white pixels, a block, or noise that is added.",
    ),
    Parameter(
        "density", "Density", 0.1, 0.0, 1.0, effect="higher: more of the image is corrupted",
        help="The part of an image's pixels that is corrupted; for occlusion, the part of its area.",
    ),
    Parameter(
        "share", "Share of images", 1.0, 0.0, 1.0, effect="higher: more images are corrupted",
        help="The part of the images that is corrupted at all.",
    ),
    Parameter(
        "low", "Lowest added", 153.0, -255.0, 255.0, unit="grey levels", effect="higher: stronger",
        help="Uniform noise adds between this and the highest; of 255, whatever the bit depth.",
    ),
    Parameter(
        "high", "Highest added", 255.0, -255.0, 255.0, unit="grey levels", effect="higher: stronger",
        help="Uniform noise adds between the lowest and this; of 255, whatever the bit depth.",
    ),
    Parameter(
        "scale", "Scale δ", 25.0, 0.0, 255.0, unit="grey levels", effect="higher: stronger",
        help="Laplace noise has this mean size; of 255, whatever the bit depth.",
    ),
    Parameter("seed", "Seed", 0, 0, LARGEST_SEED, kind=int, help="Another seed gives other noise.", advanced=True),
)  # fmt: skip
"""What can be chosen, for forms and the command line."""


@dataclass(frozen=True)
class Corruption:
    """Corrupts frames, each by its number in the input and the seed alone: it is always corrupted the same way.

    ``salt-and-pepper`` sets a part ``density`` of the pixels to black or white with equal chance. ``occlusion`` lays
    one block of a random grey level, shaped like the image and of ``density`` times its area, at a random place.
    ``laplace`` adds Laplace noise of density ``exp(−|x|/δ)/2δ`` to a part ``density`` of the pixels, ``uniform`` adds
    U[low, high]; both are rounded, and clipped at 0 and at the largest sample (Zhao & Tan 2016 clip their outliers the
    same way): in video levels that is beyond black and white.

    RGB pixels are corrupted as one (the same amount in each plane). Only luma is corrupted in video frames in 4:2:0,
    but for the block, which is grey.

    Attributes
    ----------
    kind, density, seed, share, low, high, scale
        As in `PARAMETERS`, which also say what is allowed.

    Raises
    ------
    CleanplateError
        A value is out of range.
    """

    kind: str = "salt-and-pepper"
    density: float = 0.1
    seed: int = 0
    share: float = 1.0
    low: float = 153.0
    high: float = 255.0
    scale: float = 25.0

    def __post_init__(self) -> None:
        values = self.values()
        for parameter in PARAMETERS:
            parameter.check(values[parameter.name])
        if self.high < self.low:
            Parameter("high", "", None, self.low, 255.0, unit="grey levels").check(self.high)

    @classmethod
    def from_values(cls, values: Mapping[str, Value]) -> Corruption:
        """Make one of a form's or a command's values; names that are missing keep their defaults."""
        return msgspec.convert({p.name: p.check(values.get(p.name, p.default)) for p in PARAMETERS}, cls)

    def values(self) -> dict[str, Value]:
        """Return all values by the names of `PARAMETERS`."""
        return asdict(self)

    def apply(self, frame: Frame, n_before: int = 0) -> Frame:
        """Return the frame corrupted; its truth keeps the samples as they were.

        Parameters
        ----------
        frame : Frame
        n_before : int
            Frames of the input before the first that is read, where its index is 0.
        """
        rng = np.random.default_rng((self.seed, frame.index + n_before))
        mask = frame.truth.mask if frame.truth else None
        values = frame.values.copy() if rng.random() < self.share else frame.values
        if values is not frame.values:
            if self.kind == "occlusion":
                self._occlude(values, frame, rng)
            else:
                self._disturb(values, frame, rng)
        return replace(frame, values=values, truth=Truth(mask, frame.values))

    def _disturb(self, values: Values, frame: Frame, rng: np.random.Generator) -> None:
        layout = frame.layout
        hit = np.flatnonzero(rng.random(layout.n_pixels, dtype=np.float32) < self.density)
        unit = layout.white / 255
        # Video's luma keeps room below black and above white: white is not the largest sample.
        black, white = layout.black, layout.black + layout.luma_span
        if self.kind == "salt-and-pepper":
            level = np.where(rng.random(len(hit), dtype=np.float32) < 0.5, black, white)
        elif self.kind == "laplace":
            level = rng.laplace(0.0, self.scale * unit, len(hit))
        else:
            level = rng.uniform(self.low * unit, self.high * unit, len(hit))
        planes = (0, 1, 2) if layout.planes is Planes.RGB else (0,)
        for plane in (values[layout.slices[i]] for i in planes):
            if self.kind != "salt-and-pepper":
                plane[hit] = np.rint(np.clip(plane[hit] + level, 0, layout.white))
            else:
                plane[hit] = np.rint(level)

    def _occlude(self, values: Values, frame: Frame, rng: np.random.Generator) -> None:
        layout = frame.layout
        side = self.density**0.5
        height, width = round(side * layout.height), round(side * layout.width)
        y = int(rng.integers(0, layout.height - height + 1))
        x = int(rng.integers(0, layout.width - width + 1))
        level = int(rng.integers(0, layout.white + 1))
        for index in range(len(layout.shapes)):
            is_chroma = layout.slices[index].start >= layout.signed_from
            layout.part(values, index, (y, y + height, x, x + width))[:] = layout.neutral if is_chroma else level
