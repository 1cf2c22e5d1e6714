"""What a step of the history was, in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.window.moment import MISSING, MODEL, Changes

if TYPE_CHECKING:
    from core.parameter import Parameter
    from core.project.document import Marker
    from core.session.strokes import Strokes

FIRST = (MODEL, "method", "input.roi")
"""Where one of these has changed, that is what was done; the rest follows from it."""

NAMES = {
    "passes": "Passes", "input.seed": "Random seed", "input.corruption": "Corruption", "events.area": "Area of events",
    "events.lines": "Lines that events cross", "events.shortest": "Shortest event", "events.smallest": "Smallest event",
}  # fmt: skip
"""What is changed, by its place, where the place does not say it."""


_BECAME = re.compile(r"^(.*) (\S+) → .*?( and \d+ more)?$")
"""A step that set something to something else."""


def words_of(changes: Changes, parameters: Mapping[str, Parameter]) -> str:
    """Return what was changed; of several changes the first, and how many more there are.

    Parameters
    ----------
    changes : mapping
        At least one.
    parameters : mapping
        Those that there are, by name.
    """
    leading = [place for place in FIRST if place in changes]
    place = leading[0] if leading else next(iter(changes))
    text, n_more = _words(place, *changes[place], parameters), len(changes) - 1
    return text if leading or not n_more else f"{text} and {n_more} more"


def undone_words(text: str) -> str:
    """Return the words of a step for people who have taken it back: what is so again, not what it had become."""
    return _BECAME.sub(r"\1 back to \2\3", text)


def _words(place: str, before: Any, after: Any, parameters: Mapping[str, Parameter]) -> str:
    part, _, name = place.partition(".")
    if place == MODEL:
        return "Learn again" if after is None else f"Model {Path(after).name}"
    if part == "areas":
        return "Areas"
    if part == "markers":
        return _marker(before, after)
    if place == "export.written":
        return "In and out points taken away" if after == (None, None) else f"In and out {_range(*after)}"
    if place == "export.save":
        return _products(before or (), after or ())
    if place == "input.roi":
        return "Whole picture" if after is None else f"Region {after[2]} × {after[3]}"
    if place == "input.size":
        return "Full size" if after is None else f"Working size {after[0]} × {after[1]}"
    if place == "input.grey":
        return "Work on grey" if after else "Work on colour"
    if part == "values":
        parameter = parameters.get(name)
        title = name if parameter is None else parameter.title
        unset = None if parameter is None else parameter.default
        before, after = (unset if value is MISSING else value for value in (before, after))
        return f"{title} {value_words(before)} → {value_words(after)}"
    plain = place.replace("_", " ").replace(".", ": ")
    title = NAMES.get(place, plain[:1].upper() + plain[1:])
    if any(isinstance(value, (int, float, str)) and len(str(value)) < 16 for value in (before, after)):
        return f"{title} {value_words(before)} → {value_words(after)}"
    return title


def stroke_words(strokes: Strokes) -> str:
    """Return what was painted last, or that all was forgotten."""
    if not strokes.strokes:
        return "Strokes forgotten"
    newest = strokes.strokes[-1]
    kind = "background" if newest.is_background else "foreground"
    if newest.frames is None:
        return f"Brush: {kind}"
    first, last = newest.frames
    return f"Brush: {kind}, frame {first + 1}" if first == last else f"Brush: {kind}, frames {first + 1} – {last + 1}"


def _marker(before: tuple[Marker, ...], after: tuple[Marker, ...]) -> str:
    gone, new = ([one for one in this if one not in other] for this, other in ((before, after), (after, before)))
    if gone and new:
        return f"Marker “{gone[0].name}” is “{new[0].name}”" if gone[0].frame == new[0].frame else "Marker moved"
    return f"Marker “{new[0].name}”" if new else f"Marker “{gone[0].name}” taken away" if gone else "Markers"


def _products(before: Iterable[str], after: Iterable[str]) -> str:
    """Return what an export saves that it did not, and what no more."""
    more, less = [one for one in after if one not in before], [one for one in before if one not in after]
    told = [f"{word} {', '.join(some)}" for word, some in (("with", more), ("without", less)) if some]
    return f"Export {', '.join(told)}" if told else "Export"


def _range(first: int | None, last: int | None) -> str:
    return f"{first or 1} – {'the end' if last is None else last}"


def value_words(value: object) -> str:
    """Return what a setting is set to."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None or value is MISSING:
        return "automatic"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
