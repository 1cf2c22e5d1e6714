"""The plate of a scene as a run saves it, and how often it was seen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from core.export.pictures import confidence_picture, full_depth
from core.io.sinks.images import png_bytes
from core.io.sources.base import SourceInfo
from core.session.report import to_size
from core.session.scene_plate import ScenePlate


def packed_plate(scene: ScenePlate, products: Sequence[str], info: SourceInfo) -> dict[str, bytes]:
    """Return a PNG file for each product, in the size of the input.

    Parameters
    ----------
    scene : ScenePlate
        Worked out here.
    products : sequence of str
        Of `core.export.products.BY_SCENE`.
    info : SourceInfo
        Of the input.
    """
    packed: dict[str, bytes] = {}
    if "plate" in products:
        plate = to_size(full_depth(scene.picture(), scene.bit_depth), info.full)
        packed["plate"] = png_bytes(plate, info.standard, info.profile)
    if "confidence" in products:
        size = (info.full.width, info.full.height)
        # Never seen and hardly ever seen are different things: sizes change without mixing them.
        picture = cv2.resize(confidence_picture(scene.confidence()), size, interpolation=cv2.INTER_NEAREST)
        packed["confidence"] = png_bytes(np.asarray(picture, np.uint8))
    return packed
