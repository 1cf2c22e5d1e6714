"""A film in one of whose frames a lamp lights one side."""

from dataclasses import replace

import numpy as np

from core.io.sources import InputSpec, open_source

N, FLASH = 60, 50


class Flashing:
    """A source whose frame ``FLASH`` is lit from one side."""

    def __init__(self):
        self._inner = open_source(InputSpec("sample:street", size=(160, 120), grey=True, frames=(1, N)))
        self.info, self.warnings = self._inner.info, []

    def frames(self, first=0):
        """Yield the frames from ``first`` on."""
        for frame in self._inner.frames(first):
            lit = frame.values.reshape(120, 160).astype(np.float32) * np.clip(np.linspace(4, 0, 160), 1, 2.5)
            values = np.clip(lit, 0, frame.layout.white).astype(frame.layout.dtype).ravel()
            yield replace(frame, values=values) if frame.index == FLASH else frame

    def close(self):
        """Close the film."""
        self._inner.close()
