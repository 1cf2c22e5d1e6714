"""The files beside a project's document: how they are called, copied and removed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from core.errors import CleanplateError
from core.io.regular_file import open_regular

SUFFIXES = {"strokes": "npz", "learnt": "npz", "frame": "npz", "model": "npz", "picture": "png", "areas": "png"}
"""Of what lies beside a document, by its kind, without the dot."""

_DATA = re.compile(rf"({'|'.join(SUFFIXES)})-[0-9a-f]{{12}}\.({'|'.join(set(SUFFIXES.values()))})")


def new_name(kind: str) -> str:
    """Return a name for a file of a kind, one of `SUFFIXES`, that none has yet."""
    return f"{kind}-{secrets.token_hex(6)}.{SUFFIXES[kind]}"


class ModelChangedError(Exception):
    """A model is another than that which its copy was named after."""


def model_name(model: Path, folder: Path) -> str:
    """Return a model's name in the folder beside a document.

    One that is applied from there stays, and a copy is called after what it was made of: one is enough for however many
    savings. Raises CleanplateError where it is gone, cannot be read, or is no regular file.
    """
    try:
        with open_regular(model) as file:
            named = _called_after(file, model)
    except (FileNotFoundError, NotADirectoryError):
        raise _gone(model) from None
    except OSError as error:
        raise CleanplateError(
            f"The model {model} that is applied cannot be read ({error.strerror}); check the drive that it is on, and "
            "whether you may read it, or learn again."
        ) from None
    return model.name if model.parent == folder and _DATA.fullmatch(model.name) else named


def _called_after(file: BinaryIO, model: Path) -> str:
    about = os.fstat(file.fileno())  # Not of its path, where another may lie by now.
    told = f"{about.st_dev} {about.st_ino} {about.st_size} {about.st_mtime_ns} ".encode()
    return f"model-{hashlib.sha256(told + os.fsencode(os.path.realpath(model))).hexdigest()[:12]}.{SUFFIXES['model']}"


def write_bytes(packed: bytes, beside: Path) -> None:
    """Write bytes at ``beside`` itself. Raises OSError."""
    beside.write_bytes(packed)


def copy_model(model: Path, name: str, beside: Path) -> None:
    """Copy a model to ``beside`` itself.

    Raises
    ------
    OSError
    CleanplateError
        It is gone, or no regular file.
    ModelChangedError
        It is not, or was not to the end, what `model_name` gave this name.
    """
    try:
        with open_regular(model) as read, beside.open("wb") as write:
            while part := read.read(1 << 20):
                write.write(part)
            if _called_after(read, model) != name:
                raise ModelChangedError
    except FileNotFoundError:
        raise _gone(model) from None


def _gone(model: Path) -> CleanplateError:
    return CleanplateError(f"The model {model} that is applied is gone; put it back, or learn again.")


def tidy(folder: Path, kept: Collection[str], *, models: bool = True) -> None:
    """Remove what earlier savings wrote, and nothing else; without ``models``, none of these."""
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            is_kept = file.name in kept or (file.name.startswith("model-") and not models)
            if _DATA.fullmatch(file.name) and not is_kept:
                with contextlib.suppress(OSError):
                    file.unlink()
