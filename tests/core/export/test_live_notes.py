"""What is said of the recording of a live input."""

import csv
import time

import pytest

from core.export.job import run_job
from core.export.job_spec import Job
from core.export.live_notes import LeftOut
from core.io.input_spec import InputSpec
from core.io.sources import camera, live
from core.session.settings import Settings
from tests.plugged import Plugged

N_FRAMES = 12


def test_frames_that_were_left_out_are_counted():
    left_out, why = LeftOut(), ", as the machine was still at work on those before;"
    left_out.add(0, 1.0)
    assert (left_out.n, left_out.notes()) == (0, [])
    left_out.add(1, 3.2)
    assert left_out.notes()[0].startswith(f"1 frame was left out at 0:00:03{why}")
    left_out.add(14, 50.0)
    left_out.add(20, 70.0)
    left_out.add(0, 80.0)
    assert left_out.n == 35
    assert left_out.notes()[0].startswith(f"35 frames were left out, the first at 0:00:03 and the last at 0:01:10{why}")


@pytest.mark.parametrize("is_slow", [True, False])
def test_a_recording_that_is_too_slow_says_on_the_way_and_at_the_end_what_it_left_out(tmp_path, monkeypatch, is_slow):
    plugged, told = Plugged(), []
    plugged.period_s = 0.02 if is_slow else 0.1
    monkeypatch.setattr(camera.cv2, "VideoCapture", plugged.capture)
    monkeypatch.setattr(live, "RECORDED_LATE_S", 0.1 if is_slow else 60)

    def tell(progress):
        told.append(progress)
        time.sleep(0.2 * is_slow)

    settings = Settings("median")
    job = Job(InputSpec("camera:0", frames=(None, N_FRAMES)), tmp_path / "out", ("plate", "times"), settings)
    summary = run_job(job, tell)
    n_missed = told[-1].n_missed
    notes = [note for note in summary.warnings if "left out" in note]
    assert [note.partition(" left")[0] for note in notes] == [f"{n_missed} frames were"] * is_slow
    assert (n_missed > 0) == is_slow
    with (tmp_path / "out" / "times.csv").open(newline="") as table:
        times = [float(row["time_s"]) for row in csv.DictReader(table)]
    assert len(times) == N_FRAMES
    assert times[-1] >= 0.9 * plugged.period_s * (N_FRAMES - 1 + n_missed)
