"""A compile cache that is damaged, planted, empty, full or read-only: every start has to work."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.attack import Attack, Outcome
from tests.hostile.cache_damages import CHANGES, DAMAGES, LASTING, ROOT, Cache, start

KERNEL = """
from numba import njit

@njit(cache=True, nogil=True)
def more(x):
    return 2 * x

@njit(cache=True, nogil=True)
def kernel(x):
    return more(x) + 1
"""

USE = """
import json
import core
from core.kernels.kernel import kernel, more
answers = kernel(10), more(3)
print(json.dumps([*answers, sum(kernel.stats.cache_hits.values())]))
"""
ANSWERS = [21, 6]

RUN = ["-m", "app", "run", "sample:street", "-o", "results", "--frames", "1:4", "--size", "160x120", "--overwrite"]
"""A start of the real program."""

EVERY = 8
"""One in so many cases of `make hostile` is of the real program: its kernels take a minute to compile."""


def run(n: int, folder: Path) -> Iterator[Outcome]:
    """Damage a warm cache in ``n`` ways and start the program twice on each."""
    small = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(_package(folder / 'package'))!r})\n{USE}"]
    warm = _warm(folder / "small", small)
    warm_real: Path | None = None
    names = list(DAMAGES)
    for i in range(n):
        kind = i - i // EVERY
        name = names[i * len(names) // n if n < len(names) else kind % len(names)]
        place = folder / f"case-{i}"
        if i % EVERY < EVERY - 1:
            cache = _copied(warm, place, small, i)
            DAMAGES[name](cache)
            fault = _starts(cache, repairs=name not in LASTING)
        else:
            name = f"the program, data {list(CHANGES)[i // EVERY % len(CHANGES)]}"
            real = [sys.executable, *RUN]
            warm_real = warm_real or _warm(folder / "real", real)
            cache = _copied(warm_real, place, real, i)
            path = cache.some("nbc")
            path.write_bytes(CHANGES[name.rpartition("data ")[2]](cache.rng, path.read_bytes()))
            fault = _fault_of(start(cache))
        if cache.planted.exists():
            fault = "what was planted has run"
        yield Outcome(f"{name} (case {i})", fault)
        for path in (cache.folder, *cache.folder.glob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(place)


def _package(root: Path) -> Path:
    """Make a package with this one's way to keep kernels, and two kernels that compile in a second."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "core" / "runtime", root / "core" / "runtime", ignore=ignored)
    (root / "core" / "kernels").mkdir()
    for name in ("__init__.py", "kernels/__init__.py"):
        shutil.copy(ROOT / "core" / name, root / "core" / name)
    (root / "core" / "kernels" / "kernel.py").write_text(KERNEL)
    return root


def _warm(place: Path, command: list[str]) -> Path:
    """Start the program on an empty cache, and return that."""
    cache = Cache(place / "cache", command, random.Random(0), place / "planted")
    cache.folder.mkdir(parents=True)
    done = start(cache)
    assert done.returncode == 0, done.stderr
    return cache.folder


def _copied(warm: Path, place: Path, command: list[str], seed: int) -> Cache:
    shutil.copytree(warm, place / "cache")
    return Cache(place / "cache", command, random.Random(seed), place / "planted")


def _starts(cache: Cache, *, repairs: bool) -> str | None:
    """Start the small program twice and return what is wrong."""
    for number in range(2):
        done = start(cache)
        if fault := _fault_of(done):
            return f"start {number + 1}: {fault}"
        *answers, hits = json.loads(done.stdout)
        if answers != ANSWERS:
            return f"start {number + 1}: wrong results, {answers}"
        if number and repairs and not hits:
            return "compiled again at the second start"
    return None


def _fault_of(done: subprocess.CompletedProcess[str]) -> str | None:
    return None if done.returncode == 0 else f"status {done.returncode}: {done.stderr.strip()[-200:]}"


CACHES = Attack("caches", "damaged, empty, full, read-only caches", "every start works", 48, 2, run)
