"""What a run did, told when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.events.totals import EventTotals


@dataclass(frozen=True)
class Summary:
    """What a run did.

    Attributes
    ----------
    method : str
    frames : int
        Pictures in each result.
    width, height : int
        Of the results, pixels.
    seconds : float
        From opening the input to the last rename.
    fps : float
        Frames a second while frames were processed, over all passes and the iterations of a batch method.
    stages_ms : dict
        Medians over the last 2000 frames of ``decode`` (waiting for the decoder, which runs ahead), ``step``,
        ``mask`` and ``write`` (work of the writing threads, which run beside).
    peak_mib : float
        Largest resident memory of the process so far.
    warnings : list of str
    files : list of Path
        The results.
    taken_for : str
        What its frames were found to show, of the choices of `core.methods.content.CONTENT`, where they were looked at
        for that; else empty.
    events : EventTotals or None
        What was counted, where events were saved.
    scenes : tuple of int
        The first frame of each scene whose plate was saved, by its number in the whole input, from 1.
    cut_short : str
        Why a live input was recorded no further, and up to when, in a sentence; else empty.
    """

    method: str
    frames: int
    width: int
    height: int
    seconds: float
    fps: float
    stages_ms: Mapping[str, float]
    peak_mib: float
    warnings: list[str]
    files: list[Path]
    taken_for: str = ""
    events: EventTotals | None = None
    scenes: tuple[int, ...] = ()
    cut_short: str = ""
