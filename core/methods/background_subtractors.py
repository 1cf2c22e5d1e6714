"""What people use without factorization, as methods of the catalogue: the temporal median, and OpenCV's MOG2 and KNN.

Their backgrounds are written as factors, so that all that works on methods works on them: the background image is the
only column of ``W``, and ``h = [1]``. Their masks are their own. The background of a step is the one after the frame
was learnt from, as these methods are used everywhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes, Values, Vector
from core.frames.running_median import RunningMedian
from core.frames.split import MaskedSplit, Split
from core.methods.base import MethodRow, Unguided
from core.parameter import Parameter, Value

Mask = NDArray[np.uint8]

FOREGROUND = 127
"""OpenCV marks shadows with this value; what is above is foreground."""


class Reference(Unguided, ABC):
    """Keeps one background image, and makes masks of its own.

    Parameters
    ----------
    layout : Layout
    values : mapping
        A value for each parameter of the method's row.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        self._background = np.zeros(layout.n_values, np.float32)
        self._n_seen = 0
        self._pictured: tuple[NDArray[np.float32], NDArray[np.uint8]] | None = None

    @property
    def W(self) -> NDArray[np.float32]:
        """The background image as the only column (F, 1), units of white; 0 before the first frame."""
        return self._background[:, None]

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value

    def drop(self, k: int) -> None:
        """Do nothing: there is one column, and it stays."""

    def step(self, v: Vector) -> Split:
        """Learn from a vector; split it with the background image as it then is."""
        self._n_seen += 1
        return self._split(v, self._learn(self._samples(v)))

    def transform(self, v: Vector) -> Split:
        """Split a vector; learn nothing."""
        if not self._n_seen:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        return self._split(v, self._look(self._samples(v)))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {"background": self._background.copy(), "n_seen": np.array(self._n_seen)}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up a state."""
        self._background = np.array(state["background"], np.float32)
        self._n_seen = int(state["n_seen"])

    @abstractmethod
    def _learn(self, samples: Values) -> Mask:
        """Learn from samples (F,), put a new array in place of the background, and return the mask (H, W)."""

    @abstractmethod
    def _look(self, samples: Values) -> Mask:
        """Return the mask (H, W) of samples (F,); learn nothing."""

    def _background_picture(self) -> NDArray[np.uint8]:
        """Return the background as `picture` gives it; made anew only where it has changed."""
        if self._pictured is None or self._pictured[0] is not self._background:
            self._pictured = self._background, picture(self._layout.quantise(self._background), self._layout)
        return self._pictured[1]

    def _samples(self, v: NDArray) -> Values:
        return self._layout.quantise(v) if v.dtype == np.float32 else v

    def _split(self, v: NDArray, mask: Mask) -> MaskedSplit:
        residual = self._layout.in_white(v) - self._background
        objective = 0.5 * float(np.dot(residual, residual))
        return MaskedSplit(self._background.copy(), residual, None, np.ones(1), objective, mask=mask)


class TemporalMedian(Reference):
    """The median of frames spread evenly over all that was seen, and a threshold on the difference from it."""

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        super().__init__(layout, values)
        self._median = RunningMedian(int(values["frames"] or 1))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt: the frames that are kept."""
        return {**super().state(), **self._median.state(), "white": np.array(self._layout.white)}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up a state; the bit depth may differ."""
        super().load(state)
        frames = self._layout.quantise((state["frames"] / np.float32(state["white"])).ravel())
        self._median.load({**state, "frames": frames.reshape(state["frames"].shape)})

    def _learn(self, samples: Values) -> Mask:
        if self._median.offer(samples):
            self._background = self._layout.in_white(self._median.median())
        return self._look(samples)

    def _look(self, samples: Values) -> Mask:
        away = cv2.absdiff(picture(samples, self._layout), self._background_picture())
        away = away if away.ndim == 2 else reduce(cv2.max, cv2.split(away))
        return _marked(away > float(self._values["difference"] or 0))


class OpenCv(Reference):
    """One of OpenCV's background subtractors with its own background image and mask.

    They see 8 bits: deeper samples lose their lowest bits on the way, and the background has 8 bits too. OpenCV does
    not let their models be read out. A state therefore holds the background image only, and who loads it begins anew
    from that image.
    """

    _model: cv2.BackgroundSubtractorMOG2 | cv2.BackgroundSubtractorKNN

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int) -> None:
        super().__init__(layout, values)
        self._seed = seed
        for name, value in values.items():
            self.set(name, value)

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up a state: the model knows its background image, as if it had shown for long, and nothing else."""
        super().load(state)
        self._prime(self._background_picture())

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        super().set(name, value)
        if name == "detect_shadows":
            self._model.setDetectShadows(bool(value))

    @abstractmethod
    def _prime(self, background: NDArray[np.uint8]) -> None:
        """Let the model begin with a background image."""

    def _learn(self, samples: Values) -> Mask:
        # OpenCV's own rate, but counted here: frames that are only looked at would count there too.
        rate = 1 / min(2 * self._n_seen, int(self._values["history"] or 1))
        mask = self._apply(samples, rate)
        self._background = _vector(self._model.getBackgroundImage(), self._layout)
        return mask

    def _apply(self, samples: Values, rate: float) -> Mask:
        # KNN draws at random, from a generator that all of OpenCV shares.
        cv2.setRNGSeed((self._seed + self._n_seen) % 2**31)
        return _marked(self._model.apply(picture(samples, self._layout), None, rate) > FOREGROUND)


