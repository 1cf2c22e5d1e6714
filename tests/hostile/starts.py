"""Signals in the first second: the program is still importing what it needs."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.attack import Attack, Outcome

ROOT = Path(__file__).parents[2]

EARLIEST_S, LATEST_S = 0.02, 1.2
"""After Python has come to the first line of the program, seconds: before that Ctrl+C is Python's own matter."""

PATIENCE_S = 60

COMMANDS = {
    "run": ["run", "sample:street", "-o", "results", "--size", "160x120"],
    "methods": ["methods", "opgd"],
    "doctor": ["doctor"],
    "bench": ["bench", "speed", "--quick"],
    "window": ["sample:street"],
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SENTENCE = "cleanplate: Interrupted; nothing was written."
AT_WORK = "cleanplate: Giving up after this frame; once more ends at once."
"""What precedes it of a run that has come to its first frame by then."""


def run(n: int, folder: Path) -> Iterator[Outcome]:
    """Send one signal, or Ctrl+C twice, at random times after the start."""
    rng = random.Random(5)
    names = list(COMMANDS)
    for i in range(n):
        name, number, twice = names[i % len(names)], SIGNALS[i % len(SIGNALS)], i % 4 == 3
        wait_s = rng.uniform(EARLIEST_S, LATEST_S)
        place = folder / str(i)
        place.mkdir()
        what = f"{name}, {number.name}{' twice' if twice else ''} after {wait_s:.3f} s"
        yield Outcome(what, _fault(COMMANDS[name], number, twice, wait_s, place))


def _fault(words: list[str], number: signal.Signals, twice: bool, wait_s: float, place: Path) -> str | None:
    variables = {
        "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen", "CLEANPLATE_SETTINGS": str(place / "settings.json")
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", _entry(), *words], cwd=place, env={**os.environ, **variables}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(wait_s)
    for _ in range(1 + twice):
        process.send_signal(number)
        time.sleep(0.02)
    try:
        _, err = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return f"still running {PATIENCE_S} s after the signal"
    told = [line for line in err.splitlines() if line.strip()]
    if process.returncode not in (0, 130, -number):
        return f"status {process.returncode}: {err.strip()[-300:]}"
    if told not in ([], [SENTENCE], [AT_WORK, SENTENCE]):
        return f"status {process.returncode}, not one sentence: {err.strip()[-300:]}"
    if process.returncode == 130 and not told:
        return "interrupted without a word"
    if process.returncode != 0 and (place / "results").exists():
        return "something was written"
    return None


def _entry() -> str:
    """Return what the console script does, behind a line that says that Python is there."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    module, _, function = project["project"]["scripts"]["cleanplate"].partition(":")
    return f"print(flush=True); from {module} import {function}; {function}()"


STARTS = Attack(
    "starts",
    "signals in the first second",
    "one sentence, of a run at work two, or the signal's status",
    60,
    4,
    run,
)
