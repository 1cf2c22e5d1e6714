"""What this machine lacks to run Cleanplate, and the command that mends it.

Qt is never imported here, only in a process of its own: a broken one ends the process with it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.system import bundle
from app.system.printable import printable
from app.system.qt_libraries import has_fonts, install_command, missing_libraries
from core.errors import CleanplateError
from core.runtime import numba_cache
from core.runtime.cores import all_cores

State = Literal["ok", "note", "missing"]
STYLES = {"ok": "green", "note": "yellow", "missing": "bold red"}

# Distribution and the module it holds; PySide6 is tried in a process of its own.
PACKAGES = (
    ("numpy", "numpy"),
    ("scipy", "scipy"),
    ("numba", "numba"),
    ("opencv-python-headless", "cv2"),
    ("av", "av"),
    ("tifffile", "tifffile"),
    ("pillow", "PIL"),
    ("pi-heif", "pi_heif"),
    ("natsort", "natsort"),
    ("platformdirs", "platformdirs"),
    ("msgspec", "msgspec"),
    ("typer", "typer"),
    ("rich", "rich"),
)
QT_PACKAGES = ("PySide6-Essentials", "pyqtgraph")
CODECS = (
    ("H.264 (mp4)", "libx264", "yuv420p"),
    ("FFV1, lossless (mkv)", "ffv1", "bgr0"),
    ("ProRes 4444, alpha (mov)", "prores_ks", "yuva444p10le"),
)
PROBE_TIMEOUT_S = 30
LOW_MEMORY_GIB = 2.0


@dataclass(frozen=True)
class Check:
    """One line of the table.

    Attributes
    ----------
    what : str
    state : {"ok", "note", "missing"}
        "note": the program runs, but something people may want is absent. "missing": it does not run.
    found : str
        What was found.
    remedy : str
        What to do; empty where all is well.
    """

    what: str
    state: State
    found: str
    remedy: str = ""


def doctor(console: Console, folder: Path | None = None) -> int:
    """Print what was checked; return 0 if the program can run, else 2.

    Parameters
    ----------
    console : Console
    folder : Path, optional
        Of results: what killed runs left there is tidied up.
    """
    checks = [*examine(), *([_results(folder)] if folder else [])]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("check", "state", "found"):
        table.add_column(column, overflow="fold")
    for check in checks:
        table.add_row(check.what, Text(check.state, STYLES[check.state]), Text(check.found))
    console.print(table)
    # Outside the table, so that a command can be copied in one piece.
    for check in checks:
        if check.remedy:
            console.print(Text(f"{check.what}: {check.remedy}"), soft_wrap=True)
    missing = sum(check.state == "missing" for check in checks)
    console.print(f"{missing} missing." if missing else "Cleanplate can run on this machine.")
    return 2 if missing else 0


def examine() -> Iterator[Check]:
    """Yield every check, the cheap ones first."""
    yield _python()
    yield _machine()
    for name, module in PACKAGES:
        yield _package(name, module)
    yield from _qt()
    yield from _codecs()
    yield _compiled_code()


def has_display() -> bool:
    """Tell whether a window could be shown: always on macOS and Windows, elsewhere where a display server is named."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def window_problem(env: dict[str, str] | None = None) -> str | None:
    """Return why Qt cannot open a window in this environment, or None if it can. Tried in a process of its own.

    Parameters
    ----------
    env : dict, optional
        Environment of that process; this one's when not given.
    """
    try:
        run = subprocess.run(
            bundle.probe_command(),
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"Qt did not answer in {PROBE_TIMEOUT_S} s"
    if run.returncode == 0:
        return None
    lines = [line.strip() for line in run.stderr.splitlines() if line.strip()]
    telling = [x for x in lines if "Error:" in x or "could not connect" in x or "Could not load" in x]
    return (telling or lines or [f"Qt ended with status {run.returncode}"])[0].rstrip(".")


def _python() -> Check:
    # An older one could not have read this file.
    return Check("Python", "ok", f"{platform.python_version()}, {platform.system()} {platform.machine()}")


def _machine() -> Check:
    cores = all_cores()
    try:
        gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (AttributeError, ValueError, OSError):
        return Check("Cores, memory", "ok", f"{cores} cores")
    found = f"{cores} core{'s' if cores > 1 else ''}, {gib:.1f} GiB"
    if gib < LOW_MEMORY_GIB:
        return Check("Cores, memory", "note", found, "use a smaller working size (--size) for large images")
    return Check("Cores, memory", "ok", found)


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _package(distribution: str, module: str) -> Check:
    version = _version(distribution)
    remedy = bundle.remedy(distribution)
    try:
        importlib.import_module(module)
    except Exception as error:  # a broken package may raise anything
        found = f"{version or 'absent'}: {error}" if version else "absent"
        return Check(distribution, "missing", found, remedy)
    return Check(distribution, "ok", version or "version unknown")


def _qt() -> Iterator[Check]:
    for name in QT_PACKAGES:
        version = _version(name)
        remedy = "" if version else bundle.remedy(name)
        yield Check(name, "ok" if version else "missing", version or "absent", remedy)
    libraries, fonts = missing_libraries(), has_fonts()
    offscreen = window_problem(os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    if libraries:
        yield Check("Qt libraries", "missing", ", ".join(libraries), install_command(libraries))
    elif offscreen:
        yield Check("Qt libraries", "missing", offscreen, bundle.remedy("PySide6-Essentials"))
    else:
        yield Check("Qt libraries", "ok", "all found")
    yield (
        Check("Fonts", "ok", "found")
        if fonts
        else Check("Fonts", "note", "none: the window would show no text", install_command([], fonts=False))
    )
    if not has_display():
        yield Check("Display", "note", "none", "no window here; cleanplate run works without one")
        return
    problem = None if libraries else window_problem()
    if problem:
        yield Check("Display", "missing", problem, "start a desktop session, or unset DISPLAY to work without a window")
    else:
        yield Check("Display", "ok", os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "found")


def _codecs() -> Iterator[Check]:
    for title, codec, pixels in CODECS:
        problem = _encoder_problem(codec, pixels)
        if problem:
            remedy = bundle.remedy("av")
            yield Check(title, "note", f"cannot be written: {problem}", remedy)
        else:
            yield Check(title, "ok", codec)


def _encoder_problem(codec: str, pixels: str) -> str | None:
    """Return why an encoder cannot be opened, or None; only opening it tells."""
    try:
        import av  # noqa: PLC0415 - its absence is another line of the table

        context = av.CodecContext.create(codec, "w")
        assert isinstance(context, av.VideoCodecContext)
        context.width, context.height, context.pix_fmt, context.framerate = 64, 64, pixels, Fraction(25)
        context.open()
    except Exception as error:  # FFmpeg's errors are of many kinds
        return str(error) or type(error).__name__
    return None


def _results(folder: Path) -> Check:
    """Tidy up what killed runs left in a folder."""
    what = f"Results in {printable(str(folder))}"
    if not folder.is_dir():
        return Check(what, "note", "there is no such folder", "name the folder of a run's results")
    from core.io.publishing.run_folder import recover  # noqa: PLC0415 - what it needs may be absent

    try:
        ended, begun = recover(folder)
    except CleanplateError as error:
        return Check(what, "note", "left as they are", printable(str(error)))
    except OSError as error:
        return Check(what, "note", f"cannot be tidied up ({error.strerror})", "change its permissions")
    if not ended:
        return Check(what, "ok", "no killed run left anything")
    back = "; what was there before is back" if begun else ""
    return Check(what, "ok", f"what {'a killed run' if ended == 1 else f'{ended} killed runs'} left is removed{back}")


def _compiled_code() -> Check:
    """Check whether kernels are compiled and can be kept; otherwise every start compiles them again."""
    folder = numba_cache.lasting_folder()
    if folder is None:
        remedy = "set NUMBA_CACHE_DIR to a folder that can be written"
        return Check("Compiled code", "note", "cannot be kept: each start compiles anew", remedy)
    n_kept = numba_cache.count_kept()
    kernels = f"{n_kept} kernel{'s' if n_kept > 1 else ''} of this version"
    compiled = kernels if n_kept else "none yet: the first run takes up to a minute more"
    return Check("Compiled code", "ok", f"{compiled}; kept in {folder}")


if __name__ == "__main__":
    sys.exit(doctor(Console()))
