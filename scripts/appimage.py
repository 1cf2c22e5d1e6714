"""Make an AppImage of dist/cleanplate: one file that is mounted and run, without being unpacked.

    make appimage RUNTIME=runtime-x86_64        dist/cleanplate-VERSION-x86_64.AppImage
    python scripts/appimage.py --folder-only    dist/Cleanplate.AppDir alone, which appimagetool takes too

The runtime is the small program at the file's beginning that mounts the rest, from
https://github.com/AppImage/type2-runtime/releases; older ones, of AppImageKit, read what --compression gzip writes, and
no zstd. mksquashfs is in the package squashfs-tools.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import bundle
import desktop_files

ROOT = Path(__file__).resolve().parent.parent
MARK = b"AI\x02"
"""What an AppImage of the second kind has at its ninth byte."""

COMPRESSIONS = {"zstd": ["-comp", "zstd", "-Xcompression-level", "19"], "gzip": ["-comp", "gzip"]}

APP_RUN = """#!/bin/sh
# The start of the AppImage; started under another name, that is what it is called by.
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/lib/cleanplate/cleanplate" "$@"
"""


def main(arguments: list[str]) -> int:
    """Make the folder, and the file where there is a runtime; returns 2 where something is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder-only", action="store_true", help="make dist/Cleanplate.AppDir alone")
    parser.add_argument("--runtime", type=Path, help="what mounts the rest")
    parser.add_argument("--compression", choices=list(COMPRESSIONS), default="zstd", help="of the rest")
    options = parser.parse_args(arguments)
    if not bundle.FOLDER.is_dir():
        print("There is no dist/cleanplate; run make bundle first.", file=sys.stderr)
        return 2
    folder = make_folder(bundle.FOLDER, ROOT / "dist" / "Cleanplate.AppDir")
    if options.folder_only:
        print(folder)
        return 0
    if options.runtime is None or not options.runtime.is_file():
        print("Name the runtime: make appimage RUNTIME=FILE (see scripts/appimage.py).", file=sys.stderr)
        return 2
    if not is_runtime(options.runtime):
        print(f"{options.runtime} is no runtime of an AppImage (see scripts/appimage.py).", file=sys.stderr)
        return 2
    image = ROOT / "dist" / f"cleanplate-{bundle.version()}-{platform.machine()}.AppImage"
    pack(folder, options.runtime, image, options.compression)
    print(f"{image}: {image.stat().st_size / 1e6:.0f} MB")
    return 0


def is_runtime(path: Path) -> bool:
    """Tell whether a file begins as an AppImage does: what was downloaded may be a page about an error."""
    with path.open("rb") as file:
        head = file.read(11)
    return head.startswith(b"\x7fELF") and head.endswith(MARK)


def make_folder(program: Path, folder: Path) -> Path:
    """Lay the program and what desktops look for into a folder, and return it."""
    shutil.rmtree(folder, ignore_errors=True)
    # Hard links: the program takes no room twice.
    shutil.copytree(program, folder / "usr" / "lib" / "cleanplate", symlinks=True, copy_function=os.link)
    start = folder / "AppRun"
    start.write_text(APP_RUN)
    start.chmod(0o755)
    desktop_files.lay_out(folder / "usr" / "share")
    for name in (desktop_files.DESKTOP, desktop_files.ICON):
        shutil.copy(next((folder / "usr" / "share").rglob(name)), folder)
    (folder / ".DirIcon").symlink_to(desktop_files.ICON)
    return folder


def pack(folder: Path, runtime: Path, image: Path, compression: str) -> None:
    """Write the file: the runtime, and behind it the folder as squashfs, the same bytes each time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or bundle.EPOCH
    packed = image.with_suffix(".squashfs")
    packed.unlink(missing_ok=True)
    times = ["-mkfs-time", epoch, "-all-time", epoch]
    options = ["-root-owned", "-noappend", "-no-progress", "-quiet", *COMPRESSIONS[compression]]
    # Squashfs takes the times from its options; the environment may not name them too.
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    command = ["mksquashfs", str(folder), str(packed), *options, *times]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    with image.open("wb") as file:
        file.write(runtime.read_bytes())
        with packed.open("rb") as rest:
            shutil.copyfileobj(rest, file)
    image.chmod(0o755)
    packed.unlink()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
