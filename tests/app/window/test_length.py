"""The real window on inputs that are shorter than they declare."""

import pytest

from app.engine.reel import Reel
from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from tests.app.windows import open_window, wait_for, write_cut_clip

pytestmark = pytest.mark.usefixtures("qapp")


def test_behind_its_end_a_clip_has_the_frames_that_there_are_and_no_more_can_be_sought(tmp_path):
    path = str(write_cut_clip(tmp_path / "cut.mkv"))
    source = open_source(InputSpec(path))
    assert source.info.n_frames == 80
    n_frames = len(list(source.frames()))
    assert 30 < n_frames < 50
    with open_window(path, tmp_path) as window:
        timeline, source = window.views.timeline, window.parts.source
        window.commands.export.open()
        form = window.commands.export.panel.form
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        wait_for(lambda: timeline.slider.maximum() == n_frames - 1, "the frames that there are")
        wait_for(lambda: timeline.position.text().endswith(f" · {n_frames} / {n_frames}"), "its last frame")
        assert source.facts.text("Length").startswith(f"{n_frames} frames, ")
        assert form.last.maximum() == n_frames
        timeline.slider.setValue(79)
        assert timeline.slider.value() == n_frames - 1


def test_where_reading_fails_the_length_stays_that_of_the_input(tmp_path, monkeypatch):
    read = Reel.next_learnt

    def fail(reel):
        if reel.n_learnt == 5:
            raise CleanplateError("The disk is gone.")
        return read(reel)

    monkeypatch.setattr(Reel, "next_learnt", fail)
    with open_window(str(write_cut_clip(tmp_path / "cut.mkv")), tmp_path) as window:
        wait_for(lambda: window.parts.status.state.text() == "Stopped", "the end")
        assert window.parts.banner.text == "The disk is gone."
        assert window.views.timeline.slider.maximum() == 79
