"""A camera in the engine: unplugged, silent, and back."""

import pytest

from app.engine.choice import Choice
from core.io.input_spec import InputSpec
from core.io.sources import camera
from tests.app.windows import running_worker, wait_for
from tests.plugged import Plugged

SENTENCE_S = 5
"""Within which a person hears that the camera is gone."""


@pytest.fixture
def plugged(monkeypatch):
    made = Plugged()
    monkeypatch.setattr(camera.cv2, "VideoCapture", made.capture)
    return made


@pytest.mark.parametrize("how", ["gone", "hangs"])
def test_an_unplugged_camera_is_said_within_five_seconds_and_goes_on_when_it_is_back(plugged, how):
    with running_worker() as record:
        record.worker.open(InputSpec("camera:0"), Choice("median"))
        wait_for(lambda: record.n_shown > 3, "frames")
        if how == "gone":
            plugged.is_there = False
        else:
            plugged.hangs.set()
        assert wait_for(lambda: record.warnings and record.warnings[-1], "a sentence") < SENTENCE_S
        assert record.warnings[-1] == ["Camera 0 gives no more frames; check that it is connected."]
        wait_for(lambda: record.state == "WAITING", "the state")
        last = record.indices[-1]
        plugged.is_there = True
        plugged.hangs.clear()
        wait_for(lambda: record.indices[-1] > last + 3, "frames again")
        assert record.state == "LEARNING"
        assert record.warnings[-1] == [], "the sentence is over"
        assert not record.failures


def test_while_a_camera_is_away_commands_are_done(plugged):
    with running_worker() as record:
        record.worker.open(InputSpec("camera:0"), Choice("median"))
        wait_for(lambda: record.indices, "frames")
        plugged.is_there = False
        wait_for(lambda: record.state == "WAITING", "the camera to be missed")
        record.worker.pause()
        wait_for(lambda: record.state == "PAUSED", "the pause")
        plugged.is_there = True
        record.worker.play()
        n = record.n_shown
        wait_for(lambda: record.n_shown > n, "frames")
        plugged.is_there = False
        wait_for(lambda: record.state == "WAITING", "the camera to be missed again")
        record.worker.open(InputSpec("sample:street"), Choice("median"))
        wait_for(lambda: record.opened[-1][1].path == "sample:street", "another input")
        wait_for(lambda: record.state == "LEARNING", "its frames")
    assert not plugged.opened


def test_passes_that_a_camera_cannot_have_are_refused_and_what_was_learnt_stays(plugged):
    with running_worker() as record:
        record.worker.open(InputSpec("camera:0"), Choice("median"))
        wait_for(lambda: record.n_shown > 3, "frames")
        record.worker.set_passes(2)
        wait_for(lambda: record.failures, "the sentence")
        record.worker.set_passes(1)
        n = record.n_shown
        wait_for(lambda: record.n_shown > n + 3, "more frames")
        assert len(record.failures) == 1
        assert record.worker.n_learnt > n


def test_a_camera_goes_on_with_what_it_has_learnt_where_a_file_cannot_be_opened(plugged, tmp_path):
    (tmp_path / "empty.mp4").write_bytes(b"")
    with running_worker() as record:
        record.worker.open(InputSpec("camera:0"), Choice("median"))
        wait_for(lambda: record.worker.n_learnt > 5, "a few frames")
        record.worker.open(InputSpec(str(tmp_path / "empty.mp4")), Choice("median"))
        wait_for(lambda: record.failures, "the refusal")
        n = record.worker.n_learnt
        wait_for(lambda: record.worker.n_learnt > n, "the camera going on")
        assert n > 5
