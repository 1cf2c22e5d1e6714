"""What tells two jobs apart: a hash of what is read and of how it is done."""

from __future__ import annotations

import hashlib
import itertools
import operator
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.batch.destinations import KEPT
from core.batch.naming import is_job_file
from core.io.input_spec import is_file, is_remote
from core.io.publishing.ownership import LIST
from core.io.remote.store import Store
from core.project.naming import data_folder, is_project
from core.project.places import found
from core.project.store import load_document

FILES_AFTER = ("--model", "--start", "--preset", "--areas")
"""Options whose word may be the name of a file: what is in it counts too."""


NO_MATTER = "--overwrite"
"""Option that changes no result."""


def key_of(source: str, options: Sequence[str]) -> str:
    """Return what identifies a job, in hexadecimal digits.

    Place, length and time of change identify a file, or what an address has instead; a folder has those of the
    files in it and in its folders, a project those of its files and its input. What is in films is not read.

    Parameters
    ----------
    source : str
        As ``cleanplate run`` takes it.
    options : sequence of str
        The other words of the command.

    Raises
    ------
    CleanplateError
        It is a project that cannot be used, its input is gone, or an address cannot be reached.
    """
    words = _sorted_words(options)
    digest = hashlib.sha256(_packed("\0".join([source, *words])))
    places = [word for option, word in itertools.pairwise(words) if option in FILES_AFTER]
    if is_remote(source):
        for told in _told_at(source):
            digest.update(_packed("\0" + told))
    elif is_file(source):
        places.append(source)
    if is_project(source):
        places.append(str(data_folder(Path(source))))
        places.append(found(load_document(Path(source)).input, Path(source)).path)
    for place in places:
        for told in _told(place):  # A folder may hold a million files.
            digest.update(_packed("\0" + told))
    return digest.hexdigest()


def _packed(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _sorted_words(options: Sequence[str]) -> list[str]:
    """Return options in the order of their names and in one form, without the one that changes no result.

    Those of one name stay in their order: the last may be what counts.
    """
    groups: list[list[str]] = []
    for word in options:
        name, equals, value = word.partition("=")
        if word.startswith("--"):
            groups.append([name, value] if equals else [word])
        elif groups:
            groups[-1].append(word)
    return [word for group in sorted(groups, key=operator.itemgetter(0)) if group != [NO_MATTER] for word in group]


def _told_at(address: str) -> Iterator[str]:
    """Yield the same of a file or folder elsewhere."""
    store = Store(address)
    entry = store.entry()
    files = store.files() if entry is not None and entry.is_folder else {"": entry}
    for name, file in files.items():
        yield f"{name} -" if file is None else f"{name} {file.size} {file.mark}"


def _told(path: str) -> Iterator[str]:
    """Yield what is known of a file, or of all below a folder that is no batch's, in a fixed order."""
    if not os.path.isdir(path):
        yield _stamp(path)
        return
    for folder, folders, files in os.walk(path):
        holds_list = any(map(_is_of_list, files))
        if folder != path and (holds_list or LIST in files):  # The results of a batch may lie below what it has read.
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not (holds_list and name in KEPT))
        for name in sorted(name for name in files if not _is_of_list(name)):
            yield _stamp(os.path.join(folder, name))


def _is_of_list(name: str) -> bool:
    """Tell whether a file is a list of jobs, or its lock."""
    return is_job_file(name.removesuffix(".lock"))


def _stamp(path: str) -> str:
    try:
        seen = os.stat(path)
    except (OSError, ValueError):
        return f"{path} -"
    return f"{path} {seen.st_size} {seen.st_mtime_ns}"
