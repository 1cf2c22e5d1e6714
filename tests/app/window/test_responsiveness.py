"""The window's thread answers while everything works: neither its own work nor another thread holds it for long."""

import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from tests.app.windows import open_window, write_clip

pytestmark = pytest.mark.usefixtures("qapp")

UNIT = 80_000
"""A sum of so many numbers is the unit of work: a millisecond or so. It holds the interpreter's lock to its end."""

LIMIT = 50
"""The window's thread may be busy, or held, for so many units at once."""

PULSE = f"""
import sys, threading, time
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
late, work = [], []
print("beats", flush=True)
while not ended.is_set() or not late:
    due = time.perf_counter() + 0.02
    time.sleep(0.02)
    late.append((due, time.perf_counter()))
    started = time.thread_time()
    sum(range({UNIT}))
    work.append(time.thread_time() - started)
print(sorted(work)[len(work) // 2], *(t for beat in late for t in beat))
"""
"""A process that wakes as often as the timer below, and does a little: what this machine makes of both meanwhile.

It has an interpreter of its own: what holds that of the window delays the timer, and not this."""


@contextmanager
def pulse():
    """Let the pulse beat; gives a list that ends with, in s, the unit of work and when each beat was due and came."""
    process = subprocess.Popen([sys.executable, "-c", PULSE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "beats\n"
    found = []
    try:
        yield found
    finally:
        found += map(float, process.communicate()[0].split())


def let_qt_work(condition):
    loop = QEventLoop()
    timer = QTimer(interval=20)
    timer.timeout.connect(lambda: loop.quit() if condition() else None)
    timer.start()
    loop.exec()
    timer.stop()


def waited_for_a_core_s():
    """Return how long each thread of this process was ready without a core; {} where the system does not tell."""
    waited = {}
    for thread in Path("/proc/self/task").glob("*"):
        with suppress(OSError):  # It has ended.
            waited[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return waited


def longest_wait_s(before, after):
    """Return how long the thread waited that waited longest for a core between two answers of the function above.

    The window's thread waits for the interpreter's lock as long as the thread that holds it waits for a core.
    """
    return max((waited - before[thread] for thread, waited in after.items() if thread in before), default=0.0)


class Stalls:
    """By how much a timer of this thread was later than the pulse meanwhile.

    Attributes
    ----------
    late_s, work_s : float
        The longest delay, but for what the machine did, and the longest work of this thread at once. What the machine
        did is how long a thread of this process was ready without a core, and the pulse's delay in the same time.
    unit_s : float
        The unit of work.
    """

    late_s = work_s = unit_s = 0.0

    def _take(self, ticks, found):
        self.unit_s, (due, came) = found[0], np.reshape(found[1:], (-1, 2)).T
        now, waited, worked = zip(*ticks, strict=True)
        now = np.array(now)
        late = np.diff(now) - 0.005 - [longest_wait_s(*pair) for pair in pairwise(waited)]
        for i in np.flatnonzero(late > 0):
            meanwhile = (due < now[i + 1]) & (came > now[i])
            late[i] -= np.where(meanwhile, came - due, 0).max()
        self.late_s, self.work_s = late.max(), np.diff(worked).max()


@contextmanager
def measured_stalls():
    """Measure how long the window's thread is held within the block; gives what is known of it behind the block."""
    ticks, made = [], Stalls()
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append((time.perf_counter(), waited_for_a_core_s(), time.thread_time())))
    with pulse() as found:
        timer.start()
        yield made
        timer.stop()
    made._take(ticks, found)


def stalls(seconds):
    """Return by how much a timer of this thread was later than the pulse meanwhile, and its longest work, in units."""
    with measured_stalls() as found:
        until = time.monotonic() + seconds
        let_qt_work(lambda: time.monotonic() > until)
    return found.late_s / found.unit_s, found.work_s / found.unit_s


def check_it_is_never_held(seconds, rounds=4):
    """Other programs may hold this thread at another time than the pulse: of that, one quiet round acquits."""
    held = []
    for _ in range(rounds):
        late, spent = stalls(seconds)
        assert spent < LIMIT, f"work for {spent:.0f} units at once on the window's thread"
        held.append(late)
        if late < LIMIT:
            return
    raise AssertionError(f"the window's thread was held for {np.round(held)} units longer than another process")


def test_the_windows_thread_is_never_held_for_long(tmp_path, data):
    with open_window(str(data / "video" / "car_768x432.mp4"), tmp_path) as window:
        window.action("loop").setChecked(True)
        window.resize(1440, 900)
        let_qt_work(lambda: window.display.index > 20)
        check_it_is_never_held(5)
        assert len(window.views.basis.cards) == 3


@pytest.mark.parametrize("key", ["shortcuts", "words", "how_to", "export", "events", "history", "areas", "correct"])
def test_a_command_takes_no_longer(key, tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv")), tmp_path) as window:
        let_qt_work(lambda: window.parts.status.state.text() == "Finished" and window.views.plots.plot is not None)
        window.action(key).trigger()  # The first time imports what it needs.
        spent = []
        for _ in range(3):
            began = time.thread_time()
            window.action(key).trigger()
            QCoreApplication.processEvents()
            spent.append((time.thread_time() - began) / unit_s())
        for other in QApplication.topLevelWidgets():
            if other is not window:
                other.close()
        assert min(spent) < LIMIT, f"{spent} units at once"


def unit_s():
    """Return how long the unit of work takes on this thread just now."""
    began = time.thread_time()
    for _ in range(5):
        sum(range(UNIT))
    return (time.thread_time() - began) / 5


def test_that_check_refuses_a_thread_that_holds_the_interpreter():
    ended = threading.Event()

    def hold():
        while not ended.wait(0.2):
            sum(range(2 * LIMIT * UNIT))

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        with pytest.raises(AssertionError, match="was held for"):
            check_it_is_never_held(1)
    finally:
        ended.set()
        holder.join()


def test_that_check_refuses_work_that_comes_but_once():
    work = QTimer(singleShot=True, interval=500)
    work.timeout.connect(lambda: sum(range(2 * LIMIT * UNIT)))
    work.start()
    with pytest.raises(AssertionError, match="at once on the window's thread"):
        check_it_is_never_held(1)
