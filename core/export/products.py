"""What a run can save, what each thing is called on disk, and the pictures that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.events.drawing import draw_boxes
from core.frames.frame import Layout, Planes, Values
from core.io.sinks.base import Sink
from core.io.sinks.images import ImageSequence, PngSequence, TiffSequence
from core.io.sinks.video import H264, Ffv1, Film, H264Mask, ProRes4444
from core.session.report import Report

FORMATS = {
    "png": "PNG images",
    "tiff": "TIFF images",
    "mkv": "lossless film (FFV1)",
    "mp4": "H.264 film",
}
"""How pictures of every frame can be stored, by key, in words for people."""

QUALITIES = {
    "high": "cannot be told from the original",
    "medium": "half as large; traces in noise and fine texture",
    "low": "a quarter as large, to look through or send",
}
"""How good H.264 films are, by key (of `core.io.sinks.video.RATES`), in words for people; masks are exact at each."""

PRODUCTS = {
    "plate": "the scene without what passes through it, one picture",
    "confidence": "how often each pixel of the plate was seen: white always, black never, one picture",
    "background": "the background of every frame",
    "foreground": "what stands in front, with transparency",
    "mask": "black and white: where the foreground is",
    "matte": "the mask with soft edges: how much of each pixel is foreground",
    "cleaned": "every frame without what passes and its shadow",
    "events": "what moved, and when: tables (CSV), JSON, COCO",
    "boxes": "every frame, with a box around what moves",
    "basis": "the basis images, each as bright as its brightest pixel allows",
    "model": "what was learnt, to be applied to other input",
}
"""Everything that can be saved, by key, in words for people."""

PICTURES: dict[str, Callable[[Report], Values]] = {
    "background": lambda report: report.background_image,
    "foreground": lambda report: report.foreground_rgba,
    "mask": lambda report: report.full_mask,
    "matte": lambda report: report.matte,
    "cleaned": lambda report: report.cleaned_image,
    "boxes": lambda report: draw_boxes(report.input_image, report.seen, report.frame.full.layout.white),
}
"""The products that have a picture for every frame, and where it comes from; all others are written once a run."""


def place(product: str, folder: Path, form: str) -> Path:
    """Return the final name of a product: a file, or the folder of a sequence."""
    if product in {"plate", "confidence"}:
        return folder / f"{product}.png"
    if product == "model":
        return folder / "model.npz"
    if product in {"basis", "events"} or form in {"png", "tiff"}:
        return folder / product
    if form == "mp4" and product == "foreground":
        return folder / "foreground.mov"
    return folder / f"{product}.{form}"


def sink_for(product: str, folder: Path, form: str, fps: float | None, quality: str) -> Sink:
    """Return the sink for the pictures of a product. H.264 has no alpha: the foreground is ProRes 4444 then.

    Parameters
    ----------
    product, form, quality : str
        Keys of `PICTURES`, `FORMATS` and `QUALITIES`.
    folder : Path
    fps : float or None
        Rate of the input; None where its frames have no time.
    """
    final, kind = place(product, folder, form), _kind(product, form)
    if issubclass(kind, ImageSequence):
        return kind(final)
    if issubclass(kind, H264):
        return kind(final, fps, quality)
    assert issubclass(kind, Film)
    return kind(final, fps)


def check_sizes(products: Iterable[str], form: str, width: int, height: int) -> None:
    """Raise a `CleanplateError` where pictures of this size cannot be stored in this format."""
    for product in products:
        if product in PICTURES:
            _kind(product, form).check_size(width, height)


def _kind(product: str, form: str) -> type[Sink]:
    if form == "png":
        return PngSequence
    if form == "tiff":
        return TiffSequence
    if form == "mkv":
        return Ffv1
    if product == "foreground":
        return ProRes4444
    return H264Mask if product == "mask" else H264


def full_depth(picture: Values, bit_depth: int) -> Values:
    """Return a picture whose white is 255 or 65535: of 9 to 15 bits the highest are repeated below, nothing is lost."""
    if picture.dtype == np.uint8 or bit_depth == 16:
        return picture
    return np.asarray((picture << (16 - bit_depth)) | (picture >> (2 * bit_depth - 16)), picture.dtype)


def picture_of(product: str, report: Report) -> Values:
    """Return the picture of a product for one frame, ready for a sink."""
    return full_depth(PICTURES[product](report), report.frame.full.layout.bit_depth)


def basis_pictures(basis: Sequence[NDArray[np.float32]], layout: Layout) -> list[Values]:
    """Return each basis vector as a picture, scaled so that its largest value is white.

    Grey stays grey and RGB stays RGB. Of Y, Cb and Cr only luma is shown, in grey: the chroma planes of a part of a
    frame have no neutral point of their own.

    Parameters
    ----------
    basis : sequence of (F,) float32
    layout : Layout
    """
    shown = Layout(layout.height, layout.width, layout.planes, layout.bit_depth)
    if layout.planes is Planes.YCC420:
        shown = shown.grey()
    pictures = []
    for vector in basis:
        values = vector[: shown.n_values]
        picture = shown.image(shown.quantise(values / np.float32(max(float(values.max()), 1e-9))))
        pictures.append(full_depth(picture, layout.bit_depth))
    return pictures


def confidence_picture(confidence: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return how often each pixel was seen as a grey picture (H, W): 255 always, 0 never, and only then.

    Parameters
    ----------
    confidence : (H, W) float32
        From 0 to 1, as `core.session.session.Session.confidence` gives it.
    """
    between = np.clip(np.rint(confidence * 255), 1, 254)
    return np.where(confidence <= 0, 0, np.where(confidence >= 1, 255, between)).astype(np.uint8)
