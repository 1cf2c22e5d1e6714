"""Signals at each step of a run into a folder of results, and at random times: all is old or all is new."""

from __future__ import annotations

import functools
import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.attack import Attack, Outcome
from tests.hostile.program import POLL_S, Ended, Running, start
from tests.hostile.result_folders import OTHER, SAVED, Runs, Tree, hidden, tree
from tests.hostile.steps import SIGNALS, count_steps, note_begin, strike

APART = (0, 1, 4)
"""Steps between the first and the second Ctrl+C."""

AT_RANDOM = 5
"""One case in so many has its signal at a random time instead of at a step."""

FIRST_S = 0.03
"""What comes before, no run hears of: it is the start of the program, which other attacks are for."""

WITH_DOCTOR = 60
"""After one case in so many the doctor tidies up, which takes a while, instead of another run."""

LIES = "nothing was written"


def publishing(n: int, folder: Path) -> Iterator[Outcome]:
    """Attack runs that are new in their folder, and runs that replace results."""
    runs = Runs(folder)
    choose = random.Random(0)
    kinds = [(form, replaces) for form in SAVED for replaces in (True, False)]
    steps: dict[tuple[str, bool], int] = {}
    lasting: dict[tuple[str, bool], float] = {}
    for number in range(n):
        form, replaces = kind = kinds[number % len(kinds)]
        out, told = folder / f"{number}" / "results", f"{form}{', replacing' if replaces else ''}"
        name, signals = list(SIGNALS.items())[(number // len(kinds)) % len(SIGNALS)]
        if kind not in steps:
            counted = folder / f"count-{form}-{replaces}" / "results"
            _begin(runs, form, replaces, counted)
            words = runs.words(1, form, counted, *_more(replaces))
            steps[kind] = count_steps(words, counted.parent, counted)
            _begin(runs, form, replaces, timed := folder / f"time-{form}-{replaces}" / "results")
            lasting[kind] = start(runs.words(1, form, timed, *_more(replaces)), timed.parent).wait().seconds
        _begin(runs, form, replaces, out)
        words = runs.words(1, form, out, *_more(replaces))
        before = tree(out)
        if number % AT_RANDOM == AT_RANDOM - 1:
            after = choose.uniform(FIRST_S, lasting[kind])
            case = f"{name} after {after:.3f} s, {told}"
            begun = out.parent / "begun"
            running = start(words, out.parent, prepare=functools.partial(note_begin, str(begun)))
            while not begun.exists():
                time.sleep(POLL_S)
            ended = _struck_at(running, signals, after)
        else:
            step = choose.randrange(steps[kind] + 1)
            blows = [(step + k * choose.choice(APART), signal_) for k, signal_ in enumerate(signals)]
            case = f"{name} at step {[at for at, _ in blows]} of {steps[kind]}, {told}"
            ended = start(words, out.parent, prepare=functools.partial(strike, str(out), blows)).wait()
        fault = _fault(runs, form, out, before, ended, with_doctor=number % WITH_DOCTOR == WITH_DOCTOR - 1)
        yield Outcome(f"{number}: {case}", fault)


def _begin(runs: Runs, form: str, replaces: bool, out: Path) -> None:
    out.parent.mkdir(parents=True)
    if replaces:
        runs.place(0, form, out)


def _more(replaces: bool) -> tuple[str, ...]:
    return ("--overwrite",) if replaces else ()


def _struck_at(running: Running, signals: tuple[signal.Signals, ...], after_s: float) -> Ended:
    timers = [threading.Timer(after_s + 0.002 * k, running.signal, [number]) for k, number in enumerate(signals)]
    for timer in timers:
        timer.start()
    ended = running.wait()
    for timer in timers:
        timer.cancel()
        timer.join()
    return ended


def _fault(runs: Runs, form: str, out: Path, before: Tree, ended: Ended, *, with_doctor: bool) -> str | None:
    """Return what is wrong after a blow, and after the next run into the folder."""
    if ended.hung or "went wrong" in ended.err or "Traceback" in ended.err:
        return f"status {ended.status}: {ended.err.strip()[-300:]}"
    next_words = ["doctor", str(out)] if with_doctor else runs.words(0, form, out, save=OTHER)
    following = start(next_words, out.parent / "next").wait()
    if following.status != 0:
        return f"the next run: {following.err.strip()[-300:]}"
    new, now = tree(runs.made(1, form)), tree(out)
    if now not in (before, new):
        return f"mixed: {sorted(now)}, of which old {_same(now, before)}, new {_same(now, new)}"
    if left := hidden(out):
        return f"left {left}"
    is_new = now == new
    if ended.status != -signal.SIGKILL and (ended.status == 0) != is_new:
        return f"status {ended.status} ({ended.err.strip()}), but the results are {'new' if is_new else 'old'}"
    if is_new and LIES in ended.err:
        return f"all was written, but: {ended.err.strip()}"
    return None


def _same(now: Tree, other: Tree) -> list[str]:
    return sorted(name for name in now if now[name] == other.get(name))


PUBLISHING = Attack(
    "publishing",
    "kill -9, hang-up, terminate, Ctrl+C once and twice, aimed at publishing, and at random",
    "after the next run: all old or all new, no file of ours left over; the status tells the truth",
    500,
    6,
    publishing,
)
