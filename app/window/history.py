"""The history: what was set and painted, step by step, to be undone and done again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QUndoCommand, QUndoStack

from app.engine.threads import on_own_thread
from app.window.moment import Changes, Moment, changes, patched
from app.window.step_words import stroke_words, undone_words, words_of

if TYPE_CHECKING:
    from core.io.input_spec import InputSpec
    from core.io.sources.base import SourceInfo
    from core.parameter import Parameter, Value
    from core.session.strokes import Strokes

MOST_STEPS = 200
"""Steps that are kept; the oldest go first. With a hundred strokes they take some 10 MB."""

TOGETHER_S = 1.0
"""Changes of one number that follow each other within this time are one step; so is all that one drag changes."""

RELEASE_MS = 50
"""How often it is looked, during a drag, whether the button was let go."""

MERGED = frozenset({"passes", "export.fps", "export.passes", "events.shortest", "events.smallest"})
"""What is typed or dragged, beside the parameters."""


NO_STEPS = frozenset({"export.folder"})
"""What is chosen without changing any result: where to is asked for at each export, and taking it back helps nobody."""


class Moments(Protocol):
    """What the history reads and sets: `app.window.moments.Moments`."""

    def now(self) -> Moment:
        """Return all that a person has set and painted."""

    def restore(self, known: Moment, places: Mapping[str, object], strokes: Strokes | None) -> Moment:
        """Set some of it anew; return what is set from now on."""


class Step(QUndoCommand):
    """One change. It was done already when it is put on the stack.

    Parameters
    ----------
    words : callable
        ``words(changed)`` says what it was.
    changed : mapping
        Of the settings.
    strokes : (before, after), optional
        What was painted, where that has changed.
    apply : callable
        ``apply(step, forward)`` sets all of it, as it was before or after.
    drag : int, optional
        The number of the drag that has changed it; None: no drag.
    """

    def __init__(
        self, words: Callable[[Changes], str], changed: Changes, strokes: tuple[Strokes | None, Strokes | None] | None,
        apply: Callable[[Step, bool], None], drag: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(words(changed))
        self.changed, self.strokes, self.drag = changed, strokes, drag
        self._words, self._apply = words, apply
        self._is_new = True
        self.at = time.monotonic()

    def values(self, *, forward: bool) -> dict[str, object]:
        """Return what is set after this step (``forward``) or before it, by place."""
        return {place: change[forward] for place, change in self.changed.items()}

    def id(self) -> int:
        """Return the number that steps have which may be joined with the one before; others have -1."""
        place = next(iter(self.changed), "")
        is_one = len(self.changed) == 1 and self.strokes is None
        return 1 if is_one and (place.startswith("values.") or place in MERGED) else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Join the next step with this one where it goes on with the same number, in the same drag or at once."""
        assert isinstance(other, Step)
        are_drags = self.drag is not None and other.drag is not None
        goes_on = self.drag == other.drag if are_drags else other.at - self.at < TOGETHER_S
        if self.changed.keys() != other.changed.keys() or not goes_on:
            return False
        (place, (before, _)), (_, after) = next(iter(self.changed.items())), next(iter(other.changed.values()))
        self.changed, self.at, self.drag = {place: (before, after)}, other.at, other.drag
        self.setText(self._words(self.changed))
        self.setObsolete(before == after)
        return True

    def undo(self) -> None:
        """Set what was before."""
        self._apply(self, False)

    def redo(self) -> None:
        """Set what was after; the first time that is so already."""
        if not self._is_new:
            self._apply(self, True)
        self._is_new = False


@dataclass(frozen=True)
class Waiting:
    """What is done once all that was painted is answered.

    Attributes
    ----------
    then : callable
    stroke : int or None
        Which of what was on its way it is about; None: an earlier step.
    is_undo : bool
    """

    then: Callable[[], None]
    stroke: int | None
    is_undo: bool


