"""The bytes of a project's document: what is written can be read again, and what is read may come from strangers."""

from __future__ import annotations

import msgspec

from core.errors import CleanplateError, quoted
from core.project.document import Document
from core.untrusted_json import UnreadableJsonError, check_version, decoded

VERSION = 3
"""File version; larger numbers come from newer programs."""

MOST_BYTES = 4 << 20
"""A document takes 3 kB; as many points as areas may have take 2 MB, as many markers as there may be 1 MB."""


def decode(packed: bytes, where: str) -> Document:
    """Return the document in a file's bytes.

    Raises
    ------
    CleanplateError
        It is none, a newer program wrote it, or it asks for what there is not.
    """
    try:
        check_version(packed, VERSION, where)
    except UnreadableJsonError as error:
        raise _unusable(where, error) from error
    try:
        return _checked(packed)
    except (UnreadableJsonError, CleanplateError) as error:
        raise _unusable(where, error) from error


def _checked(packed: bytes) -> Document:
    document = decoded(packed, Document)
    document.input.spec()
    document.settings()
    document.export.check()
    return document


def _unusable(where: str, error: Exception) -> CleanplateError:
    return CleanplateError(f"{where} is not a project that can be used ({_reason(error)}); correct or replace it.")


def _reason(error: Exception) -> str:
    return quoted(str(error).rstrip("."), 200)


def encode(document: Document) -> bytes:
    """Return a document as JSON that people can read, and that `decode` takes.

    Raises
    ------
    CleanplateError
        A file's name is no text, or the document holds what could not be opened again.
    """
    try:
        packed = msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
    except UnicodeEncodeError as error:
        raise CleanplateError("The name of a file is no text, and cannot be kept in a project; rename it.") from error
    if len(packed) > MOST_BYTES:
        raise CleanplateError(
            f"The project would take {len(packed):,} bytes, and one of more than {MOST_BYTES:,} could not be opened "
            f"again; draw its areas with fewer points."
        )
    try:
        _checked(packed)
    except (UnreadableJsonError, CleanplateError) as error:
        raise CleanplateError(
            f"The project is not saved, as it could not be opened again ({_reason(error)}); change that first."
        ) from error
    return packed
