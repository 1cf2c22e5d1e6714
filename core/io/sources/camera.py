"""Cameras."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator

import cv2
import numpy as np

from core.errors import CleanplateError
from core.frames.frame import Frame, frame_from_image
from core.io.sources.base import SourceInfo
from core.io.sources.notes import Notes
from core.runtime.aside import LEAVE_S, GivenUpError, call_aside

OPEN_TIMEOUT_S = 20.0
"""How long a camera may take to open and give its first frame; some need over 12 s on Windows."""
READ_TIMEOUT_S = 5.0
"""How long a camera may be silent before it counts as gone."""


class CameraSource:
    """A camera by its number. It is opened at once: make this object away from the window's thread.

    Parameters
    ----------
    number : int
    given_up : callable, optional
        Asked while the camera is being opened; True gives up.

    Raises
    ------
    CleanplateError
        There is no such camera, it does not answer in time, or the opening was cancelled.
    """

    def __init__(self, number: int, given_up: Callable[[], bool] = lambda: False) -> None:
        self._title = f"Camera {number}"
        self._notes = Notes()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._device, image = self._open(number, given_up)
        fps = float(self._device.get(cv2.CAP_PROP_FPS))
        layout = frame_from_image(0, 0.0, np.asarray(image, np.uint8)).layout
        self._info = SourceInfo(self._title, layout, fps if 1 <= fps <= 1000 else 30.0, None, live=True)

    @property
    def info(self) -> SourceInfo:
        """What is known."""
        return self._info

    @property
    def warnings(self) -> list[str]:
        """What went wrong."""
        return self._notes.sentences

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate frames from now on; ``first`` only numbers them, for a camera cannot seek."""
        started = None
        index = first
        silent_since = time.monotonic()
        while not self._closed.is_set():
            with self._lock:
                grabbed, image = self._device.read() if not self._closed.is_set() else (False, None)
            now = time.monotonic()
            if not grabbed or image is None:
                if now - silent_since > READ_TIMEOUT_S:
                    self._notes.say("gone", f"{self._title} gives no more frames.")
                    return
                time.sleep(0.01)
                continue
            silent_since = now
            started = now if started is None else started
            picture = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
            frame = frame_from_image(index, now - started, picture)
            if frame.layout != self._info.layout:
                self._notes.say("size", f"{self._title} changed the size of its picture; reading stops there.")
                return
            yield frame
            index += 1

    def close(self) -> None:
        """Release the camera; iterators end."""
        self._closed.set()
        # A driver that does not come back from a read cannot be released either.
        if self._lock.acquire(timeout=LEAVE_S):
            self._device.release()
            self._lock.release()

    def _open(self, number: int, given_up: Callable[[], bool]) -> tuple[cv2.VideoCapture, cv2.typing.MatLike]:
        def attempt() -> tuple[cv2.VideoCapture, cv2.typing.MatLike | None]:
            device = cv2.VideoCapture(number)
            return device, device.read()[1] if device.isOpened() else None

        try:
            device, image = call_aside(
                attempt,
                given_up=given_up,
                limit_s=OPEN_TIMEOUT_S,
                discard=lambda found: found[0].release(),
                name="camera",
            )
        except GivenUpError as error:
            raise CleanplateError(f"Opening {self._title.lower()} was cancelled.") from error
        except TimeoutError:
            device, image = None, None
        if device is not None and image is not None:
            return device, image
        if device is not None:
            device.release()
        raise CleanplateError(
            f"{self._title} is not there or gives no picture; check that it is connected and not used by another "
            f"program, or try another number."
        )
