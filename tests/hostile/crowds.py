"""Two runs that complete their results in one folder at the same moment."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.attack import Attack, Outcome
from tests.hostile.program import Ended, start
from tests.hostile.result_folders import SAVED, Runs, hidden, tree
from tests.hostile.steps import count_steps, meet

KINDS = ("new", "replacing", "apart")
"""Both runs are new in their folder; both replace results; they save different things, and both must succeed."""

LATEST = 40
"""They meet in one of so many last steps: publishing, and some of what is before."""

LONGEST_S = 0.004
"""Each goes on at most so long after they met."""


def crowds(n: int, folder: Path) -> Iterator[Outcome]:
    """Have two runs meet at steps near their end."""
    runs = Runs(folder)
    choose = random.Random(0)
    steps: dict[tuple[str, str], int] = {}
    for number in range(n):
        kind, form = KINDS[number % len(KINDS)], list(SAVED)[(number // len(KINDS)) % len(SAVED)]
        more = ("--overwrite",) if kind == "replacing" else ()
        saves = ("plate,mask", "confidence,model") if kind == "apart" else ("", "")
        if (kind, form) not in steps:
            counted = folder / f"count-{kind}-{form}" / "results"
            _begin(runs, kind, form, counted)
            steps[kind, form] = count_steps(runs.words(1, form, counted, *more, save=saves[0]), counted.parent, counted)
        out = folder / f"{number}" / "results"
        _begin(runs, kind, form, out)
        at = [choose.randrange(max(steps[kind, form] - LATEST, 0), steps[kind, form]) for _ in range(2)]
        waits = [choose.uniform(0, LONGEST_S) for _ in range(2)]
        met = [str(out.parent / f"met{which}") for which in range(2)]
        running = [
            start(
                runs.words(1 + which, form, out, *more, save=saves[which]),
                out.parent / f"run{which}",
                prepare=functools.partial(meet, str(out), at[which], met[which], met[1 - which], waits[which]),
            )
            for which in range(2)
        ]
        ended = [one.wait() for one in running]
        case = f"{number}: {kind}, {form}, at steps {at} of {steps[kind, form]}"
        yield Outcome(case, _fault(runs, kind, form, out, ended))


def _begin(runs: Runs, kind: str, form: str, out: Path) -> None:
    out.parent.mkdir(parents=True)
    if kind == "replacing":
        runs.place(0, form, out)


def _fault(runs: Runs, kind: str, form: str, out: Path, ended: list[Ended]) -> str | None:
    said = [one.err.strip()[-200:] for one in ended]
    if fault := next((fault for one in ended if (fault := one.fault())), None):
        return fault
    if left := hidden(out):
        return f"left {left}; {said}"
    statuses, now = [one.status for one in ended], tree(out)
    if kind == "apart":
        names = {name.partition("/")[0].partition(".")[0] for name in now}
        return None if names == {"plate", "mask", "confidence", "model"} else f"{statuses}, {sorted(names)}, {said}"
    whole = [which for which in range(2) if now == tree(runs.made(1 + which, form))]
    if not whole:
        return f"mixed, {statuses}, {said}"
    if statuses[whole[0]] != 0 or (0 in (statuses[1 - whole[0]],) and kind == "new"):
        return f"that of run {whole[0]} is there, {statuses}, {said}"
    return None


CROWDS = Attack(
    "crowds",
    "two runs into one folder at the same moment",
    "never mixed: one wins whole, the other says so and leaves nothing",
    400,
    3,
    crowds,
)
