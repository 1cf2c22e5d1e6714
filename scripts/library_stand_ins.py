"""Make a bundle smaller: large libraries of which little is asked, or nothing that is ever called.

The library that comes in the place of such a one has the functions that the bundle's other files ask of it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import elf

POWER = """
    {type} power = 1;
    if (n < 0) x = 1 / x;
    for (unsigned long left = n < 0 ? -(unsigned long)n : n; left; left >>= 1, x *= x) if (left & 1) power *= x;
    return power;
"""
"""Of a number x, n times itself, as libgfortran multiplies."""

CONCATENATE = """
    for (long i = 0; i < n_out; i++) out[i] = i < n_a ? a[i] : i - n_a < n_b ? b[i - n_a] : ' ';
"""


@dataclass(frozen=True)
class StandIn:
    """What stands for a library.

    Attributes
    ----------
    name : str
        How the library's file name begins.
    functions : dict
        C of functions, by their names: type and parameters, and what they do.
    answer : str
        C of what all others return; where it is empty, the library stays if any other is asked for.
    """

    name: str
    functions: dict[str, tuple[str, str]] = field(default_factory=dict)
    answer: str = ""


STAND_INS = (
    # D-Bus asks whether a service manager has handed it sockets to listen on: only to services.
    StandIn(
        "libsystemd.so",
        {"sd_is_socket": ("int {}(void)", "return 0;"), "sd_listen_fds": ("int {}(void)", "return 0;")},
    ),
    # Four functions of Fortran, of NumPy's OpenBLAS: the clock is asked for by nobody.
    StandIn(
        "libgfortran-",
        {
            "_gfortran_concat_string": (
                "void {}(long n_out, char *out, long n_a, const char *a, long n_b, const char *b)", CONCATENATE,
            ),
            "_gfortran_etime": ("float {}(void *times)", "return 0;"),
            "_gfortran_pow_r4_i8": ("float {}(float x, long n)", POWER.format(type="float")),
            "_gfortran_pow_r8_i8": ("double {}(double x, long n)", POWER.format(type="double")),
        },
    ),
    # FFmpeg plays and records sound by it, the program does not. The number says that there is no such device.
    StandIn(
        "libasound-",
        {"snd_strerror": ("const char *{}(int number)", 'return "no sound card";')},
        answer="-19",
    ),
    # Qt draws by graphics cards where parts of it want to that the bundle goes without.
    StandIn("libGL.so", answer="0"),
    StandIn("libEGL.so", answer="0"),
)  # fmt: skip


def replace(internal: Path) -> list[str]:
    """Put stand-ins in the place of libraries, and return the names of those; none where there is no compiler.

    Parameters
    ----------
    internal : Path
        The bundle's folder of libraries.
    """
    if shutil.which("gcc") is None:
        return []
    return [
        path.name
        for stand_in in STAND_INS
        for path in sorted(internal.rglob(f"{stand_in.name}*"))
        if not path.is_symlink() and _replace(internal, path, stand_in)
    ]


def _replace(internal: Path, library: Path, stand_in: StandIn) -> bool:
    asked = elf.asked(internal, library)
    if not stand_in.answer and {name.partition("@")[0] for name in asked} - set(stand_in.functions):
        return False
    make(library, stand_in, asked)
    return True


def make(library: Path, stand_in: StandIn, asked: set[str]) -> None:
    """Write a library with functions, each named ``name`` or ``name@VERSION``."""
    code, versions = [], {}
    for symbol in sorted(asked):
        name, _, version = symbol.partition("@")
        head, body = stand_in.functions.get(name, ("long {}(void)", f"return {stand_in.answer};"))
        code.append(f"{head.format(name)} {{ {body} }}\n")
        versions.setdefault(version, []).append(name)
    script = "".join(f"{key} {{ global: {'; '.join(names)}; }};\n" for key, names in versions.items() if key)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "functions.c").write_text("".join(code))
        (Path(folder) / "versions").write_text(script)
        options = ["-shared", "-nostdlib", "-fPIC", "-O2", "-ffp-contract=off", "-Wl,--build-id=none"]
        options += [f"-Wl,-soname,{library.name}", *(["-Wl,--version-script,versions"] if script else [])]
        subprocess.run(["gcc", *options, "-o", library.name, "functions.c"], cwd=folder, check=True)
        library.unlink(missing_ok=True)
        shutil.copy(Path(folder) / library.name, library)
