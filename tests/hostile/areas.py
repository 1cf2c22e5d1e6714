"""Areas that strangers made: JSON and pictures."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tests.hostile.attack import Attack, Outcome
from tests.hostile.models import no_file
from tests.hostile.program import start

SECONDS, MIB = 20, 1024
"""Areas are refused at once, or before the first frame."""

WIDTH, HEIGHT = 48, 32
"""Of the input, pixels."""

TRIANGLE = b'{"kind":"never","points":[[1,2],[30,4],[5,20]]}'

RAW: tuple[bytes, ...] = (
    b"", b"{", b"null", b"[]", b"[" * 60_000, b'{"shapes":' * 10_000, b"\xff\xfe", b"\0" * 1000, b" " * (3 << 20),
    b'{"shapes":[{}]}', b'{"shapes":{"kind":"never"}}', b'{"shapes":[{"kind":"\\u001b[2J","points":[[1,2]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2],[3,4]]}]}', b'{"shapes":[{"kind":"never","points":[[1]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1e308,2],[3,4],[5,6]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1e999,2],[3,4],[5,6]]}]}',
    b'{"shapes":[{"kind":"never","points":[["1",2],[3,4],[5,6]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2]],"thickness":1e9}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2]],"thickness":-1}]}', b'{"shapes":[],"mood":1}',
    b'{"shapes":[' + b",".join([TRIANGLE] * 3000) + b"]}",
    b'{"shapes":[{"kind":"keep","thickness":9,"points":[' + b",".join([b"[1,2]"] * 50_000) + b"]}]}",
    b'{"shapes":[{"kind":"keep","points":[' + b",".join([b"[1,2]", b"[9,9]"] * 2000) + b"]}]}",
    b'{"size":[48,32],"codes":"AAAA"}', b'{"size":[1000000,1000000],"codes":"AAAA"}', b'{"codes":"AAAA"}',
    b'{"size":[1000000,1000000]}', b'{"size":[9,9]}', b'{"size":[-4,4]}', b'{"size":[2,2],"codes":"CQkJCQ=="}',
)  # fmt: skip
"""JSON that is none, or no areas of the input."""


def _json(rng: random.Random, here: Path) -> tuple[Path, str]:
    raw = rng.choice(RAW)
    (here / "areas.json").write_bytes(raw)
    return here / "areas.json", f"{raw[:40]!r} of {len(raw)} bytes"


def _other_file(rng: random.Random, here: Path) -> tuple[Path, str]:
    path = here / rng.choice(["areas.json", "areas.png", "areas.tif", "areas", "areas.mp4"])
    return path, f"{path.name}: {no_file(rng, path)}"


def _picture(rng: random.Random, here: Path) -> tuple[Path, str]:
    path, kind = here / "areas.png", rng.choice(["another size", "cut short", "a header of 60,000 x 60,000", "text"])
    packed = bytearray(cv2.imencode(".png", np.full((HEIGHT, WIDTH), 255, np.uint8))[1].tobytes())
    if kind == "another size":
        packed = bytearray(cv2.imencode(".png", np.full((rng.randrange(1, 20), 9), 255, np.uint8))[1].tobytes())
    elif kind == "cut short":
        del packed[rng.randrange(1, 40) :]
    elif kind == "text":
        packed = bytearray(b"white")
    else:
        packed[16:24] = struct.pack(">II", 60_000, 60_000)
        packed[29:33] = struct.pack(">I", zlib.crc32(packed[12:29]))
    path.write_bytes(packed)
    return path, f"a picture: {kind}"


def _run(n: int, folder: Path) -> Iterator[Outcome]:
    (folder / "frames").mkdir()
    for index in range(3):
        cv2.imwrite(str(folder / "frames" / f"{index}.png"), np.full((HEIGHT, WIDTH, 3), 90 + index, np.uint8))
    sound = folder / "sound"
    sound.mkdir()
    (sound / "areas.json").write_bytes(b'{"shapes":[' + TRIANGLE + b"]}")
    yield Outcome("sound areas", _fault(sound, sound / "areas.json", 0))
    for index in range(n):
        rng, here = random.Random(index), folder / str(index)
        here.mkdir()
        path, what = (_json, _json, _picture, _other_file)[index % 4](rng, here)
        yield Outcome(f"{index}: {what}", _fault(here, path, 2))


def _fault(here: Path, path: Path, status: int) -> str | None:
    words = ["run", str(here.parent / "frames"), "--areas", str(path), "-o", "results"]
    ended = start(words, here).wait()
    if fault := ended.fault(status, seconds=SECONDS, mib=MIB):
        return fault
    if status and not ended.err.strip().isprintable():
        return f"not printable: {ended.err!r}"
    return f"long: {ended.err[:300]}" if len(ended.err) > 1500 else None


ATTACK = Attack("areas", "areas", "status 2 and a sentence naming what is wrong", 120, 8, _run)
