"""What was painted by hand and is remembered: strokes, and what they teach."""

from __future__ import annotations

from core.session.scene_parts import SceneParts
from core.session.strokes import Strokes


class RememberedStrokes:
    """Lets strokes and lessons change together. Any thread may read `now`, the rest is for the one that iterates.

    Parameters
    ----------
    parts : SceneParts
        Of them corrections remember the strokes, and the foreground is taught.
    """

    def __init__(self, parts: SceneParts) -> None:
        self._layout = parts.source.info.layout
        self._corrections, self._foreground = parts.corrections, parts.foreground
        self.note()

    @property
    def now(self) -> Strokes:
        """All of it: as it was before what is painted this moment, or after it."""
        return self._now

    def note(self) -> None:
        """Let others know what has changed, in one assignment: no stroke is seen without what it teaches."""
        self._now = Strokes(self._layout, self._corrections.strokes, self._foreground.lessons)

    def restore(self, strokes: Strokes) -> None:
        """Remember these and nothing else."""
        self._corrections.restore(strokes.strokes)
        self._foreground.teach(strokes.lessons)
        self.note()

    def move(self, down: int, right: int) -> None:
        """Remember all of them so many pixels (even) lower and further right."""
        self._corrections.move(down, right)
        self.note()
