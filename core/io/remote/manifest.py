"""What tells that the results at an address are complete: written last, and what readers go by."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from core.errors import CleanplateError
from core.io.remote.address import below, leads_below
from core.io.remote.store import Store
from core.untrusted_json import Name, UnreadableJsonError, check_version, decoded

MANIFEST = "cleanplate.json"
"""Name beside the results."""

VERSION = 1

Size = Annotated[int, Meta(ge=0)]


class Manifest(msgspec.Struct, frozen=True):
    """What lies at an address.

    Attributes
    ----------
    files : dict
        Bytes of each file, by its name as seen from the manifest: those that this program wrote.
    is_complete : bool
        All of them are there; else a run uploads them at this moment, or was ended while it did.
    key : str
        What identifies input and settings of a job of a batch (`core.batch.identity`); else empty.
    figures : dict
        What the run told at its end (`core.batch.job.ToldLine`).
    run : str
        Of which run this is, until all is complete: another run may have taken over.
    version : int
        Larger numbers come from newer programs.
    """

    files: dict[Name, Size]
    is_complete: bool
    key: Name = ""
    figures: dict[str, object] = {}
    run: Name = ""
    version: int = VERSION


def read_manifest(store: Store) -> Manifest | None:
    """Return what is noted at an address; None where nothing is.

    Raises
    ------
    CleanplateError
        It is no such note, or a newer program's, or the address cannot be reached.
    """
    packed = store.read(MANIFEST)
    if packed is None:
        return None
    where = below(store.address, MANIFEST)
    try:
        check_version(packed, VERSION, where)
        manifest = decoded(packed, Manifest)
        if not all(map(leads_below, manifest.files)):
            raise UnreadableJsonError("it names a file outside of its folder")
        return manifest
    except UnreadableJsonError as error:
        raise CleanplateError(f"{where} is no list of results ({error}); choose another folder.") from error


def write_manifest(store: Store, manifest: Manifest) -> None:
    """Note what is at an address, in the place of what was noted before."""
    store.write(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
