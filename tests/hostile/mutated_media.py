"""Files of every kind that the program reads, each damaged at random: as by a bad disk, or by someone who tries."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.hostile.attack import Attack, Outcome
from tests.hostile.batch import SIZE, run_batch
from tests.hostile.media import media

SEED = 20_261
AT_ONCE = 2
EXTREMES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
HEAD = 512
"""Bytes at the start that most headers lie in."""


def flip(data: bytearray, rng: random.Random) -> None:
    """Change a few bits."""
    for _ in range(rng.choice((1, 2, 8, 40))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def flip_head(data: bytearray, rng: random.Random) -> None:
    """Change a few bytes where headers lie."""
    for _ in range(rng.choice((1, 2, 4))):
        data[rng.randrange(min(HEAD, len(data)))] = rng.randrange(256)


def cut(data: bytearray, rng: random.Random) -> None:
    """End early."""
    del data[rng.randrange(len(data)) :]


def cut_out(data: bytearray, rng: random.Random) -> None:
    """Lose a part from the middle."""
    start = rng.randrange(len(data))
    del data[start : start + rng.choice((1, 3, 64, 1000))]


def blank(data: bytearray, rng: random.Random) -> None:
    """Fill a part with zeros, as a sector that was never written."""
    start, length = rng.randrange(len(data)), rng.choice((4, 64, 512, 4096))
    data[start : start + length] = bytes(len(data[start : start + length]))


def set_extreme(data: bytearray, rng: random.Random) -> None:
    """Set a number to the least or largest that it may be, in either order of bytes."""
    form = rng.choice((">H", "<H", ">I", "<I"))
    size = struct.calcsize(form)
    place = rng.randrange(max(1, min(len(data), rng.choice((HEAD, len(data)))) - size))
    data[place : place + size] = struct.pack(form, rng.choice(EXTREMES) & ((1 << 8 * size) - 1))


def swap(data: bytearray, rng: random.Random) -> None:
    """Exchange two parts."""
    length = rng.choice((4, 16, 256, 1024))
    a, b = sorted(rng.randrange(max(1, len(data) - length)) for _ in range(2))
    if b - a >= length:
        data[a : a + length], data[b : b + length] = data[b : b + length], data[a : a + length]


def repeat(data: bytearray, rng: random.Random) -> None:
    """Have a part twice or many times."""
    start, length = rng.randrange(len(data)), rng.choice((8, 100, 2000))
    data[start:start] = data[start : start + length] * rng.choice((1, 1, 50))


def splice(data: bytearray, rng: random.Random) -> None:
    """Go on as a file of another kind."""
    other = rng.choice([contents for _, contents in media().values()])
    place = rng.randrange(len(data))
    data[place:] = other[min(place, len(other) - 1) :]


MUTATORS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip, flip_head, flip_head, cut, cut_out, blank, set_extreme, set_extreme, swap, repeat, splice,
)  # fmt: skip


def mutated(number: int) -> tuple[str, str, bytes]:
    """Return what case ``number`` is, its suffix and its contents."""
    rng = random.Random(SEED * 1_000_003 + number)
    kinds = sorted(media())
    kind = kinds[number % len(kinds)]
    suffix, contents = media()[kind]
    data, done = bytearray(contents), []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if data:
            mutator = rng.choice(MUTATORS)
            mutator(data, rng)
            done.append(mutator.__name__)
    return f"{number}: {kind} {'+'.join(done)}", suffix, bytes(data)


def run(n_cases: int, folder: Path) -> Iterator[Outcome]:
    """Damage files and let the program read them."""
    batches = [range(first, min(first + SIZE, n_cases)) for first in range(0, n_cases, SIZE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for outcomes in pool.map(lambda numbers: _run_numbers(numbers, folder / str(numbers[0])), batches):
            yield from outcomes


def _run_numbers(numbers: range, folder: Path) -> list[Outcome]:
    folder.mkdir()
    names, cases = [], []
    for number in numbers:
        name, suffix, data = mutated(number)
        path = folder / f"{number}{suffix}"
        path.write_bytes(data)
        names.append(name)
        cases.append(["run", str(path), "-o", f"results-{number}", "--save", "plate,mask", "--passes", "1", "--quiet"])
    ended = run_batch(cases, folder)
    return [Outcome(name, one.fault()) for name, one in zip(names, ended, strict=True)]


ATTACK = Attack(
    "media",
    "mutated media of every kind read",
    "status 0 or 2 with one sentence; 0 “went wrong”, 0 signals, 0 over 30 s, 0 over 2 GiB",
    5000,
    100,
    run,
)
