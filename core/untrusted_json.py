"""JSON that may come from strangers, and the bounded types that its fields are made of."""

from __future__ import annotations

import codecs
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from core.errors import CleanplateError, quoted
from core.json_words import words_of

T = TypeVar("T")

MOST_TEXT = 4096
"""Characters of a path at most, as many systems have it."""

Name = Annotated[str, Meta(max_length=MOST_TEXT, pattern=r"^[^\x00]*$")]
"""Of a file or folder."""

LARGEST_SIDE = 1_000_000
"""Pixels; no picture that is read has more rows or columns."""

Side = Annotated[int, Meta(ge=1, le=LARGEST_SIDE)]
"""Width or height of a picture, pixels."""

Geometry = Annotated[str, Meta(max_length=1000, pattern="^[0-9a-fA-F]*$")]
"""Place and size of a window, in hexadecimal digits, as Qt gives them; it takes some hundred."""


class UnreadableJsonError(Exception):
    """It is no JSON, or of another form; the text says why and where, short and printable."""


class _Version(msgspec.Struct):
    version: int


def decoded(packed: bytes, form: type[T]) -> T:
    """Return what JSON holds, as ``form`` has it.

    Raises
    ------
    UnreadableJsonError
    """
    try:
        return msgspec.json.decode(packed.removeprefix(codecs.BOM_UTF8), type=form)  # As some editors write it.
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableJsonError(quoted(words_of(error, form), 200)) from error


def names_in(packed: bytes) -> set[str]:
    """Return the names of the object that JSON holds, by which it is known; none where it holds no object."""
    try:
        return set(decoded(packed, dict[str, msgspec.Raw]))
    except UnreadableJsonError:
        return set()


def check_version(packed: bytes, newest: int, where: str) -> None:
    """Raise an error where a newer program wrote a file: it may hold fields that this one does not know.

    Parameters
    ----------
    packed : bytes
        JSON with a field ``version``.
    newest : int
        The largest version that is read.
    where : str
        Which file, for people.

    Raises
    ------
    UnreadableJsonError
    CleanplateError
        The version is larger.
    """
    version = decoded(packed, _Version).version
    if version > newest:
        raise CleanplateError(
            f"{where} was written by a newer Cleanplate (file version {quoted(version)}); update this one to use it."
        )
