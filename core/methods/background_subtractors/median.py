"""The temporal median, the textbook's background."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.frames.running_median import RunningMedian
from core.methods.background_subtractors.base import BackgroundImageMethod, background_schema
from core.methods.background_subtractors.pictures import Mask, marked, picture
from core.parameter import Value, number
from core.state_schema import ArraySpec, Range, StateSchema


def median_schema(layout: Layout, values: Mapping[str, Value]) -> StateSchema:
    """Return what a `TemporalMedian` of these values saves, once it has seen a frame."""
    white = StateSchema({"white": ArraySpec(np.int64, (), (Range(layout.white, layout.white),))})
    frames = RunningMedian.schema(layout, int(values["frames"] or 1))
    return background_schema(layout, values).joined(frames).joined(white)


class TemporalMedian(BackgroundImageMethod):
    """The median of frames spread evenly over all that was seen, and a threshold on the difference from it."""

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        super().__init__(layout, values)
        self._median = RunningMedian(int(values["frames"] or 1))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt: the frames that are kept."""
        return {**super().state(), **self._median.state(), "white": np.array(self._layout.white)}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state; the bit depth may differ."""
        super().load(state)
        kept = np.asarray(state["frames"], np.float32)
        frames = self._layout.quantise((kept / np.float32(state["white"])).ravel())
        self._median.load({**state, "frames": frames.reshape(kept.shape)})

    def _learn(self, samples: Values) -> Mask:
        if self._median.offer(samples):
            self._background = self._layout.in_white(self._median.median())
        return self._look(samples)

    def _look(self, samples: Values) -> Mask:
        away = cv2.absdiff(picture(samples, self._layout), self._background_picture())
        away = away if away.ndim == 2 else reduce(cv2.max, cv2.split(away))
        return marked(away > number(self._values, "difference"))
