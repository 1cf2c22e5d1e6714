"""What a project does not hold yet: what was set, drawn and painted since it was saved or opened, and learnt."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.engine.kept_runs import SHOWN_AT_FIRST

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.window.commands.project_state import ProjectState
    from core.project.document import Document
    from core.scene.masks.lessons import Lesson
    from core.scene.masks.strokes import Stroke
    from core.session.session import Session
    from core.session.strokes import Strokes

UNKNOWN = -1
"""No checksum is like this."""


@dataclass(frozen=True)
class Work:
    """What a person has set and painted.

    Attributes
    ----------
    document : Document
    painted_sum : int
        A checksum of what was painted.
    """

    document: Document
    painted_sum: int


class ProjectChanges:
    """Compares what is open with what was saved or opened last.

    Parameters
    ----------
    worker : Worker
        Knows what was painted, and how much was learnt.
    state : ProjectState
        Reads what a person has set.

    Attributes
    ----------
    is_modified : bool
        It differed when it was compared last.
    awaits_painted : bool
        Something was painted that the engine has not answered yet: it counts as a change until then.
    run : int
        How often a run has begun: each counts what it learns from 0.
    """

    def __init__(self, worker: Worker, state: ProjectState) -> None:
        self._worker, self._state = worker, state
        self.is_modified = self.awaits_painted = False
        self.run = 0
        self._saved: Work | None = None
        self._painted_sum = 0
        self._sums: dict[int, tuple[Stroke | Lesson, int]] = {}
        self._n_saved: int | None = None
        self._n_then: int | None = None
        self._lineage: int | None = None

    @property
    def now(self) -> Work:
        """What is set and painted now."""
        return Work(self._state.work(), self._painted_sum)

    def read_painted(self, painted: Strokes | None) -> None:
        """Take note of what is painted now; None: nothing is open."""
        self._sums = _sums_of(painted, self._sums)
        self._painted_sum = _joined(self._sums)

    # What it is compared with

    @property
    def has_begun(self) -> bool:
        """Whether there is anything to compare with."""
        return self._saved is not None

    @property
    def learns_anew(self) -> bool:
        """Whether what is compared with has learnt something that is gone."""
        return self._lineage is not None and self._worker.lineage != self._lineage

    def begin(self) -> None:
        """Compare with what is set now: it belongs to no project."""
        self._saved, self._lineage = self.now, None

    def end(self) -> None:
        """Compare with nothing: another input is open, of which nothing is known yet."""
        self._saved = None

    def note_opened(self, *, differs: bool) -> None:
        """Compare with the project that has just been opened; ``differs``: it is not as it was saved."""
        self._n_saved = self._lineage = None
        self._worker.with_session(self._note_learnt)
        self._saved = Work(self._state.work(), UNKNOWN if differs else self._painted_sum)

    def note_saved(self, work: Work, run: int, n_learnt: int | None, lineage: int | None = None) -> None:
        """Compare with what was saved, when a run had learnt so many frames; None where these do not count.

        ``lineage`` is that of what was learnt; None: nothing was (`app.engine.session_player.SessionPlayer.lineage`).
        """
        self._saved, self._lineage, self._n_then = work, lineage, n_learnt
        self._n_saved = n_learnt if n_learnt is None or run == self.run else SHOWN_AT_FIRST

    def note_restarted(self, *, goes_on: bool) -> None:
        """Take note that a run begins: what it learns is in no project."""
        self.run += 1
        if self._lineage is not None and self._worker.lineage == self._lineage:
            self._n_saved = self._n_then  # What is in the project, and what had been learnt since, is there again.
        elif self._n_saved is not None:
            self._n_saved = 0 if goes_on else SHOWN_AT_FIRST

    def _note_learnt(self, session: Session) -> None:
        self._n_saved = self._n_then = countable(session, SHOWN_AT_FIRST if session.begins_anew else 0)
        self._lineage = None if session.begins_anew else self._worker.lineage

    # What comes of it

    def compare(self) -> bool:
        """Find out whether what is open is modified; return whether this has changed."""
        differs = self.awaits_painted or self.learns_anew or self.now != self._saved
        before, self.is_modified = self.is_modified, differs
        return self.is_modified != before

    @property
    def are_by_hand(self) -> bool:
        """Whether what was painted or drawn is another: settings are soon found again."""
        saved = self._saved
        if saved is None:
            return False
        is_painted = self.awaits_painted or saved.painted_sum != self._painted_sum
        return is_painted or _drawn(saved.document) != _drawn(self._state.work())

    @property
    def n_more_learnt(self) -> int:
        """Frames that were learnt since; 0 where frames do not count."""
        n_saved = self._n_saved  # The engine may set it meanwhile.
        return 0 if n_saved is None else max(self._worker.n_of_lineage - n_saved, 0)


def countable(session: Session, n_learnt: int) -> int | None:
    """Return how many frames were learnt; None where frames are no measure of it: applied only, or iterated over."""
    return n_learnt if session.learning and not session.has_own_passes else None


def _drawn(document: Document) -> tuple[object, ...]:
    return document.areas, document.events.area, document.events.lines


def checksum(painted: Strokes) -> int:
    """Return a number that other strokes would hardly have."""
    return _joined(_sums_of(painted, {}))


def _sums_of(
    painted: Strokes | None, known: dict[int, tuple[Stroke | Lesson, int]]
) -> dict[int, tuple[Stroke | Lesson, int]]:
    """Return a checksum of each stroke and lesson by its id; of those that are ``known`` none is worked out anew.

    A hundred large strokes take a second. They are kept beside their sums: no other has their id.
    """
    if painted is None:
        return {}
    sums: dict[int, tuple[Stroke | Lesson, int]] = {}
    for stroke in painted.strokes:
        sums[id(stroke)] = known.get(id(stroke)) or (stroke, _sum(replace(painted, strokes=(stroke,), lessons=())))
    for lesson in painted.lessons:
        sums[id(lesson)] = known.get(id(lesson)) or (lesson, _sum(replace(painted, strokes=(), lessons=(lesson,))))
    return sums


def _joined(sums: dict[int, tuple[Stroke | Lesson, int]]) -> int:
    return hash(tuple(sum_ for _, sum_ in sums.values()))


def _sum(painted: Strokes) -> int:
    sum_ = 0
    for array in painted.arrays.values():
        sum_ = zlib.crc32(array.tobytes(), sum_)
    return sum_
