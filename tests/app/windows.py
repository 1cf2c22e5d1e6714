"""Helpers for tests that run the engine's thread or open the window."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import av
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app import theme
from app.engine.loop import Engine
from app.engine.threads import PATIENCE_MS, Background
from app.engine.worker import Worker
from app.window.main_window import MainWindow
from core.session.session import Session

T = TypeVar("T")

POLLS = 40_000
"""How often to look before giving up: two minutes, for compiling may be part of the first wait, and more where the
machine does other things too. Looks are counted, not seconds: where this process is held, what it waits for is too."""

POLL_S = 0.003

HELD_S = 0.05
"""A look that takes longer was held up by the machine: of it, no more than this counts as time that went by."""


def wait_for(condition: Callable[[], object], what: str) -> float:
    """Let Qt work until a condition holds; return how long that was, s, but for what the machine held this up."""
    return poll(condition, what, QCoreApplication.processEvents)


def has_said(window: MainWindow, words: str) -> bool:
    """Whether a window's banner holds a sentence with these words, on top or behind others that came since."""
    return any(words in one.sentence for one in window.parts.banner._said)


def poll(condition: Callable[[], object], what: str, between: Callable[[], None]) -> float:
    """Do something again and again until a condition holds; return how long that was, as `wait_for` does."""
    spent_s, last = 0.0, time.monotonic()
    for _ in range(POLLS):
        if condition():
            return spent_s
        between()
        time.sleep(POLL_S)
        now = time.monotonic()
        spent_s += min(now - last, HELD_S)
        last = now
    raise AssertionError(f"waited in vain for: {what}")


def write_clip(path: Path, n_frames: int = 40, width: int = 64, height: int = 48, fps: int = 25) -> Path:
    """Write a lossless clip in which a square walks, and the first pixels tell the number of the frame."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=fps)
        stream.width, stream.height, stream.pix_fmt = width, height, "gray"
        for i in range(n_frames):
            image = np.full((height, width), 120, np.uint8)
            image[::4] = 90
            image[20:30, i % (width - 10) : i % (width - 10) + 10] = 250
            image[:4, :4] = 40 + i
            frame = av.VideoFrame.from_ndarray(image, format="gray")
            frame.pts = i
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def write_cut_clip(path: Path, n_frames: int = 80) -> Path:
    """Write the first half of such a clip: it declares more frames than there are."""
    whole = write_clip(path, n_frames).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path


def number_of(picture: np.ndarray) -> int:
    """Return the number of the frame that a picture of `write_clip` shows."""
    return int(picture[1, 1]) - 40


class Record:
    """What a worker said, and the newest of what it showed."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.states, self.failures, self.warnings, self.opened = [], [], [], []
        self.reports, self.points, self.basis, self.confidences = [], [], [], []
        self._n_taken = 0
        worker.state_changed.connect(self.states.append)
        worker.failed.connect(self.failures.append)
        worker.warned.connect(self.warnings.append)
        worker.opened.connect(lambda info, request: self.opened.append((info, request)))

    def take(self) -> "Record":
        """Take what is in the slot, as the window's timer does."""
        shown = self.worker.slot.take()
        if shown is not None:
            self.points += shown.points
            if shown.report is not None:
                self._n_taken += 1
                self.reports = [*self.reports[-200:], shown.report]
            if shown.basis is not None:
                self.basis = shown.basis
            if shown.confidence is not None:
                self.confidences.append(shown.confidence)
        return self

    @property
    def n_shown(self) -> int:
        """How many frames were shown by now; `reports` keeps the newest of them."""
        return self.take()._n_taken

    @property
    def indices(self) -> list[int]:
        """Indices of the frames shown, the newest of them."""
        return [report.frame.index for report in self.take().reports]

    @property
    def state(self) -> str:
        """Name of the last state."""
        return self.states[-1].name if self.states else ""


@contextmanager
def running_worker() -> Iterator[Record]:
    """Run a worker on its thread, and end it cleanly."""
    worker = Worker()
    background = Background(worker, "engine")
    record = Record(worker)
    background.start()
    try:
        yield record
    finally:
        worker.quit()
        assert background.wait(), "the thread did not end"
        QCoreApplication.processEvents()


@contextmanager
def each_frame_shown(worker: Engine) -> Iterator[None]:
    """Let an engine process a frame once the one before was taken out of its slot: none goes by that nobody saw.

    As fast as it can, it may be done with a whole clip before a screen that is held up shows anything of it.
    """
    player = worker._player
    advance = player.advance

    def advance_once_seen() -> None:
        if worker.slot.is_empty:
            advance()
        else:
            time.sleep(0.001)  # And see to commands, one of which may begin another run.

    player.advance = advance_once_seen
    try:
        yield
    finally:
        player.advance = advance


def hold_after(engine: Engine, n_learnt: int) -> None:
    """Let an engine hold by itself, once, when it has learnt so many frames: who waits for that many sees it late."""
    player = engine._player
    advance = player.advance

    def advance_and_hold() -> None:
        advance()
        if player.n_learnt >= n_learnt:
            player.advance = advance
            player.pause()

    player.advance = advance_and_hold


def in_session(window: MainWindow, read: Callable[[Session], T]) -> T:
    """Return what ``read(session)`` gives on the engine's thread."""
    found: list[T] = []
    window.worker.with_session(lambda session: found.append(read(session)))
    wait_for(lambda: found, "the engine's answer")
    return found[0]


@contextmanager
def at_home(folder: Path) -> Iterator[None]:
    """Let a window that the tests of a module share have a home of its own, as that of a single test has."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(folder))
        yield


@contextmanager
def open_window(
    path: str | None, folder: Path, *, real_time: bool = False, loop: bool = False, hold_at: int | None = None
) -> Iterator[MainWindow]:
    """Open the real window on an input and wait for its first frame; close it at the end, whatever is not saved.

    Where there is earlier work it waits for the question whether that is wanted instead.

    ``loop`` is for tests of what plays: no clip of a length that a test can write is sure to be still playing when this
    gives the window, where the machine does other things. Where it is to play no further than ``hold_at`` frames, it
    holds there (`hold_after`).
    """
    app = QApplication.instance()
    theme.apply_theme(app, "dark")
    window = MainWindow(path, folder / "window.json")
    window.action("real_time").setChecked(real_time)
    if loop:
        window.action("loop").setChecked(True)
    if hold_at is not None:
        hold_after(window.worker, hold_at)
    shown = []
    window.report_shown.connect(lambda: shown.append(1))
    window.resize(1100, 700)
    window.show()
    try:
        wait_for(lambda: shown or window.parts.banner.text or window.autosave.question, "the first frame")
        yield window
    finally:
        if not window.close() and window.commands.project.unsaved:
            next(button for button in window.closing.question.buttons() if button.text() == "Discard").click()
        # Where kernels were compiling the window did not wait for it: a program that ends does without.
        assert window.background.thread.wait(PATIENCE_MS), "the engine's thread outlived its window"
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
