"""A disk that is full, in every format, and an input that is cut short while it is read."""

from __future__ import annotations

import errno
import functools
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.io.sinks.coded import H264
from core.io.sinks.video import Ffv1
from tests.hostile.attack import Attack, Outcome
from tests.hostile.program import Ended, start
from tests.hostile.result_folders import METHOD, Runs, Tree, hidden, tree
from tests.hostile.steps import at_steps

FORMATS = {"png": "plate,mask,model", "tiff": "cleaned,basis", "mkv": "mask,cleaned", "mp4": "foreground,cleaned,mask"}
FULL = "disk is full"

SMALLEST = 400
"""Bytes of the smallest limit: the sentence has to be written too, into a file of the attack."""

N_FRAMES, SIZE = 24, (120, 160, 3)
"""Of an input that is cut short: more than is read ahead."""


def full_disks(n: int, folder: Path) -> Iterator[Outcome]:
    """Limit the sizes of files, refuse what writes at each step, and cut inputs short, in turn."""
    choose = random.Random(0)
    runs = Runs(folder)
    ways = (_limited, _refused, _cut)
    for number in range(n):
        here = folder / f"{number}"
        form = list(FORMATS)[number % len(FORMATS)]  # Of one more than there are ways: each meets every one.
        yield ways[number % len(ways)](runs, here, form, choose)


def limit(n_bytes: int) -> None:
    """Let no file of this process grow beyond so many bytes."""
    resource = pytest.importorskip("resource")
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def refuse(folder: str, step: int) -> None:
    """Have the disk be full at a step."""

    def act(number: int) -> None:
        if number == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    at_steps(folder, act, writes_only=True, main_only=False)


def cut(folder: str, step: int, files: Sequence[tuple[str, int]]) -> None:
    """Cut files to so many bytes at a step."""

    def act(number: int) -> None:
        if number == step:
            for path, n_bytes in files:
                os.truncate(path, n_bytes)

    at_steps(folder, act, main_only=False)


def _limited(runs: Runs, here: Path, form: str, choose: random.Random) -> Outcome:
    out, before, words = _begun(runs, here, form, choose)
    largest = max(len(content) for content in tree(_made(runs, form)).values())
    n_bytes = choose.randrange(SMALLEST, largest + 500)
    ended = start(words, here, prepare=functools.partial(limit, n_bytes)).wait()
    return Outcome(f"{here.name}: {form}, files of at most {n_bytes} bytes", _fault(runs, form, out, before, ended))


def _refused(runs: Runs, here: Path, form: str, choose: random.Random) -> Outcome:
    out, before, words = _begun(runs, here, form, choose)
    step = choose.randrange(60 if form in {"png", "tiff"} else 30)
    ended = start(words, here, prepare=functools.partial(refuse, str(out), step)).wait()
    return Outcome(f"{here.name}: {form}, full at step {step}", _fault(runs, form, out, before, ended))


def _cut(runs: Runs, here: Path, form: str, choose: random.Random) -> Outcome:
    here.mkdir()
    out, kind = here / "results", choose.choice(("images", "film.mkv", "film.mp4"))
    source = _long_input(here / kind, kind)
    files = sorted(source.iterdir()) if source.is_dir() else [source]
    cuts = [
        (str(path), choose.randrange(path.stat().st_size)) for path in files if choose.random() < 0.5 or len(files) == 1
    ]
    step = choose.randrange(40 if form in {"png", "tiff"} else 12)
    words = [
        "run",
        str(source),
        "-o",
        str(out),
        "--save",
        FORMATS[form],
        "--format",
        form,
        "--method",
        METHOD,
        "--quiet",
    ]
    ended = start(words, here, prepare=functools.partial(cut, str(out), step, cuts)).wait()
    fault = ended.fault() or (f"left {left}" if (left := hidden(out)) else None)
    if fault is None and ended.status == 2 and out.exists():
        fault = f"status 2, but there is {sorted(tree(out))}"
    return Outcome(f"{here.name}: {kind} cut at step {step} into {form}", fault)


def _begun(runs: Runs, here: Path, form: str, choose: random.Random) -> tuple[Path, Tree, list[str]]:
    """Return the folder of a run that replaces results in half of the cases, what is in it, and the run's words."""
    here.mkdir()
    out, more = here / "results", ()
    if choose.random() < 0.5:
        runs.place(0, form, out, FORMATS[form])
        more = ("--overwrite",)
    return out, tree(out), runs.words(1, form, out, *more, save=FORMATS[form])


def _made(runs: Runs, form: str) -> Path:
    return runs.made(1, form, FORMATS[form])


def _fault(runs: Runs, form: str, out: Path, before: Tree, ended: Ended) -> str | None:
    if fault := ended.fault():
        return fault
    if ended.status == 2 and FULL not in ended.err:
        return ended.err
    if left := hidden(out):
        return f"left {left}"
    now = tree(out)
    wanted = before if ended.status else tree(_made(runs, form))
    return None if now == wanted else f"status {ended.status}, but there is {sorted(now)}"


def _long_input(path: Path, kind: str) -> Path:
    noise = np.random.default_rng(0).integers(0, 255, (N_FRAMES, *SIZE), dtype=np.uint8)
    if kind == "images":
        path.mkdir()
        for index, picture in enumerate(noise):
            cv2.imwrite(str(path / f"{index}.png"), picture)
        return path
    sink = Ffv1(path, 25.0) if path.suffix == ".mkv" else H264(path, 25.0)
    sink.open(path.parent)
    for index, picture in enumerate(noise):
        sink.write(index + 1, index / 25, picture)
    sink.close()
    return path


FULL_DISKS = Attack(
    "full_disks",
    "full disk in every format, input cut short while it is read",
    "status 0 or 2 with one sentence; what was there is as it was, or all is new",
    100,
    6,
    full_disks,
)
