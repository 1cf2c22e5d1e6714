"""What can be wrong with a compile cache, and the program started on it."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import core

ROOT = Path(core.__file__).parents[1]


@dataclass
class Cache:
    """A copy of a warm cache, to be damaged, and how the program is then started.

    Attributes
    ----------
    folder : Path
        What ``NUMBA_CACHE_DIR`` names.
    command : list of str
        Starts the program.
    rng : Random
    planted : Path
        A file that appears where something planted has run.
    variables : dict
        Of the environment of the next starts.
    file_bytes : int or None
        Largest file that the next starts can write.
    """

    folder: Path
    command: list[str]
    rng: random.Random
    planted: Path
    variables: dict[str, str] = field(default_factory=dict)
    file_bytes: int | None = None

    @property
    def own(self) -> Path:
        """The folder of these kernels."""
        return next(self.folder.glob("cleanplate-kernels-*"))

    def files(self, kind: str) -> list[Path]:
        """Return the files of a kind, ``nbi`` or ``nbc``."""
        return sorted(self.own.rglob(f"*.{kind}"))

    def some(self, kind: str) -> Path:
        """Return one of them."""
        return self.rng.choice(self.files(kind))


def start(cache: Cache) -> subprocess.CompletedProcess[str]:
    """Start the program, and wait for its end."""
    variables = {"NUMBA_CACHE_DIR": str(cache.folder), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}

    def limit() -> None:
        import resource

        if cache.file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (cache.file_bytes, cache.file_bytes))

    try:
        return subprocess.run(
            cache.command, cwd=cache.folder.parent, env={**os.environ, **variables, **cache.variables},
            capture_output=True, text=True, timeout=240, check=False, preexec_fn=limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(cache.command, 124, "", f"still running after {late.timeout} s")


Damage = Callable[[Cache], None]


def _rewritten(kind: str, change: Callable[[random.Random, bytes], bytes]) -> Damage:
    def damage(cache: Cache) -> None:
        for path in cache.files(kind):
            path.write_bytes(change(cache.rng, path.read_bytes()))

    return damage


def _flipped(rng: random.Random, contents: bytes) -> bytes:
    place, changed = rng.randrange(len(contents)), bytearray(contents)
    changed[place] ^= 1 << rng.randrange(8)
    return bytes(changed)


CHANGES: dict[str, Callable[[random.Random, bytes], bytes]] = {
    "cut short": lambda rng, contents: contents[: rng.randrange(1, len(contents))],
    "a flipped bit": _flipped,
    "zeroed": lambda _rng, contents: bytes(len(contents)),
    "random bytes": lambda rng, contents: rng.randbytes(len(contents)),
    "empty": lambda _rng, _contents: b"",
    "longer": lambda rng, contents: contents + rng.randbytes(100),
    "text": lambda _rng, _contents: b"not a cache\n",
}


class _Code:
    """Unpickled, it makes a file."""

    def __init__(self, planted: Path) -> None:
        self._planted = planted

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return os.mkdir, (str(self._planted),)


def _pickles(cache: Cache) -> None:
    for path in [*cache.files("nbi"), *cache.files("nbc")]:
        path.write_bytes(pickle.dumps(_Code(cache.planted)))


def _planted_folder(cache: Cache) -> None:
    _pickles(cache)
    cache.own.chmod(0o777)


def _folders_for_files(cache: Cache) -> None:
    for path in (cache.some("nbi"), cache.some("nbc")):
        path.unlink()
        (path / "within").mkdir(parents=True)


def _pipes(cache: Cache) -> None:
    for path in (cache.some("nbi"), cache.some("nbc")):
        path.unlink()
        os.mkfifo(path)


def _endless(cache: Cache) -> None:
    path = cache.some("nbc")
    path.unlink()
    path.symlink_to("/dev/zero")


def _huge(cache: Cache) -> None:
    os.truncate(cache.some("nbc"), 1 << 40)


def _unreadable(cache: Cache) -> None:
    for path in [*cache.files("nbi"), *cache.files("nbc")]:
        path.chmod(0)


def _swapped(cache: Cache) -> None:
    files = cache.files("nbc")
    shutil.copy(files[0], files[-1])


def _lost(cache: Cache) -> None:
    cache.some("nbc").unlink()


def _file_for_folder(cache: Cache) -> None:
    own = cache.own
    shutil.rmtree(own)
    own.write_text("not a folder")


def _file_for_package(cache: Cache) -> None:
    inner = next(cache.own.iterdir())
    shutil.rmtree(inner)
    inner.write_text("not a folder")


def _link_for_folder(cache: Cache) -> None:
    own, elsewhere = cache.own, cache.folder.parent / "elsewhere"
    _pickles(cache)
    own.rename(elsewhere)
    own.symlink_to(elsewhere)


def _of_another_user(cache: Cache) -> None:
    _pickles(cache)
    if os.geteuid() == 0:
        os.chown(cache.own, 65534, 65534)
    else:
        cache.own.chmod(0o777)


def _read_only(cache: Cache) -> None:
    for folder in (cache.own, cache.folder):
        folder.chmod(0o500)
    if os.geteuid() == 0:  # Whom that does not stop.
        cache.variables["NUMBA_CACHE_DIR"] = "/proc/self/nowhere"


def _nowhere(cache: Cache) -> None:
    cache.variables |= {"NUMBA_CACHE_DIR": "/dev/null/nowhere", "TMPDIR": "/dev/null"}


def _emptied(cache: Cache) -> None:
    shutil.rmtree(cache.own)


def _full(cache: Cache) -> None:
    _emptied(cache)
    cache.file_bytes = cache.rng.choice([0, 1, 100, 4096])


def _another_machine(cache: Cache) -> None:
    """Let code of another processor lie under the name of ours; its checksum is right."""
    ours = {path: path.read_bytes() for path in cache.files("nbi")}
    shutil.rmtree(cache.own)
    cache.variables["NUMBA_CPU_NAME"] = "generic"
    start(cache)
    del cache.variables["NUMBA_CPU_NAME"]
    for path, contents in ours.items():
        path.write_bytes(contents)


DAMAGES: dict[str, Damage] = {
    "code of another machine": _another_machine,
    **{f"data {name}": _rewritten("nbc", change) for name, change in CHANGES.items()},
    "a pickle that runs code, in a folder open to all": _planted_folder,
    **{f"index {name}": _rewritten("nbi", change) for name, change in CHANGES.items()},
    "pickles that run code": _pickles,
    "folders in place of files": _folders_for_files,
    "pipes in place of files": _pipes,
    "a link to an endless device": _endless,
    "a file of a tebibyte": _huge,
    "unreadable files": _unreadable,
    "data of another kernel": _swapped,
    "lost data": _lost,
    "a file in place of the folder": _file_for_folder,
    "a file in place of the package's folder": _file_for_package,
    "a link in place of the folder": _link_for_folder,
    "another user's folder": _of_another_user,
    "read-only": _read_only,
    "nothing can be written anywhere": _nowhere,
    "empty": _emptied,
    "a full disk": _full,
}

LASTING = {"another user's folder", "read-only", "nothing can be written anywhere", "a full disk"}
"""What stays as it is: each start compiles anew."""
