"""Where a run stood, another session goes on: it shows the same, and learns what comes next."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from core.frames.motion import AT_REST, Motion, Shift
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.session import Session
from core.session.settings import Settings
from core.session.standing import KEPT, fits, kept_of, motion_of
from core.state_schema import MisfitError

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
