"""What a run can save, what each thing is called on disk, and the pictures that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.events.drawing import draw_boxes
from core.frames.frame import Layout, Planes, Values
from core.frames.planar import PlanarPicture
from core.io.calibration import Calibration
from core.io.sinks.base import Sink
from core.io.sinks.coded import H264, Av1, Av1Mask, Coded, H264Mask, Hevc, HevcMask
from core.io.sinks.images import PngSequence, TiffSequence
from core.io.sinks.stack import TiffStack
from core.io.sinks.video import Coding, Ffv1, Film, ProRes422, ProRes4444
from core.io.sources.base import SourceInfo
from core.session.report import Report

FORMATS = {
    "png": "PNG images",
    "png16": "PNG images of 16 bits, mattes and alpha in 65535 steps",
    "tiff": "TIFF images",
    "mkv": "lossless film (FFV1)",
    "mp4": "H.264 film",
    "hevc": "HEVC film (H.265)",
    "av1": "AV1 film",
    "prores": "ProRes 422 HQ film",
    "prores4444": "ProRes 4444 film",
}
"""How pictures of every frame can be stored, by key, in words for people."""

STACK = "stack"
"""How TIFF images are stored of an input that is a TIFF file: one file, with a page for each frame."""

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

FILMS: dict[str, type[Film]] = {
    "mkv": Ffv1, "mp4": H264, "hevc": Hevc, "av1": Av1, "prores": ProRes422, "prores4444": ProRes4444,
}  # fmt: skip
"""The formats that are films, and how photographs are coded in each."""

MASKS: dict[str, type[Film]] = {"mp4": H264Mask, "hevc": HevcMask, "av1": Av1Mask}
"""How black and white is coded where that is another thing."""

CODED = frozenset({"mp4", "hevc", "av1"})
"""The formats that leave a choice of quality and speed; none of them has alpha."""

SOUNDING = frozenset({"background", "foreground", "cleaned", "boxes"})
"""Products whose films have the sound of the input; masks and mattes go into other programs beside those."""

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
    "coefficients": "how much of each basis image is in every frame, as numbers (NPZ and CSV)",
    "curves": "foreground, noise, residual and loss of every frame, as numbers (NPZ and CSV)",
    "times": "number, time and file of every frame (NPZ and CSV)",
}
"""Everything that can be saved, by key, in words for people."""

BASIS_DIGITS = 2
"""Of the numbers that basis images are named by."""

NUMBERS = frozenset({"coefficients", "curves", "times"})
"""The products that are numbers of every frame (`core.export.tables`)."""

PICTURES: dict[str, Callable[[Report], Values]] = {
    "background": lambda report: report.background_image,
    "foreground": lambda report: report.foreground_rgba,
    "mask": lambda report: report.full_mask,
    "matte": lambda report: report.matte,
    "cleaned": lambda report: report.cleaned_image,
    "boxes": lambda report: draw_boxes(report.input_image, report.seen, report.frame.full.layout.white),
}
"""The products that have a picture for every frame, and where it comes from."""

PLANAR: dict[str, Callable[[Report], PlanarPicture]] = {
    "background": lambda report: report.background,
    "cleaned": lambda report: report.cleaned,
}
"""Those of them that are made in the planes of the frame, which some films keep (`core.io.sinks.coded.Coded.keeps`)."""


def places(product: str, folder: Path, form: str) -> list[Path]:
    """Return the final names of a product: numbers are arrays, and the same as text beside them."""
    first = place(product, folder, form)
    return [first, first.with_suffix(".csv")] if product in NUMBERS else [first]


def place(product: str, folder: Path, form: str) -> Path:
    """Return the final name of a product: a file, or the folder of a sequence."""
    if product in {"plate", "confidence"}:
        return folder / f"{product}.png"
    if product == "model" or product in NUMBERS:
        return folder / f"{product}.npz"
    if product in {"basis", "events"} or form in SEQUENCES:
        return folder / product
    if form == STACK:
        return folder / f"{product}.tif"
    suffix = "mp4" if form in CODED and product != "foreground" else "mkv" if form == "mkv" else "mov"
    return folder / f"{product}.{suffix}"


def sink_for(product: str, folder: Path, form: str, info: SourceInfo, coding: Coding) -> Sink:
    """Return the sink for the pictures of a product.

    Parameters
    ----------
    product, form : str
        Keys of `PICTURES` and `FORMATS`; the form may be `STACK`.
    folder : Path
    info : SourceInfo
        Of the input.
    coding : Coding
        Of films.
    """
    final = place(product, folder, form)
    if form in {"png", "png16"}:
        return PngSequence(final)
    if form == "tiff":
        return TiffSequence(final)
    if form == STACK:
        return TiffStack(final, info.n_frames, info.calibration or Calibration())
    sound = coding.sound if product in SOUNDING else None
    coding = replace(coding, aspect=info.pixel_aspect, standard=info.standard, sound=sound)
    return film_kind(product, form)(final, info.fps, coding)


def check_encoders(products: Iterable[str], form: str) -> None:
    """Raise a `CleanplateError` where films of products need an encoder that is not there; others are not films."""
    if form not in FILMS:
        return
    for product in PICTURES.keys() & set(products):
        codec = film_kind(product, form).codec
        try:
            av.Codec(codec, "w")
        except av.codec.codec.UnknownCodecError:
            raise CleanplateError(
                f"The video library here has no encoder {codec}, which {FORMATS[form]} needs; choose another --format."
            ) from None


def check_sizes(products: Iterable[str], form: str, width: int, height: int) -> None:
    """Raise a `CleanplateError` where pictures of this size cannot be stored in this format; images always can."""
    for product in PICTURES.keys() & set(products) if form in FILMS else ():
        film_kind(product, form).check_size(width, height)


def film_kind(product: str, form: str) -> type[Film]:
    """Return how films of a product are coded: with alpha, which only the foreground has, as ProRes 4444 if need be."""
    if product == "foreground" and form not in {"mkv", "prores4444"}:
        return ProRes4444
    return MASKS.get(form, FILMS[form]) if product == "mask" else FILMS[form]


def full_depth(picture: Values, bit_depth: int) -> Values:
    """Return a picture whose white is 255 or 65535: of 9 to 15 bits the highest are repeated below, nothing is lost."""
    if picture.dtype == np.uint8 or bit_depth == 16:
        return picture
    return np.asarray((picture << (16 - bit_depth)) | (picture >> (2 * bit_depth - 16)), picture.dtype)


def picture_of(product: str, report: Report, form: str = "png") -> Values:
    """Return the picture of a product for one frame, ready for a sink."""
    picture = full_depth(PICTURES[product](report), report.frame.full.layout.bit_depth)
    return deepened(product, picture, report) if form == "png16" else picture


def write_product(sink: Sink, number: int, time_s: float, product: str, report: Report, form: str, stem: str) -> None:
    """Write a product's picture of one frame: its planes, sample by sample, where the sink keeps them.

    Parameters
    ----------
    sink : Sink
        Of the product, see `sink_for`.
    number, time_s, stem
        See `core.io.sinks.base.Sink.write`.
    product, form : str
    report : Report
    """
    full = report.frame.full.layout
    if product in PLANAR and isinstance(sink, Coded) and sink.keeps(full):
        planes = PLANAR[product](report)
        if planes.layout == full:  # Else it is of another size, or was made in other planes.
            sink.write_planes(number, time_s, planes)
            return
    sink.write(number, time_s, picture_of(product, report, form), stem)


def deepened(product: str, picture: Values, report: Report) -> NDArray[np.uint16]:
    """Return the picture of a product with 16 bits, and with the steps of alpha that 8 bits do not have."""
    if product == "matte":
        return report.deep_matte
    deep = picture.astype(np.uint16) * np.uint16(257) if picture.dtype == np.uint8 else picture.astype(np.uint16)
    if product == "foreground":
        deep[..., 3] = report.deep_matte
    return deep


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
