"""Writes single files that someone asked for, each on a thread of its own: the window goes on meanwhile.

Of two of one name, the one that was asked for last stays.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.engine.errand import Errand
from app.engine.threads import Background, listen, on_own_thread
from core.io.publishing.single_file import replacing


class Saver(QObject):
    """Writes files.

    Signals
    -------
    began() : a person goes on from whatever could not be saved before, and saves something else
    wrote(str) : name of a file that is there now
    failed(str) : one sentence
    """

    began = Signal()
    wrote = Signal(str)
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._running: list[tuple[Path, Background[Errand]]] = []
        self._folder = ""

    @property
    def folder(self) -> str:
        """Where the last file was to be saved; empty before there was one."""
        return self._folder

    def save(self, path: Path, write: Callable[[Path], None]) -> None:
        """Let ``write(beside)`` write a file that gets the name ``path`` when it is complete."""

        def write_whole() -> None:
            with replacing(path) as beside:
                write(beside)

        self.let_write(path, write_whole)

    def let_write(self, path: Path, write: Callable[[], object]) -> None:
        """Let ``write()`` write the file ``path``, complete or not at all."""
        self._folder = str(path.parent)
        self.began.emit()  # Not when it is written: a later one may have failed by then, and nobody would know of it.
        self._running = [(name, other) for name, other in self._running if other.thread.isRunning()]
        before = [other for name, other in self._running if name == path.absolute()]

        def action() -> str:
            for other in before:
                other.thread.wait()
            write()
            return path.name

        errand = Background(Errand(action, f"writing {path.name}"), "saving")
        listen(errand.worker.done, self._on_done)
        listen(errand.worker.failed, self._on_failed)
        self._running.append((path.absolute(), errand))
        errand.start()

    def shut(self) -> None:
        """Wait for what is being written: the window is closing."""
        for _, errand in self._running:
            errand.wait()
        self._running = []

    @on_own_thread
    def _on_done(self, name: str) -> None:
        self.wrote.emit(name)

    @on_own_thread
    def _on_failed(self, sentence: str) -> None:
        self.failed.emit(sentence)
