"""What a person has set at one moment, and by what two moments differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from core.project.document import Document
    from core.session.strokes import Strokes

MODEL = "model"
"""Key of the model that is applied, beside those of the document."""

MISSING = msgspec.UNSET
"""A value that one of two moments lacks: a parameter that has its default."""

Change = tuple[Any, Any]
"""What there was, and what there is."""

Changes = Mapping[str, Change]
"""By where in the document: names of fields with dots between them, such as ``export.format``."""

PartT = TypeVar("PartT", bound=msgspec.Struct)


@dataclass(frozen=True)
class Moment:
    """All that a person has set.

    Attributes
    ----------
    work : Document
    model : Path or None
        A model that is applied.
    strokes : Strokes or None
        What was painted by hand.
    """

    work: Document
    model: Path | None = None
    strokes: Strokes | None = None


def changes(before: Moment, after: Moment) -> dict[str, Change]:
    """Return by what the settings of two moments differ; strokes are not among them."""
    found = _differ(before.work, after.work, "")
    if before.model != after.model:
        found[MODEL] = before.model, after.model
    return found


def _differ(before: object, after: object, place: str) -> dict[str, Change]:
    if before == after:
        return {}
    if isinstance(before, msgspec.Struct) and isinstance(after, msgspec.Struct):
        parts = [(name, getattr(before, name), getattr(after, name)) for name in before.__struct_fields__]
    elif isinstance(before, dict) and isinstance(after, dict):
        parts = [(name, before.get(name, MISSING), after.get(name, MISSING)) for name in {**before, **after}]
    else:
        return {place: (before, after)}
    found: dict[str, Change] = {}
    for name, old, new in parts:
        found |= _differ(old, new, f"{place}.{name}" if place else name)
    return found


def patched(part: PartT, values: Mapping[str, object]) -> PartT:
    """Return a document, or a part of one, with other values at some places; `MISSING` takes one out of a mapping."""
    fields: dict[str, dict[str, object]] = {}
    for place, value in values.items():
        name, _, rest = place.partition(".")
        fields.setdefault(name, {})[rest] = value
    changed: dict[str, object] = {}
    for name, inside in fields.items():
        now = getattr(part, name)
        if "" in inside:
            changed[name] = inside[""]
        elif isinstance(now, msgspec.Struct):
            changed[name] = patched(now, inside)
        else:
            changed[name] = {key: value for key, value in {**now, **inside}.items() if value is not MISSING}
    return msgspec.structs.replace(part, **changed)
