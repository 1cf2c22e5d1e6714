"""Results are uploaded: data first, then the manifest that says that all is there."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from core.errors import CleanplateError
from core.io.remote.address import below
from core.io.remote.manifest import MANIFEST, Manifest, read_manifest, write_manifest
from core.io.remote.store import Store


class RemoteResults:
    """The results of a run at an address. They are complete, or the manifest says that they are not.

    ::

        begin: note in the manifest which files come, and that they are not complete │ upload them │
        remove what an earlier run left beside them │ note that they are complete

    Who is ended in between leaves files that its manifest names: they are its successor's to replace.

    Parameters
    ----------
    address : str
        Of the folder.
    overwrite : bool
        Results of earlier runs may be replaced.

    Raises
    ------
    CleanplateError
        The address cannot be used or reached.
    """

    def __init__(self, address: str, *, overwrite: bool) -> None:
        self._store, self._overwrite = Store(address), overwrite

    def check(self) -> None:
        """Raise a `CleanplateError` where results are there already and must not be replaced."""
        self._earlier()

    def publish(self, folder: Path, *, key: str, figures: Mapping[str, object], check: Callable[[], None]) -> None:
        """Upload all that is in a folder.

        Parameters
        ----------
        folder : Path
        key, figures
            See `core.io.remote.manifest.Manifest`.
        check : callable
            Called now and then until all data are there; ends the work by raising.

        Raises
        ------
        CleanplateError
            Files of others are in the way, or the way there was cut; what was uploaded is removed as far as possible.
        """
        sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in _files(folder)}
        earlier = self._earlier()
        ours = set() if earlier is None else set(earlier.files)
        self._refuse_others(sizes.keys() - ours)
        coming = Manifest(
            {**dict.fromkeys(ours, 0), **sizes}, is_complete=False, key=key, run=secrets.token_hex(8)
        )  # fmt: skip
        write_manifest(self._store, coming)
        try:
            self._store.upload([folder / name for name in sizes], list(sizes), check)
            self._store.remove(sorted(ours - sizes.keys()))
            self._check_complete(sizes)
            write_manifest(self._store, Manifest(sizes, is_complete=True, key=key, figures=dict(figures)))
        except BaseException:
            with contextlib.suppress(CleanplateError):  # What cannot be removed is named by the manifest.
                self._tidy_up(coming)
            raise

    def _earlier(self) -> Manifest | None:
        manifest = read_manifest(self._store)
        if manifest is not None and manifest.is_complete and not self._overwrite:
            raise CleanplateError(
                f"Output exists: {self._store.address}; choose another folder or allow overwriting (--overwrite)."
            )
        return manifest

    def _refuse_others(self, names: set[str]) -> None:
        if not names:
            return
        there = names & self._store.files().keys()
        if there:
            raise CleanplateError(
                f"{below(self._store.address, min(there))} is not a result that this program lists there, so it is not "
                f"replaced; choose another folder."
            )

    def _check_complete(self, sizes: Mapping[str, int]) -> None:
        there = self._store.files()
        for name, size in sizes.items():
            if name not in there or there[name].size != size:
                raise CleanplateError(
                    f"{below(self._store.address, name)} is not as it was uploaded; run it again when nobody else "
                    f"writes there."
                )

    def _tidy_up(self, coming: Manifest) -> None:
        """Remove what was uploaded, unless another run has begun to upload the same since."""
        noted = read_manifest(self._store)
        if noted is not None and noted.run == coming.run:
            self._store.remove([*sorted(coming.files), MANIFEST])


def _files(folder: Path) -> list[Path]:
    return sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
