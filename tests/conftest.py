"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest

import core  # noqa: F401 - before numpy: it sets on how many threads matrix products run

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data, or a skip that says what is missing."""
    folder = os.environ.get("CLEANPLATE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("real data is absent: set CLEANPLATE_DATA to its folder")
    return Path(folder)
