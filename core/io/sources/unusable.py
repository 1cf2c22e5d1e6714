"""What is said of a file that holds nothing that can be used."""

from __future__ import annotations

from typing import Self

from core.errors import CleanplateError, NoRoomError


class UnusableError(CleanplateError):
    """A file holds nothing that can be used, or is not there.

    Attributes
    ----------
    reason : str
        Ends a sentence that begins with the file's name: for who leaves it out, and has no use for the advice.
    """

    reason = "cannot be used"

    @classmethod
    def of(cls, name: str, reason: str, advice: str) -> Self:
        """Return the error of a file, of the three parts of its sentence."""
        error = cls(f"{name} {reason}; {advice}.")
        error.reason = reason
        return error


class NoVideoError(UnusableError):
    """A file is nothing that libav knows."""


class TooLargeError(UnusableError, NoRoomError):
    """A file holds what takes more memory to decode than it can have."""
