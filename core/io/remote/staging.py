"""The folder here in which a run with an input or results elsewhere reads and writes; nothing of it stays."""

from __future__ import annotations

import contextlib
import getpass
import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from core.errors import CleanplateError
from core.io.input_spec import is_remote
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import RunFolder, folder_lock, recover_locked
from core.io.remote.address import check_address, last_name
from core.io.remote.stage_in import fetch
from core.io.remote.stage_out import RemoteResults


class Staging:
    """Where a run finds its input and leaves its results. It is a context, at whose end what lies here is removed.

    What a killed run left is removed by the next one that uses the same folder for temporary files.

    Parameters
    ----------
    source : str
        As ``cleanplate run`` takes it.
    output : str or None
        Folder for the results, or its address.
    overwrite : bool
        Results of earlier runs may be replaced.

    Attributes
    ----------
    source : str
        Where the input is here, once it was fetched.
    output : str or None
        Folder for the results here.

    Raises
    ------
    CleanplateError
        An address names no place, or no folder can be made here.
    """

    def __init__(self, source: str, output: str | None, *, overwrite: bool) -> None:
        self.source, self.output = source, output
        self._from = source if is_remote(source) else None
        self._results: RemoteResults | None = None
        self._folder: RunFolder | None = None
        self._said: dict[str, str] = {}
        if self._from is not None:
            check_address(self._from)
        if output is not None and is_remote(output):
            self._results = RemoteResults(output, overwrite=overwrite)
        if self._from is None and self._results is None:
            return
        self._folder = _claimed()
        self._in, self._out = self._folder.new / "in", self._folder.new / "out"
        if self._from is not None:
            self.source = str(self._in / last_name(self._from))
            self._said[self.source] = self._from
        if self._results is not None and output is not None:
            self.output = str(self._out)
            self._said[self.output] = output.rstrip("/")

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if self._folder is None:
            return
        self._folder.remove()
        if isinstance(error, CleanplateError) and error.args:
            error.args = (self.said(str(error.args[0])), *error.args[1:])

    def said(self, text: str) -> str:
        """Return a text with the addresses in the place of what lies here."""
        for here, there in self._said.items():
            text = text.replace(here, there)
        return text

    @property
    def uploads(self) -> bool:
        """Whether results are not where they belong before `end`."""
        return self._results is not None

    def begin(self, check: Callable[[], None]) -> None:
        """Fetch the input; first see whether results may be written. Raises a `CleanplateError`.

        Parameters
        ----------
        check : callable
            Called now and then; ends the work by raising.
        """
        if self._results is not None:
            self._results.check()
        if self._from is not None:
            with writing(self._in):
                self._in.mkdir()
            fetch(self._from, self._in, check)

    def end(self, figures: Mapping[str, object], key: str, check: Callable[[], None]) -> None:
        """Upload the results; see `core.io.remote.stage_out.RemoteResults.publish`."""
        if self._results is not None:
            self._results.publish(self._out, key=key, figures=figures, check=check)


def _claimed() -> RunFolder:
    """Return a folder of this run's own, in one of this user's below that for temporary files."""
    base = Path(tempfile.gettempdir(), f"cleanplate-{_user()}")
    with writing(base):
        base.mkdir(mode=0o700, exist_ok=True)
        found = base.lstat()
        if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
            raise CleanplateError(f"{base} belongs to somebody else; let TMPDIR name a folder of your own.")
        with folder_lock(base):
            recover_locked(base)
            return RunFolder.claim(base)


def _user() -> str:
    with contextlib.suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return str(os.getuid()) if hasattr(os, "getuid") else "user"
