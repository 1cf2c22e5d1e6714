"""What is written of a picture that someone wants to keep: its data at full depth. No Qt here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import tifffile
from numpy.typing import NDArray

from app.rendering.picture_kinds import NO_CLEANED
from core.errors import CleanplateError
from core.frames.frame import Planes
from core.io.calibration import Calibration
from core.io.sinks.images import png_bytes, tiff_options

if TYPE_CHECKING:
    from core.session.report import Report

TIFF_SUFFIXES = (".tif", ".tiff")


@dataclass(frozen=True)
class Save:
    """A file that someone wants.

    Attributes
    ----------
    path : Path
    write : callable
        Writes it under the path that it is given; takes its time, and touches nothing of the window.
    """

    path: Path
    write: Callable[[Path], None]


def data_of(report: Report, kind: str) -> NDArray[np.generic]:
    """Return a picture of a report as it was computed, in full size and depth.

    Parameters
    ----------
    report : Report
    kind : str
        A key of `app.rendering.picture_kinds.KINDS`; not the confidence, which is no picture of a report.

    Returns
    -------
    (H, W), (H, W, 3) RGB or (H, W, 4) RGBA
        Integer samples as an export has them, the matte in 65535 steps; differences float32, in samples; probability
        float32, 0 to 1.
    """
    if kind == "residual":
        return np.subtract(report.input_image, report.background_image, dtype=np.float32)
    if kind == "outliers":
        return _outliers(report)
    if kind == "probability":
        if report.probability is None:
            raise CleanplateError("This method makes its own masks and knows no probability; choose another picture.")
        return report.probability
    if kind == "cleaned" and report.is_image_set:
        raise CleanplateError(f"{NO_CLEANED}.")
    made: dict[str, Callable[[], NDArray[np.generic]]] = {
        "input": lambda: report.input_image, "background": lambda: report.background_image,
        "foreground": lambda: report.foreground_rgba, "mask": lambda: report.full_mask,
        "matte": lambda: report.deep_matte, "cleaned": lambda: report.cleaned_image,
    }  # fmt: skip
    return made[kind]()


def _outliers(report: Report) -> NDArray[np.float32]:
    """Return the method's outliers at the working size: grey, luma or RGB; where it has none, the masked residual."""
    found, layout = report.split.outliers, report.frame.layout
    if found is None:
        residual = np.subtract(report.input_image, report.background_image, dtype=np.float32)
        residual[report.full_mask == 0] = 0
        return residual
    planes = [layout.plane(found, index) for index in range(3 if layout.planes is Planes.RGB else 1)]
    samples = (np.dstack(planes) if len(planes) == 3 else planes[0]) * np.float32(layout.white)
    return np.asarray(samples, np.float32)


def write_data(path: Path, data: NDArray[np.generic], calibration: Calibration | None = None) -> None:
    """Write data as the name of a file says: TIFF, with the scale of the input, or PNG.

    Raises
    ------
    CleanplateError
        The kind of file cannot hold it, or is neither.
    """
    suffix = path.suffix.lower()
    if suffix in TIFF_SUFFIXES:
        options = tiff_options(data)  # type: ignore[arg-type] # floats are packed alike, but for the predictor
        if data.dtype.kind == "f":
            options["predictor"] = None
        scale = calibration or Calibration()
        description = scale.description(1, data.shape, data.dtype.name)
        tifffile.imwrite(
            path, data, **options, description=description.encode() or None, resolution=scale.resolution,
            resolutionunit=scale.resolution_unit if scale.resolution else None,
        )  # fmt: skip
    elif suffix != ".png":
        raise CleanplateError(f"Data cannot be saved as {suffix or 'this'}; choose a name that ends in tif or png.")
    elif data.dtype.kind == "f":
        raise CleanplateError("PNG holds no fractions and no signs; choose a name that ends in tif.")
    else:
        path.write_bytes(png_bytes(data))  # type: ignore[arg-type] # integers, as was just seen
