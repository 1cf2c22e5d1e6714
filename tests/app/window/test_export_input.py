"""What the window opens is what its export reads."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from core.io.corruption import Corruption
from core.io.sources import open_source
from core.project.document import ExportChoice
from tests.app.windows import open_window, wait_for

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("sample", ["sample:faces", "sample:street"])
def test_an_export_reads_the_input_as_the_window_has_it_open(tmp_path, sample, seed):
    with open_window(sample, tmp_path) as window:
        form = window.parts.source.corruption
        form.kind.setCurrentIndex(form.kind.findData("occlusion"))
        form.kind.activated.emit(form.kind.currentIndex())
        form.form.show_values({"seed": seed})
        window.commands.input.reopen()
        wait_for(
            lambda: window.commands.input.request.corruption == Corruption("occlusion", seed=seed), "the corruption"
        )
        wanted = ExportChoice(folder="out", save=("mask",), written=(2, 9))
        job = window.commands.export.job(wanted)
        assert job.input == window.commands.input.request
        assert job.written == (2, 9)
        assert job.input.seed == job.settings.seed == seed


def first_values(spec):
    with contextlib.closing(open_source(spec)) as source:
        return next(source.frames()).values


@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize("sample", ["sample:faces", "sample:street"])
def test_the_window_shows_the_pictures_that_its_export_reads(tmp_path, sample, seed):
    with open_window(sample, tmp_path) as window:
        if seed is not None:
            form = window.parts.source.corruption
            form.kind.setCurrentIndex(form.kind.findData("occlusion"))
            form.kind.activated.emit(form.kind.currentIndex())
            form.form.show_values({"seed": seed})
            window.commands.input.reopen()
            corruption = Corruption("occlusion", seed=seed)
            wait_for(lambda: window.commands.input.request.corruption == corruption, "the corruption")
        played = []
        window.worker.with_session(lambda session: played.append(next(session.source.frames()).values))
        wait_for(lambda: played, "what the session reads")
        job = window.commands.export.job(ExportChoice(folder="out", save=("mask",)))
        np.testing.assert_array_equal(played[0], first_values(job.input), strict=True)
        if seed is not None:
            other = replace(job.input, seed=seed + 1, corruption=replace(job.input.corruption, seed=seed + 1))
            assert not np.array_equal(played[0], first_values(other)), "another seed would not be noticed"
