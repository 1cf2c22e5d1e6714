"""What the libraries of a bundle say of themselves and ask of each other, as binutils tells."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def files(internal: Path) -> list[Path]:
    """Return all libraries below a folder, links to them left out."""
    return [path for path in sorted(internal.rglob("*.so*")) if path.is_file() and not path.is_symlink()]


def loaded_by(library: Path) -> list[str]:
    """Return what a library loads by name."""
    told = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)


def symbols(library: Path, which: str) -> set[str]:
    """Return symbols of a library, ``name`` or ``name@VERSION``.

    Parameters
    ----------
    library : Path
    which : str
        ``--defined-only`` or ``--undefined-only``.
    """
    told = subprocess.run(["nm", "-D", which, str(library)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].replace("@@", "@") for line in told.splitlines()}


def asked(internal: Path, library: Path) -> set[str]:
    """Return the symbols of a library that others below a folder ask for."""
    own = symbols(library, "--defined-only")
    found: set[str] = set()
    for path in files(internal):
        if path != library:
            found |= own & symbols(path, "--undefined-only")
    return found
