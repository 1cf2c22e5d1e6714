"""The progress of a run on standard error: a bar with time left in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

import core.export.progress
from app.count_words import and_left_out
from app.rate_words import rate_told
from core.runtime.compiling import compiling_told_to
from core.session.phase import Phase

BAR_S = 0.1
"""Least time between two updates of the bar, seconds."""

LINE_S = 10.0
"""Time between two lines where there is no terminal, seconds."""

COMPILING = "Compiling for this machine, once for each kind of input; it may take a minute"
"""What goes on where kernels that a run needs are not kept yet."""

COMPILED_S = 2.0
"""Seconds of compiling after which it is said where there is no terminal: a kernel by itself delays nobody."""

BATCH_PHASES = {Phase.GATHERING: "Gathering frames", Phase.ITERATING: "Learning"}
"""What a batch method does before it is applied."""


@contextlib.contextmanager
def shown(console: Console, quiet: bool) -> Iterator[Callable[[core.export.progress.Progress], None] | None]:
    """Give a callable that shows progress, or None where nothing is to be shown."""
    if quiet:
        yield None
    elif console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}"))
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("Opening", total=None, figures="")
            last = 0.0

            def update(step: core.export.progress.Progress) -> None:
                nonlocal last
                if time.monotonic() - last < BAR_S and step.frame != step.goal and not step.work:
                    return
                last = time.monotonic()
                bar.update(
                    task, description=stage(step), total=step.goal, completed=step.frame, figures=figures(step)
                )  # fmt: skip

            def tell(_seconds: float) -> None:
                bar.update(task, description=COMPILING, figures="", refresh=True)

            with compiling_told_to(tell):
                yield update
    else:
        last_line, has_told, has_compiled = time.monotonic(), False, False

        def line(step: core.export.progress.Progress) -> None:
            nonlocal last_line, has_told
            # A run so long that people are told of it tells of each long work, however long that is going to take.
            if time.monotonic() - last_line >= LINE_S or (has_told and step.work):
                last_line, has_told = time.monotonic(), True
                console.print(step.work or f"{stage(step)}: {figures(step)}", highlight=False, soft_wrap=True)

        def tell_once(seconds: float) -> None:
            nonlocal has_compiled
            if seconds >= COMPILED_S and not has_compiled:
                has_compiled = True
                console.print(COMPILING, highlight=False, soft_wrap=True)

        with compiling_told_to(tell_once):
            yield line


def stage(step: core.export.progress.Progress) -> str:
    """Return what goes on, such as ``Pass 1 of 2``."""
    if step.work:
        return step.work
    if step.phase in BATCH_PHASES:
        return BATCH_PHASES[step.phase]
    return f"Pass {step.pass_number} of {step.n_passes}" if step.n_passes > 1 else "Separating"


def figures(step: core.export.progress.Progress) -> str:
    """Return how far it is and how fast it goes, such as ``frame 3 of 40, 80.0 a second, 1 s left``."""
    what = "iteration" if step.phase is Phase.ITERATING else "frame"
    frames = f"{what} {step.frame}" + ("" if step.goal is None else f" of {step.goal}")
    frames += step.unwritten and f" ({step.unwritten})"
    left = "" if step.seconds_left is None else f", {duration(step.seconds_left)} left"
    rate = rate_told(step.fps, what)
    return f"{frames}{and_left_out(step.n_missed)}{rate and f', {rate}'}{left}"


def duration(seconds: float) -> str:
    """Return a time as people read it: ``42 s``, ``3:07``, ``1:02:05``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
