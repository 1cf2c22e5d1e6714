"""Areas that people exclude, drawn over the picture: what is never foreground, and what cleaned frames keep as it is.

* *never*: it is background, whatever moves there: out of mask and matte, and learnt like everything that is seen.
* *keep*: cleaned frames show the input there, to the sample. Mask, matte and plate do not know of it: what stands
  there is found as elsewhere, and the plate shows the scene behind it.

Areas belong to the picture, as a region does, and not to the scene: they stay where they are while a camera shakes.
They count in pixels of the whole input, so that neither a region nor a working size changes them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.errors import CleanplateError
from core.untrusted_json import LARGEST_SIDE, Side

Kind = Literal["never", "keep", "none"]
"""What holds in a shape; none: no longer what an earlier shape says."""

CODES: dict[Kind, int] = {"none": 0, "never": 1, "keep": 2}
"""What a pixel says."""

FARTHEST = LARGEST_SIDE
"""Pixels from the corner of the picture."""

MOST_SHAPES = 1000

MOST_POINTS = 20_000
"""Of all shapes together: some four hundred strokes of a brush."""

MOST_THICKNESS = 200
"""Pixels of a brush."""

LEAST_CORNERS, MOST_CORNERS = 3, 2000
"""Of a polygon; of edges that all cross, filling takes time by their square: with so many a tenth of a second."""

Place = Annotated[float, Meta(ge=-FARTHEST, le=FARTHEST)]

Point = tuple[Place, Place]
"""Column and row from the upper left corner of the input, pixels."""


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A polygon, or a stroke of a brush.

    Attributes
    ----------
    kind : Kind
    points : tuple of Point
        Corners of a polygon, or where the brush has been.
    thickness : float
        Of the brush, pixels; 0: it is a polygon.
    """

    kind: Kind
    points: Annotated[tuple[Point, ...], Meta(min_length=1, max_length=MOST_POINTS)]
    thickness: Annotated[float, Meta(ge=0, le=MOST_THICKNESS)] = 0.0

    def __post_init__(self) -> None:
        """Refuse a polygon without an inside, and one that nobody draws."""
        if self.is_polygon and not LEAST_CORNERS <= len(self.points) <= MOST_CORNERS:
            corners = "1 corner" if len(self.points) == 1 else f"{len(self.points)} corners"
            raise CleanplateError(f"A polygon has {corners}; give {LEAST_CORNERS} to {MOST_CORNERS}.")

    @property
    def is_polygon(self) -> bool:
        """Whether the points are corners."""
        return self.thickness == 0

    def reaches(self, width: int, height: int) -> bool:
        """Whether the box around it, as thick as its brush, touches a picture of this size, pixels."""
        xs, ys, around = [x for x, _ in self.points], [y for _, y in self.points], self.thickness / 2
        across = min(xs) - around < width and max(xs) + around > 0
        return across and min(ys) - around < height and max(ys) + around > 0

    def moved(self, right: float, down: float) -> Shape:
        """Return it so many pixels further right and lower."""
        points = tuple((x + right, y + down) for x, y in self.points)
        return msgspec.structs.replace(self, points=points)


class Areas(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All areas of an input: a picture of them and shapes over it, of which a later one goes before earlier ones.

    Attributes
    ----------
    shapes : tuple of Shape
    size : (width, height) or None
        Of the input that they were made for, pixels; None: not known.
    codes : bytes
        The picture: what each of its pixels says (`CODES`), row after row; empty: none.
    """

    shapes: Annotated[tuple[Shape, ...], Meta(max_length=MOST_SHAPES)] = ()
    size: tuple[Side, Side] | None = None
    codes: bytes = b""

    def __post_init__(self) -> None:
        """Refuse a picture that is none, and more than can be drawn in time."""
        width, height = self.size or (0, 0)
        if self.codes and (len(self.codes) != width * height or self.codes.translate(None, bytes(CODES.values()))):
            raise CleanplateError(
                "The picture of the areas does not fit its size, or holds unknown codes; use another."
            )
        n_points = sum(len(shape.points) for shape in self.shapes)
        if n_points > MOST_POINTS or len(self.shapes) > MOST_SHAPES:
            raise CleanplateError(
                f"The areas have {len(self.shapes)} shapes with {n_points} points, which is more than {MOST_SHAPES} or "
                f"{MOST_POINTS}; draw them with fewer."
            )

    @property
    def are_none(self) -> bool:
        """Whether nothing is excluded."""
        return not (self.shapes or self.codes)

    @property
    def may_hide(self) -> bool:
        """Whether something of the picture may be never foreground; what is kept hides nothing from a mask."""
        return CODES["never"] in self.codes or any(shape.kind == "never" for shape in self.shapes)

    def with_shape(self, shape: Shape) -> Areas:
        """Return them with one more; raises CleanplateError where these are too many."""
        return msgspec.structs.replace(self, shapes=(*self.shapes, shape))

    def reshaped(self, number: int, points: tuple[Point, ...]) -> Areas:
        """Return them with other points of a shape."""
        shapes = list(self.shapes)
        shapes[number] = msgspec.structs.replace(shapes[number], points=points)
        return msgspec.structs.replace(self, shapes=tuple(shapes))

    def without(self, number: int) -> Areas:
        """Return them with one shape less."""
        return msgspec.structs.replace(self, shapes=self.shapes[:number] + self.shapes[number + 1 :])

    def check_size(self, width: int, height: int) -> None:
        """Raise a `CleanplateError` where they were made for an input of another size."""
        if self.size not in (None, (width, height)):
            made = "{}×{}".format(*self.size) if self.size else ""
            raise CleanplateError(
                f"The areas are for pictures of {made}, and the input has {width}×{height}; give areas of its size."
            )

    def check_reach(self, width: int, height: int) -> None:
        """Raise a `CleanplateError` where there are shapes and none of them lies in a picture of this size."""
        if self.shapes and not self.codes and not any(shape.reaches(width, height) for shape in self.shapes):
            raise CleanplateError(
                f"None of the areas lies in the picture of {width}×{height} pixels; give areas that were made for it."
            )
