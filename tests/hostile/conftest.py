"""What all attacks need first."""

import math

import pytest

from core.runtime.file_lock import FileLock
from tests.hostile.batch import compile_kernels


@pytest.fixture(scope="session", autouse=True)
def _kernels_are_compiled(request, tmp_path_factory):
    """The first worker that needs them sees to it, and others wait: all find what one has kept."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):  # Each worker has a folder in that of the session.
        folder = folder.parent
    lock, done = FileLock(folder / "kernels.lock"), folder / "kernels-are-compiled"
    assert lock.acquire_within(math.inf)
    try:
        if not done.exists():
            compile_kernels()
            done.touch()
    finally:
        lock.release(remove=False)
