"""Decoding by OpenCV, of whatever it knows."""

from __future__ import annotations

import cv2
import numpy as np

from core.io.sources.decoders.base import DAMAGED, Unreadable

AS_STORED = cv2.IMREAD_ANYDEPTH | cv2.IMREAD_ANYCOLOR

# What OpenCV prints of damaged images and absent cameras is said in one sentence instead.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def decoded(data: bytes, *, upright: bool = True) -> np.ndarray:
    """Return an image, (H, W) grey or (H, W, 3) RGB, uint8 or uint16, without alpha.

    Parameters
    ----------
    data : bytes
        A whole file.
    upright : bool
        Turn it as EXIF says?

    Raises
    ------
    Unreadable
        It is damaged, or holds samples of another type.
    MemoryError
        There is too little for it.
    """
    flags = AS_STORED if upright else AS_STORED | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise MemoryError from error
        image = None
    if image is None:
        raise Unreadable(DAMAGED)
    if image.dtype not in (np.uint8, np.uint16):
        raise Unreadable(f"holds {image.dtype} samples; convert it to 8 or 16 bit integers")
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
