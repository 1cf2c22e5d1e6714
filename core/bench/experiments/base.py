"""What every experiment gives: progress while it runs, and a result that says what holds of what its paper claims.

An experiment is a generator function in a module of its own, listed in `core.bench.experiments.registry`::

    def run(data: Path | None, seed: int, quick: bool) -> Run:
        faces = load_orl(data)                  # raises CleanplateError, one sentence, where something is missing
        for done, key in enumerate(KEYS):
            yield Progress(done, len(KEYS), key)
            ...
        return Result(...)

``data`` is the folder of ``--data`` (its ``faces/`` holds CBCL, ORL and Yale B), None where none was given: then drawn
faces serve (`core.bench.experiments.data`), and `Result.data` says so. ``quick`` is for tests and a first look: a few
seconds, on fewer samples and iterations. Everything random comes from ``seed``.

An experiment of many measurements that need nothing of each other may yield them all at once, and is sent their answers
in the same order; several processes then share them (`core.bench.experiments.side_by_side`)::

    answers = yield tuple(Part(f"{key}, start {start}", measure, (faces, key, seed + start)) for ...)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Progress:
    """How far an experiment is.

    Attributes
    ----------
    done, total : int
        Steps of about the same length.
    what : str
        What is done next, in a few words.
    """

    done: int
    total: int
    what: str = ""


@dataclass(frozen=True)
class Part:
    """One of the measurements of an experiment, which needs none of the others.

    Attributes
    ----------
    what : str
        In a few words.
    measure : callable
        Of a module, so that another process can call it; everything random comes from its arguments.
    arguments : tuple
        Values that another process can be sent.
    """

    what: str
    measure: Callable[..., object]
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Table:
    """Figures for people: ours beside the paper's.

    Attributes
    ----------
    title : str
        What the figures are, with their unit.
    headings : tuple of str
        A line break splits a heading in two lines.
    rows : tuple of tuple of str
        As they are printed, see `number`. The first column is text, the others are aligned right.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headings) for row in self.rows):
            raise ValueError(f"every row of {self.title!r} has {len(self.headings)} cells")


@dataclass(frozen=True)
class Claim:
    """One thing that the paper claims, and whether it holds here.

    Attributes
    ----------
    text : str
        The claim as a plain sentence, with the paper's figures where it has any.
    holds : bool or None
        None: it cannot be judged on this data; ``ours`` then says why.
    ours : str
        Our figures that show it, in a few words.
    """

    text: str
    holds: bool | None
    ours: str

    @property
    def verdict(self) -> str:
        """In a word or two."""
        return {True: "holds", False: "does not hold", None: "not judged"}[self.holds]


@dataclass(frozen=True)
class Curve:
    """One line of a chart; ``y`` has a value for each of ``x``. ``dashed``: the paper's, or a bound."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """One pair of axes; the charts of a result are drawn side by side."""

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Result:
    """What an experiment showed.

    Attributes
    ----------
    title : str
        What was measured.
    paper : str
        Where the experiment comes from, as authors, year and table or figure.
    data : str
        A plain sentence: which data, of what size, and how it was spoiled.
    setting : str
        A plain sentence: parameters, repetitions, and where they depart from the paper's.
    tables : tuple of Table
    claims : tuple of Claim
    figures : mapping
        Plain data (dict, list, numbers, text) for JSON: every figure that was measured.
    charts : tuple of Chart
        What ``--plot`` draws; empty where there is a sheet instead.
    sheet : (H, W) or (H, W, 3) uint8, optional
        RGB or grey picture that ``--plot`` saves as PNG in place of charts.
    notes : tuple of str
        Plain sentences that a reader of the tables should know.
    """

    title: str
    paper: str
    data: str
    setting: str
    tables: tuple[Table, ...]
    claims: tuple[Claim, ...]
    figures: Mapping[str, object]
    charts: tuple[Chart, ...] = ()
    sheet: NDArray[np.uint8] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "title": self.title, "paper": self.paper, "data": self.data, "setting": self.setting,
            "figures": dict(self.figures), "claims": [asdict(claim) for claim in self.claims],
            "notes": list(self.notes),
        }  # fmt: skip


Answers = list[Any]
"""What parts gave, in their order; each experiment knows of what type its own are."""

Run = Generator[Progress | tuple[Part, ...], Answers, Result]
"""What an experiment's function returns: it yields progress, or parts whose answers it is sent; returns its result."""


def finish(run: Run, tell: Callable[[Progress], object] = lambda progress: None) -> Result:
    """Run an experiment to its end and return its result; ``tell`` is called with each progress."""
    try:
        step = next(run)
        while True:
            if isinstance(step, Progress):
                tell(step)
                step = next(run)
            else:
                step = run.send(_answers(step, tell))
    except StopIteration as end:
        result: Result = end.value
        return result


def _answers(parts: tuple[Part, ...], tell: Callable[[Progress], object]) -> Answers:
    answers: Answers = []
    for part in parts:
        tell(Progress(len(answers), len(parts), part.what))
        answers.append(part.measure(*part.arguments))
    return answers


def number(value: float | None, digits: int = 2) -> str:
    """Return a figure as text with so many digits after the point; empty where there is none."""
    return "" if value is None or not np.isfinite(value) else f"{round(value, digits) + 0.0:.{digits}f}"


def spread(values: Iterable[float], digits: int = 2) -> str:
    """Return mean ± standard deviation of repetitions as text, the mean alone of one."""
    array = np.array(list(values), float)
    if array.size < 2:
        return number(float(array.mean()) if array.size else None, digits)
    return f"{array.mean():.{digits}f} ± {array.std(ddof=1):.{digits}f}"
