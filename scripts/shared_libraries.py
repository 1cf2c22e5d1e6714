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
import elf

OPENCV = "opencv_python_headless.libs"

TWICE = (
    (OPENCV, "av.libs", ("libavcodec", "libavformat", "libavutil", "libswscale", "libswresample", "libdrm")),
    (OPENCV, "pillow.libs", ("libavif", "libpng16")),
    ("pillow.libs", "av.libs", ("libXau", "libxcb")),
)
"""Folder whose library goes, folder whose library stays, and which."""

OF_THE_SYSTEM = (
    ("libzstd.so.1", "pillow.libs/libzstd-*"),
    ("liblzma.so.5", "pillow.libs/liblzma-*"),
    ("libpng16.so.16", f"{OPENCV}/libpng16-*"),
)
"""Libraries of the system, and newer ones of wheels, which have all that is asked of these."""

LOADED_BY_THE_PROGRAM = "libpython"
"""Begins the name of what no library names, and the bundle's starter loads."""

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
    return gone + [name for name, twin in OF_THE_SYSTEM if _link_newer(internal, internal / name, twin)]


def drop_unneeded(internal: Path) -> list[str]:
    """Remove libraries of the system and of wheels that no file loads by name any more, and return their names.

    They came for what went: with GTK's theme for Qt alone, Cairo, Pango, Kerberos and others.
    """
    gone: list[str] = []
    while True:
        loaded = set().union(*map(elf.loaded_by, elf.files(internal)))
        links = [path for path in internal.rglob("*.so*") if path.is_symlink() and path.name in loaded]
        loaded |= {path.resolve().name for path in links}
        unneeded = [
            path for folder in (internal, *internal.glob("*.libs")) for path in sorted(folder.glob("lib*.so*"))
            if path.name not in loaded and not path.name.startswith(LOADED_BY_THE_PROGRAM)
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
    for path in elf.files(internal):
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


def _link_newer(internal: Path, own: Path, twin: str) -> bool:
    """Put a link to a newer library in the place of one of the system, if it has all that is asked of this one."""
    newer = next(internal.glob(twin), None)
    if newer is None or not own.is_file() or elf.asked(internal, own) - elf.symbols(newer, "--defined-only"):
        return False
    own.unlink()
    own.symlink_to(newer.relative_to(internal))
    return True


def _version(path: Path) -> tuple[str, ...]:
    """Return the first two numbers of a library's version."""
    return tuple(re.findall(r"\d+", path.name.partition(".so.")[2])[:2])
