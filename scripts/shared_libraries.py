"""Make a bundle smaller: libraries that it holds twice are left out, and what only debuggers read.

Each wheel brings its own FFmpeg, OpenBLAS and others.

What is left out becomes a link to its like. Two are alike where name and the first two numbers of the version agree:
those of FFmpeg and libavif promise that programs then run with either.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import blas_stand_in

OPENCV = "opencv_python_headless.libs"

TWICE = (
    (OPENCV, "av.libs", ("libavcodec", "libavformat", "libavutil", "libswscale", "libswresample", "libdrm")),
    (OPENCV, "pillow.libs", ("libavif", "libpng16")),
    ("pillow.libs", "av.libs", ("libXau",)),
)
"""Folder whose library goes, folder whose library stays, and which."""

ORPHANS = ("libaom", "libvpx", "libcrypto", "libssl", "libgfortran", "libquadmath")
"""What only those that went needed."""

LOADED_BY_PROGRAMS = ("libpython", "libGL.", "libEGL.")
"""Beginnings of names that no library may name and a program loads all the same."""

BLAS = "libopenblasp"
"""OpenCV's OpenBLAS, in whose place NumPy's serves."""


def share(internal: Path) -> list[str]:
    """Put links in the place of what is there twice; returns the names of what went.

    Parameters
    ----------
    internal : Path
        The bundle's folder of libraries.
    """
    gone = [name for row in TWICE for name in _link_twins(internal, *row)]
    own = next((internal / OPENCV).glob(f"{BLAS}*"), None)
    if own is not None and blas_stand_in.replace(internal, own):
        gone.append(own.name)
    needed = _needed(internal / OPENCV)
    for path in sorted((internal / OPENCV).glob("*.so*")):
        if path.name.startswith(ORPHANS) and path.name not in needed:
            path.unlink()
            gone.append(path.name)
    return gone


def drop_unneeded(internal: Path) -> list[str]:
    """Remove libraries of the system that no file loads by name any more, and return their names.

    They came for parts that the program goes without: with GTK's theme for Qt alone, Cairo, Pango, Kerberos and others.
    """
    gone: list[str] = []
    while True:
        loaded = set().union(*(_loaded_by(path) for path in internal.rglob("*.so*") if not path.is_symlink()))
        unneeded = [
            path for path in internal.glob("lib*.so*")
            if path.name not in loaded and not path.name.startswith(LOADED_BY_PROGRAMS)
        ]  # fmt: skip
        if not unneeded:
            return gone
        for path in unneeded:
            path.unlink()
            gone.append(path.name)


def strip(internal: Path) -> int:
    """Remove from libraries what only debuggers read, where they stay whole; returns how many bytes that saves.

    What wheels' tools have moved about in a file comes to lie where no loader accepts it: such a file is left alone.
    """
    saved = 0
    for path in sorted(internal.rglob("*.so*")):
        if path.is_symlink() or not path.is_file():
            continue
        smaller = path.with_name(path.name + ".stripped")
        done = subprocess.run(["strip", "--strip-unneeded", "-p", "-o", str(smaller), str(path)], check=False)
        if done.returncode == 0 and _is_aligned(smaller):
            saved += path.stat().st_size - smaller.stat().st_size
            smaller.replace(path)
        else:
            smaller.unlink(missing_ok=True)
    return saved


def _is_aligned(path: Path) -> bool:
    """Tell whether a loader accepts where the segments of a library lie."""
    told = subprocess.run(["readelf", "-lW", str(path)], capture_output=True, text=True, check=True).stdout
    loads = [line.split() for line in told.splitlines() if line.split()[:1] == ["LOAD"]]
    return bool(loads) and all((int(x[1], 16) - int(x[2], 16)) % int(x[-1], 16) == 0 for x in loads)


def _link_twins(internal: Path, goes: str, stays: str, names: tuple[str, ...]) -> list[str]:
    gone = []
    for name in names:
        twins = {_version(path): path for path in (internal / stays).glob(f"{name}-*") if not path.is_symlink()}
        for path in (internal / goes).glob(f"{name}-*"):
            twin = twins.get(_version(path))
            if twin is not None and not path.is_symlink():
                path.unlink()
                path.symlink_to(Path("..") / stays / twin.name)
                gone.append(path.name)
    return gone


def _version(path: Path) -> tuple[str, ...]:
    """Return the first two numbers of a library's version."""
    return tuple(re.findall(r"\d+", path.name.partition(".so.")[2])[:2])


def _needed(folder: Path) -> set[str]:
    """Return what the libraries of a folder, and OpenCV, still load by name."""
    found: set[str] = set()
    files = [*folder.glob("*.so*"), *(folder.parent / "cv2").glob("*.so")]
    waiting = [path for path in files if not path.name.startswith(ORPHANS)]
    while waiting:
        path = waiting.pop()
        if path.is_symlink():
            continue  # It loads from beside its twin.
        for name in _loaded_by(path):
            if name not in found:
                found.add(name)
                waiting += [folder / name] if (folder / name).exists() else []
    return found


def _loaded_by(library: Path) -> list[str]:
    """Return what a library loads by name."""
    told = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)
