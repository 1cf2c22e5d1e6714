"""A picture as the screen takes it: the visible part of it, at the size of the screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Part, Tone
from app.rendering.viewport import Viewport
from app.rendering.wide_colour import WideColour
from app.theme import mask_tint
from core.frames.frame import Values

Key = tuple[Part, Tone, float, tuple[int, int, int]]
"""What decides on an image: part of a picture, colours of its samples, pixels of the screen to a point, masks' RGB."""


@dataclass(frozen=True)
class _Made:
    """An image that was made, of what, and the buffer that it points into."""

    key: Key
    image: QImage
    buffer: NDArray[np.uint8]


class ScreenImage:
    """Paints the visible part of a picture; makes it anew only where something changed.

    Parameters
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
        Is kept, not copied: it must not be written again.
    mask : (H, W) uint8, optional
        Laid over the picture in ``tint`` where it is 255.
    tint : tuple of int, optional
        RGB; that of masks (`app.theme.mask_tint`) when not given.
    wide : WideColour, optional
        What the samples stand for, where a screen would show them otherwise.
    """

    def __init__(
        self,
        picture: Values,
        mask: NDArray[np.uint8] | None = None,
        tint: tuple[int, int, int] | None = None,
        wide: WideColour | None = None,
    ) -> None:
        self.picture, self.mask = picture, mask
        self._tint, self._wide = tint, wide
        self._made: _Made | None = None

    def paint(self, painter: QPainter, view: Viewport, tone: Tone) -> None:
        """Paint the part that a viewport shows, in the colours that ``tone`` gives its samples."""
        seen = view.look.part(view.picture, view.screen)
        if seen is None:
            return
        part, (left, top) = seen
        key = part.on(view.picture, self.picture), tone, view.ratio, self._tint or mask_tint()
        if self._made is None or self._made.key != key:
            self._made = self._make(key)
        painter.drawImage(QPointF(left / view.ratio, top / view.ratio), self._made.image)

    def _make(self, key: Key) -> _Made:
        part, tone, ratio, tint = key
        reduced = tone_mapping.reduce(self.picture, part)
        flat = tone_mapping.to_8_bit(reduced, tone.levels, tone.gamma, self._wide)
        screen = tone_mapping.to_screen(flat, tone.table)
        if self.mask is not None:
            screen = tone_mapping.lay_over(screen, tone_mapping.reduce_mask(self.mask, part), tint)
        height, width = screen.shape[:2]
        image = QImage(screen.data, width, height, screen.strides[0], QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return _Made(key, image, screen)
