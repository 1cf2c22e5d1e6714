"""What is wrong with JSON, in words for people who wrote it by hand: the place, and what it has to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import inspect

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object in braces",
    "null": "null",
}
"""What msgspec calls the kinds of values, in plain words."""

BOUNDS = {">=": "at least {}", "<=": "at most {}", ">": "more than {}", "<": "less than {}", "": "{}"}

Rule = tuple[str, Callable[[re.Match[str]], str]]

RULES: Sequence[Rule] = (
    (r"Expected `int`, got `float`", lambda m: "it has to be a whole number"),
    (r"Expected `(.+)`, got `(.+)`", lambda m: f"it has to be {_kinds(m[1])}, and is {_kinds(m[2])}"),
    (r"Expected `(array|object)` of length ?(\W*) ?(\d+).*", lambda m: f"it has to hold {_counted(m[2], m[3])}"),
    (r"Expected `str` of length ?(\W*) ?(\d+)", lambda m: f"it has to have {_bound(m[1], m[2])} characters"),
    (r"Expected `str` matching regex .*", lambda m: "it holds characters that cannot be used there"),
    (r"Expected `\w+` (\W+) (\S+)", lambda m: f"it has to be {_bound(m[1], m[2])}"),
    (r"Object missing required field `(.*)`", lambda m: f"“{m[1]}” is missing"),
    (r"Object contains unknown field `(.*)`", lambda m: f"“{m[1]}” is no name that is known there"),
    (r"Invalid base64 encoded string", lambda m: "it is no picture as this program writes it"),
    (r"Input data was truncated", lambda m: "it ends too soon"),
    (r"'utf-8' codec can't decode .*", lambda m: "it is not coded in UTF-8"),
    (r"JSON is malformed: .*\(byte (\d+)\)", lambda m: f"it is no JSON from byte {int(m[1]) + 1} on"),
)
"""Sentences of msgspec, and what they say in plain words."""


def words_of(error: Exception, form: type) -> str:
    """Return what msgspec found wrong with JSON that was to be of a ``form``; what is not known stays as it is."""
    said, _, place = str(error).rstrip(".").partition(" - at `$")
    steps = [int(n) if n else name for name, n in re.findall(r"\.(\w+)|\[(\d+)\]", place)]
    where = ", ".join(f"number {step + 1}" if isinstance(step, int) else step for step in steps)
    what = _what(said, form, steps)
    return f"{where}: {what}" if where else what


def _what(said: str, form: type, steps: Sequence[str | int]) -> str:
    if unknown := re.fullmatch(r"Invalid enum value '?(.*?)'?", said):
        allowed = [str(value) for value in _allowed(inspect.type_info(form), steps)]
        choice = f"; it has to be {', '.join(allowed[:-1])} or {allowed[-1]}" if len(allowed) > 1 else ""
        return f"“{unknown[1]}” is not known there{choice}"
    for pattern, plain in RULES:
        if found := re.fullmatch(pattern, said):
            return plain(found)
    return said


def _kinds(names: str) -> str:
    return " or ".join(KINDS.get(name, name) for name in names.split(" | "))


def _bound(sign: str, number: str) -> str:
    return BOUNDS.get(sign.strip(), "{}").format(number.removesuffix(".0"))


def _counted(sign: str, number: str) -> str:
    return f"{_bound(sign, number)} {'entry' if number == '1' else 'entries'}"


def _allowed(form: Any, steps: Sequence[str | int]) -> Sequence[object]:
    """Return the values that are allowed at a place in a form; none where that is not a choice of a few."""
    if isinstance(form, inspect.UnionType):
        return next((found for one in form.types if (found := _allowed(one, steps))), ())
    if not steps:
        if isinstance(form, inspect.LiteralType):
            return form.values
        return [member.value for member in form.cls] if isinstance(form, inspect.EnumType) else ()
    step, *rest = steps
    if isinstance(form, inspect.StructType):
        return next((_allowed(field.type, rest) for field in form.fields if field.encode_name == step), ())
    if isinstance(form, inspect.TupleType):
        return _allowed(form.item_types[int(step)], rest)
    if isinstance(form, inspect.DictType):
        return _allowed(form.value_type, steps)  # The name in a mapping is no step of what msgspec says.
    inner = getattr(form, "item_type", None) or getattr(form, "value_type", None)
    return () if inner is None else _allowed(inner, rest)
