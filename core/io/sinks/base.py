"""What every sink does, and how a result gets its final name only when it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.errors import CleanplateError
from core.frames.frame import Values

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if hasattr(errno, "EDQUOT") else {errno.ENOSPC, errno.EFBIG}
"""Error numbers that mean: no more room here."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses while ``path`` is written into one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise CleanplateError(
                f"The disk is full: {path} could not be written; free some space or choose another folder."
            ) from error
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise CleanplateError(f"{path} could not be written ({reason}); choose another folder.") from error


class Partial:
    """A file or folder that is written beside its final place and renamed when complete.

    The temporary name is hidden and unlike any result, ``.mask.partial-1f0c9a3e``, so that what a killed run leaves
    behind is never taken for a result.

    Parameters
    ----------
    final : Path
        The name of the complete result.
    """

    def __init__(self, final: Path) -> None:
        self.final = final
        self.path = final.with_name(f".{final.name}.partial-{secrets.token_hex(4)}")

    def publish(self) -> None:
        """Give the result its final name; what had that name before is gone only now."""
        if self.path.is_dir():
            publish_all([self])
        else:
            with writing(self.final):
                os.replace(self.path, self.final)

    def place(self) -> Path | None:
        """Give the result its final name, and return where that lies now which had the name before, if anything."""
        old = None
        with writing(self.final):
            if os.path.lexists(self.final):
                if self.final.is_dir() != self.path.is_dir():
                    raise FileExistsError(errno.EEXIST, "")  # No run wrote that; it is not ours to move.
                old = self.path.with_name(f".{self.final.name}.old-{secrets.token_hex(4)}")
                self.final.rename(old)
            try:
                self.path.rename(self.final)
            except BaseException:
                if old is not None:
                    old.rename(self.final)
                raise
        return old

    def take_back(self, old: Path | None) -> None:
        """Undo `place`, as far as the system lets; what cannot get its name back stays where `place` has put it."""
        with contextlib.suppress(OSError):
            self.final.rename(self.path)
            if old is not None:
                old.rename(self.final)

    def discard(self) -> None:
        """Remove what was written; does nothing when it was published or never begun."""
        _remove(self.path)


def publish_all(partials: Iterable[Partial]) -> None:
    """Give results their final names: all or none; what had these names before is gone only when all have them.

    Raises
    ------
    CleanplateError
        One could not get its name; everything is as before, and the partials are still to be discarded.
    """
    placed: list[tuple[Partial, Path | None]] = []
    try:
        for partial in partials:
            placed.append((partial, partial.place()))
    except BaseException:
        for partial, old in reversed(placed):
            partial.take_back(old)
        raise
    for _, old in placed:
        if old is not None:
            _remove(old)


class Sink(ABC):
    """Takes pictures one by one and makes a file or a folder of them.

    ``open`` → ``write`` … ``write`` → ``close``, then `partial` is published; ``abort`` at any point leaves nothing
    behind.

    Parameters
    ----------
    final : Path
        Name of the complete result; its folder must exist.
    """

    ordered = True
    """Must pictures be written in order, from one thread? Otherwise `write` may be called from several."""

    def __init__(self, final: Path) -> None:
        self.partial = Partial(final)

    @classmethod  # noqa: B027 - most can store any
    def check_size(cls, width: int, height: int) -> None:
        """Raise a `CleanplateError` where pictures of this size cannot be stored so; by default any can."""

    @property
    def final(self) -> Path:
        """Name of the complete result."""
        return self.partial.final

    def open(self) -> None:
        """Begin."""
        with writing(self.final):
            self._open(self.partial.path)

    def write(self, number: int, time_s: float, picture: Values) -> None:
        """Write one picture.

        Parameters
        ----------
        number : int
            Place in the output, from 1.
        time_s : float
            Presentation time from the first picture, seconds.
        picture : (H, W), (H, W, 3) or (H, W, 4), uint8 or uint16
            Grey, RGB or RGB with straight alpha, full range, black 0 and white 255 or 65535; all of one shape and type.

        Raises
        ------
        CleanplateError
            The disk is full or refuses.
        """
        with writing(self.final):
            self._write(number, time_s, picture)

    def close(self) -> None:
        """Complete the result under its temporary name."""
        with writing(self.final):
            self._close()

    def abort(self) -> None:
        """Release everything and remove what was written; never raises."""
        with contextlib.suppress(Exception):
            self._close()
        self.partial.discard()

    @abstractmethod
    def _open(self, path: Path) -> None: ...

    @abstractmethod
    def _write(self, number: int, time_s: float, picture: Values) -> None: ...

    @abstractmethod
    def _close(self) -> None:
        """Finish; may be called twice."""


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
