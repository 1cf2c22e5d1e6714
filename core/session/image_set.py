"""How an image set is read: each image scaled by itself, and in another order while it is learnt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Planes
from core.io.sources.base import Source
from core.io.sources.views import UnitMaximum
from core.methods.content import CONTENT, IMAGES, SHUFFLE, UNIT_MAXIMUM, shows_scene
from core.parameter import Value
from core.session.phase import Phase
from core.session.plan import Stage


class ImageSet:
    """What is chosen of how an image set is read; nothing where frames show one scene, or chroma has signs.

    Parameters
    ----------
    values : mapping
        Of the method's parameters, by name, with what the input has decided.
    source : Source
    seed : int

    Attributes
    ----------
    is_set : bool
        Whether frames are taken for an image set; never where the method does not ask what they show.
    """

    def __init__(self, values: Mapping[str, Value], source: Source, seed: int) -> None:
        info = source.info
        self.is_set = CONTENT.name in values and not shows_scene(values, info.layout)
        chosen = values.get(CONTENT.name) == IMAGES and info.layout.planes is not Planes.YCC420
        self._scales = chosen and bool(values.get(UNIT_MAXIMUM.name))
        self._shuffles = chosen and bool(values.get(SHUFFLE.name)) and not info.live
        self._n_frames, self._seed = info.n_frames, seed

    def view(self, source: Source) -> Source:
        """Return the source as it is learnt from and shown."""
        return UnitMaximum(source) if self._scales else source

    def order(self, stage: Stage, first: int) -> NDArray[np.intp] | None:
        """Return in which order a pass takes the frames from ``first`` on; None: as they come.

        The last pass gives the results, and takes them as they come.
        """
        learns_only = stage.phase is Phase.LEARNING and not stage.is_last
        if not (self._shuffles and learns_only and self._n_frames):
            return None
        rng = np.random.default_rng((self._seed, stage.pass_index))
        return first + rng.permutation(max(self._n_frames - first, 0))
