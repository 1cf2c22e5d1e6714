"""What a job will write, and about how large it will be, before anything is read."""

from __future__ import annotations

import bisect
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from core import catalogue
from core.export.frame_names import DEFAULT_NAMES, DIGITS
from core.export.job_spec import Job
from core.export.output_check import is_read_only
from core.export.pictures import PICTURES
from core.export.products import BASIS_DIGITS, BY_SCENE, CODED, NUMBERS, STACK, places, scene_folder
from core.frames.frame import Layout, Planes
from core.io.input_spec import count_frames

BYTES_A_SAMPLE = {
    "png": {"mask": 0.01, "matte": 0.04, "foreground": 0.05, "": 0.5},
    "png16": {"mask": 0.02, "matte": 0.06, "foreground": 0.15, "": 1.0},
    "tiff": {"mask": 0.015, "matte": 0.05, "foreground": 0.05, "": 0.5},
    "mkv": {"mask": 0.005, "matte": 0.04, "foreground": 0.04, "": 0.3},
    "mp4": {"mask": 0.01, "matte": 0.015, "foreground": 0.05, "": 0.01},
    "hevc": {"mask": 0.01, "matte": 0.01, "foreground": 0.05, "": 0.007},
    "av1": {"mask": 0.01, "matte": 0.01, "foreground": 0.05, "": 0.007},
    "prores": {"mask": 0.05, "matte": 0.06, "foreground": 0.05},
    "prores4444": {"mask": 0.05, "matte": 0.06, "foreground": 0.05},
}
"""Bytes on disk for each 8-bit sample, roughly, as measured on street scenes; 16-bit samples take three times that."""

PRORES_BLOCKS = (1620, 2700, 6075)
"""Blocks of 16×16 pixels in a frame, up to which the first rates of `PRORES_BITS` hold; the last holds for any more."""

PRORES_BITS = {"prores": (1566, 1216, 1070, 950), "prores4444": (2350, 1828, 1600, 1425)}
"""Bits of such a block that FFmpeg's encoder keeps to, as the data rates do that Apple publishes for each profile and
size: photographs with detail take all of them, smooth ones down to a third."""

BYTES_BY_QUALITY = {"high": 1.0, "medium": 0.5, "low": 0.3}
"""How many times as large H.264, HEVC and AV1 films are that are no masks, roughly, as measured on street scenes."""

BYTES_OF_EVENTS = 700
"""Bytes of tables, JSON and COCO for a frame, roughly, as measured on a road: two or three things in each frame."""

DEEP = 3.0
"""How many times as large pictures of over 8 bits are."""

USUAL_CURVES, BYTES_A_NUMBER = 4, 12
"""Numbers of a frame where the truth is not known; of arrays they take 8 bytes, of text about 18."""

USUAL_RANK = 3
"""Number of basis images where the method finds it by itself, roughly."""


@dataclass(frozen=True)
class PlannedFile:
    """Something that an export will write.

    Attributes
    ----------
    path : Path
        Of the file, or of the folder of a sequence.
    n_bytes : int or None
        About how large it will be; None where the number of frames is not known.
    begins : str
        Of a folder, the name of the first picture in it, without suffix, where that is known; else empty.
    of_scenes : Path or None
        The folder that is written instead where the input turns out to have several scenes.
    """

    path: Path
    n_bytes: int | None
    begins: str = ""
    of_scenes: Path | None = None

    @property
    def present(self) -> list[Path]:
        """What is there already and would have to be replaced."""
        return [path for path in (self.path, self.of_scenes) if path is not None and os.path.exists(path)]


def estimate(job: Job, layout: Layout, n_frames: int | None) -> list[PlannedFile]:
    """Return the files that a job will write, and about how large they will be.

    Parameters
    ----------
    job : Job
    layout : Layout
        Of the frames at their original size (``report.frame.full.layout``).
    n_frames : int or None
        Frames that will be read, where known.
    """
    n_frames = count_frames(job.written, n_frames)
    rank = catalogue.complete(catalogue.row(job.settings.method), job.settings.values).get("rank", 1)
    n_basis = USUAL_RANK if rank is None else int(rank)
    files, form = [], job.stored_as
    for product in job.save:
        n_bytes = _size(product, form, layout, n_frames, n_basis)
        for path in places(product, job.output, form):
            is_coded = path.suffix == ".mp4" and product != "mask"
            size = int(n_bytes * BYTES_BY_QUALITY[job.quality]) if is_coded and n_bytes is not None else n_bytes
            of_scenes = scene_folder(product, job.output) if product in BY_SCENE else None
            files.append(PlannedFile(path, size, _first_name(product, job), of_scenes))
    return files


def _first_name(product: str, job: Job) -> str:
    """Return what the first picture of a folder is called, where that is known before the input is read."""
    if product == "basis":
        return f"{1:0{BASIS_DIGITS}d}"
    is_numbered = product in PICTURES and job.names == DEFAULT_NAMES
    return f"{job.written[0] or 1:0{DIGITS}d}" if is_numbered else ""


def _size(product: str, form: str, layout: Layout, n_frames: int | None, n_basis: int) -> int | None:
    """Return about how many bytes a product will take; None where the number of frames is not known but needed."""
    if product == "events":
        return None if n_frames is None else n_frames * BYTES_OF_EVENTS
    if product == "model":
        return layout.n_values * 4 * (2 * n_basis + 1)
    if product in NUMBERS:
        n_columns = 2 + {"coefficients": n_basis, "curves": USUAL_CURVES}.get(product, 0)
        return None if n_frames is None else n_frames * n_columns * BYTES_A_NUMBER
    planes = 1 if layout.planes is Planes.GREY else 3
    samples = layout.n_pixels * {"mask": 1, "matte": 1, "confidence": 1, "foreground": 4}.get(product, planes)
    deep = DEEP if layout.bit_depth > 8 and form != "png16" else 1.0
    if form in PRORES_BITS and product in PICTURES and product not in BYTES_A_SAMPLE[form]:
        return None if n_frames is None else n_frames * _prores_bytes(form, layout)
    rates = BYTES_A_SAMPLE[{STACK: "tiff"}.get(form, form) if product in PICTURES else "png"]
    if product == "basis":
        return int(n_basis * samples * rates[""] * deep)
    if form in CODED or form.startswith("prores") or product in {"mask", "matte", "confidence"}:
        deep = 1.0
    size = samples * rates[product if product in rates else ""] * deep
    if product not in PICTURES:
        return int(size)
    return None if n_frames is None else int(size * n_frames)


def _prores_bytes(form: str, layout: Layout) -> int:
    """Return about how many bytes a photograph takes in ProRes: grey leaves those of colour, odd widths are 4444."""
    n_blocks = -(-layout.width // 16) * -(-layout.height // 16)
    profile = "prores4444" if layout.width % 2 else form
    rates = PRORES_BITS["prores" if layout.planes is Planes.GREY else profile]
    return n_blocks * rates[bisect.bisect_left(PRORES_BLOCKS, n_blocks)] // 8


def free_bytes(folder: Path) -> int | None:
    """Return how much can be written into a folder that need not be there yet.

    None where that is not known, and on a read-only disk, which is full or not.
    """
    there = next((one for one in (folder, *folder.parents) if os.path.isdir(one)), None)
    try:
        return None if there is None or is_read_only(there) else shutil.disk_usage(there).free
    except OSError:
        return None
