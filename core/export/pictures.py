"""The pictures that a run saves: of every frame, of the basis, of how often the plate was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.events.drawing import as_seen, draw_boxes
from core.frames.frame import Layout, Planes, Values
from core.frames.planar import PlanarPicture
from core.io.sinks.base import Sink
from core.io.sinks.coded import Coded
from core.session.report import Report


def _boxes(report: Report) -> Values:
    """Return the input with what is seen in it; a deep picture in grey in 8 bits, as it is looked at."""
    if report.levels is None:
        return draw_boxes(report.input_image, report.seen, report.frame.full.layout.white)
    return draw_boxes(as_seen(report.input_image, report.levels), report.seen, 255)


PICTURES: dict[str, Callable[[Report], Values]] = {
    "background": lambda report: report.background_image,
    "foreground": lambda report: report.foreground_rgba,
    "mask": lambda report: report.full_mask,
    "matte": lambda report: report.matte,
    "cleaned": lambda report: report.cleaned_image,
    "boxes": _boxes,
}
"""The products that have a picture for every frame, and where it comes from."""


PLANAR: dict[str, Callable[[Report], PlanarPicture]] = {
    "background": lambda report: report.background,
    "cleaned": lambda report: report.cleaned,
}
"""Those of them that are made in the planes of the frame, which some films keep (`core.io.sinks.coded.Coded.keeps`)."""


def full_depth(picture: Values, bit_depth: int) -> Values:
    """Return a picture whose white is 255 or 65535: of 9 to 15 bits the highest are repeated below, nothing is lost."""
    if picture.dtype == np.uint8 or bit_depth == 16:
        return picture
    return np.asarray((picture << (16 - bit_depth)) | (picture >> (2 * bit_depth - 16)), picture.dtype)


def picture_of(product: str, report: Report, form: str) -> Values:
    """Return the picture of a product for one frame, ready for a sink."""
    picture = full_depth(PICTURES[product](report), report.frame.full.layout.bit_depth)
    return deepened(product, picture, report) if form == "png16" else picture


def write_product(sink: Sink, number: int, time_s: float, product: str, report: Report, form: str, stem: str) -> None:
    """Write a product's picture of one frame: its planes, sample by sample, where the sink keeps them.

    Parameters
    ----------
    sink : Sink
        Of the product, see `core.export.product_sinks.sink_for`.
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

    Grey stays grey and RGB stays RGB. Only luma is shown of Y, Cb and Cr, in grey: the chroma planes of a part of a
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
