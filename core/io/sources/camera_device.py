"""One device of a camera, on a thread of its own: drivers block, and nothing can interrupt them."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
from numpy.typing import NDArray

RELEASE_S = 2.0
"""How long to wait for the driver to let the device go; what takes longer is left behind, and released once it can."""

POLL_S = 0.01
"""Between two attempts to read a device that gives nothing."""


class CameraDevice:
    """Opens a device and reads it, picture by picture: each waits until it is taken.

    Parameters
    ----------
    number : int

    Attributes
    ----------
    fps : float
        What the driver says, 0 where it does not; known from the first picture on.
    """

    def __init__(self, number: int) -> None:
        self.fps = 0.0
        self._number = number
        self._changed = threading.Condition()
        self._picture: tuple[float, NDArray[np.uint8]] | None = None
        self._stopped = False
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        """Whether no picture will come any more: it could not be opened, or was stopped."""
        with self._changed:
            return self._ended and self._picture is None

    def take(self, timeout_s: float) -> tuple[float, NDArray[np.uint8]] | None:
        """Return the next picture and when it was read (`time.monotonic`), None where none came in time.

        The picture is (H, W, 3), uint8, in the order of OpenCV: blue, green, red.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._picture is not None or self._ended, timeout_s)
            picture, self._picture = self._picture, None
            self._changed.notify_all()
            return picture

    def abandon(self) -> None:
        """End reading; the device is free as soon as its driver answers."""
        with self._changed:
            self._stopped = True
            self._picture = None
            self._changed.notify_all()

    def stop(self) -> None:
        """End reading, and wait a moment until the device is free."""
        self.abandon()
        self._thread.join(RELEASE_S)

    def _run(self) -> None:
        device: cv2.VideoCapture | None = None
        try:
            device = cv2.VideoCapture(self._number)
            if device.isOpened():
                self._read(device)
        except cv2.error:
            pass  # The same as a device that cannot be opened.
        finally:
            if device is not None:
                device.release()
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _read(self, device: cv2.VideoCapture) -> None:
        is_known = False
        while not self._stopped:
            grabbed, image = device.read()
            if not grabbed or image is None:
                if not is_known:
                    return  # Another program has it, say.
                time.sleep(POLL_S)
                continue
            if not is_known:
                self.fps, is_known = float(device.get(cv2.CAP_PROP_FPS)), True
            with self._changed:
                self._changed.wait_for(lambda: self._picture is None or self._stopped)
                if not self._stopped:
                    self._picture = (time.monotonic(), np.asarray(image, np.uint8))
                    self._changed.notify_all()
