"""What other threads ask of a session that runs: a mailbox, which the thread that iterates reads between frames."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

from core import catalogue
from core.errors import CleanplateError
from core.methods.base import MethodRow
from core.parameter import Value
from core.runtime.stopping import StoppedError, stops_when
from core.session.iterating_thread import IteratingThread

Given = ParamSpec("Given")
Done = TypeVar("Done")


class Control:
    """Takes changes of parameters, pauses and places to go on from.

    Any thread may call `set`, `pause`, `resume`, `stop` and `seek`, and read the properties. The rest is for the
    thread that iterates, and checked.

    Parameters
    ----------
    thread : IteratingThread
    row : MethodRow
        Of the method that runs.
    values : mapping
        Every parameter in force, by name.
    learning : bool
        False where a model is applied.
    live : bool
        The input is a camera.
    """

    def __init__(
        self, thread: IteratingThread, row: MethodRow, values: Mapping[str, Value], *, learning: bool, live: bool
    ) -> None:
        self._thread, self._row, self._learning, self._live = thread, row, learning, live
        self._lock = threading.Lock()
        self._values = dict(values)
        self._changes: dict[str, Value] = {}
        self._sought: int | None = None
        self._going = threading.Event()
        self._going.set()
        self._stopped = threading.Event()

    # -- from any thread

    @property
    def values(self) -> dict[str, Value]:
        """Every parameter, by name: in force, or set and in force from the next frame on."""
        with self._lock:
            return {**self._values, **self._changes}

    @property
    def is_stopped(self) -> bool:
        """True once `stop` was called."""
        return self._stopped.is_set()

    @property
    def is_sought(self) -> bool:
        """True from `seek` on until the run goes on there."""
        with self._lock:
            return self._sought is not None

    def set(self, changes: Mapping[str, object]) -> None:
        """Change parameters from the next frame on.

        Raises
        ------
        CleanplateError
            An unknown name, a value out of range, a parameter that cannot change while the method runs, or another
            rank for a model that is applied.
        """
        checked = catalogue.check_live(self._row, changes)
        with self._lock:
            if not self._learning and "rank" in checked and checked["rank"] != self._values["rank"]:
                raise CleanplateError("A model that is applied keeps its basis images; learn again to change the rank.")
            self._changes.update(checked)

    def pause(self) -> None:
        """Hold before the next frame; after `stop` there is none."""
        with self._lock:
            if not self.is_stopped:
                self._going.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._going.set()

    def stop(self) -> None:
        """End after the current frame, or in the middle of what takes long with it."""
        with self._lock:
            self._stopped.set()
            self._going.set()

    def seek(self, index: int) -> None:
        """Go on from frame ``index`` of the source, within the same pass and with what was learnt so far.

        Raises
        ------
        CleanplateError
            The input is a camera.
        """
        self.check_seekable()
        with self._lock:
            self._sought = max(0, index)

    def check_seekable(self) -> None:
        """Raise CleanplateError for a camera."""
        if self._live:
            raise CleanplateError("A camera cannot be wound back; only files and samples can be searched.")

    # -- from the thread that iterates

    def wait(self) -> None:
        """Return when nothing is paused."""
        self._thread.check()
        self._going.wait()

    def unless_stopped(self, work: Callable[Given, Done], *given: Given.args, **named: Given.kwargs) -> Done | None:
        """Return what ``work`` gives; None where `stop` was called meanwhile and ended it in its middle."""
        self._thread.check()
        try:
            with stops_when(self._stopped.is_set):
                return work(*given, **named)
        except StoppedError:
            if self.is_stopped:
                return None
            raise

    def take_changes(self) -> dict[str, Value]:
        """Return the parameters that were set since the last call; they are in force from now on."""
        self._thread.check()
        with self._lock:
            changes, self._changes = self._changes, {}
            self._values.update(changes)
        return changes

    def take_seek(self) -> int | None:
        """Return the frame to go on from, once; None where nobody has asked since."""
        self._thread.check()
        with self._lock:
            index, self._sought = self._sought, None
        return index

    def note(self, name: str, value: Value) -> None:
        """Record a parameter that the method changed itself."""
        self._thread.check()
        with self._lock:
            self._values[name] = value
