"""Hash the results of many short runs, to see that a refactoring changes none of them by a byte.

::

    python scripts/fingerprint.py --save /tmp/before.txt        before the change
    python scripts/fingerprint.py --against /tmp/before.txt     after it: names each difference, ends with status 1
    python scripts/fingerprint.py --only shaken                 one run

Each run is ``python -m app run …`` in a process of its own, of the checkout that this file stands in; to measure
another commit, copy this file and the two that it imports (`fingerprint_runs`, `fingerprint_inputs`) into a worktree of
it. All take two minutes on two cores, and some more where kernels have moved and are compiled anew. One line is printed
for each result, ``run/result  hash``. With ``--data DIR``, or CLEANPLATE_DATA in the environment, some runs are on real
data. Where one fails, the program's sentence is shown and the status is 2.

Hashes hold for one machine and one environment: matrix products differ between processors, encoders between versions.
So none are kept in the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from fingerprint_inputs import make_inputs
from fingerprint_runs import EVERYTHING, RUNS

ROOT = Path(__file__).resolve().parent.parent

AT_ONCE = 2
"""Runs that go on side by side."""

LONGEST_S = 600
"""A run that takes longer has failed."""


class FingerprintError(Exception):
    """One sentence: which run or file, and what is wrong with it."""


def main(words: Sequence[str] | None = None) -> int:
    """Run, hash, print or compare; return the exit status."""
    options = parsed(words)
    try:
        before = None if options.against is None else read_lines(options.against)
        names = chosen(options.only, options.data)
        lines = fingerprint(names, options.data)
        if options.save is not None:
            options.save.write_text(as_text(lines))
    except (FingerprintError, OSError) as error:
        print(f"fingerprint: {error}", file=sys.stderr)
        return 2
    if before is None:
        print(as_text(lines), end="")
        return 0
    left_out = set(RUNS) - set(names)
    return told(differences(before, lines, left_out), len(lines))


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the lines to a file too")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with such a file instead of printing")
    parser.add_argument("--only", choices=RUNS, metavar="NAME", help="this run alone, and the one whose model it needs")
    data = os.environ.get("CLEANPLATE_DATA")
    parser.add_argument("--data", type=Path, metavar="DIR", default=data, help="real data [CLEANPLATE_DATA]")
    return parser.parse_args(words)


def chosen(only: str | None, data: Path | None) -> list[str]:
    """Return the names of the runs to make, each behind the one it needs; say which are skipped."""
    wanted = set(RUNS) if only is None else {only, needed(only)}
    absent = {name for name in wanted & set(RUNS) if not present(name, data)}
    if absent:
        print(f"Skipped, as their data are absent (--data): {', '.join(sorted(absent))}.", file=sys.stderr)
    return [name for name in RUNS if name in wanted - absent]


def needed(name: str) -> str | None:
    """Return the run whose results a run reads, if it does."""
    found = re.search(r"\{out\}/([^/ ]+)/", RUNS[name])
    return found[1] if found else None


def present(name: str, data: Path | None) -> bool:
    """Tell whether a run has its input: all do but those on real data."""
    source = RUNS[name].split()[0]
    return "{data}" not in source or (data is not None and Path(source.format(data=data)).exists())


# Runs


def fingerprint(names: Sequence[str], data: Path | None) -> dict[str, str]:
    """Make the runs and return the hash of each result, by ``run/result``; all failures are one error."""
    with tempfile.TemporaryDirectory(prefix="fingerprint-") as folder:
        out = Path(folder) / "out"
        places = {"out": out, "data": data, **make_inputs(Path(folder) / "in")}
        failures = []
        for done in made(names, places):
            failures += [str(error) for error in [done.exception()] if error is not None]
        if failures:
            raise FingerprintError("\n".join(failures))
        return {key: value for name in names for key, value in hashes(name, out / name).items()}


def made(names: Sequence[str], places: Mapping[str, Path | None]) -> Iterator[Future[None]]:
    """Make the runs, a few at once in the order given, and yield each when it and those before have ended."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs: dict[str, Future[None]] = {}
        for name in names:
            runs[name] = pool.submit(make, name, places, runs.get(needed(name) or ""))
        yield from runs.values()


def make(name: str, places: Mapping[str, Path | None], before: Future[None] | None) -> None:
    """Make one run, behind the one that it needs. Raises FingerprintError with what the program said."""
    if before is not None and before.exception() is not None:
        raise FingerprintError(f"{name}: what it needs has failed.")
    started = time.perf_counter()
    # The folder of a process started with -m comes first; its own children, if any, find the same modules.
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            command(name, places), cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
            timeout=LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise FingerprintError(f"{name}: not done after {LONGEST_S} seconds.") from None
    if done.returncode != 0:
        raise FingerprintError(f"{name}: {done.stderr.strip() or 'ended without a word'} (status {done.returncode})")
    print(f"{time.perf_counter() - started:5.1f} s  {name}", file=sys.stderr)


def command(name: str, places: Mapping[str, Path | None]) -> list[str]:
    """Return the words that start a run."""
    # Split first: the folders may have spaces in their names.
    words = [word.format_map(places) for word in RUNS[name].split()]
    if "--save" not in words:
        words += ["--save", EVERYTHING]
    return [sys.executable, "-m", "app", "run", *words, "-o", str(places["out"] / name), "--quiet"]


# Hashes and lines


def hashes(name: str, folder: Path) -> dict[str, str]:
    """Return the hash of each result of a run, by ``run/result``."""
    return {f"{name}/{path.name}": digest(path) for path in folder.iterdir()}


def digest(path: Path) -> str:
    """Return a short hash of the bytes of a file, or of the names and bytes of all files in a folder.

    Raw bytes serve for every format: the program writes films and models without times, random identifiers and versions
    of its own, so that the same run gives the same bytes.
    """
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    inside = sorted(file for file in path.rglob("*") if file.is_file())
    listed = "".join(f"{file.relative_to(path).as_posix()}\n{digest(file)}\n" for file in inside)
    return hashlib.sha256(listed.encode()).hexdigest()[:16]


def as_text(lines: Mapping[str, str]) -> str:
    """Return hashes as lines, sorted."""
    return "".join(f"{result}  {value}\n" for result, value in sorted(lines.items()))


def read_lines(path: Path) -> dict[str, str]:
    """Return what `as_text` made. Raises FingerprintError where a line is none of its."""
    lines = {}
    for line in path.read_text().splitlines():
        found = re.fullmatch(r"(\S+/\S+)  ([0-9a-f]{16})", line)
        if not found:
            raise FingerprintError(f"{path} is not what --save wrote: {line}")
        lines[found[1]] = found[2]
    return lines


def differences(before: Mapping[str, str], after: Mapping[str, str], left_out: Collection[str] = ()) -> list[str]:
    """Return a line for each result that differs, is missing or is new; runs left out this time count as neither."""
    expected = {result: value for result, value in before.items() if result.split("/")[0] not in left_out}
    found = []
    for result in sorted(expected.keys() | after.keys()):
        if result not in after:
            found.append(f"missing  {result}")
        elif result not in expected:
            found.append(f"extra    {result}")
        elif expected[result] != after[result]:
            found.append(f"changed  {result}  {expected[result]} -> {after[result]}")
    return found


def told(found: Sequence[str], n_results: int) -> int:
    """Print what differs, and return the exit status."""
    for line in found:
        print(line)
    print(f"{len(found)} differences, {n_results} results.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
