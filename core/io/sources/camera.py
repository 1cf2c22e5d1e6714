"""Cameras."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from core.frames.frame import frame_from_image
from core.io.sources.live import LiveKind, LiveSource
from core.io.sources.live_device import LiveDevice
from core.runtime.stopping import never

POLL_S = 0.01
"""Between two attempts to read a camera that gives nothing."""


def camera_source(number: int, given_up: Callable[[], bool] = never, *, patient: bool = False) -> LiveSource:
    """Open a camera by its number; arguments and errors as `core.io.sources.live.LiveSource` has them."""
    kind = LiveKind(
        f"Camera {number}",
        partial(LiveDevice, "camera", partial(_read, number)),
        absent="check that it is connected and not used by another program, or try another number",
        gone="check that it is connected",
    )
    return LiveSource(kind, given_up, patient=patient)


def _read(number: int, device: LiveDevice) -> None:
    driver: cv2.VideoCapture | None = None
    try:
        driver = cv2.VideoCapture(number)
        if driver.isOpened():
            _read_pictures(driver, device)
    except cv2.error:
        pass  # The same as a camera that cannot be opened.
    finally:
        if driver is not None:
            driver.release()


def _read_pictures(driver: cv2.VideoCapture, device: LiveDevice) -> None:
    is_known = False
    while not device.is_stopped:
        grabbed, image = driver.read()
        if not grabbed or image is None:
            if not is_known:
                return  # Another program has it, say.
            time.sleep(POLL_S)
            continue
        if not is_known:
            device.fps, is_known = float(driver.get(cv2.CAP_PROP_FPS)), True
        frame = frame_from_image(0, 0.0, np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8))
        device.give(frame.values, frame.layout)
