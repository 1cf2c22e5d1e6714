"""Whole runs from a film to its masks as PNG files: this program, and OpenCV's decoder, MOG2 and writer, in turns.

::

    python scripts/whole_process.py FILM [TURNS]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = """
import sys, cv2
film, folder = cv2.VideoCapture(sys.argv[1]), sys.argv[2]
method, index = cv2.createBackgroundSubtractorMOG2(), 0
while True:
    found, picture = film.read()
    if not found:
        break
    cv2.imwrite(f"{folder}/{index:06d}.png", method.apply(picture))
    index += 1
"""


def main() -> None:
    """Run both, and print the seconds and their ratio."""
    film, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    seconds: dict[str, list[float]] = {"OpenCV, MOG2": [], "cleanplate run": []}
    for _ in range(turns):
        for name, spent in seconds.items():
            with tempfile.TemporaryDirectory() as folder:
                spent.append(_timed(_command(name, film, folder)))
    peer, ours = (statistics.median(spent) for spent in seconds.values())
    print(f"OpenCV with MOG2 {peer:.2f} s, cleanplate run {ours:.2f} s: {peer / ours:.2f} times as fast.")


def _command(name: str, film: str, folder: str) -> list[str]:
    if name == "cleanplate run":
        where = ["-o", str(Path(folder) / "out"), "--save", "mask", "--quiet"]
        return [sys.executable, "-m", "app", "run", film, *where]
    return [sys.executable, "-c", PEER, film, folder]


def _timed(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
