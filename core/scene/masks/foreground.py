"""From what a background leaves of a frame to a clean mask, and from masks to what is noise.

`Foreground.detect` says what one frame shows, and learns nothing; `Foreground.update` learns from it. The noise scale
is each pixel's own; it is learnt where the mask is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout
from core.frames.split import Split
from core.parameter import Value
from core.runtime import bands
from core.scene.masks.activity import Activity
from core.scene.masks.detection import Buffers, Detection, Detector, Labels
from core.scene.masks.ghosts import Ghosts
from core.scene.masks.noise_model import NoiseModel
from core.scene.masks.parameters import MaskSettings

LEARN_EVERY = 2
"""Noise and flicker are learnt at every n-th frame, n times as fast."""

FIND_PASSED_EVERY = 8
"""It is asked at every n-th frame where things keep passing."""


class Foreground:
    """Turns splits into masks, and learns each pixel's noise where the mask is empty.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `core.scene.masks.parameters.MASK_PARAMETERS`.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        self._settings = MaskSettings.of(values, layout)
        self._detector = Detector(layout)
        self._noise = NoiseModel(layout, self._detector.shapes)
        self._activity = Activity(layout)
        self._ghosts = self._new_ghosts()
        self._n_learnt = 0
        self._set_limits()

    @property
    def noise(self) -> float:
        """Typical noise scale of luma, units of white."""
        return self._noise.typical

    def noise_scale(self) -> NDArray[np.float32]:
        """Return the noise scale of luma at each pixel (H, W), samples."""
        return np.sqrt(self._noise.variances[0])

    def begin_noise(self, scale: NDArray[np.float32]) -> None:
        """Go on from a noise scale of luma (H, W), samples, as measured about a background that is known better now."""
        self._noise.begin(scale)
        self._set_limits()

    def move(self, down: int, right: int) -> None:
        """Go on with all that was learnt so many pixels (even) lower and further right; the border is repeated."""
        self._noise.move(down, right)
        self._activity.move(down, right)
        self._ghosts = self._new_ghosts()
        self._set_limits()

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value
        self._settings = MaskSettings.of(self._values, self._layout)
        self._set_limits()

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {**self._activity.state(), **self._noise.state()}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state of the same layout; the bit depth may differ."""
        self._activity.load(state)
        self._noise.load(state)
        self._set_limits()

    def detect(self, frame: Frame, split: Split, buffers: Buffers | None = None) -> Detection:
        """Return what is foreground in a frame, as parameters and noise are now; nothing here changes by it.

        Parameters
        ----------
        frame : Frame
            At the working size.
        split : Split
            What the method made of it.
        buffers : Buffers, optional
            What the detection is written to, and how long it then stays; else to new arrays.
        """
        noise = self._noise
        return self._detector.detect(
            frame, split, self._settings, noise.limits, noise.variances[0], buffers or Buffers(self._layout)
        )

    def update(
        self, found: Detection, before: Labels | None, unseen: NDArray[np.uint8] | None = None
    ) -> NDArray[np.bool_] | None:
        """Learn noise, flicker, and for how long foreground has been still.

        Parameters
        ----------
        found : Detection
            What `detect` found in the next frame.
        before : Labels or None
            Of the frame before it; None at the first one.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene: nothing to learn noise from.

        Returns
        -------
        revealed : (H, W) bool, or None
            Pixels of the frame that were foreground and have turned out to be background; the method overwrites
            its own with them.
        """
        tasks = self._ghosts.follow(found.coarse)
        if self._n_learnt % LEARN_EVERY == 0:
            tasks += self._learn(found, before, unseen)
        if tasks:
            bands.all_of(tasks, self._layout.n_values)
        self._n_learnt += 1
        revealed = self._ghosts.judge(found.coarse, self._settings.static_frames)
        return None if revealed is None else self._detector.grid.spread(revealed).view(np.bool_)

    def _learn(
        self, found: Detection, before: Labels | None, unseen: NDArray[np.uint8] | None
    ) -> list[Callable[[], object]]:
        """Learn flicker away from foreground; return the tasks of learning noise where a mask is empty and sees."""
        if before is not None:
            self._activity.learn(found, before, LEARN_EVERY)
        if self._n_learnt % FIND_PASSED_EVERY == 0:
            self._activity.find_passed()
        hidden = found.solid if unseen is None else found.solid | unseen
        return self._noise.learn(
            found.now, found.background, hidden, self._activity.flicker, self._activity.is_passed, self._settings,
            LEARN_EVERY,
        )  # fmt: skip

    def _set_limits(self) -> None:
        self._noise.set_limits(self._activity.flicker, self._settings)

    def _new_ghosts(self) -> Ghosts:
        shapes, layout = self._detector.shapes, self._layout
        return Ghosts(self._detector.grid.shape, len(shapes), layout.white, layout.dtype)
