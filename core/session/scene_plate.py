"""The plate of one scene, as the pass has seen it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values
from core.runtime.announcing import announced
from core.session.scene_in_progress import SceneInProgress


@dataclass(frozen=True)
class ScenePlate:
    """Works a plate out when it is asked for: of a scene that is over, before the next frame is taken.

    Attributes
    ----------
    scene : SceneInProgress
    background : (F,) samples
        As it was last recovered; pixels that were never seen show it.
    first : int
        The first frame of the scene, of those that are read.
    end : int or None
        The first frame after it; None: the scene is still shown.
    is_background : bool
        The method makes its own masks: its own background is the plate.
    """

    scene: SceneInProgress
    background: Values
    first: int
    end: int | None = None
    is_background: bool = False

    @property
    def n_kept(self) -> int:
        """Frames that the plate is made of: all of a short scene, some of a long one."""
        return self.scene.plate.n_frames

    @property
    def bit_depth(self) -> int:
        """Of its samples."""
        return self.scene.layout.bit_depth

    def samples(self) -> Values:
        """Return the plate (F,): of each pixel the look that comes back."""
        if self.is_background:
            return self.background
        with working_out(self.n_kept):
            return self.scene.plate.samples(self.background)

    def picture(self) -> Values:
        """Return it as a picture of the working size."""
        return self.scene.layout.image(self.samples())

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the `n_kept` frames each pixel (H, W) was seen, 0 to 1."""
        return self.scene.plate.confidence()


def working_out(n_frames: int) -> AbstractContextManager[None]:
    """Announce that a plate is worked out, which takes seconds, and minutes of the largest frames."""
    return announced(f"Working out the plate from {n_frames} frame{'' if n_frames == 1 else 's'}…")
