"""A camera that tests can unplug."""

import threading
import time

import numpy as np

N_LEVELS = 200
"""Its pictures are of one level each, which grows by one from each to the next, and then begins anew."""


class Plugged:
    """A camera that can be unplugged, and hangs where it is told to; `capture` stands for cv2.VideoCapture."""

    def __init__(self):
        self.is_there = True
        self.period_s = 0.005
        self.hangs = threading.Event()
        self.n_read = 0
        self.opened = set()

    def capture(self, _number):
        return PluggedDevice(self)


class PluggedDevice:
    """What OpenCV gives for it."""

    def __init__(self, camera):
        self._camera, self._open = camera, camera.is_there
        if self._open:
            camera.opened.add(self)

    def isOpened(self):
        return self._open

    def read(self):
        if self._camera.hangs.is_set():
            time.sleep(0.2)  # A driver may take far longer.
            return False, None
        self._open &= self._camera.is_there
        time.sleep(self._camera.period_s)
        if not self._open:
            return False, None
        self._camera.n_read += 1
        return True, np.full((48, 64, 3), self._camera.n_read % N_LEVELS, np.uint8)

    def get(self, _what):
        return 30.0

    def release(self):
        self._camera.opened.discard(self)
