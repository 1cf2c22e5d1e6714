"""Make the folder that needs no Python, with PyInstaller, and what is handed out of it; in dist/.

    make bundle                 dist/cleanplate/ and dist/cleanplate-VERSION-SYSTEM-MACHINE.tar.xz
    python scripts/bundle.py --no-archive       the folder alone

It runs where the C library is as new as this machine's; release/debian11/ makes one for older machines.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import icu_data
import library_stand_ins
import parts
import shared_libraries

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "dist" / "cleanplate"
EPOCH = "1767225600"
"""The time of all files where the environment names none: the beginning of 2026."""


def main(arguments: list[str]) -> int:
    """Build, and say how large it is; returns 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-archive", action="store_true", help="make the folder alone")
    options = parser.parse_args(arguments)
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or EPOCH
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    places = ["--distpath", str(ROOT / "dist"), "--workpath", str(ROOT / "build" / "bundle")]
    # Two builds give the same bytes: sets are written in the order of their hashes.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": "0"}
    subprocess.run([*command, *places, str(ROOT / "release" / "cleanplate.spec")], env=environment, check=True)
    if sys.platform.startswith("linux"):
        shared_libraries.share(FOLDER / "_internal")
        library_stand_ins.replace(FOLDER / "_internal")
        shared_libraries.drop_unneeded(FOLDER / "_internal")
        icu_data.trim(FOLDER / "_internal" / "PySide6" / "Qt" / "lib")
        shared_libraries.strip(FOLDER / "_internal")
    (FOLDER / "LICENCES.txt").write_text(parts.licences(parts.all_parts()), encoding="utf-8")
    print(f"{FOLDER}: {size_mb(FOLDER):.0f} MB, {platform.libc_ver()[0]} {platform.libc_ver()[1]} or newer")
    if not options.no_archive:
        archive = pack(FOLDER, int(epoch))
        print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB")
    return 0


def size_mb(folder: Path) -> float:
    """Return what the files of a folder take, MB; links to files in it take nothing."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def version() -> str:
    """Return the program's version."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def pack(folder: Path, epoch: int) -> Path:
    """Write the folder into an archive: sorted, of one time and nobody's, so that two builds give the same bytes."""
    name = f"cleanplate-{version()}-{platform.system().lower()}-{platform.machine()}"
    archive = folder.with_name(f"{name}.tar.xz")

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
        return member

    with tarfile.open(archive, "w:xz", format=tarfile.PAX_FORMAT, preset=6) as file:
        for path in sorted(folder.rglob("*")):
            file.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False, filter=plain)
    return archive


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
