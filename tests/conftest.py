"""Fixtures that every test may use."""

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest

import core  # noqa: F401 - before numpy: it sets on how many threads matrix products run
from core.io.publishing import transaction
from tests.work_shares import with_kernels_first

# What ten thousand tests are made of stays to the end. Looking through it for garbage again and again takes two fifths
# of the time in which it is made, and a quarter of a second at each look from then on.
gc.disable()

# Some hundred processes load the same modules, and pytest rewrites each of its own for a second: what one has compiled,
# the next finds.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")

# The same examples at every run, on every machine; none is stored beside the checkout.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.load_profile("repeatable")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker import the whole suite from another file on: it finds rewritten what the others began with."""
    worker, folder = getattr(session.config, "workerinput", None), Path(__file__).parent
    if worker is None or [Path(argument).resolve() for argument in session.config.args] != [folder]:
        return
    files = sorted(path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # Collecting it says what is wrong.
            importlib.import_module(".".join(file.parts))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    worker = getattr(config, "workerinput", None)  # What xdist tells each.
    if worker is not None:
        items[:] = with_kernels_first(items, worker["workercount"])


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Give Ctrl+C back to the suite: a complete run on the command line ignores it to the end of the process."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


@pytest.fixture(autouse=True, scope="session")
def _no_power_cuts() -> Iterator[None]:
    """Wait for no disk: only a power cut tells what has reached it, and it takes what all others write there too.

    `tests.disk_log` holds when it is asked, and `test_durable` asks the true disk.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)  # Refuses what is no open file, as that does.
        patch.setattr(transaction, "sync_all_beside", os.stat)
        yield


@pytest.fixture(autouse=True, scope="session")
def _faces_are_drawn_once() -> Iterator[None]:
    """Keep the faces of the sample: drawing one takes longer than what most tests do with it, and none is written to.

    `test_samples` draws them anew.
    """
    from core.io.sources.samples import faces  # It loads what only workers need.

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(faces, "face", cache(faces.face))
        yield


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data, or a skip that says what is missing."""
    folder = os.environ.get("CLEANPLATE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("real data is absent: set CLEANPLATE_DATA to its folder")
    return Path(folder)
