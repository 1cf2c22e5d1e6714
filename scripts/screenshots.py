"""Take the pictures of the README: the real window, playing real clips, into docs/. Run by make screenshots.

The clips lie in ``$CLEANPLATE_DATA/video``, labelled sequences in ``$CLEANPLATE_DATA/sequences``. Where there is no
display, Xvfb is started for as long as this takes; where there is no Xvfb either, the window is drawn offscreen.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pictures import DOCS, clips_folder, display, write  # noqa: E402

from core.runtime import blas_threads  # noqa: E402

blas_threads.limit()

if TYPE_CHECKING:
    from PySide6.QtGui import QPixmap

    from app.window.main_window import MainWindow

SIZE = (1440, 960)
KINDS = ("video", "sequences")
"""Folders of clips and of labelled sequences."""
PATIENCE_S = 120.0
COMPARED_AT = 640
"""Frame at which methods are compared."""

SETTLE_S = 0.6
"""Long enough for numbers, curves and thumbnails, which change less often than pictures, to be there too."""


@dataclass(frozen=True)
class Shot:
    """A picture to take.

    Attributes
    ----------
    name : str
        Of the file in docs/.
    clip : str
        Name of the file among the clips, or of the labelled sequence.
    theme : str
    moment : int
        Frame at which it is taken: what stood in the first frames has left, and something moves.
    part : callable
        Brings what is to be seen onto the screen, and returns the picture of it.
    """

    name: str
    clip: str
    theme: str
    moment: int
    part: Callable[[MainWindow], QPixmap]


def whole(window: MainWindow) -> QPixmap:
    """Return the picture of the whole window, as it plays on."""
    window.action("real_time").setChecked(True)
    window.worker.play()
    play(window, SETTLE_S)
    return window.grab()


def with_wipe(window: MainWindow) -> QPixmap:
    """Return the picture of the whole window, input and background compared in one pane."""
    window.action("wipe").setChecked(True)
    return whole(window)


def mask_alone(window: MainWindow) -> QPixmap:
    """Return the picture of the mask's pane, enlarged."""
    window.action("pane_4").trigger()
    play(window, SETTLE_S)
    return window.views.panes.grab()


def export_panel(window: MainWindow) -> QPixmap:
    """Return the picture of the export panel."""
    window.commands.export.open()
    play(window, SETTLE_S)
    return window.commands.export.panel.grab()


def compared(window: MainWindow) -> QPixmap:
    """Return the picture of the window that compares methods, far enough into a labelled sequence to have figures."""
    wait(window, lambda: window.views.plots.plot is not None, "the plotting library")
    window.commands.compare.open()
    other = window.commands.compare.window
    other.resize(*SIZE)
    wait(
        window,
        lambda: other.display.index >= COMPARED_AT or other.parts.banner.text,
        f"frame {COMPARED_AT} of the comparison",
    )
    other.worker.pause()
    play(window, SETTLE_S)
    picture = other.grab()
    other.close()
    return picture


SHOTS = (
    Shot("window-dark", "pedestrians_480x360.mp4", "dark", 556, whole),
    Shot("window-light", "pedestrians_480x360.mp4", "light", 330, with_wipe),
    Shot("mask", "pedestrians_480x360.mp4", "dark", 556, mask_alone),
    Shot("compare", "highway", "dark", 5, compared),
    Shot("export", "pedestrians_480x360.mp4", "dark", 60, export_panel),
)


def main() -> int:
    """Take the pictures named on the command line, or all; return the exit status."""
    data = os.environ.get("CLEANPLATE_DATA", "")
    clips = {shot.clip: Path(data).resolve() / KINDS[not Path(shot.clip).suffix] / shot.clip for shot in SHOTS}
    missing = [str(path) for path in clips.values() if not path.exists()]
    if not data or missing:
        print(f"screenshots: set CLEANPLATE_DATA to a folder that holds {', '.join(missing)}.", file=sys.stderr)
        return 2
    unknown = set(sys.argv[1:]) - {shot.name for shot in SHOTS}
    if unknown:
        print(f"screenshots: there is no picture {', '.join(unknown)}; see SHOTS in this file.", file=sys.stderr)
        return 2
    with display(), tempfile.TemporaryDirectory() as folder, clips_folder() as here:
        for name, path in clips.items():
            (here / name).symlink_to(path)
        DOCS.mkdir(exist_ok=True)
        for shot in SHOTS:
            if not sys.argv[1:] or shot.name in sys.argv[1:]:
                take(shot, Path(folder) / "window.json")
    return 0


def take(shot: Shot, settings: Path) -> None:
    """Open the window, let it play up to the moment, and write the picture."""
    from app import theme  # noqa: PLC0415 - Qt wants its display first
    from app.window import startup  # noqa: PLC0415 - Qt wants its display first
    from app.window.main_window import MainWindow  # noqa: PLC0415

    sys.setswitchinterval(startup.SWITCH_S)
    theme.apply_theme(startup.application(), shot.theme)
    window = MainWindow(shot.clip, settings)
    window.resize(*SIZE)
    window.action("real_time").setChecked(False)
    window.show()
    try:
        near = max(shot.moment - 40, 1)
        wait(window, lambda: window.display is not None and window.display.index >= near, f"frame {near}")
        window.worker.pause()
        play(window, SETTLE_S)
        # The last frames one by one, so that each is learnt from and the picture is always of the same frame.
        for index in range(window.display.index + 1, shot.moment + 1):
            window.worker.step()
            wait(window, lambda index=index: window.display.index >= index, f"frame {index}")
        play(window, SETTLE_S)
        write(shot.part(window).toImage(), DOCS / f"{shot.name}.png")
    finally:
        window.close()
        window.deleteLater()
        startup.application().processEvents()


def wait(window: MainWindow, condition: Callable[[], bool], what: str) -> None:
    """Let the window work until a condition holds, or until it says that something is wrong."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > until or window.parts.banner.text:
            raise SystemExit(f"screenshots: waited in vain for {what}. {window.parts.banner.text}".rstrip())
        _work()


def play(window: MainWindow, seconds: float) -> None:
    """Let the window work for a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and window.isVisible():
        _work()


def _work() -> None:
    from PySide6.QtCore import QCoreApplication  # noqa: PLC0415

    QCoreApplication.processEvents()
    time.sleep(0.005)


if __name__ == "__main__":
    sys.exit(main())
