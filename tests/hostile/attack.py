"""What an attack is, and what came of one of its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """What came of one case.

    Attributes
    ----------
    case : str
        What was done, so that it can be done again.
    fault : str or None
        What the program did that it must not; None where all is well.
    """

    case: str
    fault: str | None = None


@dataclass(frozen=True)
class Attack:
    """A kind of attack.

    Attributes
    ----------
    key : str
        One word, for ``make hostile ATTACK=KEY``.
    title : str
        A row of the table.
    must : str
        What has to come of every case, as the table says it.
    n_all : int
        Cases of ``make hostile``.
    n_suite : int
        Cases of the suite: some seconds.
    run : callable
        From the number of cases and an empty folder to their outcomes; the same number gives the same cases, and fewer
        are spread over all kinds.
    """

    key: str
    title: str
    must: str
    n_all: int
    n_suite: int
    run: Callable[[int, Path], Iterator[Outcome]]
