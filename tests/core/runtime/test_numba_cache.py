"""What was compiled once is never compiled again, unless any file of the kernels has changed."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.runtime import checked_cache, numba_cache

ROOT = Path(core.__file__).parents[1]

SCRIPT = """
import json, sys
import core
import numpy as np
from numba import njit
from numba.core import event
from numba.core.dispatcher import Dispatcher

compiled = event.RecordingListener()
event.register("numba:compile", compiled)

@njit(cache=True)
def of_this_file(x):
    return x + 1

of_this_file(1)

from core.frames.frame import Frame, Layout, Planes
from core.session.session import Session
from core.session.settings import Settings
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource

layout = Layout(48, 64, Planes.GREY)
rng = np.random.default_rng(0)
pictures = rng.integers(90, 110, (3, layout.n_values)).astype(np.uint8)
source = SampleSource(SourceInfo("noise", layout, 30.0, 3), lambda i: Frame(i, i / 30, pictures[i], layout))
reports = list(Session(source, Settings("fast", {"learn_every": 1})).run())
kernels = {
    id(thing): thing
    for name, module in list(sys.modules.items()) if name.startswith(("core.", "__main__"))
    for thing in vars(module).values() if isinstance(thing, Dispatcher)
}
used = [k.stats for k in kernels.values() if k.stats.cache_hits or k.stats.cache_misses]
print(json.dumps({
    "frames": len(reports),
    "kernels": len(used),
    "misses": sum(sum(s.cache_misses.values()) for s in used),
    "hits": sum(sum(s.cache_hits.values()) for s in used),
    "compiled": len(compiled.buffer),
}))
"""


def start(script):
    """Run three grey frames of 64×48 in a fresh process; return what its kernels count."""
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_second_start_compiles_nothing_again(tmp_path):
    script = tmp_path / "start.py"  # At least its own kernel is new to the first start.
    script.write_text(SCRIPT)
    first, second = start(script), start(script)
    assert first["frames"] == second["frames"] == 3
    assert first["kernels"] >= 5
    assert first["misses"] > 0
    assert first["compiled"] > 0
    assert second["hits"] >= 5, second  # fewer than were compiled: kernels within kernels are not asked for
    assert (second["misses"], second["compiled"]) == (0, 0), second


KERNEL = """
from numba import njit
from core.kernels.helper import more

@njit(cache=True, nogil=True)
def kernel(x):
    return more(x) + 1
"""

HELPER = """
from numba import njit

@njit(cache=True, nogil=True)
def more(x):
    return {factor} * x
"""

USE = """
import json, os
import core
from core.kernels.kernel import kernel
answer = kernel(10)
hits = sum(kernel.stats.cache_hits.values())
print(json.dumps({"answer": answer, "hits": hits, "folder": os.environ.get("NUMBA_CACHE_DIR")}))
"""


@pytest.fixture
def package(tmp_path):
    """A package with this one's way to keep kernels, one kernel, and its helper in another file."""
    root = tmp_path / "package"
    shutil.copytree(ROOT / "core" / "runtime", root / "core" / "runtime", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "core" / "__init__.py", root / "core")
    (root / "core" / "kernels").mkdir()
    (root / "core" / "kernels" / "__init__.py").write_text("")
    (root / "core" / "kernels" / "kernel.py").write_text(KERNEL)
    write_helper(root, 2)
    return root


def write_helper(root, factor):
    (root / "core" / "kernels" / "helper.py").write_text(HELPER.format(factor=factor))


def use(root, **variables):
    """Call the kernel of a package in a fresh process; return its answer, and whether it came from the cache."""
    env = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    env |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    command = [sys.executable, "-c", USE]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_changed_helper_compiles_its_kernels_again_and_the_same_contents_do_not(package):
    first, again = use(package), use(package)
    assert (first["answer"], first["hits"]) == (21, 0)
    assert (again["answer"], again["hits"]) == (21, 1)
    assert Path(again["folder"]).parent == package / "core" / "kernels" / "__pycache__"
    write_helper(package, 3)
    changed = use(package)
    assert (changed["answer"], changed["hits"]) == (31, 0)
    kept = [x for x in Path(changed["folder"]).parent.iterdir() if x.name.startswith(numba_cache.OWN)]
    assert kept == [Path(changed["folder"])], "what was compiled of the older contents is gone"


def test_numba_by_itself_would_keep_the_old_helper(package):
    (package / "core" / "__init__.py").write_text("")
    assert use(package)["answer"] == 21
    write_helper(package, 3)
    assert use(package) == {"answer": 21, "hits": 1, "folder": None}


