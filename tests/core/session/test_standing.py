"""Where a run stood, another session goes on: it shows the same, and learns what comes next."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from core.frames.motion import AT_REST, Motion, Shift
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.scene_in_progress import SceneInProgress
from core.session.session import Session
from core.session.settings import Settings
from core.session.standing import KEPT, fits, kept_of, motion_of
from core.state_schema import MisfitError
from tests.core.session.flashing import FLASH, Flashing
from tests.core.session.test_scenes import cut, f_of

N_FRAMES = 12
SPEC = InputSpec("sample:street", grey=True, frames=(1, N_FRAMES))


def began(settings, model=None):
    return Session(open_source(SPEC), settings, model, goes_on=model is not None)


def pictures(report):
    return [report.mask, report.hidden, report.background_image, report.cleaned_image, report.matte]


@pytest.fixture(scope="module")
def stood():
    """A session in its second pass, its last report, and where it stands."""
    session = began(Settings(passes=2))
    report = list(islice(session.run(), N_FRAMES + 5))[-1]
    return session, report, session.standing(is_over=False)


def test_the_same_is_shown_and_nothing_is_learnt(stood):
    session, report, standing = stood
    assert (standing.index, standing.pass_index) == (4, 1)
    KEPT.check(standing.kept)
    again = began(Settings(passes=2), session.model())
    shown = again.go_on_at(standing)
    for was, there in zip(pictures(report), pictures(shown), strict=True):
        np.testing.assert_array_equal(was, there)
    np.testing.assert_array_equal(shown.split.h, report.split.h)
    anew = began(Settings(passes=2), session.model()).go_on_at(replace(standing, kept=None))
    assert (anew.mask != report.mask).any(), "it is not found the same by what was learnt since"
    for part in ("method_state", "mask_state"):
        for name, array in getattr(session.model(), part).items():
            np.testing.assert_array_equal(getattr(again.model(), part)[name], array)
    assert again.model().values == session.model().values


def test_it_goes_on_behind_that_frame_in_its_pass_and_from_the_first_one_where_it_was_over(stood):
    session, _, standing = stood
    again = began(Settings(passes=2), session.model())
    again.go_on_at(standing)
    told = [(report.pass_index, report.frame.index) for report in again.run()]
    assert told == [(1, index) for index in range(5, N_FRAMES)]
    over = began(Settings(passes=2), session.model())
    over.go_on_at(replace(standing, is_over=True))
    assert [report.pass_index for report in over.run()] == [0] * N_FRAMES + [1] * N_FRAMES


def test_a_pass_that_goes_on_in_another_session_does_not_begin_with_the_plate_again(stood):
    session, _, standing = stood
    again = began(Settings(passes=2), session.model())
    again.go_on_at(standing)
    report = next(again.run())
    learnt = began(Settings(), session.model()).method.transform(report.frame.values)
    np.testing.assert_array_equal(report.split.background, learnt.background)


def test_a_run_that_was_cut_short_goes_on_with_what_it_had_learnt():
    whole, cut = began(Settings(passes=2)), began(Settings(passes=2))
    uncut = list(islice(whole.run(), N_FRAMES + 3))[-1]
    run = cut.run()
    list(islice(run, N_FRAMES + 2))
    run.close()
    cut.go_on(2)
    report = next(cut.run())
    assert (report.pass_index, report.frame.index) == (uncut.pass_index, uncut.frame.index) == (1, 2)
    np.testing.assert_array_equal(report.split.background, uncut.split.background)


def test_a_frame_that_is_looked_at_is_not_where_it_stands(stood):
    session = began(Settings())
    run = session.run()
    report = list(islice(run, 3))[-1]
    next(session.browse(8))
    standing = session.standing(is_over=False)
    assert standing.index == 2
    np.testing.assert_array_equal(standing.kept["mask"], report.mask)
    run.close()


def test_a_frame_in_other_light_is_looked_at_in_that_light_again():
    settings, masks = Settings(passes=1), []
    session = Session(Flashing(), settings)
    report = next(report for report in session.run() if report.frame.index == FLASH)
    standing = session.standing(is_over=False)
    KEPT.check(standing.kept)
    again = Session(Flashing(), settings, session.model(), goes_on=True)
    np.testing.assert_array_equal(again.go_on_at(standing).lit, report.lit)
    for one in (session, again):
        one.control.set({"sensitivity": 51})
        masks.append(one.preview().mask)
    # The frames before, which have a say in what a session sees, are not kept: of a plain frame 0.012 differ.
    assert np.mean(masks[1] != masks[0]) < 0.02


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mask", lambda a: a[1:]), ("mask", lambda a: a // 2), ("background", lambda a: a[1:]),
        ("background", lambda a: a + 300), ("shift", lambda a: a + 5000), ("logit", lambda a: a[:0]),
    ],
)  # fmt: skip
def test_what_cannot_be_of_such_a_frame_is_found_anew(stood, name, value):
    session, _, standing = stood
    layout = session.layout
    assert fits(standing.kept, layout, session.foreground.cells)
    kept = {**standing.kept, name: value(standing.kept[name])}
    assert not fits(kept, layout, session.foreground.cells)
    assert began(Settings(passes=2), session.model()).go_on_at(replace(standing, kept=kept)) is not None


def test_numbers_that_nobody_keeps_are_refused(stood):
    kept = stood[2].kept
    for name, value in (("h", kept["h"] * np.nan), ("other", kept["h"]), ("shift", np.zeros(3))):
        with pytest.raises(MisfitError):
            KEPT.check({**kept, name: value})


@pytest.mark.parametrize("motion", [AT_REST, Motion(Shift(2.5, -3.0)), Motion(Shift(1.0, 0.5), 0.01, -0.02)])
def test_how_the_frame_has_moved_is_kept(stood, motion):
    kept = kept_of(stood[1], motion)
    KEPT.check(kept)
    assert motion_of(kept) == motion
    assert ("turn" in kept) == motion.turns


N_LONG, NEAR_THE_END = 60, 59
"""Frames of a drawn scene, and so many of them after which a run is cut short."""


def drawn():
    return cut(N_LONG, N_LONG, noise=0.02)


def of_two_scenes():
    return cut(2 * N_LONG, N_LONG)


def cut_short(settings, n_done, clip=drawn):
    """A session whose run was cut short after so many frames."""
    session = Session(clip(), settings)
    run = session.run()
    list(islice(run, n_done))
    run.close()
    return session


def reopened(session, clip=drawn):
    again = Session(clip(), session.settings, session.model(), goes_on=True)
    again.go_on_at(session.standing(is_over=False))
    return again


def read_anew(session):
    """Let a session read its input twice from where it is, as who sets the passes meanwhile."""
    index = session.standing(is_over=False).index
    session.set_passes(2)
    session.seek(index + 1)
    return session


def broken_off(session):
    session.go_on(session.standing(is_over=False).index + 1)
    return session


def f_of_second_pass(session):
    return f_of([report for report in session.run() if report.pass_index == 1])


@pytest.fixture(scope="module")
def of_a_whole_run():
    """F of each frame of the second pass, and the scene that it began with."""
    session = Session(drawn(), Settings(passes=2))
    return f_of_second_pass(session), session.scenes.remembered.at(0)


def test_what_another_session_has_learnt_counts_more_than_a_plate_of_the_last_few_frames(of_a_whole_run, monkeypatch):
    session, least = cut_short(Settings(passes=2), NEAR_THE_END), of_a_whole_run[0].mean() - 0.005
    assert f_of_second_pass(reopened(session)).mean() > least
    monkeypatch.setattr(SceneInProgress, "was_better_learnt", False)
    assert f_of_second_pass(reopened(session)).mean() < least


def test_a_plate_of_many_frames_counts_more_than_what_another_session_has_learnt():
    again = reopened(cut_short(Settings(passes=2), 20))
    f_of_second_pass(again)
    assert again.scenes.remembered.at(0).n_frames == N_LONG - 20


def test_a_run_of_which_no_frame_was_left_leaves_the_next_pass_what_was_learnt():
    again = reopened(cut_short(Settings(passes=2), N_LONG))
    assert f_of_second_pass(again).mean() > 0.9
    assert again.scenes.remembered.at(0).noise is None


@pytest.mark.parametrize(("passes", "goes_on"), [(1, read_anew), (2, broken_off)])
def test_a_pass_that_goes_on_in_the_same_session_goes_on_with_its_plate(passes, goes_on, of_a_whole_run):
    session = goes_on(cut_short(Settings(passes=passes), NEAR_THE_END))
    np.testing.assert_array_equal(f_of_second_pass(session), of_a_whole_run[0])
    then, whole = session.scenes.remembered.at(0), of_a_whole_run[1]
    assert then.n_frames == whole.n_frames == N_LONG
    np.testing.assert_array_equal(then.plate, whole.plate)


def test_a_last_pass_that_goes_on_has_a_plate_of_all_its_frames():
    session = broken_off(cut_short(Settings(), NEAR_THE_END))
    assert len(list(session.run())) == N_LONG - NEAR_THE_END
    assert session.scene_plate().n_kept == N_LONG
    assert len(list(session.run())) == session.scene_plate().n_kept == N_LONG, "another run has a plate of its own"


def test_frames_that_were_done_before_count_where_a_pass_goes_on():
    for again in (reopened(cut_short(Settings(passes=2), 50)), broken_off(cut_short(Settings(passes=2), 50))):
        told = [(report.n_done, report.n_frames) for report in again.run()]
        assert told == [(n, N_LONG) for n in [*range(51, N_LONG + 1), *range(1, N_LONG + 1)]]


def test_a_scene_that_another_session_has_learnt_is_known_in_the_next_pass_though_a_cut_came_soon():
    again = reopened(cut_short(Settings(passes=2), NEAR_THE_END, of_two_scenes), of_two_scenes)
    found = f_of_second_pass(again)
    assert again.scenes.remembered.at(0).noise is None
    assert again.scenes.remembered.at(N_LONG).n_frames > 40
    assert found[:10].min() > 0.8
    assert found[N_LONG : N_LONG + 10].min() > 0.8


def test_a_scene_before_all_that_are_known_is_learnt_in_the_next_pass():
    found = f_of_second_pass(read_anew(cut_short(Settings(), N_LONG + 40, of_two_scenes)))
    assert found[30:N_LONG].min() > 0.8, "it is not taken again and again for the one that is known"
    assert found[N_LONG : N_LONG + 10].min() > 0.8
