"""The inputs of a batch: files, folders, patterns, lists of paths and projects, as one input for each job."""

from __future__ import annotations

import codecs
import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from natsort import natsorted

from core.errors import CleanplateError
from core.io.home import expanded
from core.io.input_spec import FRAMES_FOLDER, InputSpec, frames_folder, is_file, is_remote, nothing_in
from core.io.regular_file import read_regular
from core.io.remote.address import last_name
from core.io.remote.store import Entry, Store
from core.io.sources import IMAGE_SUFFIXES, VIDEO_SUFFIXES, check_presence
from core.io.sources.no_images import holds_images, without_images
from core.project.naming import is_project
from core.project.store import load_document

STANDARD_INPUT = "-"
"""Word for a list that comes from there."""

LIST_SUFFIX = ".txt"
"""Of a file with a path in each line."""

Useless = dict[str, CleanplateError]
"""Inputs of which nothing can be made, and why."""

MOST_LIST_BYTES = 1 << 28
"""A million long paths."""


def found_inputs(words: Sequence[str], standard_input: BinaryIO | None = None) -> list[str]:
    """Return the inputs that words name, each once, in their order; of files and folders the absolute paths.

    A folder that holds videos or projects stands for all of these; one of images is one input, as in ``run``. So is one
    that holds nothing of use, where there is more: its job will say so. A text file (``.txt``) holds a path,
    address or pattern in each line, seen from the file on; lines that begin with # are remarks. So does
    ``standard_input``, where it is given, for the word ``-``, seen from the current folder on.

    Raises
    ------
    CleanplateError
        A word names nothing, or there is nothing of use at all.
    """
    inputs: dict[str, str] = {}
    useless: Useless = {}
    for word in words:
        if word == STANDARD_INPUT and standard_input is not None:
            named = _given(standard_input, useless)
        else:
            named = _of_word(word, Path(), useless)
        for source in named:
            inputs.setdefault(os.path.realpath(source) if is_file(source) else source, source)
    if useless and useless.keys() >= set(inputs.values()):
        raise next(iter(useless.values()))
    return list(inputs.values())


def _of_word(word: str, base: Path, useless: Useless) -> Iterator[str]:
    _check_ends(word, word)  # Of a word that is empty too: it would be the folder that one happens to be in.
    if is_remote(word):
        yield from _of_address(word, useless)
        return
    if not is_file(word):
        check_presence(InputSpec(word))
        yield word
        return
    path = base / expanded(word)
    # os.path.exists answers for every name, where Path.exists raises an error for some.
    if os.path.exists(path):
        yield from _of_path(path, useless)
        return
    pattern = os.path.join(glob.escape(str(base)), os.path.expanduser(word))  # A path would lose the slash at its end.
    matches = glob.glob(pattern, recursive=True) if glob.has_magic(word) else []
    if not matches:
        what = "matches the pattern" if glob.has_magic(word) else "is at"
        raise CleanplateError(f"Nothing {what} {word}; check the path.")
    for match in natsorted(matches):
        yield from _of_path(Path(match), useless)


def _of_address(address: str, useless: Useless) -> Iterator[str]:
    """Yield the inputs at an address by the rules for files here; projects and lists are read here alone."""
    store = Store(address)
    entry = store.entry()
    found = [entry] if entry is not None else store.matches() if glob.has_magic(address) else []
    if not found:
        what = "matches the pattern" if glob.has_magic(address) else "is at"
        raise CleanplateError(f"Nothing {what} {address}; check the address.")
    for match in natsorted(found, key=lambda one: one.address):
        yield from _of_folder_at(match.address, useless) if match.is_folder else [match.address]


def _of_folder_at(address: str, useless: Useless) -> Iterator[str]:
    entries = natsorted(Store(address).listed(), key=lambda one: one.address)
    shown = [entry for entry in entries if not last_name(entry.address).startswith(".")]
    films = [one.address for one in shown if not one.is_folder and one.address.lower().endswith(VIDEO_SUFFIXES)]
    if films:
        yield from films
    elif any(_is_image(entry) or (entry.is_folder and last_name(entry.address) == FRAMES_FOLDER) for entry in shown):
        yield address
    else:
        below = [
            entry.address for entry in shown if entry.is_folder and any(map(_is_image, Store(entry.address).listed()))
        ]
        if not below:
            useless[address] = nothing_in(address)
        yield from below or [address]


