"""What all attacks need first."""

import pytest

from tests.hostile.batch import compile_kernels


@pytest.fixture(scope="session", autouse=True)
def _kernels_are_compiled():
    compile_kernels()
