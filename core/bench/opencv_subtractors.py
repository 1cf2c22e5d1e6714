"""OpenCV's background subtractors as they come: what people would use instead."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, frame_from_image
from core.io.sources.reading import Unreadable, read_picture

PEERS = {"mog2": "MOG2", "knn": "KNN"}
"""The peers by key, in words for people."""


def make_peers() -> dict[str, cv2.BackgroundSubtractor]:
    """Return the peers by key, with OpenCV's default settings; seeded, for KNN draws at random what it keeps."""
    cv2.setRNGSeed(0)
    return {"mog2": cv2.createBackgroundSubtractorMOG2(), "knn": cv2.createBackgroundSubtractorKNN()}


def picture_for_opencv(frame: Frame) -> NDArray[np.uint8]:
    """Return a frame at its original size as OpenCV reads images: (H, W) grey or (H, W, 3) BGR, 8 bit."""
    full = frame.full
    image = full.image()
    if image.dtype != np.uint8:
        image = (image >> (full.layout.bit_depth - 8)).astype(np.uint8)
    return np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_RGB2BGR), np.uint8)


def read_for_opencv(path: Path) -> NDArray[np.uint8]:
    """Return the image of a sequence as OpenCV reads images, 8 bit; a CleanplateError where it cannot be read."""
    try:
        picture = read_picture(path)
    except Unreadable as reason:
        raise CleanplateError(f"{path.name} {reason}; mend or remove it and its labels.") from reason
    return picture_for_opencv(frame_from_image(0, 0.0, picture.image, bit_depth=picture.bit_depth))


def grey(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the luma (H, W) of a picture (H, W) grey or (H, W, 3) BGR."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
