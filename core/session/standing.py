"""How far a run has come, so that another session of the same values goes on there and shows the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import Motion, Shift
from core.frames.split import DenseSplit, Split
from core.scene.masks.cell_logits import CellLogits
from core.session.report import Report
from core.state_schema import NONNEGATIVE, ArraySpec, Range, StateSchema

Kept = Mapping[str, NDArray[np.generic]]
"""What `kept_of` gives."""

_SHADE, _SAMPLE, _PIXELS = Range(0, 255), Range(0, 65535), Range(-1e6, 1e6)

KEPT = StateSchema(
    {
        "mask": ArraySpec(np.uint8, ("height", "width"), (_SHADE,)),
        "may_hide": ArraySpec(np.uint8, ("height", "width"), (_SHADE,)),
        "background": ArraySpec(np.uint16, ("values",), (_SAMPLE,)),
        "shift": ArraySpec(np.float64, (2,), (_PIXELS,)),
        "turn": ArraySpec(np.float64, (2,), (Range(-1, 1),)),
        "h": ArraySpec(np.float64, ("rank",)),
        "objective": ArraySpec(np.float64, ()),
        "painted": ArraySpec(np.uint8, ("height", "width"), (_SHADE,)),
        "logit": ArraySpec(np.float32, ("rows", "columns")),
        "plate": ArraySpec(np.uint16, ("values",), (_SAMPLE,)),
        "lit": ArraySpec(np.uint16, ("values",), (_SAMPLE,)),
        "seen": ArraySpec(np.uint8, ("height", "width"), (Range(0, 1),)),
        "n_done": ArraySpec(np.int64, (), (NONNEGATIVE,)),
    },
    together=tuple(frozenset({name}) for name in ("turn", "painted", "logit", "plate", "lit", "seen")),
)
"""What is kept of a frame, for whoever reads it from a file."""


@dataclass(frozen=True)
class Standing:
    """Where a run stands.

    Attributes
    ----------
    index : int
        The frame that was processed last, from 0.
    pass_index : int
        In which pass, from 0.
    is_over : bool
        It has come to its end.
    kept : mapping of arrays, or None
        What that frame showed; None where it is to be found anew, by what is known now.
    """

    index: int
    pass_index: int = 0
    is_over: bool = False
    kept: Kept | None = field(default=None, repr=False)


def kept_of(report: Report, motion: Motion) -> Kept:
    """Return what is needed to show a report again, beside its frame and what the session has learnt.

    Parameters
    ----------
    report : Report
        In the coordinates of the scene.
    motion : Motion
        Of the frame as it came.
    """
    kept: dict[str, NDArray[np.generic]] = {
        "mask": report.mask,
        "may_hide": report.mask if report.may_hide is None else report.may_hide,
        "background": report.split.samples(report.frame.layout).astype(np.uint16),
        "shift": np.array(motion.shift, np.float64),
        "h": np.asarray(report.split.h, np.float64),
        "objective": np.array(report.split.objective, np.float64),
        "n_done": np.array(report.n_done, np.int64),
    }
    if motion.turns:
        kept["turn"] = np.array([motion.angle, motion.zoom], np.float64)
    if report.painted is not None:
        kept["painted"] = report.painted
    if report.logits is not None:
        kept["logit"] = report.logits.of_cells
    if report.cleaning.plate is not None:
        kept["plate"] = report.cleaning.plate.samples.astype(np.uint16)
    if report.lit is not None:
        kept["lit"] = report.lit.astype(np.uint16)
    if report.cleaning.seen is not None:
        kept["seen"] = report.cleaning.seen.astype(np.uint8)
    return kept


def fits(kept: Kept, layout: Layout, cells: tuple[int, int]) -> bool:
    """Tell whether what was kept is of frames of this layout and so many rows and columns of cells.

    It may come from strangers.
    """
    samples = [kept[name] for name in ("background", "plate", "lit") if name in kept]
    masks = [kept[name] for name in ("mask", "may_hide", "painted", "seen") if name in kept]
    reach = np.abs(np.asarray(kept["shift"], np.float64))
    return (
        all(mask.shape == layout.shapes[0] for mask in masks)
        and bool(np.isin(kept["mask"], (0, 255)).all())
        and all(values.shape == (layout.n_values,) and int(values.max()) <= layout.white for values in samples)
        and ("logit" not in kept or kept["logit"].shape == cells)
        and bool((reach <= layout.shapes[0]).all())
    )


def motion_of(kept: Kept) -> Motion:
    """Return how the frame has moved against the scene."""
    down, right = (float(x) for x in np.asarray(kept["shift"], np.float64))
    angle, zoom = (float(x) for x in np.asarray(kept.get("turn", (0, 0)), np.float64))
    return Motion(Shift(down, right), angle, zoom)


def samples_of(kept: Kept, name: str, layout: Layout) -> Values | None:
    """Return samples (F,) as frames have them: ``background``, ``plate`` or ``lit``; None where they were not kept."""
    return np.asarray(kept[name], layout.dtype) if name in kept else None


def seen_of(kept: Kept) -> NDArray[np.bool_] | None:
    """Return where (H, W) the plate was to be seen; None: everywhere."""
    return np.asarray(kept["seen"], np.bool_) if "seen" in kept else None


def split_of(kept: Kept, frame: Frame, now: Split) -> Split:
    """Return what the method made of a frame (in the coordinates of the scene) when it came.

    Parameters
    ----------
    kept : mapping of arrays
    frame : Frame
    now : Split
        What the method makes of it now, which has learnt from it since.
    """
    layout, h = frame.layout, np.asarray(kept["h"], np.float64)
    background = layout.in_white(np.asarray(kept["background"], layout.dtype))
    mask = None if now.mask is None else np.asarray(kept["mask"], np.uint8)
    return DenseSplit(
        background, layout.in_white(frame.values) - background, now.outliers, h if h.shape == now.h.shape else now.h,
        float(np.asarray(kept["objective"], np.float64)), mask=mask,
    )  # fmt: skip


def masked_by(report: Report, kept: Kept, cell_side: int) -> Report:
    """Return a report with what was marked of its frame when it came; cells have ``cell_side`` rows of pixels."""
    mask, may_hide = (np.asarray(kept[name], np.uint8) for name in ("mask", "may_hide"))
    painted = np.asarray(kept["painted"], np.uint8) if "painted" in kept else None
    logits = CellLogits(np.asarray(kept["logit"], np.float32), cell_side) if "logit" in kept else None
    n_done = int(np.asarray(kept["n_done"], np.int64))
    lit = samples_of(kept, "lit", report.frame.layout)
    return replace(report, n_done=n_done, mask=mask, may_hide=may_hide, painted=painted, logits=logits, lit=lit)
