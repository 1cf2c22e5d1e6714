"""Whether an input may show particles that the usual settings miss, and what is said of that."""

from __future__ import annotations

from collections.abc import Mapping

from core.frames.frame import Planes
from core.io.calibration import Calibration
from core.io.sources.base import SourceInfo
from core.parameter import Value
from core.scene.tuning import SETTLED_FRAMES

FOR_PARTICLES = (
    "Particles 4 or 5 pixels wide, and larger ones in large or fading pictures, are mostly missed with the usual "
    "settings: the preset “Microscopy, moving particles” (microscopy) finds most of them, in up to twice the time."
)
"""Said where a stack may show such. Of drawn spots 22 times as high as the noise, of which the preset finds 99 %, the
usual settings find none that are 4 pixels wide and 3 % of those of 5; of 6 pixels 32 to 50 %, but in frames of 500 rows
1 %, of 600 none, and 6 % where light fades by 1 % a frame. Of 8 to 40 pixels the preset finds no fewer."""

METHOD, SET_BY_PRESET = "fast", frozenset({"rank", "smallest", "cell", "sensitivity"})
"""What the preset sets: who has chosen another method, or a value of one of these, knows what they want."""

LARGEST_PIXEL_UM = 20.0
"""A microscope shows less in a pixel, a scanner of documents more, but for the finest."""


def particle_notes(info: SourceInfo, method: str, values: Mapping[str, Value]) -> list[str]:
    """Return the sentence for who separates a stack that may show particles with the usual settings.

    Parameters
    ----------
    info : SourceInfo
        Of what is read.
    method : str
        Key of its row.
    values : mapping
        Those that were chosen, by name.
    """
    is_usual = method == METHOD and SET_BY_PRESET.isdisjoint(values)
    return [FOR_PARTICLES] if is_usual and _may_show_particles(info) else []


def _may_show_particles(info: SourceInfo) -> bool:
    """Whether it is a grey stack of one time after another, of counts or of what a microscope sees."""
    stack = info.calibration
    if stack is None or info.is_mixed or info.full.planes is not Planes.GREY or not _is_of_times(stack):
        return False
    is_long = info.n_frames is not None and info.n_frames >= SETTLED_FRAMES
    return is_long and (info.full.bit_depth > 8 or _is_of_a_microscope(stack))


def _is_of_times(stack: Calibration) -> bool:
    """Whether pages follow each other in time, as far as the file says: ImageJ calls them slices where nobody does."""
    others = {axis for axis, size in stack.axes if size > 1 and axis != "T"}
    return not others or (others == {"Z"} and stack.convention == "imagej" and "spacing" not in stack.stated)


def _is_of_a_microscope(stack: Calibration) -> bool:
    size = stack.pixel_size
    return size is not None and size.micrometres is not None and max(size.micrometres) <= LARGEST_PIXEL_UM
