"""Bring in the system libraries that Qt needs and this machine lacks (Debian and Ubuntu; elsewhere say what to do).

As root, or where sudo asks nothing, they are installed with apt-get. Otherwise they are unpacked into .venv/sysroot,
which needs no rights; `.venv/sysroot/env` then tells the loader and fontconfig where they lie.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.system.qt_libraries import debian_packages, has_fonts, install_command, missing_libraries  # noqa: E402

VENV = ROOT / ".venv"
SYSROOT = VENV / "sysroot"
LIBRARIES = SYSROOT / "lib"
MAX_ROUNDS = 8
"""Each round of unpacking may show libraries that the last one's need."""


def main() -> int:
    """Install or unpack what is missing; return 0 where Qt has all it needs."""
    if LIBRARIES.is_dir():
        os.environ.update(environment())
    libraries, fonts = missing_libraries(), has_fonts()
    if libraries or not fonts:
        command = install_command(libraries, fonts)
        apt = shutil.which("apt-get") is not None
        if not apt or not (install(debian_packages(libraries, fonts)) or unpack()):
            print(f"setup: Qt needs libraries that could not be brought in; {command}", file=sys.stderr)
            return 1
    (VENV / ".libraries").touch()
    return 0


def quiet(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command without a word."""
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    env.pop("LD_LIBRARY_PATH", None)
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def works(*command: str, folder: Path | None = None) -> bool:
    """Run a command without a word; tell whether it ended well."""
    return quiet(*command, folder=folder).returncode == 0


def this_release(packages: list[str], *options: str) -> list[str]:
    """Return the packages under the names of this release: since 2024 some end in t64.

    A name that is only known as another's alias makes apt-cache end well and print nothing.
    """
    return [p if quiet("apt-cache", *options, "show", p).stdout.strip() else f"{p}t64" for p in packages]


def install(packages: list[str]) -> bool:
    """Install packages for the whole machine where that needs no password."""
    if os.geteuid() == 0:
        rights = []
    elif shutil.which("sudo") and works("sudo", "-n", "true"):
        rights = ["sudo", "-n"]
    else:
        return False
    print(f"Installing what Qt needs with apt-get: {' '.join(packages)}", flush=True)
    works(*rights, "apt-get", "update")
    options = ["install", "--yes", "--no-install-recommends"]
    return works(*rights, "apt-get", *options, *this_release(packages)) and not missing_libraries()


def unpack() -> bool:
    """Unpack packages into .venv/sysroot, round after round until nothing is missing."""
    state = SYSROOT / "apt"
    (state / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (state / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    LIBRARIES.mkdir(exist_ok=True)
    private = ["-o", f"Dir::State={state}", "-o", f"Dir::State::Lists={state}/lists", "-o", f"Dir::Cache={state}"]
    private += ["-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User="]
    print("Unpacking what Qt needs into .venv/sysroot, as there are no rights to install it.", flush=True)
    works("apt-get", *private, "update")
    for _ in range(MAX_ROUNDS):
        packages = this_release(debian_packages(missing_libraries(), has_fonts()), *private)
        if not packages:
            shutil.rmtree(state)
            return True
        if not works("apt-get", *private, "download", *packages, folder=state / "archives"):
            return False
        for archive in (state / "archives").glob("*.deb"):
            works("dpkg", "-x", str(archive), str(SYSROOT))
            archive.unlink()
        write_environment()
    return False


def environment() -> dict[str, str]:
    """Return the variables that lead to what was unpacked."""
    variables = {"LD_LIBRARY_PATH": str(LIBRARIES)}
    if (SYSROOT / "usr" / "share" / "fonts").is_dir():
        variables["FONTCONFIG_FILE"] = str(SYSROOT / "fonts.conf")
    return variables


def write_environment() -> None:
    """Gather what was unpacked in one folder and write the variables that lead to it."""
    for path in SYSROOT.glob("**/*.so.*"):
        link = LIBRARIES / path.name
        if path.parent != LIBRARIES and not link.is_symlink():
            link.symlink_to(os.path.relpath(path, LIBRARIES))
    fonts = SYSROOT / "usr" / "share" / "fonts"
    (SYSROOT / "fonts.conf").write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>'
        f'<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{fonts}</dir>'
        '<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n'
    )
    (SYSROOT / "env").write_text("".join(f"export {k}='{v}'\n" for k, v in environment().items()))
    os.environ.update(environment())


if __name__ == "__main__":
    sys.exit(main())
