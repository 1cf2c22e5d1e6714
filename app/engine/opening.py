"""What to open and how to look at it: the same words as on the command line."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.io.sources.base import Source
    from core.io.sources.corruption import Corruption
    from core.parameter import Value
    from core.session.model import Model
    from core.session.session import Settings


@dataclass(frozen=True)
class OpenRequest:
    """An input and the view of it that the method works on.

    Attributes
    ----------
    path : str
        A file, a folder, ``sample:NAME`` or ``camera:N``.
    grey : bool
    size : (width, height), optional
        Working size, pixels.
    roi : (x, y, width, height), optional
        Region of interest, pixels of the original.
    corruption : Corruption, optional
        For demonstrations on clean images. Its seed is that of generated samples too: one seed for everything random,
        as on the command line.
    """

    path: str
    grey: bool = False
    size: tuple[int, int] | None = None
    roi: tuple[int, int, int, int] | None = None
    corruption: Corruption | None = None


@dataclass(frozen=True)
class Choice:
    """What a person chose of the method, before the engine is there to check it.

    Attributes
    ----------
    method : str
    values : mapping
        Parameters of method and mask that differ from their defaults.
    passes, seed : int
    model : Path, optional
        Apply this model and learn nothing.
    """

    method: str = "fast"
    values: Mapping[str, Value] = field(default_factory=dict)
    passes: int = 1
    seed: int = 0
    model: Path | None = None

    def settings(self) -> Settings:
        """Return the settings of a session or a job. Imports the engine."""
        from core.session.session import Settings  # noqa: PLC0415 - numba takes a second

        return Settings(self.method, dict(self.values), self.passes, self.seed)

    def load_model(self) -> Model | None:
        """Read the model, where there is one. Imports the engine."""
        from core.session.model import Model  # noqa: PLC0415 - numba takes a second

        return None if self.model is None else Model.load(self.model)


def open_request(request: OpenRequest, cancelled: threading.Event | None = None) -> Source:
    """Open what is asked for. Imports decoders and may take long: call it off the window's thread.

    Parameters
    ----------
    cancelled
        Set it from another thread to give up while a camera is being opened.

    Raises
    ------
    CleanplateError
        It cannot be opened.
    """
    from core.io.sources import open_source  # noqa: PLC0415 - decoders take a while to import

    seed = request.corruption.seed if request.corruption else 0
    return open_source(
        request.path, grey=request.grey, size=request.size, roi=request.roi, corruption=request.corruption,
        seed=seed, cancelled=cancelled,
    )  # fmt: skip
