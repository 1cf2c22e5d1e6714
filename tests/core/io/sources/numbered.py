"""A source whose samples tell where they are."""

from dataclasses import replace

import numpy as np

from core.frames.frame import Frame, Truth
from core.io.sources.base import SourceInfo


class Numbered:
    """A source in memory whose samples tell where they are: luma x + 10 y, chroma likewise in its own plane."""

    warnings = ()

    def __init__(self, layout, count=10, skipped=()):
        self.info = SourceInfo("numbered", layout, 10.0, count)
        self.skipped = skipped

    def frames(self, first=0):
        for index in range(first, self.info.n_frames):
            if index not in self.skipped:
                yield Frame(index, index / 10, self.values(), self.info.layout, Truth(self.mask(), self.values()))

    def values(self):
        planes = [np.add.outer(10 * np.arange(h), np.arange(w)).ravel() for h, w in self.info.layout.shapes]
        return np.concatenate(planes).astype(self.info.layout.dtype)

    def mask(self):
        mask = np.zeros((self.info.layout.height, self.info.layout.width), np.uint8)
        mask[2:5, 3:] = 170
        return mask

    def close(self):
        self.info = replace(self.info, title="closed")
