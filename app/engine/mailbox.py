"""How commands go to the worker and what it shows comes back: two small things under locks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.rendering.report_images import Pictures
    from core.parameter import Value
    from core.session.report import Report

Taken = TypeVar("Taken")

MAX_POINTS = 512
"""Plot points kept while nobody takes them; the oldest go first."""


class Mailbox:
    """Commands for the worker, run on its thread between two frames, in the order in which they were sent."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._commands: deque[Callable[[], None]] = deque()
        self._closed = False

    def post(self, command: Callable[[], None]) -> bool:
        """Leave a command; False where the mailbox is closed and nobody will read it."""
        with self._changed:
            if self._closed:
                return False
            self._commands.append(command)
            self._changed.notify()
            return True

    def take(self, timeout_s: float | None) -> list[Callable[[], None]]:
        """Return and remove all commands; where there are none, wait for one up to ``timeout_s`` (None: for ever)."""
        with self._changed:
            if not self._commands and timeout_s != 0 and not self._closed:
                self._changed.wait(timeout_s)
            commands = list(self._commands)
            self._commands.clear()
            return commands

    def close(self) -> None:
        """Refuse further commands and wake the reader."""
        with self._changed:
            self._closed = True
            self._changed.notify()


@dataclass(frozen=True)
class PlotPoint:
    """Figures of one frame for the plots, or of one iteration of a batch method, which has an objective only.

    Attributes
    ----------
    n : int
        Frames processed since the run began, or iterations.
    objective : float or None
        None for frames to which a batch method is applied: its objective is that of the iterations.
    residual : float or None
        Root mean square of luma of ``v − W h``, units of white, as in a comparison
        (`core.session.comparison.residual_rms`).
    h : (K,) float64, or None
    fps : float or None
        Frames per second, measured over the last second.
    """

    n: int
    objective: float | None
    residual: float | None = None
    h: NDArray | None = None
    fps: float | None = None


@dataclass(frozen=True)
class Shown:
    """What the window takes at once: the newest report and what goes with it. Its arrays are never written again.

    Attributes
    ----------
    report : Report or None
        None where only something else is new.
    pictures : Pictures or None
        Of the report, in the detail that the screen shows.
    points : list of PlotPoint
        Since the last take, bounded.
    confidence : (H, W) uint8, or None where unchanged or not asked for
        How often each pixel of the plate was seen, 0 never to 255 always.
    basis, shares : list, or None where unchanged
        Small pictures (h, w) or (h, w, 3) uint8, and each one's share of the frame, 0 to 1 (None: not known).
    values : dict
        Parameters in force.
    fps : float
        Frames per second, or iterations.
    n_learnt : int
        Frames processed since the run began.
    n_changes : int
        Changes of parameters that ``values`` know of.
    """

    report: Report | None = None
    pictures: Pictures | None = None
    points: list[PlotPoint] = field(default_factory=list)
    confidence: NDArray | None = None
    basis: list[NDArray] | None = None
    shares: list[float | None] | None = None
    values: dict[str, Value] = field(default_factory=dict)
    fps: float = 0.0
    n_learnt: int = 0
    n_changes: int = 0


class NewestSlot(Generic[Taken]):
    """One slot between an engine and its window: the newest wins, nothing is queued.

    Parameters
    ----------
    make : callable
        Makes what the window takes: `Shown`, or another class with ``points`` and ``pictures`` among its fields.

    Attributes
    ----------
    run : int
        Number of the run that all of its contents belong to: how often it was cleared.
    """

    def __init__(self, make: Callable[..., Taken]) -> None:
        self.run = 0
        self._make = make
        self._lock = threading.Lock()
        self._points: deque[object] = deque(maxlen=MAX_POINTS)
        self._items: dict = {}

    @property
    def is_empty(self) -> bool:
        """True where the window has taken the last pictures."""
        with self._lock:
            return "pictures" not in self._items

    def put(self, point: object = None, **items: object) -> None:
        """Replace what is in the slot (fields of what is taken); ``point`` is added to the others."""
        with self._lock:
            if point is not None:
                self._points.append(point)
            self._items.update(items)

    def take(self, run: int | None = None) -> Taken | None:
        """Empty the slot; None where nothing is new, or where it is of another run than ``run``.

        A window that names the run it was told of by a signal never shows frames before it has heard what they are of:
        the timer that calls this may come before a signal that was emitted earlier.
        """
        with self._lock:
            if run not in (None, self.run) or not (self._items or self._points):
                return None
            items, self._items = self._items, {}
            points = list(self._points)
            self._points.clear()
        return self._make(points=points, **items)

    def clear(self) -> None:
        """Forget what is in the slot: it belongs to a run that is over."""
        with self._lock:
            self.run += 1
            self._items = {}
            self._points.clear()