class History(QObject):
    """Finds out what has changed whenever it is told that something has, and undoes it.

    Parameters
    ----------
    moments : Moments
        Reads and sets what a person has set.
    parent : QObject

    Attributes
    ----------
    stack : QUndoStack

    Signals
    -------
    went(str, bool) : a step was done again, or taken back (False), which the words say
    stepped() : something was changed that is a step
    awaits_changed(bool) : whether something was painted that the engine has not answered yet
    """

    went = Signal(str, bool)
    stepped = Signal()
    awaits_changed = Signal(bool)

    def __init__(self, moments: Moments, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._moments = moments
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(MOST_STEPS)
        self._known: Moment | None = None
        self._awaited: InputSpec | None = None
        self._called = ""
        self._is_another = self._is_applying = False
        self._asked: list[bool | None] = []
        self._became_step = False
        self._waits: list[Waiting] = []
        self._n_drags = 0
        self._release_timer = QTimer(self, interval=RELEASE_MS)
        self._release_timer.timeout.connect(self._on_release_due)

    # What has changed

    def begin_anew(self) -> None:
        """Forget all steps once the input that is being opened is there: it is another, or of another project."""
        self._is_another = True

    def call_next(self, text: str) -> None:
        """Call what changes next by this name."""
        self._called = text

    @on_own_thread
    def note(self) -> None:
        """Take note of what has changed since the last time; what is open is looked at by `on_opened`."""
        if self._known is not None and not self._is_applying:
            now = self._now()
            self._push(replace(now, work=patched(now.work, {"input": self._known.work.input})))

    @on_own_thread
    def on_rank(self, _values: Mapping[str, Value]) -> None:
        """Take note of another rank: the engine has dropped a basis image."""
        self.note()

    @on_own_thread
    def on_opened(self, _info: SourceInfo, request: InputSpec) -> None:
        """Take note of the input that is open now, or of another view of it."""
        if self._is_another or self._known is None:
            self.stack.clear()
            self._waits.clear()
            self._known, self._awaited, self._called, self._is_another = self._now(), None, "", False
        elif self._awaited is None:
            self._push(self._now(), with_strokes=True)
        elif request == self._awaited:
            self._awaited = None

    @on_own_thread
    def on_failed(self, _sentence: str) -> None:
        """Go by what is open: what was asked for may not come."""
        if self._awaited is not None and self._known is not None:
            self._awaited = None
            self._known = replace(self._known, work=self._now().work)

    @on_own_thread
    def on_painted(self, before: Strokes, after: Strokes) -> None:
        """Take note of what a person has painted, or has let be forgotten."""
        if self._known is not None and not before.is_same(after):
            self._known, self._became_step = replace(self._known, strokes=after), True
            self.stack.push(Step(lambda _: stroke_words(after), {}, (before, after), self._apply))
            self.stepped.emit()

    @property
    def awaits_painted(self) -> bool:
        """Whether something was painted that is no step yet: the engine has not taken it."""
        return None in self._asked

    def await_painted(self) -> None:
        """Take note that a stroke, or forgetting, goes to the engine: until `on_done_by_hand` nothing is undone."""
        self._asked.append(None)
        self.awaits_changed.emit(True)

    @on_own_thread
    def on_done_by_hand(self) -> None:
        """Take note that the oldest of these was answered, and do what waited for the last."""
        if self.awaits_painted:
            self._asked[self._asked.index(None)] = self._became_step
        self._became_step = False
        if self.awaits_painted:
            return
        asked, self._asked = self._asked, []
        waits, self._waits = self._waits, []
        self.awaits_changed.emit(False)
        for one in waits:
            if one.stroke is None or asked[one.stroke]:  # What was left out is no step: that before it is not meant.
                one.then()

    def take_as_known(self) -> None:
        """Take the parameters as they are now as no change: the engine has decided them."""
        if self._known is not None:
            values = self._now().work.values
            self._known = replace(self._known, work=patched(self._known.work, {"values": values}))

    def _now(self) -> Moment:
        return self._moments.now()

    def _push(self, now: Moment, *, with_strokes: bool = False) -> None:
        assert self._known is not None
        before, self._known = self._known, now
        called, self._called = self._called, ""
        changed = {place: change for place, change in changes(before, now).items() if place not in NO_STEPS}
        strokes = (before.strokes, now.strokes) if with_strokes and changed else None
        if changed:
            parameters = _parameters(before, now)
            words = partial(words_of, parameters=parameters)
            named = (lambda _: called) if called else words
            self.stack.push(Step(named, changed, strokes, self._apply, self._drag()))
            self.stepped.emit()

    def _drag(self) -> int | None:
        """Return the number of the drag that goes on until the button is seen to be up; None: there is none."""
        if not _is_dragging():
            return None
        self._release_timer.start()
        return self._n_drags

    def _on_release_due(self) -> None:
        if not _is_dragging():
            self._n_drags += 1
            self._release_timer.stop()

    # Undo

    def undo(self) -> None:
        """Take the last step back. What was painted last is that step, though the engine may have to take it first."""
        self._once_painted(self.stack.undo, is_undo=True)

    def redo(self) -> None:
        """Do the next step again."""
        self._once_painted(self.stack.redo, is_undo=False)

    def _once_painted(self, then: Callable[[], None], *, is_undo: bool) -> None:
        if not self.awaits_painted:
            then()
            return
        n_back = sum(1 if one.is_undo else -1 for one in self._waits)
        stroke = len(self._asked) - n_back - is_undo
        is_one = 0 <= stroke < len(self._asked)
        self._waits.append(Waiting(then, stroke if is_one else None, is_undo))

    def _apply(self, step: Step, forward: bool) -> None:
        assert self._known is not None
        places = step.values(forward=forward)
        strokes = step.strokes[forward] if step.strokes is not None else self._known.strokes
        self._is_applying = True
        try:
            wanted = self._moments.restore(self._known, places, strokes)
        finally:
            self._is_applying = False
        if wanted.work.input != self._known.work.input:
            self._awaited = wanted.work.input.spec()
        self._known = wanted
        self.went.emit(step.text() if forward else undone_words(step.text()), forward)


def _parameters(before: Moment, now: Moment) -> Mapping[str, Parameter]:
    from core import catalogue  # noqa: PLC0415 - the engine is there by now

    return {
        **catalogue.parameters(catalogue.row(before.work.method)),
        **catalogue.parameters(catalogue.row(now.work.method)),
    }


def _is_dragging() -> bool:
    return bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
