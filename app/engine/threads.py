"""Objects that live on a thread of their own, and threads that end before their window does."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from PySide6.QtCore import QDeadlineTimer, QObject, Qt, QThread, Signal, SignalInstance

PATIENCE_MS = 30_000
"""How long to wait for a thread that was told to stop; a frame takes less by far."""

SHORT_PATIENCE_MS = 1000
"""Likewise, for one that has nothing to put away and may not hear of it for long, compiling or in a read."""

ObjectT = TypeVar("ObjectT", bound=QObject)
RunnerT = TypeVar("RunnerT", bound="Runner")
Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def on_own_thread(
    method: Callable[Concatenate[ObjectT, Parameters], Returned],
) -> Callable[Concatenate[ObjectT, Parameters], Returned]:
    """Let a method be called on the thread that its object lives on, and on no other.

    Raises
    ------
    AssertionError
        Another thread has called it. Nothing was done.
    """

    @functools.wraps(method)
    def checked(self: ObjectT, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        assert self.thread().isCurrentThread(), f"{method.__qualname__} was called from another thread"
        return method(self, *args, **kwargs)

    return checked


def command(signal: SignalInstance, method: Callable[..., object]) -> None:
    """Let a signal give a command to an engine: ``method`` is called at once, on the thread that emits.

    An engine's thread runs a loop of its own and serves no queue of Qt's: a queued call would never come.

    Parameters
    ----------
    method
        Of a `Runner`, safe from any thread.

    Raises
    ------
    AssertionError
        It is a method of nothing that runs on a thread of its own.
    """
    assert isinstance(_owner(method), Runner), f"{method} is no method of a runner"
    signal.connect(method, Qt.ConnectionType.DirectConnection)


def listen(signal: SignalInstance, method: Callable[..., object]) -> None:
    """Let a method hear of what another thread emits: it is called on the thread of its own object, by Qt's queue.

    Parameters
    ----------
    method
        Of a QObject; Qt would call anything else, a lambda say, on the thread that emits.

    Raises
    ------
    AssertionError
        It is no method of a QObject.
    """
    assert isinstance(_owner(method), QObject), f"{method} is no method of a QObject"
    signal.connect(method)


def _owner(method: Callable[..., object]) -> object:
    return method.__self__ if inspect.ismethod(method) else None


class Runner(QObject):
    """What `Background` runs.

    Signals
    -------
    finished() : `run` has come to its end; the thread may quit
    """

    finished = Signal()

    # Only subclasses may make this a slot: Qt runs an overridden slot on the thread where it was connected.
    def run(self) -> None:
        """Do the work, on this object's own thread, until it is done or told to stop; emit ``finished``."""
        raise NotImplementedError


class Background(Generic[RunnerT]):
    """A runner on a QThread of its own, from start to clean end.

    Parameters
    ----------
    worker : Runner
    name : str
    """

    def __init__(self, worker: RunnerT, name: str) -> None:
        self.worker = worker
        self.thread = QThread()
        self.thread.setObjectName(name)
        worker.moveToThread(self.thread)
        self.thread.started.connect(worker.run)
        # Direct: the loop of this thread is ended by the thread itself, whatever the window does meanwhile.
        worker.finished.connect(self.thread.quit, Qt.ConnectionType.DirectConnection)

    def start(self) -> None:
        """Start the thread."""
        self.thread.start()

    def wait(self, deadline: QDeadlineTimer | None = None) -> bool:
        """Wait for the end, after the worker was told to stop; True where it came, else see `leave`.

        ``deadline``: how long at most, where several are waited for together; else `PATIENCE_MS`.
        """
        ended = self.thread.wait(QDeadlineTimer(PATIENCE_MS) if deadline is None else deadline)
        if not ended:
            _late.append((self.thread, self.worker))
        return ended


_late: list[tuple[QThread, Runner]] = []
"""Those that were waited for in vain: Qt aborts the program where a thread is destroyed while it runs."""


def leave(status: int) -> int:
    """Return the exit status; where a thread hangs, in a read from a dead disk say, end the program here instead."""
    if any(thread.isRunning() for thread, _ in _late):
        os._exit(status)
    return status
