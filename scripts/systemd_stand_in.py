"""Make a bundle smaller: D-Bus asks systemd two things, which only services need; 3 MB come along for them.

A service is asked whether it was handed sockets to listen on. The library that comes in the place of systemd's says no.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

NAME = "libsystemd.so.0"

ASKED = ("sd_is_socket", "sd_listen_fds")
VERSION = "LIBSYSTEMD_209"


def replace(internal: Path) -> bool:
    """Put the smaller library in the place of systemd's; False where there is none, or more is asked of it.

    Parameters
    ----------
    internal : Path
        The bundle's folder of libraries.
    """
    own = internal / NAME
    if not own.exists() or shutil.which("gcc") is None:
        return False
    told = [
        subprocess.run(["nm", "-D", "--undefined-only", str(path)], capture_output=True, text=True, check=True).stdout
        for path in internal.rglob("*.so*")
        if path.is_file() and not path.is_symlink() and path != own
    ]
    wanted = {line.split()[-1] for text in told for line in text.splitlines() if "@LIBSYSTEMD_" in line}
    if wanted - {f"{name}@{VERSION}" for name in ASKED}:
        return False
    make(own)
    return True


def make(library: Path) -> None:
    """Write the library."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "no.c").write_text("".join(f"int {asked}(void) {{ return 0; }}\n" for asked in ASKED))
        (folder / "versions").write_text(f"{VERSION} {{ global: *; }};\n")
        options = ["-shared", "-nostdlib", "-O2", f"-Wl,-soname,{NAME}", "-Wl,--version-script,versions"]
        command = ["gcc", *options, "-Wl,--build-id=none", "-o", NAME, "no.c"]
        subprocess.run(command, cwd=folder, check=True)
        library.unlink(missing_ok=True)
        shutil.copy(folder / NAME, library)
