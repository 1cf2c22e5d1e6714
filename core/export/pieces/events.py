"""The events of a whole run from those of its pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.events.found import read_events, read_frames
from core.events.rules import Rules
from core.events.totals import EventTotals


def join_events(
    parts: Sequence[Path], folder: Path, rules: Rules, *, check: Callable[[], object]
) -> EventTotals | None:
    """Write the events of folders that follow each other into a new one, numbered on from one to the next.

    What is seen in the last frame of a piece and in the first of the next is two events.

    Parameters
    ----------
    parts : sequence of Path
    folder : Path
    rules : Rules
        As the pieces had them.
    check : callable
        Called between pieces; may raise.

    Returns
    -------
    EventTotals or None
        What all count together; None where there are no folders.
    """
    files, before, number = None, 0, 0
    try:
        for part in parts:
            check()
            found = read_events(part)
            if files is None:
                first = found.first
                files = found.files(rules)
                files.open(folder)
            for frame in read_frames(part):
                files.add_frame(frame.number - first, frame.time_s, frame.name)
            for event in found.events:
                number = before + event.number
                files.add_event(replace(event, number=number))
            before = max(before, number)
        return None if files is None else files.close()
    finally:
        if files is not None:
            files.release()
