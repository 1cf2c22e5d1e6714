"""What is read live: cameras and streams, which may be gone for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.sources.base import BaseSource, SourceInfo
from core.io.sources.holes import Holes
from core.io.sources.live_device import LiveDevice, Picture
from core.runtime import announcing
from core.runtime.stopping import never

OPEN_TIMEOUT_S = 20.0
"""How long it may take to open and give its first frame; some cameras need over 12 s on Windows."""
REOPEN_S = 0.5
"""How long one look for what is gone waits; the opening goes on until the next look."""
SILENT_S = 2.0
"""How long it may give nothing before it counts as gone; in the dark some cameras give two pictures a second."""
POLL_S = 0.05
"""How soon `close` is heard of while no picture comes."""
TELL_S = 10.0
"""How often it is said that it is looked for still."""
USUAL_FPS = 30.0
"""Rate of what declares none."""
RECORDED_LATE_S = 5.0
"""How long pictures wait for who records: the first frame takes 2 to 4 s, as kernels are loaded or compiled, and what
comes meanwhile is caught up with."""
WATCHED_LATE_S = 0.5
"""How long they wait for who watches: what happens is to be seen as it happens, and a frame more or less is no loss."""


@dataclass(frozen=True)
class LiveKind:
    """What can be read live.

    Attributes
    ----------
    title : str
        What people call it.
    open : callable
        ``open(late_s)`` begins to open it, for who is no further behind than so many seconds.
    absent, gone : str
        What to check where it cannot be opened, and where it gives no more frames: the ends of sentences.
    away_s : float
        How long who is patient looks for it once it is gone.
    ends_itself : bool
        What is silent for very long ends by itself: it is listened to until then, and not opened anew.
    """

    title: str
    open: Callable[[float], LiveDevice]
    absent: str
    gone: str
    away_s: float = 0.0
    ends_itself: bool = False


class LiveSource(BaseSource):
    """A camera or a stream. It is opened at once: make this object away from the window's thread.

    What is gone ends the iteration with a warning. Each later iteration looks for it again, and ends at once where it
    is not back yet; where it is, numbers and times go on.

    Parameters
    ----------
    kind : LiveKind
    given_up : callable, optional
        Asked while it is being opened; True gives up.
    patient : bool
        Who reads it records it: what is gone is looked for within the iteration, for as long as its kind has it, and
        pictures wait for longer.

    Raises
    ------
    CleanplateError
        There is nothing of the kind, it does not answer in time, or the opening was cancelled.
    """

    def __init__(self, kind: LiveKind, given_up: Callable[[], bool] = never, *, patient: bool = False) -> None:
        super().__init__()
        self._kind, self._away_s = kind, kind.away_s if patient else 0.0
        self._late_s = RECORDED_LATE_S if patient else WATCHED_LATE_S
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._gone_at: int | None = None
        self._is_complete = False
        self._started: float | None = None
        self._opened_at = time.monotonic()
        self._holes = Holes(self._notes, kind.title)
        self._device = kind.open(self._late_s)
        layout = self._first_picture(given_up).layout
        fps = self._device.fps
        is_told = 1 <= fps <= 1000
        self._info = SourceInfo(
            kind.title, layout, fps if is_told else USUAL_FPS, None, live=True, is_rate_told=is_told,
            has_sound=self._device.has_sound,
        )  # fmt: skip

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate frames from now on; ``first`` only numbers them, for what is live cannot seek."""
        index, last_s, was_away = first, 0.0, False
        if self._gone_at is not None:
            index = max(first, self._gone_at)
            if not self._is_back():
                return
        else:
            self._started = None
        while not self._is_complete:
            for picture in self._pictures():
                n_missed = picture.n_missed if self._started is not None else 0  # Nobody waited for what came before.
                self._started = picture.read_at if self._started is None else self._started
                if picture.layout != self._info.layout:
                    self._notes.say("size", f"{self._kind.title} changed the size of its picture; reading stops there.")
                    return
                time_s = picture.read_at - self._started
                if was_away:
                    self._holes.add(last_s, time_s)
                last_s, was_away = time_s, False
                yield Frame(index, time_s, picture.values, picture.layout, n_missed=n_missed)
                index += 1
            if self._closed.is_set():
                return
            self._lose(index)
            if not self._comes_back():
                return
            was_away = True

    def close(self) -> None:
        """Release the device; iterators end."""
        self._closed.set()
        with self._lock:
            self._device.stop()

    def _pictures(self) -> Generator[Picture, None, None]:
        """Yield pictures until it is closed or gone."""
        silent_since = time.monotonic()
        while not self._closed.is_set():
            picture = self._device.take(POLL_S)
            if picture is not None:
                self._notes.forget("gone")
                yield picture
                silent_since = time.monotonic()  # What was done with the frame is no silence of the device.
            elif time.monotonic() - silent_since > SILENT_S or self._device.has_ended:
                return

    def _lose(self, index: int) -> None:
        self._is_complete = self._device.is_complete
        if not self._is_complete:
            self._notes.say("gone", f"{self._kind.title} gives no more frames; {self._kind.gone}.")
        self._gone_at, self._opened_at = index, time.monotonic()
        if not self._kind.ends_itself:
            self._device.abandon()

    def _comes_back(self) -> bool:
        tell_at = time.monotonic()
        until = tell_at + self._away_s
        while time.monotonic() < until and not self._is_complete and not self._closed.is_set():
            if time.monotonic() >= tell_at:
                left_s = until - time.monotonic()
                announcing.tell(f"{self._kind.title} gives no frames; it is looked for another {left_s:.0f} s…")
                tell_at += TELL_S
            if self._is_back():
                return True
        return False

    def _is_back(self) -> bool:
        """Look for it; an attempt to open it goes on from one look to the next."""
        if self._is_complete:
            return False
        with self._lock:
            if self._closed.is_set():
                return False
            is_late = time.monotonic() - self._opened_at > OPEN_TIMEOUT_S
            if self._device.has_ended or is_late:
                self._device.abandon()
                self._device, self._opened_at = self._kind.open(self._late_s), time.monotonic()
        looked_at = time.monotonic()
        # The picture is given up: it is the oldest, and the next is there in a moment.
        is_back = self._device.take(REOPEN_S) is not None
        if is_back:
            self._gone_at = None
        else:  # Who refuses at once is not asked a thousand times a second.
            self._closed.wait(looked_at + REOPEN_S - time.monotonic())
        return is_back

    def _first_picture(self, given_up: Callable[[], bool]) -> Picture:
        while not given_up():
            picture = self._device.take(POLL_S)
            if picture is not None:
                return picture
            if self._device.has_ended or time.monotonic() - self._opened_at > OPEN_TIMEOUT_S:
                break
        self._device.abandon()
        title = self._kind.title
        if given_up():
            raise CleanplateError(f"Opening {title[0].lower()}{title[1:]} was cancelled.")
        raise CleanplateError(f"{title} is not there or gives no picture; {self._kind.absent}.")
