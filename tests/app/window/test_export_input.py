"""What the window opens is what its export reads."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.panels.export_form import Wanted
from core.io.corruption import Corruption
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
        wanted = Wanted(Path("out"), ("mask",), (2, 9), "png", overwrite=False)
        job = window.commands.export.job(wanted)
        assert job.input == replace(window.commands.input.request, frames=(2, 9))
        assert job.input.seed == job.settings.seed == seed
