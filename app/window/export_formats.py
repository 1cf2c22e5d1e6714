"""The format in which each kind of input is exported: a film of 8 bits makes black of what a microscope counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.export.products import DEFAULT_FORMAT, FORMATS

if TYPE_CHECKING:
    from app.window.settings import Remembered
    from core.io.sources.base import SourceInfo

Depth = Literal["coded", "measured"]
"""Samples that are coded for a display, or counts of light, which may span a fiftieth of what their type can hold."""


class ExportFormats:
    """Keeps what was chosen for each kind of input.

    Parameters
    ----------
    remembered : Remembered
        Has what was written last, of each kind.
    """

    def __init__(self, remembered: Remembered) -> None:
        self._remembered = remembered
        self._kind: Depth | None = None
        self._chosen: dict[Depth, str] = {}

    @property
    def usual(self) -> str:
        """The format of what is open, unless a person chooses another: that of before."""
        kind = self._kind or "coded"
        form = self._chosen.get(kind) or self._remembered.export_formats.get(kind, DEFAULT_FORMAT)
        return form if form in FORMATS else DEFAULT_FORMAT

    def begin(self, info: SourceInfo) -> None:
        """Take note of the kind of the first input."""
        if self._kind is None:
            self._kind = _kind_of(info)

    def turn_to(self, info: SourceInfo, chosen: str) -> str:
        """Keep what was chosen for the kind that was open, and return the format of another input."""
        before, self._kind = self._kind, _kind_of(info)
        if before in {None, self._kind}:
            return chosen
        assert before is not None
        self._chosen[before] = chosen
        return self.usual

    def on_wrote(self, form: str) -> None:
        """Remember the format that was written for the next start."""
        if self._kind is not None:
            self._remembered.export_formats = {**self._remembered.export_formats, self._kind: form}


def _kind_of(info: SourceInfo) -> Depth:
    return "coded" if info.levels is None else "measured"
