"""All that was painted by hand at one time, to come back to."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.scene.masks import lessons_schema, painted_schema
from core.scene.masks.head_weights import shipped
from core.scene.masks.lessons import Lesson
from core.scene.masks.strokes import Stroke


@dataclass(frozen=True, eq=False)
class Strokes:
    """All that was painted at one time; those of other times share its parts, so that many take little room.

    Attributes
    ----------
    layout : Layout
        Of the frames that were painted on.
    strokes : tuple of Stroke
        What is remembered.
    lessons : tuple of Lesson
        What is taught.
    """

    layout: Layout
    strokes: tuple[Stroke, ...] = ()
    lessons: tuple[Lesson, ...] = ()

    @property
    def arrays(self) -> Mapping[str, NDArray[np.generic]]:
        """The same as arrays, for `core.session.settings.Settings.painted`; none where nothing was painted."""
        painted = painted_schema.state_of(self.strokes, self.layout)
        return {**painted, **lessons_schema.state_of(self.lessons, self.layout, shipped())}

    def is_same(self, other: Strokes) -> bool:
        """Tell whether both hold the same objects."""
        pairs = (self.strokes, other.strokes), (self.lessons, other.lessons)
        return all(len(a) == len(b) and all(map(operator.is_, a, b)) for a, b in pairs)
