"""Which shared libraries Qt asks this machine for, and which packages hold them. Needs neither Qt nor anything else."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from app.system.bundle import is_bundle

# What the window and its tests load. ldd follows each of them down to the last library.
QT_FILES = (
    "QtGui.abi3.so",
    "QtWidgets.abi3.so",
    "QtSvg.abi3.so",
    "QtTest.abi3.so",
    "Qt/plugins/platforms/libqoffscreen.so",
    "Qt/plugins/platforms/libqxcb.so",
)
DEBIAN_EXCEPTIONS = {
    "libGLdispatch.so.0": "libglvnd0",
    "libGLX.so.0": "libglx0",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libbrotlidec.so.1": "libbrotli1",
    "libbrotlicommon.so.1": "libbrotli1",
    "libgcc_s.so.1": "libgcc-s1",
    "libpcre2-8.so.0": "libpcre2-8-0",
    "libz.so.1": "zlib1g",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
FONT_PACKAGE = "fonts-dejavu-core"


def missing_libraries() -> list[str]:
    """Return the names of the shared libraries that Qt needs and the loader does not find, sorted.

    None in a bundle, which brings them, and where only its own starter knows the folder.
    """
    if is_bundle():
        return []
    spec = importlib.util.find_spec("PySide6")
    ldd = shutil.which("ldd")
    if not sys.platform.startswith("linux") or ldd is None or spec is None or not spec.submodule_search_locations:
        return []
    folder = Path(spec.submodule_search_locations[0])
    files = [str(folder / name) for name in QT_FILES if (folder / name).exists()]
    listing = subprocess.run([ldd, *files], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"^\s*(\S+) => not found", listing, re.MULTILINE)))


def debian_package(library: str) -> str:
    """Return the Debian package of a shared library: its name by Debian's own rule, and the few that depart from it.

    >>> debian_package("libxcb-cursor.so.0"), debian_package("libdbus-1.so.3")
    ('libxcb-cursor0', 'libdbus-1-3')
    """
    stem, _, version = library.partition(".so.")
    stem = stem.lower().replace("_", "-")
    return DEBIAN_EXCEPTIONS.get(library, f"{stem}-{version}" if stem[-1].isdigit() else stem + version)


def has_fonts() -> bool:
    """Tell whether there is any font to draw text with. macOS and Windows always have some."""
    if not sys.platform.startswith("linux") or os.environ.get("FONTCONFIG_FILE"):
        return True
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(path.suffix.lower() in {".ttf", ".otf", ".ttc"} for folder in folders for path in folder.rglob("*"))


def debian_packages(libraries: list[str], fonts: bool) -> list[str]:
    """Return the packages to install for missing libraries, and a font where there is none."""
    return sorted({debian_package(library) for library in libraries}) + ([] if fonts else [FONT_PACKAGE])


def install_command(libraries: list[str], fonts: bool = True) -> str:
    """Return the command that installs what is missing, for this machine's package manager."""
    if shutil.which("dnf"):
        # rpm knows packages by the libraries they hold.
        names = [f"'{library}()(64bit)'" for library in libraries] + ([] if fonts else ["dejavu-sans-fonts"])
        return "sudo dnf install " + " ".join(names)
    packages = debian_packages(libraries, fonts)
    if shutil.which("apt-get"):
        return "sudo apt-get install --no-install-recommends " + " ".join(packages)
    return "install the packages that Debian calls " + " ".join(packages)
