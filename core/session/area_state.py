"""The areas in force while a session runs, as maps of its pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame
from core.io.sources.base import SourceInfo
from core.scene.area_maps import AreaMaps
from core.scene.areas import Areas
from core.session.alignment import to_scene


class AreaState:
    """Keeps what is excluded from the next frame on.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    areas : Areas

    Attributes
    ----------
    areas : Areas
    maps : AreaMaps
        In pixels of the pictures as they come.

    Raises
    ------
    CleanplateError
        The areas are for an input of another size.
    """

    def __init__(self, info: SourceInfo, areas: Areas) -> None:
        self._info = info
        self.set(areas)

    def set(self, areas: Areas) -> None:
        """Exclude these from the next frame on; raises as above, and leaves those in force that were."""
        info, full, small = self._info, self._info.full, self._info.layout
        size = full.width, full.height
        areas.check_size(*(info.uncut or size))
        self.areas, self.maps = areas, AreaMaps.of(areas, size, (small.width, small.height), info.corner)

    def never(self, frame: Frame) -> NDArray[np.bool_] | None:
        """Return where (H, W) nothing is foreground in the scene, of which a frame as it came shows a part."""
        return to_scene(self.maps.never, frame)
