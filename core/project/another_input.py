"""Whether an input is the one that a project was made of, as far as its size, its length and its rate tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.io.input_spec import Size
    from core.io.sources.base import SourceInfo
    from core.project.document import ProjectInput

SAME_RATE = 1e-4
"""By which part two rates may differ: containers round them, and the nearest two that there are differ by 1e-3."""


def original_size(info: SourceInfo) -> Size:
    """Return width and height of an input before region and working size, pixels."""
    return info.uncut or (info.full.width, info.full.height)


def another_input(part: ProjectInput, info: SourceInfo) -> str:
    """Return a sentence on how an input differs from a project's; empty where it does not, as far as is known.

    People go on with a film that was coded again or trimmed: it is for them to judge.

    Parameters
    ----------
    part : ProjectInput
    info : SourceInfo
        As the input tells it when it is opened: a container may declare more frames than there are.
    """
    if info.live:
        return ""
    differences = []
    size, wanted = original_size(info), part.original
    if wanted is not None and wanted != size:
        differences.append(f"{_words(size)} instead of {_words(wanted)}")
    if None not in (info.n_frames, part.n_frames) and info.n_frames != part.n_frames:
        differences.append(f"{info.n_frames} frames instead of {part.n_frames}")
    now, before = info.frames_per_s, part.frames_per_s
    if now is not None and before is not None and not math.isclose(now, before, rel_tol=SAME_RATE):
        differences.append(f"{now:.4g} a second instead of {before:.4g}")
    if not differences:
        return ""
    return f"{info.title} is another {_kind(info)} than the project's: {', '.join(differences)}."


def check_size(part: ProjectInput, info: SourceInfo) -> None:
    """Raise a `CleanplateError` where an input has another size than a project's: what was learnt does not fit it."""
    size, wanted = original_size(info), part.original
    if wanted is not None and wanted != size and not info.live:
        raise CleanplateError(
            f"{info.title} is not the {_kind(info)} of the project: it is {_words(size)}, and that is "
            f"{_words(wanted)}; choose another."
        )


def _words(size: Size) -> str:
    return f"{size[0]}×{size[1]}"


def _kind(info: SourceInfo) -> str:
    return "input" if info.frames_per_s is None else "film"