class Mog2(OpenCv):
    """A mixture of Gaussians for each pixel (Zivkovic 2004)."""

    _model: cv2.BackgroundSubtractorMOG2

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int) -> None:
        self._model = cv2.createBackgroundSubtractorMOG2()
        super().__init__(layout, values, seed)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        super().set(name, value)
        if name == "var_threshold":
            self._model.setVarThreshold(float(value or 0))

    def _prime(self, background: NDArray[np.uint8]) -> None:
        self._model.apply(background, None, 1.0)

    def _look(self, samples: Values) -> Mask:
        return self._apply(samples, 0.0)


class Knn(OpenCv):
    """The nearest among samples of each pixel's past (Zivkovic & van der Heijden 2006).

    OpenCV's KNN learns even where it is told a rate of 0. Frames that shall teach nothing are compared with its
    background image instead, by the same distance and threshold.
    """

    _model: cv2.BackgroundSubtractorKNN

    PRIMING = 40
    """Times that a background image is shown to a fresh model: until every pixel holds it often enough to know it."""

    def __init__(self, layout: Layout, values: Mapping[str, Value], seed: int) -> None:
        self._model = cv2.createBackgroundSubtractorKNN()
        super().__init__(layout, values, seed)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        super().set(name, value)
        if name == "dist2_threshold":
            self._model.setDist2Threshold(float(value or 0))

    def _prime(self, background: NDArray[np.uint8]) -> None:
        cv2.setRNGSeed(self._seed)
        for n in range(self.PRIMING):
            self._model.apply(background, None, 1.0 if n == 0 else 0.1)

    def _look(self, samples: Values) -> Mask:
        away = cv2.absdiff(picture(samples, self._layout), self._background_picture()).astype(np.float32)
        squared = sum(cv2.multiply(plane, plane) for plane in cv2.split(away))
        return _marked(squared >= float(self._values["dist2_threshold"] or 0))


def picture(samples: Values, layout: Layout) -> NDArray[np.uint8]:
    """Return samples (F,) as OpenCV's methods see images: 8 bits, (H, W) or (H, W, 3), half-size planes enlarged."""
    if layout.bit_depth > 8:
        samples = (samples >> (layout.bit_depth - 8)).astype(np.uint8)
    planes = [layout.plane(samples, i) for i in range(len(layout.shapes))]
    if layout.planes is Planes.GREY:
        return planes[0]
    size = (layout.width, layout.height)
    whole = [p if p.shape[::-1] == size else cv2.resize(p, size, interpolation=cv2.INTER_NEAREST) for p in planes]
    return cv2.merge(whole[::-1])


def _vector(image: NDArray[np.uint8], layout: Layout) -> NDArray[np.float32]:
    """Return what `picture` made of a vector as a vector again (F,), units of white."""
    planes = [image] if image.ndim == 2 else cv2.split(image)[::-1]
    out = np.empty(layout.n_values, np.float32)
    for i, (plane, (height, width)) in enumerate(zip(planes, layout.shapes, strict=True)):
        fits = plane.shape == (height, width)
        layout.plane(out, i)[...] = plane if fits else cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA)
    out *= np.float32(1 / 255)
    return out


def _marked(found: NDArray[np.bool_]) -> Mask:
    return found.view(np.uint8) * np.uint8(255)


HISTORY = Parameter(
    "history", "History", 500, 2, 10_000, "Over how many frames the model is learnt.",
    "shorter: adapts sooner", "frames", kind=int, logarithmic=True,
)  # fmt: skip

SHADOWS = Parameter(
    "detect_shadows", "Detect shadows", True, help="Tell shadows from foreground, and leave them out of the mask.",
    effect="on: shadows leave the mask", kind=bool,
)  # fmt: skip

OWN_MASK = "Its mask is its own: the settings of the mask change nothing."

MEDIAN = MethodRow(
    "median", "Temporal median", "For reference: the textbook's background",
    f"The median of frames spread over all that was seen. {OWN_MASK}",
    (
        Parameter(
            "frames", "Frames kept", 25, 3, 51, "The median is taken over at most this many frames.",
            "higher: less noise, more memory", "frames", kind=int, live=False, logarithmic=True,
        ),
        Parameter(
            "difference", "Difference", 25, 1, 255, "What differs by more from the median is foreground; white is 255.",
            "lower: more foreground", "grey levels",
        ),
    ),
    lambda layout, values, seed: TemporalMedian(layout, values), kind="reference",
)  # fmt: skip

MOG2 = MethodRow(
    "mog2", "MOG2 (OpenCV)", "For reference: Zivkovic 2004, as in OpenCV",
    f"A mixture of Gaussians for each pixel. {OWN_MASK}",
    (
        HISTORY,
        Parameter(
            "var_threshold", "Variance threshold", 16, 1, 200,
            "Squared distance from a Gaussian, in its variances, from which on a pixel is foreground.",
            "lower: more foreground", "variances",
        ),
        SHADOWS,
    ),
    Mog2, kind="reference",
)  # fmt: skip

KNN = MethodRow(
    "knn", "KNN (OpenCV)", "For reference: Zivkovic & van der Heijden 2006, as in OpenCV",
    f"The nearest neighbours among samples of each pixel's past. {OWN_MASK}",
    (
        HISTORY,
        Parameter(
            "dist2_threshold", "Distance threshold", 400, 1, 20_000,
            "Squared distance, over all colours, up to which a sample of the past counts as near; white is 255.",
            "lower: more foreground", "squared grey levels", logarithmic=True,
        ),
        SHADOWS,
    ),
    Knn, kind="reference",
)  # fmt: skip

ROWS = (MEDIAN, MOG2, KNN)
"""What factorization is compared with."""
