"""The plate of a scene as a run saves it, and how often it was seen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from core.export.pictures import confidence_picture, full_depth
from core.export.products import COLOURED, TIFFS
from core.frames.frame import Values
from core.io.sinks.images import png_bytes, tiff_bytes
from core.io.sources.base import SourceInfo
from core.session.report import to_size
from core.session.scene_plate import ScenePlate


def packed_plate(scene: ScenePlate, products: Sequence[str], info: SourceInfo, form: str) -> dict[str, bytes]:
    """Return a file for each product, in the size of the input.

    Parameters
    ----------
    scene : ScenePlate
        Worked out here.
    products : sequence of str
        Of `core.export.products.BY_SCENE`.
    info : SourceInfo
        Of the input.
    form : str
        Key of `core.export.products.FORMATS`, or `core.export.products.STACK`.
    """
    packed: dict[str, bytes] = {}
    if "plate" in products:
        plate = to_size(full_depth(scene.picture(), scene.bit_depth), info.full)
        packed["plate"] = packed_picture("plate", plate, info, form)
    if "confidence" in products:
        size = (info.full.width, info.full.height)
        # Never seen and hardly ever seen are different things: sizes change without mixing them.
        picture = cv2.resize(confidence_picture(scene.confidence()), size, interpolation=cv2.INTER_NEAREST)
        packed["confidence"] = packed_picture("confidence", np.asarray(picture, np.uint8), info, form)
    return packed


def packed_picture(product: str, picture: Values, info: SourceInfo, form: str) -> bytes:
    """Return a picture of a product that there is one of as a file: TIFF with the scale of a stack, or PNG."""
    profile = info.profile if product in COLOURED else None
    if form in TIFFS:
        return tiff_bytes(picture, profile, info.calibration)
    return png_bytes(picture, info.standard if product in COLOURED else None, profile)
