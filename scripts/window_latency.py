"""Measure the window: time to its first paint and to its first separated frame, and its longest stalls.

    .venv/bin/python scripts/window_latency.py              start-up, on the sample
    .venv/bin/python scripts/window_latency.py --minute     stalls of the window's thread in a minute of playing
    .venv/bin/python scripts/window_latency.py --seconds 10 PATH

Uses the display where there is one, else none (offscreen). Times count from the start of this process, so importing
Python's modules is part of them. Run it twice: the first start compiles.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

STARTED = time.perf_counter()

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and sys.platform.startswith("linux"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TICK_MS = 5
"""Interval of the timer whose lateness is measured."""

SETTLE_S = 2.0
"""Stalls count from this long after the first separated frame: the start is measured by its own numbers."""


def _process_age_s() -> float:
    """Return how long this process had been running when this module began, seconds; 0 where unknown."""
    try:
        fields = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
        uptime = float(Path("/proc/uptime").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return 0.0
    return max(0.0, uptime - int(fields[19]) / os.sysconf("SC_CLK_TCK"))


class Stalls:
    """How late a timer of the window's thread is, and how long that works at one time, milliseconds."""

    def __init__(self) -> None:
        from PySide6.QtCore import QTimer  # noqa: PLC0415 - part of what is measured

        self._gaps: list[float] = []
        self._works: list[float] = []
        self._last = 0.0, 0.0
        self._watch = QTimer(interval=TICK_MS)
        self._watch.timeout.connect(self._tick)

    def begin(self) -> None:
        """Measure from now on."""
        self._last = time.perf_counter(), time.thread_time()
        self._watch.start()

    def _tick(self) -> None:
        now, work = time.perf_counter(), time.thread_time()
        self._gaps.append(1e3 * (now - self._last[0]) - TICK_MS)
        self._works.append(1e3 * (work - self._last[1]))
        self._last = now, work

    def tell(self, seconds: float) -> None:
        """Print what was measured in so many seconds, where anything was."""
        if self._gaps:
            longest, over = max(self._gaps), sum(gap > 50 for gap in self._gaps)
            print(f"stalls of the window's thread in {seconds:.0f} s: longest {longest:.0f} ms, over 50 ms: {over}")
            print(f"longest work of that thread at one time: {max(self._works):.0f} ms of processor time")


def main() -> int:
    """Measure and print; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?", help="what to open; the sample when not given")
    parser.add_argument("--minute", action="store_true", help="play for a minute and measure stalls")
    parser.add_argument("--seconds", type=float, default=0.0, help="play for this long and measure stalls")
    options = parser.parse_args()
    seconds = 60.0 if options.minute else options.seconds

    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLEANPLATE_SETTINGS"] = str(Path(folder) / "window.json")
        return measure(options.path, seconds)


def measure(path: str | None, seconds: float) -> int:
    """Open the window on ``path``, play for ``seconds`` after the first frame, and print what was measured."""
    from PySide6.QtCore import QEvent, QObject, QTimer  # noqa: PLC0415 - part of what is measured

    from app import theme  # noqa: PLC0415
    from app.window import startup  # noqa: PLC0415
    from app.window.main_window import MainWindow  # noqa: PLC0415

    sys.setswitchinterval(startup.SWITCH_S)
    age_s = _process_age_s() - (time.perf_counter() - STARTED)
    app = startup.application()
    theme.apply_theme(app, "dark")
    window = MainWindow(path)
    times: dict[str, float] = {}

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and "first paint" not in times:
                QTimer.singleShot(0, lambda: times.setdefault("first paint", time.perf_counter() - STARTED + age_s))
            return False

    painted = Painted()
    window.parts.top.installEventFilter(painted)
    stalls = Stalls()

    def begin() -> None:
        stalls.begin()
        QTimer.singleShot(int(1e3 * seconds), window.close)

    def shown() -> None:
        if "first separated frame" in times:
            return
        times["first separated frame"] = time.perf_counter() - STARTED + age_s
        QTimer.singleShot(int(1e3 * SETTLE_S), begin if seconds else window.close)

    window.report_shown.connect(shown)
    window.parts.speed.choose(1)
    window.action("real_time").setChecked(False)
    window.worker.set_loop(True)
    window.show()
    QTimer.singleShot(120_000 + int(1e3 * seconds), window.close)
    app.exec()
    for what in ("first paint", "first separated frame"):
        print(f"{what}: {times[what]:.2f} s" if what in times else f"{what}: not reached")
    stalls.tell(seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
