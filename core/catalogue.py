"""The one table of methods: the window, the command line, presets and benches are all made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from core.errors import CleanplateError, quoted
from core.methods.background_subtractors.rows import ROWS as REFERENCE_ROWS
from core.methods.base import MethodRow
from core.methods.baselines.rows import ROWS as BASELINE_ROWS
from core.methods.content import CONTENT, IMAGE_SET_PARAMETERS
from core.methods.corrupted_entries.rows import ROWS as SQUARED_L1_ROWS
from core.methods.divergence.rows import ROWS as DIVERGENCE_ROWS
from core.methods.fast.rows import FAST
from core.methods.online.rows import OADMM, ONMFO, OPGD
from core.methods.robust_loss.rows import ROWS as ROBUST_LOSS_ROWS
from core.methods.zhao_tan_batch.rows import ROWS as BATCH_ROWS
from core.parameter import Parameter, Value
from core.scene.cleaning import CLEANING_PARAMETERS
from core.scene.masks.finish import FINISH_PARAMETERS
from core.scene.masks.parameters import MASK_PARAMETERS
from core.scene.stabiliser import STEADY


@dataclass(frozen=True)
class MethodGroup:
    """Methods that people look for together.

    Attributes
    ----------
    title : str
        What they have in common.
    rows : tuple of MethodRow
    """

    title: str
    rows: tuple[MethodRow, ...]


GROUPS: tuple[MethodGroup, ...] = (
    MethodGroup("Robust, learns frame by frame", (FAST, OPGD, OADMM, ONMFO)),
    MethodGroup("Robust, learns from a set of frames", tuple(BATCH_ROWS)),
    MethodGroup("Divergences, frame by frame", tuple(row for row in DIVERGENCE_ROWS if row.kind == "online")),
    MethodGroup("Divergences, from a set of frames", tuple(row for row in DIVERGENCE_ROWS if row.kind == "batch")),
    MethodGroup("Earlier methods, frame by frame", tuple(BASELINE_ROWS)),
    MethodGroup("Robust losses, from a set of frames", tuple(ROBUST_LOSS_ROWS)),
    MethodGroup("Spoiled or missing pixels, from a set", tuple(SQUARED_L1_ROWS)),
    MethodGroup("For reference, no factorization", tuple(REFERENCE_ROWS)),
)
"""All methods, in the order in which they are offered."""

METHODS: dict[str, MethodRow] = {row.key: row for group in GROUPS for row in group.rows}
"""Every method by its key; the first is the default."""

__all__ = [
    "CLEANING_PARAMETERS", "FINISH_PARAMETERS", "GROUPS", "MASK_PARAMETERS", "METHODS", "MethodGroup", "check_live",
    "complete", "listed_parameters", "parameters", "row",
]  # fmt: skip


NAMED = 6
"""Methods that are named in a sentence, of those that have a parameter."""


def row(key: str) -> MethodRow:
    """Return the row of a key, or raise an error that names the nearest, or all where none is near."""
    if key not in METHODS:
        meant = _meant(key, METHODS)
        more = "cleanplate methods lists them" if meant else f"choose one of {', '.join(METHODS)}"
        raise CleanplateError(f"There is no method {quoted(key)!r}{meant}; {more}.")
    return METHODS[key]


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f" (perhaps {near[0]})" if near else ""


def listed_parameters(method: MethodRow) -> tuple[Parameter, ...]:
    """Return what can be set of a method, in the order in which it is offered: its own, and how its input is read."""
    reading = (*(IMAGE_SET_PARAMETERS if CONTENT in method.parameters else ()), *((STEADY,) if method.aligned else ()))
    return (*method.parameters, *reading)


def parameters(method: MethodRow) -> dict[str, Parameter]:
    """Return every parameter of a method, of the mask and of cleaned frames, by name."""
    return {p.name: p for p in (*listed_parameters(method), *MASK_PARAMETERS, *CLEANING_PARAMETERS)}


def _find(method: MethodRow, name: str) -> Parameter:
    known = parameters(method)
    if name in known:
        return known[name]
    others = [key for key, other in METHODS.items() if name in parameters(other)]
    if not others:
        raise CleanplateError(
            f"{method.key} has no parameter {quoted(name)!r}{_meant(name, known)}; it has {', '.join(known)}."
        )
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED + 1 else ""
    of = ", ".join(others[:NAMED] if more else others) + more
    raise CleanplateError(
        f"{name} belongs to the method{'s' if len(others) > 1 else ''} {of}, and this run uses {method.key}; choose "
        f"another method (--method {others[0]}), or leave {name} out."
    )


def complete(method: MethodRow, chosen: Mapping[str, object]) -> dict[str, Value]:
    """Return a checked value for every parameter, defaults where none is chosen."""
    values = {name: p.default for name, p in parameters(method).items()}
    values.update({name: _find(method, name).check(value) for name, value in chosen.items()})
    return values


def without_finish(values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of a model without those of a finish that is none: earlier versions know of none."""
    usual = {p.name: p.default for p in FINISH_PARAMETERS}
    return {name: value for name, value in values.items() if name not in usual or value != usual[name]}


def check_live(method: MethodRow, changes: Mapping[str, object]) -> dict[str, Value]:
    """Return checked changes for a running method."""
    checked: dict[str, Value] = {}
    for name, value in changes.items():
        parameter = _find(method, name)
        if not parameter.live:
            raise CleanplateError(f"{name} cannot change while {method.key} runs; start again to change it.")
        checked[name] = parameter.check(value)
    return checked
