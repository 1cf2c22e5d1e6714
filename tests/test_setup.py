"""The set-up itself: the lock, who may import whom, and how pip comes to a bare machine."""

import functools
import hashlib
import http.server
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import setup as setup_script  # noqa: E402

import core  # noqa: E402

PACKAGES = Path(core.__file__).parents[1]
"""Where the program lies: beside the tests, or installed."""


def test_the_lock_holds_every_dependency_within_its_range_with_checksums():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    text = (ROOT / "requirements.lock").read_text()
    entries = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)((?:.*\\\n)*.*)", text, re.MULTILINE)
    locked = {canonicalize_name(name): version for name, version, _ in entries}
    wanted = [Requirement(line) for line in project["project"]["dependencies"] + project["dependency-groups"]["dev"]]
    for requirement in wanted:
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), requirement
    assert all("--hash=sha256:" in rest for _, _, rest in entries)
    assert "://" not in text, "the lock names an index of one machine"


def test_the_lock_holds_what_its_packages_need_too():
    """Setup installs the lock and resolves nothing, so what an entry needs must be an entry."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    text = (ROOT / "requirements.lock").read_text()
    locked = {
        canonicalize_name(name): version for name, version in re.findall(r"^(\S+?)==([^\s;\\]+)", text, re.MULTILINE)
    }
    waiting = [Requirement(line) for line in project["project"]["dependencies"] + project["dependency-groups"]["dev"]]
    seen = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        assert wanted.specifier.contains(locked.get(name, "nothing")), f"the lock has no {wanted}"
        for extra in {"", *wanted.extras} - {extra for known, extra in seen if known == name}:
            seen.add((name, extra))
            needs = (Requirement(line) for line in importlib.metadata.requires(name) or [])
            waiting += [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
    assert len(seen) > 60, "dependencies were walked"


def lint_imports(folder: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"]
    env = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


WRONG = (
    ("core/session/report.py", "import PySide6", "core never imports the window"),
    ("core/kernels/__init__.py", "import core.catalogue", "imports run one way"),
    ("core/io/sinks/base.py", "import core.methods.fast.nmf", "imports run one way"),
    ("core/scene/clean_plate.py", "import core.nmf.shrinkage", "imports run one way"),
    ("core/export/plan.py", "import core.bench.clips", "imports run one way"),
    ("core/kernels/median.py", "import core.runtime.memory", "kernels import nothing else of the program"),
    ("app/views/__init__.py", "import app.engine.state", "views know the report, never the worker"),
    ("app/engine/pace.py", "import app.compare.chosen", "the window's packages run one way too"),
    ("app/rendering/viewport.py", "import PySide6", "rendering knows no Qt"),
    ("app/system/doctor.py", "import app.engine.worker", "the doctor starts where the rest cannot"),
)
"""A file, a line that it must not have, and the contract that the line breaks."""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What is told of the program with all the wrong lines: each contract names those that break it."""
    folder = tmp_path_factory.mktemp("wrong")
    for name in ("core", "app"):
        shutil.copytree(PACKAGES / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file, line, _ in WRONG:
        with (folder / file).open("a") as module:
            module.write(f"\n{line}\n")
    run = lint_imports(folder)
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize(("file", "line", "contract"), WRONG)
def test_a_wrong_import_breaks_its_contract(told, file, line, contract):
    assert f"{contract} BROKEN" in told
    section = re.search(rf"^{contract}\n-+\n(.*?)(?=^[^\n]+\n-+$|\Z)", told, re.MULTILINE | re.DOTALL)[1]
    importer = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert f"{importer} -> {line.removeprefix('import ')} (l." in section


def test_the_contract_of_the_kernels_names_all_else_of_core():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    named = next(one["forbidden_modules"] for one in contracts if one["name"].startswith("kernels import nothing else"))
    there = {f"core.{one.stem}" for one in (PACKAGES / "core").iterdir() if one.suffix == ".py" or one.is_dir()}
    assert set(named) == there - {"core.__init__", "core.__pycache__", "core.kernels"}


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the test's output clean."""


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index with one file, pip 26.3, and a lock that knows its checksum."""
    name, content = "pip-26.3-py3-none-any.whl", b"the wheel"
    page = tmp_path / "simple" / "pip"
    page.mkdir(parents=True)
    (page / "index.html").write_text(f'<a href="../../files/{name}#sha256=00">{name}</a>')
    (tmp_path / "files").mkdir()
    wheel = tmp_path / "files" / name
    wheel.write_bytes(content)
    lock = tmp_path / "requirements.lock"
    lock.write_text(
        f"other==1 \\\n    --hash=sha256:00\npip==26.3 \\\n    --hash=sha256:{hashlib.sha256(content).hexdigest()}\n"
    )
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=tmp_path))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(setup_script, "LOCK", lock)
    yield wheel
    server.shutdown()
    thread.join()
    server.server_close()


def test_pip_comes_from_the_configured_index(index, tmp_path):
    assert setup_script.fetch_pip(tmp_path).read_bytes() == index.read_bytes()


def test_pip_with_another_checksum_is_refused(index, tmp_path):
    index.write_bytes(b"another wheel")
    with pytest.raises(setup_script.SetupError, match="checksum"):
        setup_script.fetch_pip(tmp_path)


def test_each_step_of_the_set_up_is_said_before_it_is_done(monkeypatch, tmp_path, capfd):
    said = []
    for name in ("make_environment", "find_pip", "run"):
        monkeypatch.setattr(
            setup_script, name, lambda *_, name=name: said.append((name, capfd.readouterr().out)) or [""]
        )
    monkeypatch.setattr(setup_script, "VENV", tmp_path)
    assert setup_script.main() == 0
    before = [out for name, out in said if name != "make_environment"]
    assert [out.split(",")[0] for out in before] == [f"setup: step {n} of 5" for n in (2, 3, 4, 5)]
    assert all(out.count("\n") == 1 for out in before)
    assert capfd.readouterr().out.startswith("setup: done")


def test_an_index_without_pip_is_one_sentence(index, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", os.environ["PIP_INDEX_URL"] + "/nothing")
    with pytest.raises(setup_script.SetupError, match=r"cannot reach .*; check the network or PIP_INDEX_URL"):
        setup_script.fetch_pip(tmp_path)


def test_make_help_lists_every_target():
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    for target in ("run", "test", "coverage", "lint", "types", "contracts", "check", "lock", "clean"):
        assert f"make {target} " in run.stdout
