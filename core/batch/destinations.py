"""Folders for the results of many jobs, none of which is another's."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from core.batch.job import PIECES
from core.export.frame_names import RESERVED
from core.export.products import FORMATS, PRODUCTS, STACK, possible_places
from core.io.home import expanded
from core.io.input_spec import is_file, is_remote, live_name, title_of
from core.io.remote.address import last_name
from core.project.naming import SUFFIX as PROJECT_SUFFIX

MOST_NAME = 160
"""Bytes of a folder's name before its number: file systems have 255, and a log is named after it."""

KEPT = frozenset({"logs", PIECES})
"""What lies beside the folders of results."""

_NO_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
"""What some systems do not have in names."""


class Destinations:
    """Gives each job a folder of its own below one folder.

    Parameters
    ----------
    folder : Path
    taken : iterable of Path
        Folders that other jobs have.
    avoids_present : bool
        What is there already is left alone: a folder beside it is given.
    """

    def __init__(self, folder: Path, taken: Iterable[Path] = (), *, avoids_present: bool) -> None:
        self._folder = Path(os.path.abspath(expanded(folder)))
        self._avoids_present = avoids_present
        self._taken = {_compared(path) for path in taken} | {_compared(self._folder / name) for name in KEPT}

    def for_input(self, source: str) -> Path:
        """Return the folder for the results of an input, named after it; never the same one again."""
        return self.called(name_of(source))

    def called(self, stem: str) -> Path:
        """Return a folder of this name, or of this name and a number; never the same one again."""
        number = 1
        while True:
            path = self._folder / (stem if number == 1 else f"{stem}-{number}")
            if _compared(path) not in self._taken and not (self._avoids_present and os.path.lexists(path)):
                self._taken.add(_compared(path))
                return path
            number += 1


def name_of(source: str) -> str:
    """Return the name of the folder for an input: its title without suffix, as every system can have it."""
    if is_remote(source):
        stem = os.path.splitext(last_name(source))[0]
    elif not is_file(source):
        stem = live_name(source)
    else:
        path = Path(os.path.abspath(source))
        known = path.name.lower().endswith(PROJECT_SUFFIX) or not os.path.isdir(path)
        stem = path.stem if known else title_of(str(path))
    # Windows has no names that end with a full stop or a space, and hidden folders would be overlooked.
    clean = _NO_NAME.sub("_", stem).strip(". ").encode("utf-8", "surrogateescape")
    short = clean[:MOST_NAME].decode("utf-8", "ignore" if len(clean) > MOST_NAME else "surrogateescape")
    name = short.strip(". ") or "input"
    return f"_{name}" if RESERVED.match(name) else name


def around(folder: Path, source: str) -> Path:
    """Return where each input has a folder of its own: in ``folder``, or beside it where it is that of one input.

    That it is where it is called as this input, or where results lie in it, whatever it is called: those of others do
    not go among them.
    """
    is_of_this = _compared(Path(folder.name)) == _compared(Path(name_of(source)))
    there = expanded(folder)
    is_of_one = is_of_this or (holds_results(there) and os.access(there.parent, os.W_OK))
    return folder.parent if is_of_one else folder


def holds_results(folder: Path) -> bool:
    """Tell whether something in a folder has the name of a result of one run."""
    forms = (*FORMATS, STACK)
    names = {path for form in forms for product in PRODUCTS for path in possible_places(product, folder, form)}
    return os.path.isdir(folder) and any(os.path.lexists(path) for path in names)


def _compared(path: Path) -> str:
    """Return what two names of one folder have in common: some systems do not tell capitals or accents apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold())
