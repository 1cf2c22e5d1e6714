"""What is said of a run, in each of its stages."""

from dataclasses import replace

import pytest

from app.engine.state import State
from app.window.run_words import RunWords, come_so_far, warming_words, words_of
from core.frames.frame import Layout, Planes
from core.io.sources.base import SourceInfo
from core.methods.base import WarmUp
from core.session.phase import Iteration, Phase
from tests.app.view_helpers import make_report

ITERATION = Iteration(7, 40, 120, 1.5)


def film(n_frames):
    return SourceInfo("walk.mp4", Layout(48, 64, Planes.RGB, 8), 25.0, n_frames)


@pytest.mark.parametrize(
    ("n_done", "n_frames", "passes", "said"),
    [(1, 500, 1, "Warming up: 1 frame learnt, settles at 240"),
     (47, 90, 1, "Warming up: 47 frames learnt; more passes help"),
     (1, 1, 1, "Warming up: 1 frame learnt"),
     (91, 90, 1, "Warming up: 91 frames learnt, settles at 240"),
     (47, 90, 3, "Warming up: 47 frames learnt, settles at 240"),
     (47, None, 1, "Warming up: 47 frames learnt, settles at 240")],
)  # fmt: skip
def test_the_warm_up_counts_frames_that_were_learnt_and_says_where_there_are_too_few(n_done, n_frames, passes, said):
    assert warming_words(WarmUp(n_done, 240), film(n_frames), passes) == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [({}, RunWords("Learning", "learnt 12 frames")),
     ({"phase": Phase.GATHERING}, RunWords("Gathering frames", "gathered 12 frames")),
     ({"phase": Phase.ITERATING, "iteration": ITERATION},
      RunWords("Learning: iteration 7 of 40", "from 120 frames", "iteration")),
     ({"phase": Phase.APPLYING, "n_done": 5}, RunWords("Learning", "applied to 5 frames")),
     ({"warming": WarmUp(12, 240)},
      RunWords("Warming up: 12 frames learnt; more passes help", "learnt 12 frames; more passes help")),
     ({"warming": WarmUp(12, 240), "n_passes": 3},
      RunWords("Warming up: 12 frames learnt, settles at 240", "learnt 12 frames"))],
)  # fmt: skip
def test_each_stage_has_its_words(changes, said):
    report = replace(make_report(), **changes)
    assert words_of(report, 12, State.LEARNING, film(90), applies_model=False, goes_on=False) == said


def test_more_passes_over_a_single_picture_do_not_help():
    report = replace(make_report(), warming=WarmUp(1, 240))
    said = words_of(report, 1, State.LEARNING, film(1), applies_model=False, goes_on=False)
    assert said == RunWords("Warming up: 1 frame learnt", "learnt 1 frame")


def test_where_a_model_is_applied_the_frames_of_this_run_count():
    report = replace(make_report(), n_done=5)
    said = words_of(report, 12, State.APPLYING, film(90), applies_model=True, goes_on=False)
    assert said == RunWords("Applying the model", "applied to 12 frames")


@pytest.mark.parametrize(
    ("changes", "count"),
    [({}, "learnt 12 frames more"),
     ({"warming": WarmUp(12, 240)}, "learnt 12 frames more; more passes help"),
     ({"phase": Phase.GATHERING}, "gathered 12 frames"),
     ({"phase": Phase.APPLYING}, "applied to 4 frames")],
)  # fmt: skip
def test_frames_that_are_learnt_from_count_on_where_a_project_goes_on(changes, count):
    report = replace(make_report(), **changes)
    assert words_of(report, 12, State.LEARNING, film(90), applies_model=False, goes_on=True).count == count


@pytest.mark.parametrize(
    ("changes", "n_frames", "has_own_passes", "so_far"),
    [({}, 10, False, (4, 10)),
     ({"pass_index": 1, "n_passes": 3}, 10, False, (14, 30)),
     ({"pass_index": 1, "n_passes": 3}, 10, True, (4, 10)),
     ({}, 3, False, (4, 4)),  # There are more than were declared.
     ({"pass_index": 1, "n_passes": 3}, None, False, (4, None)),
     ({"phase": Phase.GATHERING, "n_done": 6, "n_frames": 20}, 10, False, (6, 20)),
     ({"phase": Phase.GATHERING, "n_done": 6, "n_frames": None}, 10, False, (6, None)),
     ({"iteration": ITERATION, "n_done": 7, "n_frames": 40}, 10, True, (7, 40))],
)  # fmt: skip
def test_how_far_it_has_come_is_of_all_passes_or_of_the_stage(changes, n_frames, has_own_passes, so_far):
    report = replace(make_report(), **changes)
    assert come_so_far(report, n_frames, has_own_passes=has_own_passes) == so_far