def _is_image(entry: Entry) -> bool:
    is_hidden = last_name(entry.address).startswith(".")
    return not entry.is_folder and not is_hidden and entry.address.lower().endswith(IMAGE_SUFFIXES)


def _of_path(path: Path, useless: Useless) -> Iterator[str]:
    if path.is_dir():
        yield from _of_folder(path, useless)
    elif path.suffix.lower() == LIST_SUFFIX:
        yield from _of_list(path, useless)
    else:
        if is_project(path):
            _check_ends(_read_by(path), str(path))
        yield os.path.abspath(path)


def _read_by(project: Path) -> str:
    """Return what a project reads, or itself where it cannot be used: its job will say why."""
    try:
        return load_document(project).input.path
    except CleanplateError:
        return str(project)


def _check_ends(source: str, word: str) -> None:
    if InputSpec(source).is_live:
        raise CleanplateError(f"{word} never ends, so it is no part of a batch; use cleanplate run.")


def _of_list(path: Path, useless: Useless) -> Iterator[str]:
    try:
        packed = read_regular(path, MOST_LIST_BYTES)
    except OSError as error:
        raise CleanplateError(f"The list {path} cannot be read ({error.strerror}); check it.") from error
    yield from _of_lines(packed, f"list {path}", path.parent, useless)


def _given(standard_input: BinaryIO, useless: Useless) -> Iterator[str]:
    try:
        packed = standard_input.read(MOST_LIST_BYTES + 1)
    except OSError as error:  # Also where it is not open for reading.
        raise CleanplateError(
            f"Standard input cannot be read ({error.strerror or error}); give a list (.txt) instead."
        ) from error
    if len(packed) > MOST_LIST_BYTES:
        raise CleanplateError(f"Standard input is longer than {MOST_LIST_BYTES:,} bytes; it has to be a list of paths.")
    found = list(_of_lines(packed, "standard input", Path(), useless))
    if not found:
        raise CleanplateError("Standard input names no input; it has to have a path in each line.")
    yield from found


def _of_lines(packed: bytes, what: str, base: Path, useless: Useless) -> Iterator[str]:
    for line in _decoded(packed).removeprefix("\N{BOM}").split("\n"):
        word = line.strip()
        if word and not word.startswith("#"):
            if word.lower().endswith(LIST_SUFFIX):
                raise CleanplateError(f"The {what} names another list, {word}; name both in the command.")
            yield from _of_word(word, base, useless)


def _decoded(packed: bytes) -> str:
    """Return the text of a list: names are bytes of any kind, but for what Windows writes in UTF-16."""
    is_wide = packed.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return packed.decode("utf-16", "replace") if is_wide else os.fsdecode(packed)


def _of_folder(folder: Path, useless: Useless) -> Iterator[str]:
    try:
        yield from _held_by(folder)
    except CleanplateError as error:
        source = os.path.abspath(folder)
        useless[source] = error
        yield source


def _held_by(folder: Path) -> Iterator[str]:
    """Yield the inputs that a folder stands for; raise CleanplateError, before the first, where there are none."""
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry in found if not entry.name.startswith(".")]
    except OSError as error:
        raise CleanplateError(f"The folder {folder} cannot be read ({error.strerror}); check it.") from error
    films = [
        e for e in entries if (e.name.lower().endswith(VIDEO_SUFFIXES) or is_project(e.name)) and os.path.isfile(e.path)
    ]
    if films:
        yield from map(os.path.abspath, natsorted(films, key=lambda entry: entry.name))
    elif holds_images(folder) or frames_folder(folder) != folder:
        yield os.path.abspath(folder)
    else:
        below = [e for e in entries if os.path.isdir(e.path) and holds_images(Path(e.path))]
        if not below:
            raise without_images(Path(os.path.abspath(folder)))  # As its job says it, where there are others.
        yield from map(os.path.abspath, natsorted(below, key=lambda entry: entry.name))
