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


def first_values(spec):
    with contextlib.closing(open_source(spec)) as source:
        return next(source.frames()).values


def played(window):
    """Return what the session reads first."""
    found = []
    window.worker.pause()  # Nobody looks at what it would play meanwhile.
    window.worker.with_session(lambda session: found.append(next(session.source.frames()).values))
    wait_for(lambda: found, "what the session reads")
    return found[0]


@pytest.mark.parametrize("sample", ["sample:faces", "sample:street"])
def test_an_export_reads_the_input_as_the_window_shows_it(tmp_path, sample):
    with open_window(sample, tmp_path) as window:
        wanted = ExportChoice(folder="out", save=("mask",), written=(2, 9))
        as_it_is = first_values(window.commands.export.job(wanted).input)
        np.testing.assert_array_equal(played(window), as_it_is, strict=True)
        form = window.parts.source.corruption
        form.kind.setCurrentIndex(form.kind.findData("occlusion"))
        form.kind.activated.emit(form.kind.currentIndex())
        for seed in (0, 5):
            form.form.show_values({"seed": seed})
            window.commands.input.reopen()
            corruption = Corruption("occlusion", seed=seed)
            wait_for(lambda wanted=corruption: window.commands.input.request.corruption == wanted, "the corruption")
            job = window.commands.export.job(wanted)
            assert job.input == window.commands.input.request
            assert job.written == (2, 9)
            assert job.input.seed == job.settings.seed == seed
            shown = played(window)
            np.testing.assert_array_equal(shown, first_values(job.input), strict=True)
            other = replace(job.input, seed=seed + 1, corruption=replace(corruption, seed=seed + 1))
            assert not np.array_equal(shown, first_values(other)), "another seed would not be noticed"
