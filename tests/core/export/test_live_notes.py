"""What is said of the recording of a live input."""

import csv
import time

import pytest

from core.export.job import run_job
from core.export.job_spec import Job
from core.export.live_notes import live_notes
from core.io.input_spec import InputSpec
from core.io.sources import camera, live_device
from core.session.settings import Settings
from tests.plugged import Plugged

N_FRAMES = 12


def test_frames_that_were_left_out_are_counted():
    assert live_notes(0) == []
    assert live_notes(1)[0].startswith("1 frame was left out: more came than this machine can work on;")
    assert live_notes(35)[0].startswith("35 frames were left out: ")


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_recording_that_is_too_slow_says_on_the_way_and_at_the_end_what_it_left_out(tmp_path, monkeypatch, is_slow):
    plugged, told = Plugged(), []
    plugged.period_s = 0.02 if is_slow else 0.1
    monkeypatch.setattr(camera.cv2, "VideoCapture", plugged.capture)
    monkeypatch.setattr(live_device, "LATE_S", 0.1 if is_slow else 60)

    def tell(progress):
        told.append(progress)
        time.sleep(0.2 * is_slow)

    settings = Settings("median")
    job = Job(InputSpec("camera:0", frames=(None, N_FRAMES)), tmp_path / "out", ("plate", "times"), settings)
    summary = run_job(job, tell)
    n_missed = told[-1].n_missed
    assert [note for note in summary.warnings if "left out" in note] == live_notes(n_missed)
    assert (n_missed > 0) == is_slow
    with (tmp_path / "out" / "times.csv").open(newline="") as table:
        times = [float(row["time_s"]) for row in csv.DictReader(table)]
    assert len(times) == N_FRAMES
    assert times[-1] >= 0.9 * plugged.period_s * (N_FRAMES - 1 + n_missed)
