"""Cameras."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator

import cv2
import numpy as np

from core.errors import CleanplateError
from core.frames.frame import Frame, frame_from_image
from core.io.sources.base import SourceInfo
from core.io.sources.notes import Notes

OPEN_TIMEOUT_S = 20.0
"""How long a camera may take to open and give its first frame; some need over 12 s on Windows."""
READ_TIMEOUT_S = 5.0
"""How long a camera may be silent before it counts as gone."""


class CameraSource:
    """A camera by its number. It is opened at once: make this object away from the window's thread.

    Parameters
    ----------
    number : int
    cancelled : threading.Event, optional
        Set it to give up while the camera is being opened.

    Raises
    ------
    CleanplateError
        There is no such camera, it does not answer in time, or the opening was cancelled.
    """

    def __init__(self, number: int, cancelled: threading.Event | None = None) -> None:
        self._title = f"Camera {number}"
        self._notes = Notes()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._device, image = self._open(number, cancelled or threading.Event())
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
        with self._lock:
            self._device.release()

    def _open(self, number: int, cancelled: threading.Event) -> tuple[cv2.VideoCapture, cv2.typing.MatLike]:
        found: list[tuple[cv2.VideoCapture, cv2.typing.MatLike]] = []
        done, abandoned, handing_over = threading.Event(), threading.Event(), threading.Lock()

        def attempt() -> None:
            # Opening blocks inside the driver and cannot be interrupted, so it has a thread that can be left behind.
            device = cv2.VideoCapture(number)
            grabbed, image = device.read() if device.isOpened() else (False, None)
            is_taken = False
            with handing_over:  # Given up just now, nobody would release it.
                if grabbed and image is not None and not abandoned.is_set():
                    found.append((device, image))
                    is_taken = True
            if not is_taken:
                device.release()
            done.set()

        threading.Thread(target=attempt, name="camera", daemon=True).start()
        until = time.monotonic() + OPEN_TIMEOUT_S
        while not done.wait(0.05) and time.monotonic() < until and not cancelled.is_set():
            pass
        if found and not cancelled.is_set():
            return found[0]
        with handing_over:
            abandoned.set()
        if found:
            found[0][0].release()
        if cancelled.is_set():
            raise CleanplateError(f"Opening {self._title.lower()} was cancelled.")
        raise CleanplateError(
            f"{self._title} is not there or gives no picture; check that it is connected and not used by another "
            f"program, or try another number."
        )
