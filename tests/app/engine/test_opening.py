"""What the window opens is what its export reads."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

from app.engine.opening import Choice, OpenRequest, open_request
from core.export.job import Job, open_job_source
from core.io.sources.corruption import Corruption


@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize("sample", ["sample:faces", "sample:street"])
def test_the_window_shows_the_pictures_that_its_export_reads(sample, seed):
    corruption = None if seed is None else Corruption(seed=seed)
    settings = Choice(seed=seed or 0).settings()
    with (
        contextlib.closing(open_request(OpenRequest(sample, corruption=corruption))) as shown,
        contextlib.closing(open_job_source(Job(sample, Path(), settings=settings, corruption=corruption))) as read,
    ):
        np.testing.assert_array_equal(next(shown.frames()).values, next(read.frames()).values)
