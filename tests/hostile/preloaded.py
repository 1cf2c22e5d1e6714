"""What the server of forks loads once: all of the program but the window; no thread may run before a fork."""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import typer._adapters  # What typer loads at the first command.
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

import app.cli.job
import app.cli.main
import app.cli.project
import app.cli.run
import core.io.sources.camera
import core.io.sources.images
import core.io.sources.stack
import core.io.sources.video

__all__ = ["app", "core", "typer"]

RUNS = (
    ("colour", "--save", "plate,mask,cleaned,foreground,model"), ("grey",), ("deep", "--passes", "1"),
    ("colour", "--method", "median", "--format", "mkv"), ("colour", "--method", "median", "--save", "plate,model"),
)  # fmt: skip
"""Inputs and options of runs, of which most others need no other kernels."""

Place = tuple[str, str]
"""Module and name of a kernel."""


def _kernels() -> Iterator[tuple[Place, Any]]:
    """Yield all kernels."""
    for module in [module for name, module in sys.modules.items() if name.startswith("core.kernels.")]:
        for name, value in vars(module).items():
            if isinstance(value, Dispatcher):
                yield (module.__name__, name), value


def _run_all(end: Connection) -> None:
    """Do the runs, and send with which types kernels were called."""
    silence = os.open(os.devnull, os.O_WRONLY)
    for said in (1, 2):
        os.dup2(silence, said)
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        folder = Path(name)
        pictures = np.random.default_rng(0).integers(0, 255, (12, 24, 32, 3), np.uint8)
        for kind, shown in (("colour", pictures), ("grey", pictures[..., 0]), ("deep", pictures[..., 0].astype("<u2"))):
            (folder / kind).mkdir()
            for number, picture in enumerate(shown):
                cv2.imwrite(str(folder / kind / f"{number}.png"), picture)
        for number, (kind, *options) in enumerate(RUNS):
            words = ["run", str(folder / kind), "-o", str(folder / f"{number}"), *options, "--quiet"]
            assert app.cli.main.invoke(words) == 0
    end.send({place: kernel.signatures for place, kernel in _kernels()})


def _load_kernels() -> None:
    """Load the kernels of those runs, which have threads: a short run takes longer for that than for all else."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_run_all, args=(there,))
    process.start()
    there.close()
    used: dict[Place, list[Any]] = here.recv()
    process.join()
    for place, kernel in _kernels():
        for types in used.get(place, ()):
            kernel.compile(types)


cpu_target.target_context.refresh()  # Modules of numba that are loaded at first use.
if any(_kernels()):  # There are none where numba compiles nothing.
    _load_kernels()
