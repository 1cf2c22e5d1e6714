"""What a run does in which order."""

from dataclasses import replace

import pytest

from core import catalogue
from core.errors import CleanplateError
from core.session.phase import Phase
from core.session.plan import check_passes, stages_of_batch, stages_of_model, stages_of_passes, without_plate
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_session import clip

LEARNING, GATHERING, ITERATING, APPLYING = Phase.LEARNING, Phase.GATHERING, Phase.ITERATING, Phase.APPLYING


def phases(stages):
    return [stage.phase for stage in stages]


@pytest.mark.parametrize(("n", "expected"), [(1, "L"), (2, "LA"), (3, "LLA")])
def test_the_last_of_several_passes_applies_what_earlier_ones_have_learnt(n, expected):
    of_scene, of_set = stages_of_passes(n, learns_in_last=True), stages_of_passes(n, learns_in_last=False)
    assert phases(of_scene) == n * [LEARNING], "a scene that changes is learnt to the end"
    assert phases(of_set) == [{"L": LEARNING, "A": APPLYING}[letter] for letter in expected]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("learns_in_last", [True, False])
def test_each_pass_reads_the_input_anew_and_refines_what_the_one_before_has_left(n, learns_in_last):
    stages = stages_of_passes(n, learns_in_last=learns_in_last)
    assert [(stage.pass_index, stage.n_passes) for stage in stages] == [(i, n) for i in range(n)]
    assert all(stage.reopens and not stage.until_full for stage in stages)
    assert [stage.refines for stage in stages] == [i > 0 for i in range(n)]
    assert [stage.is_last for stage in stages] == [i == n - 1 for i in range(n)]
    for stage in stages:
        assert stage.mask_learns == stage.method_learns == (stage.phase is LEARNING)


@pytest.mark.parametrize("learns_in_last", [True, False])
def test_passes_over_different_pictures_begin_with_no_plate(learns_in_last):
    of_scene, of_set = (
        stages_of_passes(3, learns_in_last=learns_in_last, shows_scene=shows) for shows in (True, False)
    )
    assert of_set == [replace(stage, refines=False) for stage in of_scene], "all else is the same"


def test_a_batch_method_gathers_iterates_and_is_applied_to_a_file_from_its_start():
    gather, iterate, apply = stages_of_batch(live=False, finished=False)
    assert [gather.phase, iterate.phase, apply.phase] == [GATHERING, ITERATING, APPLYING]
    assert [gather.reopens, iterate.reopens, apply.reopens] == [True, False, True]
    assert [gather.until_full, gather.method_learns, gather.mask_learns] == [False, True, False]
    assert [apply.until_full, apply.method_learns, apply.mask_learns] == [False, False, True]
    assert [stage.pass_index for stage in (gather, iterate, apply)] == [0, 0, 1]
    assert {stage.n_passes for stage in (gather, iterate, apply)} == {2}
    assert not any(stage.refines for stage in (gather, iterate, apply))


def test_from_a_camera_it_gathers_until_it_has_enough_and_is_applied_to_what_follows():
    gather, iterate, apply = stages_of_batch(live=True, finished=False)
    assert [gather.reopens, iterate.reopens, apply.reopens] == [True, False, False]
    assert gather.until_full


@pytest.mark.parametrize("live", [True, False])
def test_what_a_batch_method_has_learnt_before_is_applied(live):
    (apply,) = stages_of_batch(live=live, finished=True)
    assert (apply.phase, apply.pass_index, apply.n_passes) == (APPLYING, 1, 2)
    assert apply.reopens
    assert apply.mask_learns


def test_a_model_is_applied_once_and_nothing_learns():
    (stage,) = stages_of_model()
    assert (stage.phase, stage.pass_index, stage.n_passes, stage.reopens) == (APPLYING, 0, 1, True)
    assert (stage.method_learns, stage.mask_learns, stage.refines) == (False, False, False)


@pytest.mark.parametrize(
    ("stages", "uses"),
    [(stages_of_passes(3, learns_in_last=True), ["lean", "lean", "none"]),
     (stages_of_passes(3, learns_in_last=False, shows_scene=False), ["none"] * 3),
     (stages_of_batch(live=False, finished=False), ["none"] * 3), (stages_of_model(), ["none"])],
)  # fmt: skip
def test_without_a_plate_to_be_seen_passes_have_one_that_the_next_begins_with(stages, uses):
    assert [stage.plate for stage in without_plate(stages)] == uses
    assert {stage.plate for stage in stages} == {"full"}


@pytest.mark.parametrize(
    ("passes", "live", "match"), [(0, False, "at least 1"), (-1, True, "at least 1"), (2, True, "only once")]
)
def test_passes_that_cannot_be_are_refused(passes, live, match):
    with pytest.raises(CleanplateError, match=match):
        check_passes(passes, live=live)
    check_passes(1, live=live)
    check_passes(3, live=False)


@pytest.mark.parametrize(
    ("method", "passes", "expected"),
    [("fast", 1, [LEARNING]), ("fast", 2, [LEARNING, LEARNING]), ("opgd", 1, [LEARNING]),
     ("opgd", 2, [LEARNING, APPLYING]), ("bpgd", 1, [GATHERING, ITERATING, APPLYING]), ("mog2", 1, [LEARNING])],
)  # fmt: skip
def test_a_session_follows_the_plan_of_its_method(method, passes, expected):
    values = {"iterations": 2, "tolerance": 1e-9} if method == "bpgd" else {}
    session = Session(clip(4), Settings(method, values, passes))
    assert session.learns_first == (len(expected) > 1)
    found = {(report.pass_index, report.phase): None for report in session.run()}
    assert [phase for _, phase in found] == expected
    list(session.run())
    assert session.learns_first == (passes > 1), "a set is learnt from once"
    (applied,) = {report.phase for report in Session(clip(4), Settings(passes=passes), session.model()).run()}
    assert applied is APPLYING


def test_another_number_of_passes_counts_from_the_next_run_on():
    session = Session(clip(4), Settings())
    session.set_passes(3)
    assert [report.pass_index for report in session.run()] == 4 * [0] + 4 * [1] + 4 * [2]
    with pytest.raises(CleanplateError, match="at least 1"):
        session.set_passes(0)
    with pytest.raises(CleanplateError, match="only once"):
        Session(clip(4, live=True), Settings()).set_passes(2)


def test_methods_declare_that_their_masks_are_their_own():
    declared = {key for key, row in catalogue.METHODS.items() if row.makes_masks}
    found = set()
    for key in ("fast", "opgd", "onmf", "bpgd", "b-l2sq", *declared):
        *_, report = Session(clip(3), Settings(key)).run()
        found |= {key} if report.split.mask is not None else set()
    assert found == declared == {"median", "mog2", "knn"}


def test_methods_declare_what_they_learn_from():
    layout = clip(1).info.layout
    for row in catalogue.METHODS.values():
        method = row.build(layout, row.defaults(), 0)
        assert (method.as_batch is not None) == (row.kind == "batch")
        assert not (row.kind == "reference" and method.as_mini_batch is not None)
        assert method.as_batch in (None, method)
        assert method.as_mini_batch in (None, method)
