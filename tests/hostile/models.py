"""Models, presets and settings of the window that strangers made."""

from __future__ import annotations

import io
import json
import os
import random
import socket
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from app.window import settings
from core import catalogue
from core.frames.frame import Layout, Planes
from core.session.model import HEADER
from tests.hostile.attack import Attack, Outcome
from tests.hostile.program import start
from tests.learnt_models import drawn_frames, learnt_model

LAYOUT = Layout(12, 16, Planes.RGB)

SECONDS, MIB = 10, 1024
"""A file that is refused is refused at once."""

Arrays = dict[str, np.ndarray]
Make = Callable[[random.Random, Path], str]
"""Makes a file at a path, and tells what is wrong with it."""


# -- models


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
    {"planes": "Y Cb Cr 4:2:0"}, {"matrix": "bt2020"}, {"method": "magic"}, {"method": "onmf"}, {"method": "x" * 10**4},
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


# -- presets

PRESET: dict[str, Any] = {"version": 1, "name": "Mine", "method": "fast", "values": {"rank": 4}, "passes": 2}
PRESETS: tuple[dict[str, Any], ...] = (
    {"passes": 0}, {"passes": -1}, {"passes": 10**6}, {"passes": 10**30}, {"passes": 1.5}, {"passes": True},
    {"passes": None}, {"version": 2}, {"version": True}, {"name": 3}, {"method": "magic"}, {"method": "\x1b[2J"},
    {"method": "x" * 10**4}, {"values": [1]}, {"values": {"magic": 1}}, {"values": {"rank": 0}},
    {"values": {"rank": 10**300}}, {"values": {"rank": "9" * 5000}}, {"values": {"rank": 1.5}},
    {"values": {"lam": -1}}, {"values": {"lam": 1e300}}, {"values": {"lam": "nan"}}, {"values": {"lam": "x" * 10**4}},
    {"values": {"\x1b[31m": 1}}, {"values": {"forget": "perhaps"}}, {"values": {"rank": {"a": 1}}}, {"mood": 1},
    {"seed": -1}, {"name": "x" * 10**6}, {"values": {"sensitivity": 10**9}}, {"values": {"sample": 10**12}},
)  # fmt: skip
RAW_PRESETS = (
    b"", b"{", b"[" * 60_000, b'{"x":' * 10_000, b"\xff\xfe", b"null", b"[]", b"\0" * 1000, b'{"name":"\xc3\x28"}',
    b"{" + b" " * 10**6 + b"}", b'{"version":1,"name":"a","method":"fast","passes":' + b"1" * 6000 + b"}",
    b'{"version":1,"name":"a","method":"fast","values":{"lam":1e999}}', b"\xef\xbb\xbf{}",
)  # fmt: skip


def _preset(rng: random.Random, path: Path) -> str:
    if rng.random() < 0.3:
        raw = rng.choice(RAW_PRESETS)
        path.write_bytes(raw)
        return f"preset {raw[:30]!r} of {len(raw)} bytes"
    change = rng.choice(PRESETS)
    path.write_text(json.dumps({**PRESET, **change}))
    return f"preset {json.dumps(change)[:60]}"


# -- what is no file


def _no_file(rng: random.Random, path: Path) -> str:
    kind = rng.choice(["pipe", "folder", "socket", "device", "endless", "link"])
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            here = os.open(path.parent, os.O_RDONLY)
            listener.bind(f"/proc/self/fd/{here}/{path.name}")
            os.close(here)
    else:
        path.symlink_to({"device": "/dev/tty", "endless": "/dev/zero", "link": path.name}[kind])
    return f"a {kind}"


# -- settings of the window

REMEMBERED: tuple[bytes, ...] = (
    b"", b"{", b"[" * 60_000, b'{"x":' * 10_000, b"\xff\xfe", b"null", b'{"version":7}', b'{"theme":"pink"}',
    b'{"recent":3}', b'{"recent":["\\u0000"]}', b'{"geometry":"zz"}', b'{"geometry":"' + b"ff" * 10**5 + b'"}',
    b'{"recent":' + json.dumps(["x" * 10**5] * 20).encode() + b"}", b'{"real_time":"perhaps"}',
    b'{"export_folder":"\\u0000"}', b" " * 10**6,
)  # fmt: skip


def _remembered(rng: random.Random, folder: Path) -> Outcome:
    """Read what the window remembers: the defaults, and a note."""
    path, what = folder / "window.json", "an odd file"
    if rng.random() < 0.7:
        raw = rng.choice(REMEMBERED)
        path.write_bytes(raw)
        what = f"{raw[:30]!r} of {len(raw)} bytes"
    else:
        what = _no_file(rng, path)
    remembered, note = settings.read(path)
    fell_back = remembered == settings.Remembered() and note is not None and "\n" not in note
    return Outcome(f"window: {what}", None if fell_back else f"{remembered} and {note!r}")


# -- all of it

MODELS: tuple[Make, ...] = (
    _wrong_array, _wrong_array, _wrong_array, _negative, _missing_or_extra, _wrong_header, _raw_header, _archive,
    _strokes, _no_file,
)  # fmt: skip
PRESET_FILES: tuple[Make, ...] = (_preset, _preset, _no_file)


def _run(n: int, folder: Path) -> Iterator[Outcome]:
    for index, v in enumerate(drawn_frames(LAYOUT, 3)):
        (folder / "frames").mkdir(exist_ok=True)
        cv2.imwrite(str(folder / "frames" / f"{index}.png"), LAYOUT.image(v)[..., ::-1])
    yield from _sound(folder)
    for index in range(n):
        rng, here = random.Random(index), folder / str(index)
        here.mkdir()
        if index % 10 == 9:
            yield _remembered(rng, here)
            continue
        is_model = index % 10 < 7
        make = rng.choice(MODELS if is_model else PRESET_FILES)
        what = make(rng, here / "given")
        yield Outcome(f"{index}: {what}", _fault(here, "--model" if is_model else "--preset"))


def _sound(folder: Path) -> Iterator[Outcome]:
    """Give two that have to be taken: a check that refuses all would be none."""
    for key in ("fast", "opgd"):
        here = folder / f"sound-{key}"
        here.mkdir()
        learnt_model(key, LAYOUT, painted=True).save(here / "given")
        ended = start(["run", str(folder / "frames"), "--model", str(here / "given"), "-o", "results"], here).wait()
        yield Outcome(f"a sound model of {key}", ended.fault(0))


def _fault(here: Path, option: str) -> str | None:
    frames = here.parent / "frames"
    ended = start(["run", str(frames), option, str(here / "given"), "-o", "results"], here).wait()
    if fault := ended.fault(2, seconds=SECONDS, mib=MIB):
        return fault
    if not ended.err.strip().isprintable():
        return f"not printable: {ended.err!r}"
    return f"long: {ended.err[:300]}" if len(ended.err) > 1500 else None


ATTACK = Attack("models", "models and presets", "status 2 and a sentence naming what is wrong", 300, 30, _run)
