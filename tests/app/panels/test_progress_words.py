"""How far an export has come, in words."""

import pytest

from app.cli.progress import figures
from app.panels.progress_words import how_far, what_goes_on
from core.export.progress import Progress, Writing
from core.session.phase import Phase


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (Progress(1, 2, 3, 12, 0.1, None), "Learning: pass 1 of 2, frame 3 of 12. The window goes on meanwhile."),
        (Progress(2, 2, 3, 12, 0.1, None), "Writing: pass 2 of 2, frame 3 of 12. The window goes on meanwhile."),
        (Progress(1, 1, 3, 12, 0.1, None), "Writing: frame 3 of 12. The window goes on meanwhile."),
        (Progress(1, 1, 3, None, 0.1, None), "Writing: frame 3. The window goes on meanwhile."),
        (
            Progress(1, 2, 3, 12, 0.1, None, Phase.GATHERING),
            "Gathering frames: 3 of 12. The window goes on meanwhile.",
        ),
        (
            Progress(1, 2, 7, 40, 0.1, None, Phase.ITERATING),
            "Learning: iteration 7 of 40. The window goes on meanwhile.",
        ),
        (
            Progress(1, 1, 32, 240, 0.1, None, writing=Writing(50, 70, is_end=True)),
            "Reading: frame 32 of 70, written from 50 on. The window goes on meanwhile.",
        ),
        (
            Progress(2, 2, 71, 240, 0.1, None, writing=Writing(50, 70)),
            "Reading: pass 2 of 2, frame 71 of 240, written until 70. The window goes on meanwhile.",
        ),
        (
            Progress(1, 2, 32, 240, 0.1, None, writing=Writing(50, 70, is_end=True)),
            "Learning: pass 1 of 2, frame 32 of 240. The window goes on meanwhile.",
        ),
        (
            Progress(2, 2, 50, 240, 0.1, None, writing=Writing(50, 70, is_end=True)),
            "Writing: pass 2 of 2, frame 50 of 70. The window goes on meanwhile.",
        ),
        (
            Progress(1, 2, 3, 40, 0.1, None, Phase.ITERATING, writing=Writing(50, 70, is_end=True)),
            "Learning: iteration 3 of 40. The window goes on meanwhile.",
        ),
        (Progress(1, 2, 3, 12, 0.1, None, work="Working out the plate…"), "Working out the plate…"),
    ],
)
def test_it_is_said_what_is_done_and_where_it_is(progress, said):
    assert what_goes_on(progress) == said


def test_one_frame_is_one():
    assert how_far(Progress(1, 2, 1, 12, 0.0, None)) == "1 frame"
    assert how_far(Progress(1, 2, 2, 12, 0.0, None)) == "2 frames"


def test_frames_of_a_live_input_that_were_left_out_are_told_on_the_way():
    missing = Progress(1, 1, 12, None, 4.0, None, n_missed=35)
    assert how_far(missing) == "12 frames, 35 left out"
    assert figures(missing) == "frame 12, 35 left out, 4.0 a second"
