"""Threads that end before their window does."""

from __future__ import annotations

import os

from PySide6.QtCore import QObject, Qt, QThread

PATIENCE_MS = 30_000
"""How long to wait for a thread that was told to stop; a frame takes less by far."""

_late: list[Background] = []
"""Those that were waited for in vain: Qt aborts the program where a thread is destroyed while it runs."""


class Background:
    """A worker object on a QThread of its own, from start to clean end.

    Parameters
    ----------
    worker : QObject
        With a slot ``run`` that blocks until it was told to stop, and a signal ``finished``.
    name : str
    """

    def __init__(self, worker: QObject, name: str) -> None:
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

    def wait(self) -> bool:
        """Wait for the end, after the worker was told to stop; True where it came, else see `leave`."""
        ended = self.thread.wait(PATIENCE_MS)
        if not ended:
            _late.append(self)
        return ended


def leave(status: int) -> int:
    """Return the exit status; where a thread hangs, in a read from a dead disk say, end the program here instead."""
    if any(background.thread.isRunning() for background in _late):
        os._exit(status)
    return status
