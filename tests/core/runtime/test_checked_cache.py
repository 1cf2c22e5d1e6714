"""No file of the compile cache is used unless it is what was written there."""

import importlib.util
import shutil
import types

import pytest
from numba.core import config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod

import core.kernels  # noqa: F401 - sets how kernels are kept
from core.runtime import checked_cache, numba_cache

KERNEL = """
from numba import njit

@njit(cache=True, nogil=True)
def {name}(x):
    return x + {added}
"""


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The folder where kernels are kept, for this test alone."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(config, "CACHE_DIR", str(folder))
    return folder


def fresh(tmp_path, name="kernel", added=1):
    """Return a kernel as a fresh process would define it."""
    path = tmp_path / f"{name}.py"
    if not path.exists():
        path.write_text(KERNEL.format(name=name, added=added))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def hits(kernel):
    return sum(kernel.stats.cache_hits.values())


def only(folder, kind):
    (path,) = folder.rglob(f"*.{kind}")
    return path


def test_what_is_whole_is_used_again(tmp_path, kept):
    assert fresh(tmp_path)(1) == 2
    again = fresh(tmp_path)
    assert (again(1), hits(again)) == (2, 1)


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_each_changed_bit_is_seen_and_the_kernel_compiled_anew(tmp_path, kept, kind):
    fresh(tmp_path)(1)
    path = only(kept, kind)
    whole = path.read_bytes()
    for place in (0, len(whole) // 2, len(whole) - 17, len(whole) - 1):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        kernel = fresh(tmp_path)
        assert (kernel(1), hits(kernel)) == (2, 0), place
        mended = fresh(tmp_path)
        assert (mended(1), hits(mended)) == (2, 1), place


@pytest.mark.parametrize("kinds", [["nbi"], ["nbc"], ["nbi", "nbc"]])
def test_a_folder_in_place_of_a_file_goes(tmp_path, kept, kinds):
    fresh(tmp_path)(1)
    for path in [only(kept, kind) for kind in kinds]:
        path.unlink()
        (path / "within").mkdir(parents=True)
    assert fresh(tmp_path)(1) == 2
    again = fresh(tmp_path)
    assert (again(1), hits(again)) == (2, 1)


def test_code_of_another_kernel_or_another_key_is_never_run(tmp_path, kept):
    fresh(tmp_path)(1)
    mine = only(kept, "nbc")
    other = fresh(tmp_path, "other", added=10)
    assert other(1) == 11
    (others,) = (path for path in kept.rglob("*.nbc") if path != mine)
    shutil.copy(others, mine)
    kernel = fresh(tmp_path)
    assert (kernel(1), hits(kernel)) == (2, 0)
    # The same file with a right checksum, of what was compiled for another type of argument.
    of_integers = mine.read_bytes()
    shutil.rmtree(kept)
    kept.mkdir()
    assert fresh(tmp_path)(1.5) == 2.5
    only(kept, "nbc").write_bytes(of_integers)
    kernel = fresh(tmp_path)
    assert (kernel(1.5), hits(kernel)) == (2.5, 0)


def test_a_bundle_keeps_its_kernels_wherever_it_is_started(tmp_path, kept, monkeypatch):
    """Code in a bundle names its file from the bundle's folder on: found only where the working folder is that one."""
    monkeypatch.chdir(tmp_path)
    source = "core/kernels/arrays.py"
    code = compile(KERNEL.format(name="kernel", added=1), source, "exec")
    for n_hits in (0, 1):
        module = types.ModuleType("bundled")
        exec(code, vars(module))
        assert (module.kernel(1), hits(module.kernel)) == (2, n_hits)
    assert {path.parent for path in kept.rglob("*.nb?")} == {kept / "kernels"}


def test_a_cache_that_cannot_be_written_is_gone_without(tmp_path, kept, monkeypatch):
    def full(*_args):
        raise OSError(28, "No space left on device")

    kernel = fresh(tmp_path)
    monkeypatch.setattr("os.replace", full)
    assert kernel(1) == 2
    assert not list(kept.rglob("*.nb?"))


def test_without_any_folder_kernels_compile_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "/dev/null/nowhere")
    kernel = fresh(tmp_path)
    assert (kernel(1), kernel.stats.cache_path) == (2, None)


def runtime(folder, monkeypatch):
    """Return numba's runtime as a fresh process would find it, and whether that was compiled."""
    monkeypatch.setenv(numba_cache.VARIABLE, str(folder))
    compiled, create = [], nrtdynmod.create_nrt_module
    monkeypatch.setattr(nrtdynmod, "create_nrt_module", lambda context: compiled.append(1) or create(context))
    with global_compiler_lock:
        library = checked_cache.runtime_of(CPUContext(cpu_target.typing_context))
    monkeypatch.setattr(nrtdynmod, "create_nrt_module", create)
    return library, bool(compiled)


def test_the_runtime_of_numba_is_compiled_once_and_anew_where_it_was_damaged(tmp_path, monkeypatch):
    defined = "NRT_incref", "NRT_decref", "nrt_unresolved_abort"
    for is_new in (True, False):
        library, compiled = runtime(tmp_path, monkeypatch)
        assert compiled == is_new
        assert {f.name for f in library._get_module_for_linking().functions} >= set(defined)
        assert all(library.get_pointer_to_function(name) for name in defined)
    path = only(tmp_path, "nbc")
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    assert [runtime(tmp_path, monkeypatch)[1] for _ in range(2)] == [True, False]


def test_where_nothing_can_be_kept_the_runtime_is_compiled(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path / "file", ""):
        assert [runtime(folder, monkeypatch)[1] for _ in range(2)] == [True, True]
    assert sorted(x.name for x in tmp_path.iterdir()) == ["file"]
