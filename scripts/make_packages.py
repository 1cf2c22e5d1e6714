"""Make the wheel and the source archive of what is committed, in dist/: the same bytes each time, on any machine.

    make wheel                      both, in dist/
    python scripts/make_packages.py --twice     build both twice, in folders of different names, and compare the bytes

Run in the checkout of a repository, or unpacked from the source archive.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOOKS = "import sys; from setuptools import build_meta as b; to = sys.argv[1]; b.build_sdist(to); b.build_wheel(to)"
"""What pip and build call, without an environment of its own."""

EARLIEST = 315532800
"""1980: a zip file, which a wheel is, knows nothing older. Seconds since 1970."""


def main(arguments: list[str]) -> int:
    """Build, and compare where that is asked for; returns 1 where the bytes differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--twice", action="store_true", help="build twice and compare")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where they go")
    options = parser.parse_args(arguments)
    first = build(options.out)
    for path in first:
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    if not options.twice:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        second = build(Path(folder))
        differing = [a.name for a, b in zip(first, second, strict=True) if a.read_bytes() != b.read_bytes()]
    print(f"The bytes of {', '.join(differing)} differ." if differing else "Built twice: the same bytes.")
    return 1 if differing else 0


def build(out: Path) -> list[Path]:
    """Build wheel and source archive into ``out``, and return their paths, sorted."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder) / "source", Path(folder) / "built"
        source.mkdir()
        os.umask(0o022)  # Permissions are part of both files.
        epoch = export(source)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch), "PYTHONHASHSEED": "0"}
        built.mkdir()
        command = [sys.executable, "-W", "ignore", "-c", HOOKS, str(built)]
        done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}The packages could not be built, as shown above.")
        for archive in built.glob("*.tar.gz"):
            normalise(archive, epoch)
        return sorted(path.replace(out / path.name) for path in built.iterdir())


def export(folder: Path) -> int:
    """Copy what is committed to ``folder``, and return the time that its files get, seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if not (ROOT / ".git").exists():
        # Unpacked: all files have one time, that of the archive.
        unwanted = shutil.ignore_patterns(".venv", "build", "dist", "*.egg-info", "__pycache__")
        shutil.copytree(ROOT, folder, ignore=unwanted, dirs_exist_ok=True)
        return int(said or (ROOT / "PKG-INFO").stat().st_mtime)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        # With the permissions that git gives them; Python before 3.11.4 knows no other way.
        trusted = {"filter": "fully_trusted"} if hasattr(tarfile, "data_filter") else {}
        files.extractall(folder, **trusted)
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=ROOT, check=False).returncode:
        print("Note: what is not committed is left out.", file=sys.stderr)
    committed = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return max(int(said or committed.stdout), EARLIEST)


def normalise(archive: Path, epoch: int) -> None:
    """Write an archive anew: sorted, with one time, and without who made it. Setuptools keeps the time of day."""
    new_path = archive.with_suffix(".new")
    with (
        tarfile.open(archive) as old,
        new_path.open("wb") as file,
        # The name in the header would be that of the file, and the time that of the build.
        gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=epoch) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member))
    new_path.replace(archive)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
