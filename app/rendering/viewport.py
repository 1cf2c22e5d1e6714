"""Where people look in a picture, and how that lies in a pane. Values, no Qt here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from app.rendering.tone_mapping import Part

LARGEST = 64.0
STEP = 1.25


@dataclass(frozen=True)
class Look:
    """A look at a picture. One value, so that linked panes cannot drift apart.

    Attributes
    ----------
    x, y : float
        The point of the picture in the middle of the pane, picture pixels from its top left corner.
    scale : float
        Screen pixels for each picture pixel.
    """

    x: float
    y: float
    scale: float

    def to_picture(self, px: float, py: float, pane: tuple[float, float]) -> tuple[float, float]:
        """Return the point of the picture at screen pixel (px, py) of a pane of a size."""
        return self.x + (px - pane[0] / 2) / self.scale, self.y + (py - pane[1] / 2) / self.scale

    def to_pane(self, x: float, y: float, pane: tuple[float, float]) -> tuple[float, float]:
        """Return the screen pixel of a pane where a point of the picture is."""
        return pane[0] / 2 + (x - self.x) * self.scale, pane[1] / 2 + (y - self.y) * self.scale

    def zoomed(self, factor: float, at: tuple[float, float], smallest: float) -> Look:
        """Return the look enlarged by a factor; the point ``at`` of the picture stays where it is on screen."""
        scale = min(max(self.scale * factor, smallest), LARGEST)
        keep = self.scale / scale
        return Look(at[0] + (self.x - at[0]) * keep, at[1] + (self.y - at[1]) * keep, scale)

    def kept_on(self, picture: tuple[int, int], pane: tuple[float, float], top: float = 0.0) -> Look:
        """Return the look moved so that no more empty ground shows than there must be.

        Parameters
        ----------
        picture, pane : tuple
            Width and height, picture pixels and screen pixels.
        top : float
            Height of what lies over the top of the pane, screen pixels: the picture's first row may come below it.
        """
        half = [extent / 2 / self.scale for extent in pane]
        lowest = half[0], half[1] - top / self.scale
        x, y = (
            (low + size - margin) / 2 if low + margin >= size else min(max(at, low), size - margin)
            for at, size, low, margin in zip((self.x, self.y), picture, lowest, half, strict=True)
        )
        return replace(self, x=x, y=y)

    def part(self, picture: tuple[int, int], pane: tuple[float, float]) -> tuple[Part, tuple[int, int]] | None:
        """Return the visible part of a picture, in whole pixels, and the screen pixel where it starts; or None."""
        left, top = self.to_picture(0, 0, pane)
        right, bottom = self.to_picture(pane[0], pane[1], pane)
        x0, y0 = max(int(left // 1), 0), max(int(top // 1), 0)
        x1, y1 = min(int(-(-right // 1)), picture[0]), min(int(-(-bottom // 1)), picture[1])
        if x1 <= x0 or y1 <= y0:
            return None
        px0, py0 = (round(v) for v in self.to_pane(x0, y0, pane))
        px1, py1 = (round(v) for v in self.to_pane(x1, y1, pane))
        return Part(x0, y0, x1 - x0, y1 - y0, max(px1 - px0, 1), max(py1 - py0, 1)), (px0, py0)


def fitted(picture: tuple[int, int], pane: tuple[float, float], top: float = 0.0) -> Look:
    """Return the look that shows the whole picture, as large as the pane allows below what lies over its top."""
    scale = min(max(pane[0], 1.0) / picture[0], max(pane[1] - top, 1.0) / picture[1], LARGEST)
    return Look(picture[0] / 2, picture[1] / 2 - top / 2 / scale, scale)


@dataclass(frozen=True)
class Viewport:
    """How a picture lies in a pane: the geometry that panes and their tools share.

    Attributes
    ----------
    look : Look
    picture : (width, height)
        Of the original picture, pixels.
    pane : (width, height)
        Of the pane, points of the layout; points in a pane count from its upper left corner.
    ratio : float
        Pixels of the screen for each point: not 1 on dense screens.
    top : float
        Height of what lies over the top of the pane, points: whole pictures are shown below it.
    """

    look: Look
    picture: tuple[int, int]
    pane: tuple[float, float]
    ratio: float = 1.0
    top: float = 0.0

    @property
    def screen(self) -> tuple[float, float]:
        """Width and height of the pane, pixels of the screen."""
        return self.pane[0] * self.ratio, self.pane[1] * self.ratio

    @property
    def scale(self) -> float:
        """Points of the pane for each picture pixel."""
        return self.look.scale / self.ratio

    @property
    def can_pan(self) -> bool:
        """Whether the picture is larger than the room for it."""
        rooms = self.screen[0], self.screen[1] - self.top * self.ratio
        return any(size * self.look.scale > room + 1 for size, room in zip(self.picture, rooms, strict=True))

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the picture at a point of the pane."""
        return self.look.to_picture(x * self.ratio, y * self.ratio, self.screen)

    def to_pane(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the pane where a point of the picture is."""
        px, py = self.look.to_pane(x, y, self.screen)
        return px / self.ratio, py / self.ratio

    def pixel_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return the picture pixel at a point of the pane; None beside the picture."""
        at_x, at_y = (math.floor(v) for v in self.to_picture(x, y))
        return (at_x, at_y) if 0 <= at_x < self.picture[0] and 0 <= at_y < self.picture[1] else None

    def fitted(self) -> Look:
        """Return the look that shows the whole picture."""
        return fitted(self.picture, self.screen, self.top * self.ratio)

    def kept(self) -> Look:
        """Return the look moved so that no more empty ground shows than there must be."""
        return self.look.kept_on(self.picture, self.screen, self.top * self.ratio)

    def zoomed(self, factor: float, at: tuple[float, float] | None = None) -> Look:
        """Return the look enlarged by a factor around a point of the pane, or around the middle of the room in it."""
        point = self.to_picture(*(at or (self.pane[0] / 2, (self.pane[1] + self.top) / 2)))
        smallest = min(self.fitted().scale / 2, 1.0)
        return replace(self, look=self.look.zoomed(factor, point, smallest)).kept()

    def panned(self, dx: float, dy: float) -> Look:
        """Return the look with the picture moved by points of the pane."""
        look = self.look
        x, y = look.x - dx * self.ratio / look.scale, look.y - dy * self.ratio / look.scale
        return replace(self, look=Look(x, y, look.scale)).kept()
