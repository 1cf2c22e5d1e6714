"""Make a bundle's data of ICU smaller: Qt sorts names by it, and of 32 MB for all languages it needs one.

What is not there, ICU answers by its root locale, as for a language that it does not know.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

KEPT = re.compile(
    r"(root|res_index|pool|supplementalData|likelySubtags|keyTypeData|zoneinfo64|timezoneTypes|metaZones)\.res"
    r"|coll/(root|res_index|pool)\.res|coll/ucadata\.icu|brkitr/(root|res_index)\.res|\w+\.(icu|nrm|spp)"
)
"""Of the names behind `icudtNNl/`: the root of what Qt asks for, and properties of characters."""

ALIGNMENT = 16
"""Of each part of the data, bytes."""


def trim(folder: Path) -> int:
    """Put a smaller library in the place of ICU's data in a folder; returns how many bytes that saves.

    Without a compiler, which links it, the data stay as they are.
    """
    if shutil.which("gcc") is None or shutil.which("readelf") is None:
        return 0
    saved = 0
    for path in folder.glob("libicudata.so.*"):
        number = path.name.rpartition(".")[2]
        before = path.stat().st_size
        data = _trimmed(_symbol(path, f"icudt{number}_dat"))
        _link(data, f"icudt{number}_dat", path)
        saved += before - path.stat().st_size
    return saved


def _symbol(path: Path, name: str) -> bytes:
    """Return what lies at a symbol of a library, up to the end of the file's section that it is in."""
    told = subprocess.run(["readelf", "-sW", "-SW", str(path)], capture_output=True, text=True, check=True).stdout
    address = next(int(line.split()[1], 16) for line in told.splitlines() if line.split()[-1:] == [name])
    for line in told.splitlines():
        found = re.match(r"\s*\[ *\d+\] (\.\S+)\s+PROGBITS\s+(\w+) (\w+) (\w+)", line)
        if found:
            start, offset, size = (int(x, 16) for x in found.groups()[1:])
            if start <= address < start + size:
                return path.read_bytes()[offset + address - start : offset + size]
    raise ValueError(f"{path.name} holds no {name}")


def _trimmed(data: bytes) -> bytes:
    """Return an archive of ICU's common data with the parts that are kept.

    A header; then, counted from its end, a table: how many parts there are, and for each where its name and its
    contents begin. See `ucmndata.h` of ICU.
    """
    base = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, base)[0]
    table = [struct.unpack_from("<II", data, base + 4 + 8 * i) for i in range(count)]
    ends = [*(start for _, start in table[1:]), len(data) - base]
    parts = []
    for (name_at, start), end in zip(table, ends, strict=True):
        name = data[base + name_at : data.index(b"\0", base + name_at)]
        if KEPT.fullmatch(name.decode().partition("/")[2]):
            parts.append((name + b"\0", data[base + start : base + end]))
    names_at = 4 + 8 * len(parts)
    offset = _aligned(base + names_at + sum(len(name) for name, _ in parts)) - base
    entries, names, contents = b"", b"", b""
    for name, part in parts:
        entries += struct.pack("<II", names_at + len(names), offset + len(contents))
        names += name
        contents += part.ljust(_aligned(len(part)), b"\0")
    head = data[:base] + struct.pack("<I", len(parts)) + entries + names
    return head.ljust(base + offset, b"\0") + contents


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _link(data: bytes, symbol: str, library: Path) -> None:
    """Make a library that holds nothing but data at a symbol."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data.bin").write_bytes(data)
        (folder / "data.s").write_text(
            f".section .rodata\n.balign {ALIGNMENT}\n.globl {symbol}\n.type {symbol}, @object\n"
            f'{symbol}: .incbin "data.bin"\n.size {symbol}, . - {symbol}\n.section .note.GNU-stack,"",@progbits\n'
        )
        options = ["-shared", "-nostdlib", "-Wl,--build-id=none", f"-Wl,-soname,{library.name}"]
        subprocess.run(["gcc", *options, "-o", library.name, "data.s"], cwd=folder, check=True)
        library.write_bytes((folder / library.name).read_bytes())
