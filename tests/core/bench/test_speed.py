"""The figures of speed are those of a session, as anyone runs it."""

import numpy as np
import pytest

from core.bench import speed
from core.session.session import Session


@pytest.fixture
def made(monkeypatch):
    """Sessions that are made, and the reports that each gave."""
    found = []

    class Watched(Session):
        def __init__(self, *args):
            super().__init__(*args)
            self.given = []
            found.append(self)

        def run(self, first=0):
            for report in super().run(first):
                self.given.append(report)
                yield report

    monkeypatch.setattr(speed, "Session", Watched)
    monkeypatch.setattr(speed, "WARM_FRAMES", 16)
    monkeypatch.setattr(speed, "_peak_alone", lambda case: 1.0)
    return found


@pytest.mark.parametrize("colour", [False, True], ids=["grey", "colour"])
def test_a_case_is_measured_by_what_a_session_reports(made, colour):
    case = speed.Case(96, 64, colour, 2)
    (timing,) = speed.run([case], rounds=3)
    (session,) = made
    assert (session.row.key, session.layout) == ("fast", case.layout)
    assert session.method.W.shape == (case.layout.n_values, 2)
    n_frames = 16 + (speed.WARM_ROUNDS + 3) * speed.ROUND
    assert [report.n_done for report in session.given] == list(range(1, n_frames + 1))
    turns = np.array([[r.stages_ms["step"], r.stages_ms["mask"]] for r in session.given[-3 * speed.ROUND :]])
    turns = turns.reshape(3, speed.ROUND, 2).mean(axis=1)
    assert (timing.step_ms, timing.mask_ms) == pytest.approx(np.median(turns, axis=0))
    assert timing.fast_ms == pytest.approx(np.median(turns.sum(axis=1)))
    assert min(timing.mog2_ms, timing.knn_ms, timing.background_ms) > 0


def test_the_clip_never_ends_and_begins_anywhere():
    clip = speed.street_clip(speed.Case(32, 24, False, 1).layout, 3)
    frames = speed.Endless(clip).frames(2)
    assert [next(frames) is clip[i % 3] for i in range(2, 12)] == 10 * [True]
