"""What lies at an address, by fsspec; whatever its libraries raise becomes one sentence."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import CleanplateError, quoted
from core.io.remote.address import check_address

EXTRA = "pip install 'cleanplate[cluster]'"

OPTIONS: Mapping[str, dict[str, Any]] = {
    protocol: {"config_kwargs": {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": 2}}}
    for protocol in ("s3", "s3a")
}
"""Of file systems, by their protocol. By itself S3's library waits a minute for each of 25 attempts to connect, where
no answer comes at all."""

OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oci", "oss", "memory"})
"""Protocols without folders, which are only the beginnings of names there."""

NO_BUCKET = "bucket does not exist"
"""What object stores say where not only a file is absent."""

TOGETHER = 64
"""Files that are copied at once: most file systems copy several at a time."""

VERSION_MARKS = (
    "ETag",
    "etag",
    "md5Hash",
    "content_md5",
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "created",
)
"""What file systems call that by which one state of a file differs from another; the first that is there counts."""


@dataclass(frozen=True)
class Entry:
    """A file or folder.

    Attributes
    ----------
    address : str
    size : int
        Bytes; 0 of a folder.
    is_folder : bool
    mark : str
        Another one where the file has changed.
    """

    address: str
    size: int
    is_folder: bool
    mark: str


class Store:
    """The place that an address names, and what lies below it.

    Parameters
    ----------
    address : str

    Raises
    ------
    CleanplateError
        Nothing here knows such addresses, or this one holds a secret.
    """

    def __init__(self, address: str) -> None:
        check_address(address)
        self.address = address
        protocol = address.partition("://")[0]
        with _reaching(address):  # Some connect at once.
            self._files, path = _file_system(address, protocol)
        self._is_object_store = protocol in OBJECT_STORES
        self._path = path.rstrip("/")
        self._before = address.rstrip("/").removesuffix(self._path.lstrip("/"))

    def entry(self) -> Entry | None:
        """Return what is at the address itself; None where nothing is."""
        with contextlib.suppress(FileNotFoundError), _reaching(self.address, absent=True):
            return self._entry(self._files.info(self._path))
        return None

    def listed(self) -> list[Entry]:
        """Return what lies in the folder."""
        with _reaching(self.address):
            found = [self._entry(info) for info in self._files.ls(self._path, detail=True)]
        return [entry for entry in found if entry.address.rstrip("/") != self.address.rstrip("/")]

    def files(self) -> dict[str, Entry]:
        """Return all files below, at any depth, by their names as seen from here; none where nothing is."""
        with _reaching(self.address):
            found = self._files.find(self._path, detail=True)
        start = len(self._path) + 1
        return {path[start:]: self._entry(info) for path, info in sorted(found.items()) if path[start:]}

    def matches(self) -> list[Entry]:
        """Return what the address matches, which is a pattern then."""
        with _reaching(self.address):
            return [self._entry(info) for info in self._files.glob(self._path, detail=True).values()]

    def read(self, name: str = "") -> bytes | None:
        """Return what is in a small file; None where there is none."""
        with contextlib.suppress(FileNotFoundError), _reaching(self.address, absent=True):
            return bytes(self._files.cat_file(self._at(name)))
        return None

    def write(self, name: str, packed: bytes) -> None:
        """Write a small file, all of it or none."""
        with _reaching(self.address):
            self._make(self._path)
            self._files.pipe_file(self._at(name), packed)

    def remove(self, names: Sequence[str]) -> None:
        """Remove files; those that are gone already are no error."""
        for name in names:
            with contextlib.suppress(FileNotFoundError), _reaching(self.address, absent=True):
                self._files.rm_file(self._at(name))

    def fetch(self, names: Sequence[str], files: Sequence[Path], check: Callable[[], None]) -> None:
        """Copy files from there to here.

        Parameters
        ----------
        names : sequence of str
            As seen from the address; an empty one is the address itself.
        files : sequence of Path
        check : callable
            Called now and then, from another thread; ends the work by raising.
        """
        for some in _groups(range(len(names))):
            check()
            there, here = [self._at(names[i]) for i in some], [str(files[i]) for i in some]
            with _reaching(self.address):
                self._files.get(there, here, callback=_asking(check))

    def upload(self, files: Sequence[Path], names: Sequence[str], check: Callable[[], None]) -> None:
        """Copy files from here to there; the parameters are those of `fetch`."""
        with _reaching(self.address):
            for folder in sorted({self._at(name).rpartition("/")[0] for name in names}):
                self._make(folder)
        for some in _groups(range(len(names))):
            check()
            here, there = [str(files[i]) for i in some], [self._at(names[i]) for i in some]
            with _reaching(self.address):
                self._files.put(here, there, callback=_asking(check))

    def _make(self, folder: str) -> None:
        """Make a folder where there are such things: in others to make one might make a bucket."""
        if not self._is_object_store:
            self._files.makedirs(folder, exist_ok=True)

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}" if name else self._path

    def _entry(self, info: Mapping[str, Any]) -> Entry:
        mark = next((str(info[key]) for key in VERSION_MARKS if info.get(key)), "")
        is_folder = info["type"] == "directory"
        path = str(info["name"]).lstrip("/")
        return Entry(self._before + path, 0 if is_folder else int(info["size"] or 0), is_folder, mark)


def _file_system(address: str, protocol: str) -> tuple[Any, str]:
    """Return the file system of an address, and where in it that is."""
    try:
        import fsspec  # noqa: PLC0415 - of an extra

        known, chosen = OPTIONS.get(protocol, {}), fsspec.config.conf.get(protocol, {})
        options = {name: value for name, value in known.items() if name not in chosen}
        files, path = fsspec.core.url_to_fs(address, use_listings_cache=False, **options)
    except ImportError as error:
        ours = protocol in OPTIONS or error.name == "fsspec"
        remedy = f"{EXTRA} installs it" if ours else "install what it asks for"
        raise CleanplateError(f"{protocol}:// cannot be read or written ({error}); {remedy}.") from error
    except ValueError as error:
        raise CleanplateError(f"There is no kind of address {protocol}://; s3:// is one, see the manual.") from error
    return files, str(path)


@contextlib.contextmanager
def _reaching(address: str, *, absent: bool = False) -> Iterator[None]:
    """Turn what libraries raise into one sentence; with ``absent`` that nothing is there stays what it is.

    Every file system has errors of its own, which share no ancestor; names of classes tell the common ones apart.
    """
    try:
        yield
    except CleanplateError:
        raise
    except FileNotFoundError as error:
        if absent and NO_BUCKET not in str(error):
            raise
        raise CleanplateError(f"Nothing is at {address} ({_reason(error)}); check the address.") from error
    except PermissionError as error:
        raise CleanplateError(
            f"{address} may not be used with the credentials of this machine ({_reason(error)}); check them."
        ) from error
    except Exception as error:
        names = " ".join(kind.__name__ for kind in type(error).__mro__)
        if "Credential" in names:
            raise CleanplateError(
                f"There are no credentials for {address} on this machine; set them where the library looks for them "
                f"(for S3: AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)."
            ) from error
        if "Connect" in names or "Timeout" in names:
            raise CleanplateError(
                f"{address} could not be reached ({_reason(error)}); check the network and try again."
            ) from error
        raise CleanplateError(f"{address} could not be used ({_reason(error)}); check it and try again.") from error


def _groups(numbers: range) -> Iterator[range]:
    for start in range(0, len(numbers), TOGETHER):
        yield numbers[start : start + TOGETHER]


def _asking(check: Callable[[], None]) -> Any:
    """Return what fsspec tells of each piece that it has copied."""
    from fsspec.callbacks import Callback  # noqa: PLC0415 - of an extra

    class Asking(Callback):  # type: ignore[misc] # of no type, as fsspec may be absent
        def branched(self, *_: Any, **__: Any) -> Asking:
            return self

        def relative_update(self, inc: int = 1) -> None:
            check()

    return Asking()


def _reason(error: Exception) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return quoted(said.strip().rstrip("."), 200)
