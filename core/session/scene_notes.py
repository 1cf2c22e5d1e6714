"""What a person should know of the scenes of an input: where they begin, and where a part of one changed at once."""

from __future__ import annotations

from collections.abc import Iterable

from core.io.sources.base import SourceInfo
from core.scene.tuning import SETTLED_FRAMES

TOLD = 3
"""Frames that a person is told of."""

MOST = 1000
"""Frames that are counted; a person is told that there are at least so many."""

BELONGS, AREA = (
    " If it belongs to the scene, such as a slide, ",
    "draw an area over it (A in the window, or --areas): never foreground, or kept as it is.",
)
AGAIN, SCENE = (
    "a second pass may find that (an export has two), or ",
    "set “Sudden changes are” to scene (--set sudden=scene), or ",
)
"""What to do about a part that changes and is foreground."""

STAYS_OUT = " If it is no part of the scene, set “Sudden changes are” to foreground (--set sudden=foreground)."


class SceneNotes:
    """Takes note of frames, from 0; each counts once, however often it is read."""

    def __init__(self) -> None:
        self._cuts: set[int] = set()
        self._parts: set[int] = set()
        self._changes: set[int] = set()
        self._blank: set[int] = set()
        self._waiting: set[int] = set()
        self._seen, self._has_shown = -1, False
        self._view_from: int | None = None

    def see(self, index: int, *, is_blank: bool) -> None:
        """Take note of the next frame, in which nothing may be seen; it counts between others: films end in black."""
        if index != self._seen + 1:  # Somebody has sought, or it is read again.
            self._waiting, self._has_shown = set(), False
        self._seen = index
        if is_blank and not self._has_shown:
            return
        self._has_shown = True
        if not is_blank:
            self._blank.update(self._waiting)
            self._waiting = set()
        elif len(self._blank) + len(self._waiting) < MOST:
            self._waiting.add(index)

    def add_cut(self, first: int) -> None:
        """Take note that a scene begins at a frame."""
        _add(self._cuts, first)

    def set_view(self, first: int) -> None:
        """Take note that the camera has turned so far that the plate is begun anew, in the view of a frame."""
        self._view_from = first

    def set_parts(self, firsts: Iterable[int]) -> None:
        """Take note of the frames at which a part of the picture has changed, as one pass has told the next."""
        self._parts = set(firsts)
        self._changes -= self._parts

    def add_change(self, first: int) -> None:
        """Take note that a part of the picture has changed at a frame and stayed so, and is taken for foreground."""
        _add(self._changes, first)

    def sentences(self, info: SourceInfo, *, has_areas: bool = False, n_passes: int = 0) -> list[str]:
        """Return what is to be said of a source that was read.

        Parameters
        ----------
        info : SourceInfo
        has_areas : bool
            Some are excluded: nobody needs to be told of them.
        n_passes : int
            How often it was read, if it can be read more than once.
        """
        said = []
        if self._cuts:
            where = _where(self._cuts, info)
            said.append(
                f"Another scene begins{where}: each is compared with a background of its own, and has its own plate."
            )
        if self._view_from is not None:
            number = info.number_of(self._view_from)
            view = f"view of frame {number}" if info.numbers_frames else "last view"
            said.append(f"The camera turns: the plate shows the {view}, and is made of the frames since.")
        if self._parts:
            said.append(
                f"Part of the picture changes at once{_where(self._parts, info)}, and stays so: from there on it is "
                "compared with another background, and has another plate." + STAYS_OUT
            )
        if self._blank:
            said.append(
                f"Nothing is to be seen{_where(self._blank, info) or ' in some frames'}: nothing is learnt there, and "
                "the mask is empty."
            )
        # All of the picture changes where there is a cut, before that is known.
        apart = {one for one in self._changes if all(abs(one - cut) > SETTLED_FRAMES for cut in self._cuts)}
        if apart:
            said.append(
                f"Part of the picture changes at once{_where(apart, info)}, and stays so: it is foreground."
                + ("" if has_areas else BELONGS + ("", AGAIN, SCENE)[min(n_passes, 2)] + AREA)
            )
        return said


def _add(frames: set[int], first: int) -> None:
    if len(frames) < MOST:
        frames.add(first)


def _where(frames: set[int], info: SourceInfo) -> str:
    """Return where frames are, such as " at frame 12"; empty where frames have no numbers."""
    if not info.numbers_frames:
        return ""
    n, begin = len(frames), [info.number_of(first) for first in sorted(frames)]
    told = ", ".join(str(first) for first in begin[:TOLD])
    least = "at least " if n == MOST else ""
    more = f" and {least}{n - TOLD} more" if n > TOLD else ""
    return f" at frame{'s' if n > 1 else ''} {told}{more}"
