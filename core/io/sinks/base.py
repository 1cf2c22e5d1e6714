"""What every sink does."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from pathlib import Path

from core.frames.frame import Values
from core.io.publishing.refusals import writing
from core.io.publishing.removal import remove


class Sink(ABC):
    """Takes pictures one by one and makes a file or a folder of them.

    ``open`` → ``write`` … ``write`` → ``close``; ``abort`` at any point leaves nothing behind.

    Parameters
    ----------
    final : Path
        Name of the complete result, for sentences and for its last part.

    Attributes
    ----------
    notes : list of str
        Sentences about what the result lacks.
    """

    ordered = True
    """Must pictures be written in order, from one thread? Otherwise `write` may be called from several."""

    def __init__(self, final: Path) -> None:
        self.final = final
        self.notes: list[str] = []
        self._path: Path | None = None

    @classmethod  # noqa: B027 - most can store any
    def check_size(cls, width: int, height: int) -> None:
        """Raise a `CleanplateError` where pictures of this size cannot be stored so; by default any can."""

    def set_before(self, n_frames: int, seconds: float) -> None:  # noqa: B027 - most need not know
        """Take note of how much of the input lies before the frame of the first picture; called before that comes."""

    def open(self, folder: Path) -> None:
        """Begin to write in ``folder``, under the last part of the final name."""
        with writing(self.final):
            self._path = folder.absolute() / self.final.name  # FFmpeg takes 12:30/mask.mp4 for an address.
            self._open(self._path)

    def write(self, number: int, time_s: float, picture: Values, stem: str = "") -> None:
        """Write one picture.

        Parameters
        ----------
        number : int
            Place in the output, from 1.
        time_s : float
            Presentation time from the first picture, seconds.
        picture : (H, W), (H, W, 3) or (H, W, 4), uint8 or uint16
            Grey, RGB or RGB with straight alpha, full range, black 0 and white 255 or 65535; all of one shape and type.
        stem : str
            Name of the picture's own file, where it has one, without its suffix; by default its number.

        Raises
        ------
        CleanplateError
            The disk is full or refuses.
        """
        with writing(self.final):
            self._write(number, time_s, picture, stem)

    def close(self) -> None:
        """Complete the result."""
        with writing(self.final):
            self._close()

    def salvage(self) -> bool:
        """Complete what was written before there was no more room; tell whether it is of use. Never raises."""
        with contextlib.suppress(Exception):
            self._close()
        try:
            return self._is_of_use()
        except Exception:
            return False

    def abort(self) -> None:
        """Release everything and remove what was written; never raises."""
        with contextlib.suppress(Exception):
            self._close()
        if self._path is not None:
            remove(self._path)

    def _is_of_use(self) -> bool:
        """Tell whether what there is can be read though its end is missing; by default it cannot."""
        return False

    @abstractmethod
    def _open(self, path: Path) -> None: ...

    @abstractmethod
    def _write(self, number: int, time_s: float, picture: Values, stem: str) -> None: ...

    @abstractmethod
    def _close(self) -> None:
        """Finish; may be called twice."""
