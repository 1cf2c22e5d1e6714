"""Models, presets and settings of the window that strangers made."""

from __future__ import annotations

import json
import os
import random
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from app.window import settings
from tests.hostile.attack import Attack, Outcome
from tests.hostile.crafted_models import LAYOUT, MODELS, Make
from tests.hostile.program import start
from tests.learnt_models import drawn_frames, learnt_model

SECONDS, MIB = 10, 1024
"""A file that is refused is refused at once."""


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


def no_file(rng: random.Random, path: Path) -> str:
    """Put something else than a file there; return what."""
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
        what = no_file(rng, path)
    remembered, note = settings.read(path)
    fell_back = remembered == settings.Remembered() and note is not None and "\n" not in note
    return Outcome(f"window: {what}", None if fell_back else f"{remembered} and {note!r}")


# -- all of it

PRESET_FILES: tuple[Make, ...] = (_preset, _preset, no_file)


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
        make = rng.choice((*MODELS, no_file) if is_model else PRESET_FILES)
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


ATTACK = Attack("models", "models and presets", "status 2 and a sentence naming what is wrong", 300, 20, _run)
