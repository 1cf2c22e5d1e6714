"""The one error that people see."""

from typing import Self


class CleanplateError(Exception):
    """A user-correctable error: one sentence that says what happened, where, and what to do next.

    The command line prints it and ends with status 2; the window shows it and goes on.
    """


class CancelledError(CleanplateError):
    """The person cancelled; nothing was written."""


class RefusedError(CleanplateError):
    """A place cannot be written to: it is full, may not be written to, or is no folder."""


class FullError(RefusedError):
    """A place cannot be written to because there is no more room."""


class NoRoomError(CleanplateError):
    """What was asked for takes more memory than there is at this moment."""

    @classmethod
    def to_read(cls, what: object) -> Self:
        """Return the error of a file, or of a part of it."""
        return cls(f"There is too little memory to read {what}; close other programs, and begin again.")


def quoted(said: object, most: int = 60) -> str:
    """Return what a file says as part of a sentence: at most so many characters, and none that a terminal obeys."""
    text = said if isinstance(said, str) else _digits(said)
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in short)


def _digits(said: object) -> str:
    try:
        return str(said)
    except ValueError:  # Python does not write out integers of thousands of digits.
        return "a number of very many digits"
