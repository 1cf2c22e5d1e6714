"""Do five jobs in the real window, from start to end, with mouse and keyboard; pictures of each step go into docs/jobs.

    python scripts/jobs.py [NAME…]

The window opens on a screen of its own (Xvfb), as it does without an input. What a job is done on is opened by hand:
with Ctrl+O or Ctrl+Shift+O and a path typed into the dialog, by a drop from another program over the protocol of X
(XDND, ``shelf.py``), or from the menu of samples. Clips and faces lie in ``$CLEANPLATE_DATA``. What each job wrote is
checked. Ends with status 1 where a job could not be done.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.runtime import blas_threads  # noqa: E402

blas_threads.limit()

from job_steps import Desk, clean_plate, faces, stacks, surveillance, teaching  # noqa: E402
from particles import draw_particles  # noqa: E402
from pictures import DOCS, clips_folder, display  # noqa: E402

SIZE = (1280, 800)
PICTURES = DOCS / "jobs"
FAILURES = ROOT / "build" / "jobs"
"""Where the screen is kept at which a job failed."""

STREET, YARD = "street.mp4", "yard.mp4"
PRESENT = {STREET: "video/pedestrians_480x360.mp4", YARD: "video/pedestrians_976x720.mp4", "faces": "faces/orl"}
"""What the jobs are done on, by the name that it has in their folder."""


def main() -> int:
    """Do the jobs named on the command line, or all; return the exit status."""
    data = Path(os.environ.get("CLEANPLATE_DATA", ""))
    missing = [name for name in PRESENT.values() if not (data / name).exists()]
    if missing:
        print(f"jobs: set CLEANPLATE_DATA to a folder that holds {', '.join(missing)}.", file=sys.stderr)
        return 2
    unknown = set(sys.argv[1:]) - JOBS.keys()
    if unknown:
        print(f"jobs: there is no job {', '.join(unknown)}; choose from {', '.join(JOBS)}.", file=sys.stderr)
        return 2
    with display(SIZE, own=True), clips_folder() as clips:
        for name in (STREET, YARD):
            shutil.copy(data / PRESENT[name], clips / name)
        shutil.copytree(data / PRESENT["faces"], clips / "faces", ignore=shutil.ignore_patterns("s[2-4]?_*"))
        draw_particles(clips / "particles.tif")
        failed = [name for name in JOBS if name in (sys.argv[1:] or JOBS) and not done(name)]
    return int(bool(failed))


JOBS: dict[str, Callable[[Desk], None]] = {
    "plate": clean_plate, "faces": faces, "stacks": stacks, "events": surveillance, "teaching": teaching,
}  # fmt: skip
"""By name: each does a job with a desk, and checks what came of it."""


def done(name: str) -> bool:
    """Do a job in a window of its own; tell whether it could be done."""
    from questions import Questions  # noqa: PLC0415 - Qt wants its display first
    from robot import Robot  # noqa: PLC0415

    from app import theme  # noqa: PLC0415
    from app.window import startup  # noqa: PLC0415
    from app.window.main_window import MainWindow  # noqa: PLC0415

    sys.setswitchinterval(startup.SWITCH_S)
    application = startup.application()
    theme.apply_theme(application, "light")
    folder = Path.cwd()
    shutil.rmtree(folder / "out", ignore_errors=True)
    window = MainWindow(None, folder / f".{name}" / "window.json")
    window.setGeometry(0, 0, *SIZE)
    window.show()
    questions, succeeded = Questions(), []

    def work() -> None:
        robot = Robot(questions, PICTURES)
        try:
            robot.wait(lambda: window.display is not None and window.display.index > 0, "the first frame")
            robot.wait(lambda: window.views.plots.plot is not None, "the plotting library")
            JOBS[name](Desk(robot, window, folder))
            succeeded.append(name)
        except Exception:
            traceback.print_exc()
            with suppress(Exception):
                robot.picture(f"failed-{name}", ring=True, folder=FAILURES)
        robot.ask(window.closing.close_unasked)  # The application ends with its last window.

    hand = threading.Thread(target=work, daemon=True)
    hand.start()
    application.exec()
    hand.join(10)
    window.deleteLater()
    application.processEvents()
    print(f"{name}: {'done' if succeeded else 'failed'}", flush=True)
    return bool(succeeded)


if __name__ == "__main__":
    sys.exit(main())
