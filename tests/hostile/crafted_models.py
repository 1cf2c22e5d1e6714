"""Model files as a stranger might make them: sound ones, with something changed."""

from __future__ import annotations

import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from core import catalogue
from core.frames.frame import Layout, Planes
from core.session.model import HEADER
from tests.learnt_models import learnt_model

LAYOUT = Layout(12, 16, Planes.RGB)
"""Of what they were learnt from."""

Make = Callable[[random.Random, Path], str]
"""Makes a file at a path, and tells what is wrong with it."""

Arrays = dict[str, np.ndarray]


def _written(path: Path, header: dict[str, Any], arrays: Arrays) -> None:
    packed = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **{HEADER: packed}, **arrays)


def _parts(model_path: Path) -> tuple[dict[str, Any], Arrays]:
    with np.load(model_path) as file:
        arrays = dict(file)
    return json.loads(arrays.pop(HEADER).tobytes()), arrays


def _first(array: np.ndarray, value: float) -> np.ndarray:
    changed = np.atleast_1d(array.copy())
    changed.flat[0] = value
    return changed.reshape(array.shape)


def _repeated(array: np.ndarray, rng: random.Random) -> np.ndarray:
    axes = [axis for axis in range(array.ndim) if array.shape[axis]]
    return np.repeat(array, 7, rng.choice(axes)) if axes else np.repeat(array[None], 7)


def _lengthened(array: np.ndarray, rng: random.Random) -> np.ndarray:
    axes = [axis for axis in range(array.ndim) if array.shape[axis]]
    axis = rng.choice(axes) if axes else None
    return array[None] if axis is None else np.concatenate([array, array.take([0], axis)], axis)


def _number(value: float) -> Callable[[np.ndarray, random.Random], np.ndarray]:
    return lambda array, rng: _first(array, value) if array.size else _repeated(array[None], rng)


OF_ARRAYS: dict[str, Callable[[np.ndarray, random.Random], np.ndarray]] = {
    "7 times along an axis": _repeated,
    "longer": _lengthened,
    "another axis": lambda array, rng: array[None],
    "complex": lambda array, rng: array.astype(np.complex128),
    "other byte order": lambda array, rng: array.astype(
        ">f8" if array.dtype.itemsize == 1 else array.dtype.newbyteorder(">")
    ),
    "other width": lambda array, rng: array.astype(np.float16),
    "text": lambda array, rng: np.full(array.shape or (1,), "x"),
    "NaN": _number(np.nan),
    "minus infinity": _number(-np.inf),
    "huge": _number(1e30),
    "half": lambda array, rng: _first(array, 0)[..., None][:1],
}
"""What an array may be instead."""


def _wrong_array(rng: random.Random, path: Path) -> str:
    header, arrays = _parts(_model(rng, path))
    what, change = rng.choice(list(OF_ARRAYS.items()))
    floats = [name for name, array in arrays.items() if array.dtype.kind == "f" and array.size]
    name = rng.choice(floats if what in {"NaN", "minus infinity", "huge"} else list(arrays))
    arrays[name] = change(arrays[name], rng)
    _written(path, header, arrays)
    return f"{header['method']}: {name} {what}"


def _negative(rng: random.Random, path: Path) -> str:
    header, arrays = _parts(_model(rng, path, "fast", "opgd", "onmfo", "b-kl", "l1", "ol-is"))
    name = rng.choice([name for name in ("method.W", "method.h", "method.usage") if name in arrays])
    arrays[name] = -arrays[name] - 1
    _written(path, header, arrays)
    return f"{header['method']}: {name} negative"


def _missing_or_extra(rng: random.Random, path: Path) -> str:
    header, arrays = _parts(_model(rng, path))
    names = [name for name in arrays if ".past_" not in name and "painted_only" not in name]
    name, is_listed = rng.choice(names), rng.random() < 0.7
    if rng.random() < 0.5:
        del arrays[name]
    else:
        name = rng.choice(["method.surplus", "mask.surplus", "other.W", "W", "method.W ", "../W", "mask.past_A"])
        arrays[name] = np.zeros((3, 3), np.float32)
    if is_listed:
        header["arrays"] = list(arrays)
    _written(path, header, arrays)
    return f"{header['method']}: {name} missing or extra"


VALUES = (-1, 10**9, 1e300, 1e-300, "x", None, "\x1b[31m" * 30, 10**300, "9" * 5000, True)
HEADERS: tuple[dict[str, Any], ...] = (
    {"height": 10**9}, {"width": 10**9}, {"height": 10**9, "width": 10**9}, {"height": 0}, {"width": -5},
    {"height": 1.5}, {"bit_depth": 0}, {"bit_depth": 1000}, {"planes": "grey"},
    {"planes": "Y Cb Cr 4:2:0"}, {"matrix": "ycgco"}, {"method": "magic"}, {"method": "onmf"}, {"method": "x" * 10**4},
    {"method": "\x1b[2J"}, {"version": 2}, {"version": 10**30}, {"version": "1"}, {"contrast": [0, 5]},
    {"contrast": [1e308, 0]}, {"contrast": [0.5, -1]}, {"contrast": [0.5, 10**9]}, {"arrays": []}, {"mood": "good"},
    {"arrays": ["method.W"] * 10**3}, {"values": []}, {"values": {"magic": 1}}, {"values": {"x" * 10**4: 1}},
    {"mood": "x" * 10**6}, {"values": {str(i): 0 for i in range(5000)}},
)  # fmt: skip


