"""Do five jobs in the real window, from start to end, with mouse and keyboard; pictures of each step go into docs/jobs.

    python scripts/jobs.py [NAME…]

The window opens on a screen of its own (Xvfb); clips and faces lie in ``$CLEANPLATE_DATA``. What each job wrote is
checked. Ends with status 1 where a job could not be done.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from job_steps import Desk, clean_plate, draw_particles, faces, stacks, surveillance, teaching  # noqa: E402
from pictures import DOCS, display  # noqa: E402

from core.runtime import blas_threads  # noqa: E402

blas_threads.limit()

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
    with display(SIZE, own=True), tempfile.TemporaryDirectory() as folder:
        for name in (STREET, YARD):
            shutil.copy(data / PRESENT[name], Path(folder) / name)
        shutil.copytree(data / PRESENT["faces"], Path(folder) / "faces", ignore=shutil.ignore_patterns("s[2-4]?_*"))
        draw_particles(Path(folder) / "particles.tif")
        # Short names, which mean the same on any machine, are what pictures and commands show.
        os.chdir(folder)
        failed = [name for name in JOBS if name in (sys.argv[1:] or JOBS) and not done(name)]
    return int(bool(failed))


@dataclass(frozen=True)
class Job:
    """Something that people do with the program.

    Attributes
    ----------
    path : str
        What the window opens first.
    do : callable
        Does it with a desk, and checks what came of it.
    """

    path: str
    do: Callable[[Desk], None]


JOBS = {
    "plate": Job(YARD, clean_plate),
    "faces": Job("faces", faces),
    "stacks": Job("particles.tif", stacks),
    "events": Job(STREET, surveillance),
    "teaching": Job("sample:faces", teaching),
}
"""By name."""


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
    job, folder = JOBS[name], Path.cwd()
    shutil.rmtree(folder / "out", ignore_errors=True)
    window = MainWindow(job.path, folder / f"settings-{name}" / "window.json")
    window.setGeometry(0, 0, *SIZE)
    window.show()
    questions, succeeded = Questions(), []

    def work() -> None:
        robot = Robot(questions, PICTURES)
        try:
            robot.wait(lambda: window.display is not None and window.display.index > 0, "the first frame")
            robot.wait(lambda: window.views.plots.plot is not None, "the plotting library")
            job.do(Desk(robot, window, folder))
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
