"""Which settings differ from the defaults, in words: said where they are taken along to another input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from app.engine.choice import Choice
from app.window.step_words import value_words

if TYPE_CHECKING:
    from core.parameter import Parameter

MOST = 4
"""Settings that are named; of more it is said how many."""


def kept_words(lead: str, chosen: Choice, method: str, parameters: Mapping[str, Parameter]) -> str:
    """Return a sentence on what differs from the defaults; empty where nothing does.

    Parameters
    ----------
    lead : str
        How the sentence begins, before a colon.
    chosen : Choice
    method : str
        What people call the method.
    parameters : mapping
        Those that there are, by name.
    """
    parts = list(_parts(chosen, method, parameters))
    if len(parts) > MOST:
        parts = [*parts[: MOST - 1], f"{len(parts) - MOST + 1} more"]
    return f"{lead}: {', '.join(parts)}." if parts else ""


def _parts(chosen: Choice, method: str, parameters: Mapping[str, Parameter]) -> Iterable[str]:
    usual = Choice()
    if chosen.model is not None:
        yield f"model {chosen.model.name}"
    elif chosen.method != usual.method:
        yield method
    if chosen.passes != usual.passes:
        yield f"{chosen.passes} passes"
    for name, value in chosen.values.items():
        yield f"{parameters[name].title} = {value_words(value)}"
