"""Blows at a step of the program: between two calls of the system that concern a folder of results."""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.hostile.program import start

WRITES = {"os.mkdir", "os.rename"}
"""Steps that a full disk may refuse, beside opening a file that is then made; without marks there is a list instead."""

DESCRIPTOR_STEPS = {"fcntl.flock"}
"""Steps that name no file."""

OTHER_PATIENCE_S = 0.5


def at_steps(folder: str, act: Callable[[int], None], *, main_only: bool = True, writes_only: bool = False) -> None:
    """Call ``act(number)`` before each step of this process that concerns what lies in ``folder``.

    Numbers count from 0; steps are those of the main thread, or of every one, and all, or those that a full disk may
    refuse. What ``act`` raises, the step raises. To be called in the program's process (`tests.hostile.program.start`,
    ``prepare``).
    """
    main, busy, count = threading.get_ident(), False, 0

    def hook(event: str, words: tuple[object, ...]) -> None:
        nonlocal busy, count
        if busy or (main_only and threading.get_ident() != main):
            return
        if writes_only and not _is_write(event, words):
            return
        if event in DESCRIPTOR_STEPS or any(folder in os.fsdecode(w) for w in words if isinstance(w, str | bytes)):
            busy, count = True, count + 1
            try:
                act(count - 1)
            finally:
                busy = False

    sys.addaudithook(hook)


def strike(folder: str, blows: Sequence[tuple[int, int]]) -> None:
    """Send this process signals: each blow is a step and the number of a signal."""

    def act(step: int) -> None:
        for at, number in blows:
            if at == step:
                os.kill(os.getpid(), number)

    at_steps(folder, act)


def note_begin(note: str) -> None:
    """Make the file ``note``: the program begins."""
    _write(note, 0)


def note_count(folder: str, note: str) -> None:
    """Keep in the file ``note`` how many steps there were."""
    at_steps(folder, lambda step: _write(note, step + 1))


def meet(folder: str, step: int, mine: str, theirs: str, delay_s: float) -> None:
    """Wait at a step until another process is at its own, then for a moment more."""

    def act(number: int) -> None:
        if number != step:
            return
        _write(mine, 1)
        deadline = time.monotonic() + OTHER_PATIENCE_S
        while not os.path.exists(theirs) and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(delay_s)

    at_steps(folder, act)


def count_steps(words: Sequence[str], folder: Path, results: Path) -> int:
    """Run the program and return its number of steps in a folder of results."""
    note = folder / "steps"
    ended = start(words, folder, prepare=functools.partial(note_count, str(results), str(note))).wait()
    assert ended.status == 0, ended.err
    return int(note.read_text())


SIGNALS = {
    "kill -9": (signal.SIGKILL,), "hang-up": (signal.SIGHUP,), "terminate": (signal.SIGTERM,),
    "Ctrl+C": (signal.SIGINT,), "Ctrl+C twice": (signal.SIGINT, signal.SIGINT),
}  # fmt: skip


def _is_write(event: str, words: tuple[object, ...]) -> bool:
    return event in WRITES or (event == "open" and isinstance(words[2], int) and bool(words[2] & os.O_CREAT))


def _write(path: str, number: int) -> None:
    with open(path, "w") as file:
        file.write(str(number))
