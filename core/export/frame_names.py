"""What the file of one frame is called in a sequence of images."""

from __future__ import annotations

from pathlib import PurePath

from core.frames.frame import Frame
from core.io.sources.base import SourceInfo

DIGITS = 6
"""Of the numbers that files are named by where frames have no names: enough for nine hours of film."""


def frame_stem(frame: Frame, info: SourceInfo) -> str:
    """Return the name of a frame's file without its suffix: the input's own, else the frame's number in the input.

    Frames count from 1 in the whole input, also where a range of it is read: frame 230 has one name in every export.

    Parameters
    ----------
    frame : Frame
    info : SourceInfo
        Of the source that the frame came from.
    """
    if not frame.name:
        return f"{info.n_before + frame.index + 1:0{DIGITS}d}"
    return PurePath(frame.name).stem if info.unique_stems else frame.name
