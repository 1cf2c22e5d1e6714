"""What is known of areas while people draw them: shared by the tools of all panes that show them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor, QImage, QPainterPath

from app.theme import BACKGROUND_TINT, KEEP_TINT
from app.views.tools.outline import outlines
from core.scene.area_maps import KINDS, draw_areas
from core.scene.areas import CODES, LEAST_CORNERS, Areas, Kind, Shape

TINTS: dict[Kind, tuple[int, int, int]] = {"never": BACKGROUND_TINT, "keep": KEEP_TINT, "none": (255, 255, 255)}
"""RGB of what is drawn."""

ALPHA = 90
"""Of what lies over the picture while people draw, of 255."""

MOST_PIXELS = 2_500_000
"""Of the image that lies over the picture: it is made on the window's thread, in 20 ms."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Drawing:
    """What is drawn: of which kind, and with a brush so many pixels of the picture thick; 0: as polygons."""

    kind: Kind
    thickness: int = 0

    @property
    def is_polygon(self) -> bool:
        """Whether corners are clicked."""
        return self.thickness == 0


@dataclass(frozen=True)
class Overlay:
    """Areas as they are seen over a picture.

    Attributes
    ----------
    image : QImage
        Their tints, transparent elsewhere.
    outlines : dict of Kind to QPainterPath
        In pixels of the picture.
    """

    image: QImage
    outlines: dict[Kind, QPainterPath]


class AreaBoard(QObject):
    """The areas, what is drawn with, and the corners of a polygon that is half drawn.

    All points are in pixels of the input.

    Attributes
    ----------
    areas : Areas
    corner : (x, y)
        Upper left pixel of the pictures in the input.
    drawing : Drawing or None
        None: nobody draws.
    corners : list of (x, y)
        Of the polygon that is half drawn.
    """

    changed = Signal()
    drawn = Signal(object)
    """The corners of a shape that was completed."""
    reshaped = Signal(int, object)
    """The number of a shape, and its new corners."""
    removed = Signal(int)
    """The number of a shape."""
    thickened = Signal(int)
    """By how many steps the brush is to be thicker."""
    left = Signal()
    """A person wants to draw no more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.areas = Areas()
        self.corner = (0, 0)
        self.drawing: Drawing | None = None
        self.corners: list[Point] = []
        self._overlay: tuple[tuple[int, int], Overlay] | None = None
        self._boxes: list[QRectF] = []

    def show_areas(self, areas: Areas, corner: tuple[int, int]) -> None:
        """Show these from now on, over pictures whose upper left pixel in the input is at ``corner``."""
        if (areas, corner) != (self.areas, self.corner):
            self.areas, self.corner = areas, corner
            self._overlay = None
            self._boxes = [_box(shape) for shape in areas.shapes]
            self.changed.emit()

    def draw_with(self, drawing: Drawing | None) -> None:
        """Let people draw, or no more; a polygon that is half drawn is forgotten where it is of no use any more."""
        if drawing is None or not drawing.is_polygon:
            self.corners = []
        self.drawing = drawing
        self.changed.emit()

    def add_corner(self, point: Point) -> None:
        """Take a corner of the polygon that is drawn."""
        self.corners.append(point)
        self.changed.emit()

    def drop_corner(self) -> None:
        """Take the last corner back."""
        del self.corners[-1:]
        self.changed.emit()

    @property
    def can_close(self) -> bool:
        """Whether what is half drawn is a polygon."""
        return len(self.corners) >= LEAST_CORNERS

    def close_polygon(self) -> None:
        """Complete the polygon, where it is one."""
        if self.can_close:
            corners, self.corners = tuple(self.corners), []
            self.drawn.emit(corners)
            self.changed.emit()

    def give_up(self) -> None:
        """Forget the polygon that is half drawn; where there is none, draw no more."""
        if self.corners:
            self.corners = []
            self.changed.emit()
        else:
            self.left.emit()

    def shape_at(self, point: Point) -> int | None:
        """Return the number of the uppermost shape over a point; None where there is none."""
        pixel = int(point[0]), int(point[1])
        for number in reversed(range(len(self.areas.shapes))):
            if not self._boxes[number].contains(*pixel):
                continue
            shape = self.areas.shapes[number]
            alone = Areas((Shape("keep", shape.points, shape.thickness),))
            if draw_areas(alone, 1, 1, pixel).any():
                return number
        return None

    def overlay(self, size: tuple[int, int]) -> Overlay | None:
        """Return the areas over pictures of a size (width, height); None where there are none."""
        if self.areas.are_none:
            return None
        if self._overlay is None or self._overlay[0] != size:
            self._overlay = size, self._drawn(size)
        return self._overlay[1]

    def _drawn(self, size: tuple[int, int]) -> Overlay:
        step = max(1, round((size[0] * size[1] / MOST_PIXELS) ** 0.5))
        codes = np.ascontiguousarray(draw_areas(self.areas, *size, self.corner)[::step, ::step])
        height, width = codes.shape
        image = QImage(codes.data, width, height, width, QImage.Format.Format_Indexed8)
        image.setColorTable([0, *(QColor(*TINTS[kind], ALPHA).rgba() for kind in KINDS)])
        borders = outlines([codes == CODES[kind] for kind in KINDS], step)
        drawn = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        return Overlay(drawn, dict(zip(KINDS, borders, strict=True)))


def _box(shape: Shape) -> QRectF:
    """Return what a shape may reach, pixels: half a brush around its points, and what rounding adds."""
    (left, top), (right, bottom) = np.min(shape.points, axis=0), np.max(shape.points, axis=0)
    around = shape.thickness / 2 + 2
    return QRectF(left, top, right - left, bottom - top).adjusted(-around, -around, around, around)
