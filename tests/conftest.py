"""Fixtures that every test may use."""

import os
from pathlib import Path

import hypothesis
import pytest

import core  # noqa: F401 - before numpy: it sets on how many threads matrix products run

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")

# The same examples at every run, on every machine; none is stored beside the checkout.
hypothesis.settings.register_profile("repeatable", derandomize=True, database=None, deadline=None, max_examples=50)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data, or a skip that says what is missing."""
    folder = os.environ.get("CLEANPLATE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("real data is absent: set CLEANPLATE_DATA to its folder")
    return Path(folder)
