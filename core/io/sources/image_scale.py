"""Scale and interval of a folder of images, as ImageJ and OME write them into each file of a series."""

from __future__ import annotations

from pathlib import Path

import tifffile

from core.io.calibration import Calibration, read_calibration
from core.io.regular_file import open_regular
from core.io.sources.stack import STACK_SUFFIXES


def scale_in(path: Path) -> Calibration | None:
    """Return what one image of a series states of all; None where that is no scale and no interval.

    Tags of TIFF count for nothing without a description by ImageJ or OME: in photographs and scans they are meant for
    printers.
    """
    if not path.name.lower().endswith(STACK_SUFFIXES):
        return None
    try:
        with open_regular(path) as handle, tifffile.TiffFile(handle, name=str(path.absolute())) as file:
            stated = read_calibration(file)
    except Exception:  # tifffile does not say what it raises, and another decoder may have read the picture.
        return None
    is_told = stated.pixel_size is not None or stated.interval_s is not None
    return stated if stated.convention and is_told else None
