"""An input is copied from its address to this machine before it is read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from core.errors import CleanplateError, quoted
from core.io.input_spec import nothing_in
from core.io.publishing.refusals import writing
from core.io.remote.address import last_name, leads_below
from core.io.remote.store import Entry, Store

SPARE_BYTES = 1 << 28
"""Room on the disk that is left to others."""


def fetch(address: str, folder: Path, check: Callable[[], None]) -> Path:
    """Copy a file, or all of a folder, into a folder here and return where it is; its name stays.

    Parameters
    ----------
    address : str
    folder : Path
        Must be there.
    check : callable
        Called now and then; ends the work by raising.

    Raises
    ------
    CleanplateError
        There is nothing, no room here, or the way there was cut.
    """
    store = Store(address)
    entry = store.entry()
    if entry is None:
        raise CleanplateError(f"Nothing is at {address}; check the address.")
    target = folder / last_name(address)
    files = store.files() if entry.is_folder else {"": entry}
    if not files:
        raise nothing_in(address)
    _check_room(address, sum(file.size for file in files.values()), folder)
    places = {name: _place(address, target, name) for name in files}
    with writing(target):
        for place in places.values():
            place.parent.mkdir(parents=True, exist_ok=True)
    store.fetch(list(places), list(places.values()), check)
    for name, file in files.items():
        _check_size(file, places[name])
    return target


def _check_room(address: str, n_bytes: int, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if n_bytes + SPARE_BYTES > free:
        room = max(0, free - SPARE_BYTES)
        raise CleanplateError(
            f"{address} takes {n_bytes / 1e9:.1f} GB, and {folder} has room for {room / 1e9:.1f}; let TMPDIR name a "
            f"folder on a larger disk."
        )


def _place(address: str, target: Path, name: str) -> Path:
    """Return where a file goes; names of such places are any text, and may lead out of a folder."""
    whole = f"{last_name(address)}/{name}" if name else last_name(address)
    if not leads_below(whole):
        raise CleanplateError(f"{address} holds a name that no folder here can have, {quoted(whole)}; rename it there.")
    return target.joinpath(*name.split("/")) if name else target


def _check_size(file: Entry, place: Path) -> None:
    if not place.is_file() or place.stat().st_size != file.size:
        raise CleanplateError(f"{file.address} was cut off or changed while it was copied; run it again.")
