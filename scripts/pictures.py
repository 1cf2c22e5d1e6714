"""What the scripts that take pictures of the window share: a display to open it on, and small PNG files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CLIPS = "clips"
COLOURS = 256
MAX_BYTES = 400_000


@contextmanager
def display(size: tuple[int, int] = (1600, 1000), *, own: bool = False) -> Iterator[None]:
    """Have a display while this lasts.

    Parameters
    ----------
    size : (width, height)
        Of the screen, pixels, where one is made.
    own : bool
        Make one even where there is one already.

    Raises
    ------
    SystemExit
        One of its own is asked for and there is no Xvfb, or it does not start.
    """
    present = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or not sys.platform.startswith("linux")
    if present and not own:
        yield
        return
    if shutil.which("Xvfb") is None:
        if own:
            raise SystemExit("There is no Xvfb; install it (apt install xvfb).")
        print("There is no display and no Xvfb (apt install xvfb): drawing offscreen.", flush=True)
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        yield
        return
    reader, writer = os.pipe()
    screen = f"{size[0]}x{size[1]}x24"
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", screen, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise SystemExit("Xvfb does not start; run Xvfb -displayfd 1 to see why.")
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ["DISPLAY"] = f":{number}"
        yield
    finally:
        server.terminate()
        server.wait()


def write(picture: QImage, path: Path, colours: int = COLOURS) -> None:
    """Write a picture as a PNG of few colours, which takes a third of the room."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    from PySide6.QtGui import QImage  # noqa: PLC0415

    image = picture.convertToFormat(QImage.Format.Format_RGB888)
    width, height = image.width(), image.height()
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    pixels = lines[:, : 3 * width].reshape(-1, 3)
    # Each colour once, and not as often as it occurs: small coloured things keep theirs.
    distinct, counts = np.unique(pixels >> 2, axis=0, return_counts=True)
    weights = np.sqrt(counts) / np.sqrt(counts).sum()
    sample = distinct[np.random.default_rng(0).choice(len(distinct), 40_000, p=weights)].astype(np.float32) * 4 + 2
    cv2.setRNGSeed(0)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    _, _, table = cv2.kmeans(sample, colours, None, stop, 1, cv2.KMEANS_PP_CENTERS)
    table = np.rint(table).clip(0, 255).astype(np.uint8)
    # The commonest colours are the window's own grounds: exact, or they would look stained.
    exact, often = np.unique(pixels, axis=0, return_counts=True)
    for colour in exact[np.argsort(-often)[:24]]:
        table[np.argmin(np.abs(table.astype(int) - colour).sum(axis=1))] = colour
    distances = cv2.BFMatcher(cv2.NORM_L2).match(exact.astype(np.float32), table.astype(np.float32))
    nearest = np.array([match.trainIdx for match in distances], np.uint8)
    keys = exact.astype(np.int64) @ [1 << 16, 1 << 8, 1]
    indices = nearest[np.searchsorted(keys, pixels.astype(np.int64) @ [1 << 16, 1 << 8, 1])]
    indexed = QImage(indices.tobytes(), width, height, width, QImage.Format.Format_Indexed8)
    indexed.setColorTable([0xFF000000 | int(r) << 16 | int(g) << 8 | int(b) for r, g, b in table])
    path.parent.mkdir(parents=True, exist_ok=True)
    if not indexed.save(str(path), "PNG", 0):
        raise SystemExit(f"{path} cannot be written.")
    n_bytes = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {width}×{height}, {n_bytes / 1000:.0f} kB", flush=True)
    if n_bytes > MAX_BYTES:
        raise SystemExit(f"{path.name} is larger than {MAX_BYTES / 1000:.0f} kB.")


@contextmanager
def clips_folder() -> Iterator[Path]:
    """Give an empty folder with a short name: where the program is started, and the home of who does what is shown.

    Pictures show where files are: the name is the same each time, unless it is taken.
    """
    folder, before = Path(tempfile.gettempdir()).resolve() / CLIPS, Path.cwd()
    try:
        folder.mkdir()
    except FileExistsError:
        folder = Path(tempfile.mkdtemp(prefix=f"{CLIPS}-")).resolve()
    os.environ["HOME"] = str(folder)
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder)
