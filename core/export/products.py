"""What a run can save, how it can be stored, and what each thing is called on disk."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

FORMATS = {
    "png": "PNG images",
    "png16": "PNG images of 16 bits, mattes and alpha in 65535 steps",
    "tiff": "TIFF images",
    "mkv": "Lossless film (FFV1)",
    "mp4": "H.264 film",
    "hevc": "HEVC film (H.265)",
    "av1": "AV1 film",
    "prores": "ProRes 422 HQ film",
    "prores4444": "ProRes 4444 film",
}
"""How pictures of every frame can be stored, by key, in words for people."""

DEFAULT_FORMAT = "png"
"""How they are stored unless a person says."""

STACK = "stack"
"""How TIFF images are stored of an input that is a TIFF file: one file, with a page for each frame."""

AS_STACK = "TIFF stacks (a page for each frame)"
"""What people choose then."""

TIFFS = frozenset({"tiff", STACK})
"""The formats in which pictures are TIFF, also those that there is one of; else these are PNG."""

PNGS = frozenset({"png", "png16"})
"""The formats in which all pictures are PNG."""

QUALITIES = {
    "high": "cannot be told from the original",
    "medium": "half as large; traces in noise and fine texture",
    "low": "a quarter as large, to look through or send",
}
"""How good films in `CODED` are, by key (of `core.io.sinks.coded.RATES`), in words for people; masks stay exact."""

SPEEDS = {
    "fast": "the quickest",
    "medium": "smaller files, slower",
    "slow": "the smallest files, many times slower",
}
"""How much work films in `CODED` get, by key (of `core.io.sinks.coded.H264.presets`), in words for people."""

SEQUENCES = frozenset({"png", "png16", "tiff"})
"""The formats that are folders of images."""

FILMS = frozenset(FORMATS) - SEQUENCES
"""The formats that are films."""

CODED = frozenset({"mp4", "hevc", "av1"})
"""The formats that leave a choice of quality and speed; none of them has alpha."""

HAVE_ALPHA = frozenset({"mkv", "prores4444"})
"""The films that have alpha; where another is chosen, the foreground is ProRes 4444."""

SOUNDING = frozenset({"background", "foreground", "cleaned", "boxes"})
"""Products whose films have the sound of the input; masks and mattes go into other programs beside those."""

COLOURED = SOUNDING | {"plate"}
"""Products whose samples stand for the same light as those of the input; masks and mattes stand for none."""

PRODUCTS = {
    "plate": "the scene without what passes through it, one picture; of each scene where there are cuts",
    "confidence": "how often each pixel of the plate was seen: white always, black never",
    "background": "the background of every frame",
    "foreground": "what stands in front, with transparency",
    "mask": "black and white: where the foreground is",
    "matte": "the mask with soft edges: how much of each pixel is foreground",
    "cleaned": "every frame without what passes and its shadow",
    "events": "what moved, and when: tables (CSV), JSON, COCO",
    "boxes": "every frame, with a box around what moves",
    "basis": "the basis images, each as bright as its brightest pixel allows",
    "model": "what was learnt, to be applied to other input",
    "coefficients": "how much of each basis image is in every frame, as numbers (NPZ and CSV)",
    "curves": "foreground, noise, residual and loss of every frame, as numbers (NPZ and CSV)",
    "times": "number, time and file of every frame (NPZ and CSV)",
}
"""Everything that can be saved, by key, in words for people."""

BASIS_DIGITS = 2
"""Of the numbers that basis images are named by."""

BY_SCENE = frozenset({"plate", "confidence"})
"""The products that are one picture, and one of each scene where an input has several."""

NUMBERS = frozenset({"coefficients", "curves", "times"})
"""The products that are numbers of every frame (`core.export.tables`)."""


def possible_places(product: str, folder: Path, form: str) -> list[Path]:
    """Return all names that a product may get: which of them it does may depend on the scenes of the input."""
    several = [scene_folder(product, folder)] if product in BY_SCENE else []
    return [*places(product, folder, form), *several]


def places_in_other_formats(save: Collection[str], folder: Path, form: str) -> list[Path]:
    """Return the names that products have in other formats, but for those that one of them has in this one."""
    own = {path for product in save for path in possible_places(product, folder, form)}
    others = (place(product, folder, other) for product in save for other in (*FORMATS, STACK))
    return [path for path in dict.fromkeys(others) if path not in own]


def scene_folder(product: str, folder: Path) -> Path:
    """Return where the pictures of a product in `BY_SCENE` lie, named by first frames, where there are several."""
    return folder / f"{product}-by-scene"


def single_suffix(form: str) -> str:
    """Return how files of pictures end that there is one of."""
    return ".tif" if form in TIFFS else ".png"


def places(product: str, folder: Path, form: str) -> list[Path]:
    """Return the final names of a product of one scene: numbers are arrays, and the same as text beside them."""
    first = place(product, folder, form)
    return [first, first.with_suffix(".csv")] if product in NUMBERS else [first]


def place(product: str, folder: Path, form: str) -> Path:
    """Return the final name of a product: a file, or the folder of a sequence."""
    if product in BY_SCENE:
        return folder / f"{product}{single_suffix(form)}"
    if product == "model" or product in NUMBERS:
        return folder / f"{product}.npz"
    if product in {"basis", "events"} or form in SEQUENCES:
        return folder / product
    if form == STACK:
        return folder / f"{product}.tif"
    suffix = "mp4" if form in CODED and product != "foreground" else "mkv" if form == "mkv" else "mov"
    return folder / f"{product}.{suffix}"