def test_a_chosen_folder_holds_the_kernels_and_nothing_else_of_it_is_touched(package, tmp_path):
    chosen = tmp_path / "chosen"
    others = [chosen / "other", chosen / f"{numba_cache.OWN}01234567-of-another-installation"]
    for other in others:
        other.mkdir(parents=True)
    first = use(package, NUMBA_CACHE_DIR=str(chosen))
    inherited = use(package, NUMBA_CACHE_DIR=first["folder"])
    assert Path(first["folder"]).parent == chosen
    assert (inherited["folder"], inherited["hits"]) == (first["folder"], 1), "as a process that this one starts"
    write_helper(package, 3)
    changed = use(package, NUMBA_CACHE_DIR=first["folder"])
    assert changed["answer"] == 31
    assert sorted(chosen.iterdir()) == sorted([*others, Path(changed["folder"])])


def test_kernels_depend_on_no_module_that_the_key_leaves_out():
    for path in (ROOT / "core" / "kernels").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            foreign = [x for x in names if x.split(".")[0] in {"core", "app"} and not x.startswith("core.kernels")]
            # No kernel is in this file: it sets how those that are defined after it are kept.
            allowed = ["core.runtime"] if path == ROOT / "core" / "kernels" / "__init__.py" else []
            assert foreign in ([], allowed), path


@pytest.fixture
def parent(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "parent"))
    return tmp_path / "parent"


def test_the_folder_is_this_users_alone(parent):
    folder = numba_cache.lasting_folder()
    assert folder.parent == parent
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "kept").mkdir()
    assert numba_cache.lasting_folder() == folder
    assert (folder / "kept").exists(), "a good one stays as it is"


@pytest.mark.skipif(os.name != "posix", reason="permissions are another thing on Windows")
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o750])
def test_what_lay_open_to_others_is_thrown_away(parent, mode):
    folder = numba_cache.lasting_folder()
    (folder / "planted").mkdir()
    folder.chmod(mode)
    assert numba_cache.lasting_folder() == folder
    assert not list(folder.iterdir())


@pytest.mark.parametrize("what", ["file", "link"])
def test_what_lies_in_the_folders_place_goes(parent, tmp_path, what):
    folder = numba_cache.lasting_folder()
    folder.rmdir()
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "planted").mkdir(parents=True)
    if what == "file":
        folder.write_text("not a folder")
    else:
        folder.symlink_to(elsewhere)
    assert numba_cache.lasting_folder() == folder
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert (elsewhere / "planted").exists(), "nothing behind a link is touched"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_left_alone_and_not_used(parent):
    folder = numba_cache.lasting_folder()
    os.chown(folder, 65534, 65534)
    assert numba_cache.lasting_folder() is None
    assert folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions are another thing on Windows")
def test_a_parent_where_anyone_may_rename_is_not_used_unless_it_is_sticky(parent):
    numba_cache.lasting_folder()
    parent.chmod(0o777)
    assert numba_cache.lasting_folder() is None
    parent.chmod(0o1777)
    assert numba_cache.lasting_folder() is not None


def test_nothing_is_kept_before_the_first_index_lies_there(tmp_path, monkeypatch):
    monkeypatch.setenv(numba_cache.VARIABLE, str(tmp_path / "absent"))
    assert numba_cache.is_empty()
    monkeypatch.setenv(numba_cache.VARIABLE, str(tmp_path))
    (tmp_path / "kernels").mkdir()
    assert numba_cache.is_empty(), "folders are made before anything is compiled"
    (tmp_path / "kernels" / "cells.nbi").touch()
    assert not numba_cache.is_empty()
    monkeypatch.delenv(numba_cache.VARIABLE)
    assert numba_cache.is_empty()


def test_kernels_of_a_bundle_lie_in_the_same_place_wherever_it_is_mounted(monkeypatch):
    here, there = Path("/mounted/1/core/kernels"), Path("/mounted/2/core/kernels")
    assert numba_cache._installation(here) != numba_cache._installation(there)
    monkeypatch.setenv("APPIMAGE", "/home/someone/cleanplate.AppImage")
    assert numba_cache._installation(here) != numba_cache._installation(there), "another program's image"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert numba_cache._installation(here) == numba_cache._installation(there)
    subpath = checked_cache._Locator.get_suitable_cache_subpath
    assert subpath(str(numba_cache.KERNELS / "cells.py")) == "kernels"
    assert subpath("/elsewhere/a/script.py") != subpath("/elsewhere/b/script.py")