def _wrong_header(rng: random.Random, path: Path) -> str:
    header, arrays = _parts(_model(rng, path, "fast", "opgd"))
    if rng.random() < 0.4:
        name = rng.choice(["rank", "lam", "memory", "sensitivity", "warm_up"])
        value = rng.choice([v for v in VALUES if not (name in {"lam", "memory", "warm_up"} and v in (None, True))])
        value = -7 if value in (None, True, 1e-300) else value
        header["values"][name], change = value, f"{name}={str(value)[:20]!r}"
    else:
        changes = rng.choice(HEADERS)
        header.update(changes)
        change = json.dumps(changes)[:60]
    _written(path, header, arrays)
    return f"header: {change}"


RAW_HEADERS = (
    b"", b"{", b"[" * 60_000, b'{"version":1,"x":' + b"[" * 60_000, b'{"version":1,"x":' + b'{"a":' * 12_000,
    b"\xff\xfe{}", b'{"version":NaN}', b"null", b"1" * 6000, b" " * 70_000, b'{"version":1}', b'{"version":"\xc3\x28"}',
)  # fmt: skip


def _raw_header(rng: random.Random, path: Path) -> str:
    _, arrays = _parts(_model(rng, path, "fast"))
    raw = rng.choice(RAW_HEADERS)
    with path.open("wb") as file:
        np.savez(file, **{HEADER: np.frombuffer(raw, np.uint8)}, **arrays)
    return f"header {raw[:20]!r} of {len(raw)} bytes"


def _npy(shape: str, descr: str = "'<f4'", data: bytes = b"") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def _archive(rng: random.Random, path: Path) -> str:
    """Write an archive that is odd itself."""
    whole = _model(rng, path, "fast").read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        members = [(name, file.read(name)) for name in file.namelist()]
    kinds: dict[str, Callable[[], list[tuple[str, bytes]]]] = {
        "4 GiB declared": lambda: [*members[:-1], (members[-1][0], _npy("(1073741824,)"))],
        "an exabyte declared": lambda: [*members[:-1], (members[-1][0], _npy("(1152921504606846976,)"))],
        "objects": lambda: [*members[:-1], (members[-1][0], _npy("(1,)", "'|O'", bytes(8)))],
        "code": lambda: [*members[:-1], (members[-1][0], _npy("(1,)", "__import__('os').abort()", bytes(4)))],
        "a repeated name": lambda: [*members, members[-1]],
        "the header twice": lambda: [*members, members[0]],
        "a foreign file": lambda: [*members, ("../../evil.txt", b"evil")],
        "5000 files": lambda: [*members, *((f"{i}.npy", members[-1][1]) for i in range(5000))],
        "deep header": lambda: [*members[:-1], (members[-1][0], _npy("(" * 9000))],
    }
    what = rng.choice([*kinds, "deflated", "64 MiB deflated", "bzip2", "cut", "flags", "comment", "directory", "bytes"])
    if what in kinds:
        _zipped(path, kinds[what](), zipfile.ZIP_STORED)
    elif what in {"deflated", "bzip2"}:
        _zipped(path, members, zipfile.ZIP_DEFLATED if what == "deflated" else zipfile.ZIP_BZIP2)
    elif what == "64 MiB deflated":
        _zipped(path, [*members[:-1], (members[-1][0], _npy("(16777216,)", data=bytes(1 << 26)))], zipfile.ZIP_DEFLATED)
    elif what == "cut":
        path.write_bytes(whole[: rng.randrange(len(whole))])
    elif what == "flags":
        encrypted = whole.replace(b"PK\3\4\x2d\0\0\0", b"PK\3\4\x2d\0\1\0")
        path.write_bytes(encrypted.replace(b"\x2d\3\x2d\0\0\0", b"\x2d\3\x2d\0\1\0"))
    elif what == "comment":
        path.write_bytes(whole[:-2] + b"\x05\0hello")
    elif what == "directory":
        path.write_bytes(whole[:-10] + b"\xff\xff\xff\x7f" + whole[-6:])
    else:
        data = rng.choice(members)[1]
        place = whole.index(data[-32:])
        path.write_bytes(whole[:place] + bytes(255 - b for b in whole[place : place + 16]) + whole[place + 16 :])
    return f"archive: {what}"


def _zipped(path: Path, members: list[tuple[str, bytes]], compression: int) -> None:
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", compression) as file:
        warnings.simplefilter("ignore")
        for name, contents in members:
            file.writestr(name, contents)


def _strokes(rng: random.Random, path: Path) -> str:
    """Write a model whose painted strokes contradict each other."""
    learnt_model("fast", LAYOUT, painted=True).save(path)
    header, arrays = _parts(path)
    name = rng.choice([name for name in arrays if "painted_" in name])
    array = arrays[name]
    if name.endswith("strokes"):
        array[0, rng.randrange(2, 6)] = rng.choice([-2, 10**12, 999])
    elif array.ndim and rng.random() < 0.5:
        array = array[:-1]
    else:
        array = np.repeat(np.atleast_1d(array), 7, axis=0)
    arrays[name] = array
    _written(path, header, arrays)
    return f"strokes: {name}"


def _model(rng: random.Random, path: Path, *keys: str) -> Path:
    """Write a sound model of one of some methods, or of any; return its path."""
    kept = path.parent.parent / "sound"
    kept.mkdir(exist_ok=True)
    key = rng.choice(keys or list(catalogue.METHODS))
    sound = kept / f"{key}.npz"
    if not sound.exists():
        learnt_model(key, LAYOUT).save(sound)
    path.write_bytes(sound.read_bytes())
    return path


MODELS: tuple[Make, ...] = (
    _wrong_array, _wrong_array, _wrong_array, _negative, _missing_or_extra, _wrong_header, _raw_header, _archive,
    _strokes,
)  # fmt: skip
"""The first of them more often than others."""
