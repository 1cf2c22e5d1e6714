"""What strokes say of the scene, passed on: to the method and to the plate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.methods.base import Method
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.session.scene_follower import SceneFollower


class StrokeFeedback:
    """Lets method and plate know what people painted.

    Parameters
    ----------
    layout : Layout
        Of the frames, aligned with the scene.
    method : Method
    foreground : Foreground
        Tells the noise.
    corrections : Corrections
        What was painted.
    scenes : SceneFollower
        Has the scene that is shown.
    learning : bool
        Without it a model is applied: what was painted as background changes neither.
    """

    def __init__(
        self, layout: Layout, method: Method, foreground: Foreground, corrections: Corrections, scenes: SceneFollower,
        *, learning: bool,
    ) -> None:  # fmt: skip
        self._layout, self._method, self._foreground, self._corrections = layout, method, foreground, corrections
        self._scenes, self._learning = scenes, learning

    def overwrite_background(self, values: Values, where: NDArray[np.bool_]) -> None:
        """Take samples (F,) for the background at pixels (H, W) that were painted; nothing where a model is applied."""
        if self._learning:
            self._method.overwrite_background(values, self._layout.spread(where))
            self._scenes.now.plate.discard(where)

    def hide_painted(self) -> None:
        """Let earlier frames not count to the plate where they show what was painted as foreground."""
        noise = self._foreground.noise
        self._scenes.now.plate.hide(lambda values: self._corrections.shown_as_foreground(values, noise))
