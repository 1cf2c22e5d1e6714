"""Numba's cache of compiled kernels, made safe against damage: a file that is not what was written is compiled anew.

By itself numba unpickles whatever its files hold, runs the machine code in it, and passes on each error on the way: a
file that was cut short stops every start, and a flipped bit may end the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba.core import caching, config, dispatcher
from numba.core.runtime import nrtdynmod

from core.runtime import numba_cache

CHECKSUM_BYTES = 16
"""At the end of each file. Pickles end by a mark of their own, and do not see it."""

MAX_FILE_BYTES = 64 << 20
"""What is larger was not written here, and is not read: the largest kernel takes some 200 kB."""

PLACE_PARTS = 3
"""Last parts of a path that a checksum covers: the folder of these kernels, of their package, and the file's name."""

RUNTIME = "runtime"
"""Folder and file of what is kept of numba itself."""

PROGRAM = numba_cache.KERNELS.parents[1]
"""The folder of the program's packages."""


class _CheckedFiles(caching.IndexDataCacheFile):
    """The two kinds of file of one kernel, each with a checksum of its contents and its place."""

    def save(self, key: object, data: object) -> None:
        """Write what was compiled, and what for: a file of another machine may come to lie under the same name."""
        super().save(key, (key, self._source_stamp, data))

    def load(self, key: object) -> object:
        """Return what was compiled for this key, None where there is nothing of use."""
        found = super().load(key)
        return found[2] if found is not None and found[:2] == (key, self._source_stamp) else None

    def _load_index(self) -> Any:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        if not _is_whole(path):
            raise FileNotFoundError(path)  # `load` expects that another process may have removed it.
        return super()._load_data(name)

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        if os.path.isdir(filepath):
            _remove(filepath)  # No file can be renamed to its name.
        with super()._open_for_write(filepath) as file:
            contents = io.BytesIO()
            yield contents
            file.write(contents.getvalue() + _checksum(filepath, contents.getvalue()))


class _Locator(caching.UserProvidedCacheLocator):
    """Finds the folder of a kernel below the one that the program has chosen."""

    @classmethod
    def from_function(cls, py_func: Callable[..., object], py_file: str) -> object:
        """Return the locator of a kernel, None where nothing can be kept.

        In a bundle, code names its file from the bundle's folder on, which is not the working folder.
        """
        return super().from_function(py_func, str(PROGRAM / py_file))

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder for the kernels of a file, the same wherever the program lies: so does an AppImage."""
        path = Path(py_file).resolve()
        if path.is_relative_to(numba_cache.KERNELS):
            return path.parent.relative_to(numba_cache.KERNELS.parent).as_posix().replace("/", "_")
        return str(super().get_suitable_cache_subpath(py_file))


class _Place(caching.CompileResultCacheImpl):
    """Keeps kernels in the folder that `numba_cache` has looked at, and in no other that numba would try."""

    _locator_classes: list[type[object]] = [_Locator]  # noqa: RUF012


class KernelCache(caching.FunctionCache):
    """What was compiled of one kernel. Nothing that goes wrong here is worth more than compiling again."""

    _impl_class = _Place

    def __init__(self, py_func: Callable[..., object]) -> None:
        super().__init__(py_func)
        self._cache_file = _CheckedFiles(
            self.cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: object, target_context: object) -> object:
        """Return what was compiled for a signature, None where it is to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # Unpickling may raise anything, where the libraries have changed, say.
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep what was compiled, unless the disk is full or may not be written any more."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def install() -> None:
    """Let numba keep kernels in a `KernelCache`: those that are defined from now on."""
    # Where numba was imported before this program, it has not seen the variable.
    vars(config)["CACHE_DIR"] = os.environ.get(numba_cache.VARIABLE, "")
    vars(dispatcher)["FunctionCache"] = _cache_of
    vars(nrtdynmod)["compile_nrt_functions"] = runtime_of


def runtime_of(context: Any) -> Any:
    """Return the library of numba's own runtime for a target, kept beside the kernels: they all link with it.

    By itself numba compiles it in each process. That takes 0.1 s, and brings in 20 MiB of LLVM that nothing else needs
    where all kernels are kept.
    """
    codegen, folder = context.codegen(), Path(os.environ.get(numba_cache.VARIABLE, ""), RUNTIME)
    files, key = _CheckedFiles(str(folder), RUNTIME, ""), codegen.magic_tuple()
    with contextlib.suppress(Exception):  # As in `load_overload`.
        found = files.load(key)
        if found is not None:
            return codegen.unserialize_library(found)
    module, library = nrtdynmod.create_nrt_module(context)
    library.add_ir_module(module)
    library.enable_object_caching()
    library.finalize()
    if folder.is_absolute():
        with contextlib.suppress(OSError):
            folder.mkdir(exist_ok=True)
            files.save(key, library.serialize_using_object_code())
    return library


def _cache_of(py_func: Callable[..., object]) -> Any:
    try:
        return KernelCache(py_func)
    except (OSError, RuntimeError):  # Nothing can be kept: numba has a RuntimeError for that.
        return caching.NullCache()


def _is_whole(path: str) -> bool:
    """Tell whether a file holds what was written to it; what lies there instead is removed."""
    try:
        found = os.lstat(path)
        if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE_BYTES:
            contents = Path(path).read_bytes()
            if contents[-CHECKSUM_BYTES:] == _checksum(path, contents[:-CHECKSUM_BYTES]):
                return True
        _remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _remove(path)
    return False


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def _checksum(path: str, contents: bytes) -> bytes:
    place = "/".join(Path(path).parts[-PLACE_PARTS:])
    return hashlib.blake2b(contents, digest_size=CHECKSUM_BYTES, key=hashlib.sha256(place.encode()).digest()).digest()
