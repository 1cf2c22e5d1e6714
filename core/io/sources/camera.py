"""Cameras."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, frame_from_image
from core.io.sources.base import SourceInfo
from core.io.sources.camera_device import CameraDevice
from core.io.sources.notes import Notes
from core.runtime.stopping import never

OPEN_TIMEOUT_S = 20.0
"""How long a camera may take to open and give its first frame; some need over 12 s on Windows."""
READ_TIMEOUT_S = 2.0
"""How long a camera may be silent before it counts as gone; in the dark some give two pictures a second."""
REOPEN_S = 0.5
"""How long one look for a camera that is gone waits; the opening goes on until the next look."""
POLL_S = 0.05
"""How soon `close` is heard of while no picture comes."""


class CameraSource:
    """A camera by its number. It is opened at once: make this object away from the window's thread.

    A camera that is gone ends the iteration with a warning. Each later iteration looks for it again, and ends at once
    where it is not back yet; where it is, numbers and times go on.

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

    def __init__(self, number: int, given_up: Callable[[], bool] = never) -> None:
        self._number, self._title = number, f"Camera {number}"
        self._notes = Notes()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._gone_at: int | None = None
        self._started: float | None = None
        self._opened_at = time.monotonic()
        self._device = CameraDevice(number)
        picture = self._first_picture(given_up)
        fps = self._device.fps
        layout = frame_from_image(0, 0.0, picture).layout
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
        index = first
        if self._gone_at is not None:
            if not self._is_back():
                return
            index, self._gone_at = max(first, self._gone_at), None
        else:
            self._started = None
        silent_since = time.monotonic()
        while not self._closed.is_set():
            taken = self._device.take(POLL_S)
            if taken is None:
                if time.monotonic() - silent_since > READ_TIMEOUT_S or self._device.has_ended:
                    self._lose(index)
                    return
                continue
            silent_since, image = taken
            self._notes.forget("gone")
            self._started = silent_since if self._started is None else self._started
            picture = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
            frame = frame_from_image(index, silent_since - self._started, picture)
            if frame.layout != self._info.layout:
                self._notes.say("size", f"{self._title} changed the size of its picture; reading stops there.")
                return
            yield frame
            index += 1
            silent_since = time.monotonic()  # What was done with the frame is no silence of the camera.

    def close(self) -> None:
        """Release the camera; iterators end."""
        self._closed.set()
        with self._lock:
            self._device.stop()

    def _lose(self, index: int) -> None:
        if self._closed.is_set():
            return
        self._notes.say("gone", f"{self._title} gives no more frames; check that it is connected.")
        self._gone_at, self._opened_at = index, time.monotonic()
        self._device.abandon()

    def _is_back(self) -> bool:
        """Look for the camera; an attempt to open it goes on from one look to the next."""
        with self._lock:
            if self._closed.is_set():
                return False
            is_late = time.monotonic() - self._opened_at > OPEN_TIMEOUT_S
            if self._device.has_ended or is_late:
                self._device.abandon()
                self._device, self._opened_at = CameraDevice(self._number), time.monotonic()
        # The picture is given up: it is the oldest, and the next is there in a moment.
        return self._device.take(REOPEN_S) is not None

    def _first_picture(self, given_up: Callable[[], bool]) -> NDArray[np.uint8]:
        while not given_up():
            taken = self._device.take(POLL_S)
            if taken is not None:
                return taken[1]
            if self._device.has_ended or time.monotonic() - self._opened_at > OPEN_TIMEOUT_S:
                break
        self._device.abandon()
        if given_up():
            raise CleanplateError(f"Opening {self._title.lower()} was cancelled.")
        raise CleanplateError(
            f"{self._title} is not there or gives no picture; check that it is connected and not used by another "
            f"program, or try another number."
        )
