"""Make a Debian package of dist/cleanplate: the folder in /opt, and what desktops and people look for.

    make deb                            dist/cleanplate_VERSION_amd64.deb
    python scripts/debian_package.py --program FOLDER --out FOLDER

dpkg-deb has to be there; installing needs nothing but the C library that the folder was made with, or a newer one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import bundle
import desktop_files

ROOT = Path(__file__).resolve().parent.parent
NAME = "cleanplate"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: Cleanplate <cleanplate@localhost>
Installed-Size: {kib}
Depends: libc6 (>= {libc})
Recommends: shared-mime-info, hicolor-icon-theme
Section: video
Priority: optional
Description: separates the still background from what moves
 Reads videos, image sets and cameras, and gives the scene without what passes
 through it, masks, and what moved: in a window, or on the command line. Python
 and all libraries are included.
"""

MANUAL = """\
.TH CLEANPLATE 1 "" "cleanplate {version}" "User Commands"
.SH NAME
cleanplate \\- separate the still background from what moves
.SH SYNOPSIS
.B cleanplate
.RI [ FILE ]
.br
.B cleanplate run
.I INPUT
.BI \\-o " DIR"
.RI [ OPTIONS ]
.SH DESCRIPTION
Without a command it opens the window, on a file if one is named.
.B cleanplate run
separates a video, an image set or a camera and saves the results in a folder;
.B cleanplate batch
does so with many inputs.
.B cleanplate \\-\\-help
lists all commands, and
.BI "cleanplate " COMMAND " \\-\\-help"
the options of one.
.SH EXIT STATUS
0 when all was done, 2 after a sentence that says what to do.
"""


def main(arguments: list[str]) -> int:
    """Make the package; returns 2 where something is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=bundle.FOLDER, help="the folder that needs no Python")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the package goes")
    options = parser.parse_args(arguments)
    if not (options.program / NAME).is_file():
        print(f"There is no program in {options.program}; run make bundle first.", file=sys.stderr)
        return 2
    if shutil.which("dpkg-deb") is None:
        print("There is no dpkg-deb; make the package on Debian or Ubuntu.", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    package = make(options.program, options.out)
    print(f"{package}: {package.stat().st_size / 1e6:.0f} MB")
    return 0


def make(program: Path, out: Path) -> Path:
    """Write the package of a program into a folder, the same bytes each time, and return it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or bundle.EPOCH
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    package = out / f"{NAME}_{bundle.version()}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=out, prefix=".deb-") as name:
        root = Path(name) / "root"
        lay_out(program, root)
        describe(root, architecture)
        plain(root, int(epoch))
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(package)]
        # One thread: more cut the archive in other places. Debian 11's knows no option for it, and heeds no variable.
        environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "DPKG_DEB_THREADS_MAX": "1"}
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return package


def lay_out(program: Path, root: Path) -> None:
    """Lay everything where it is to be below a root: the program itself in /opt, as it is of no distribution."""
    shutil.copytree(program, root / "opt" / NAME, symlinks=True)
    start, share = root / "usr" / "bin" / NAME, root / "usr" / "share"
    start.parent.mkdir(parents=True)
    start.symlink_to(Path("../../opt") / NAME / NAME)
    desktop_files.lay_out(share)
    document, manual = share / "doc" / NAME, share / "man" / "man1"
    for folder in (document, manual):
        folder.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", document / "copyright")
    (document / "LICENCES.txt").symlink_to(Path("../../../../opt") / NAME / "LICENCES.txt")
    (document / "changelog.gz").write_bytes(gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0))
    text = MANUAL.format(version=bundle.version())
    (manual / f"{NAME}.1.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def describe(root: Path, architecture: str) -> None:
    """Write what dpkg is told of the files below a root."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n" for path in files]
    kib = sum(-(-path.stat().st_size // 1024) for path in files)
    control = CONTROL.format(
        name=NAME, version=bundle.version(), architecture=architecture, kib=kib, libc=platform.libc_ver()[1]
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control)
    (root / "DEBIAN" / "md5sums").write_text("".join(sums))


def plain(root: Path, epoch: int) -> None:
    """Give all below a root one time, and the rights that everyone's files have."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
