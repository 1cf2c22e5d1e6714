"""OpenCV's MOG2 and KNN, as methods of the catalogue."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values, Vector
from core.frames.split import Split
from core.methods.background_subtractors.base import BackgroundImageMethod
from core.methods.background_subtractors.pictures import Mask, marked, picture, vector_of
from core.parameter import Value, number

FOREGROUND = 127
"""OpenCV marks shadows with this value; what is above is foreground."""


class OpenCv(BackgroundImageMethod):
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
        """Load a state: the model knows its background image, as if it had shown for long, and nothing else."""
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
        self._background = vector_of(np.asarray(self._model.getBackgroundImage(), np.uint8), self._layout)
        return mask

    def _apply(self, samples: Values, rate: float) -> Mask:
        # KNN draws at random, from a generator that all of OpenCV shares.
        cv2.setRNGSeed((self._seed + self._n_seen) % 2**31)
        return marked(self._model.apply(picture(samples, self._layout), None, rate) > FOREGROUND)


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

    def look(self, v: Vector) -> Split:
        """Split a vector by a model that knows the background image alone: at a rate of 0 OpenCV's still changes."""
        model = cv2.createBackgroundSubtractorMOG2(
            varThreshold=number(self._values, "var_threshold"), detectShadows=bool(self._values["detect_shadows"])
        )
        model.apply(self._background_picture(), None, 1.0)
        shown = picture(self._layout.in_samples(v), self._layout)
        return self._split(v, marked(model.apply(shown, None, 0.0) > FOREGROUND))

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
        return marked(np.asarray(squared) >= number(self._values, "dist2_threshold"))
