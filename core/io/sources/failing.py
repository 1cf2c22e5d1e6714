"""What is said where an input cannot be had any more: its medium fails or is gone, or the memory is full.

None of it is damage, which is passed over with a note: what was read so far is no whole result. So who passes over
other errors lets a `LostInputError` pass.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from core.errors import CancelledError, CleanplateError, NoRoomError


class LostInputError(CleanplateError):
    """An input, or a part of it, cannot be had any more, though nothing says that it is damaged."""


class NoRoomToReadError(LostInputError, NoRoomError):
    """It takes more memory than there is at this moment."""


@contextlib.contextmanager
def damage_passed_over() -> Iterator[None]:
    """End the block at an error, and go on behind it; what is lost or cancelled is raised all the same."""
    try:
        yield
    except (LostInputError, CancelledError):
        raise
    except CleanplateError:
        pass


def failed(what: str, error: OSError) -> LostInputError:
    """Return the error of an input, or a part of it, that the system refuses to read."""
    return LostInputError(
        f"{what} cannot be read ({error.strerror or type(error).__name__}); check the drive or network that it is on, "
        f"and whether you may read it, then begin again."
    )


def no_room(what: str) -> NoRoomToReadError:
    """Return the error of what takes more memory to read than there is."""
    return NoRoomToReadError.to_read(what)
