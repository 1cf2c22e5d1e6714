"""A running session goes on from another frame, and without one basis image."""

from itertools import islice

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_session import clip


@pytest.fixture
def session():
    source = open_source(InputSpec("sample:street", size=(80, 60)))
    yield Session(source, Settings())
    source.close()


def test_seeking_goes_on_from_exactly_that_frame_with_what_was_learnt(session):
    reports = session.run()
    for _ in range(5):
        next(reports)
    before = session.method.W.copy()
    session.control.seek(100)
    assert np.array_equal(session.method.W, before)
    report = next(reports)
    assert (report.frame.index, report.pass_index) == (100, 0)
    assert next(reports).frame.index == 101
    session.control.seek(2)
    assert next(reports).frame.index == 2
    reports.close()


def test_who_seeks_back_is_never_told_of_more_frames_done_than_there_are():
    session, told = Session(clip(8), Settings()), []
    for report in session.run():
        told.append((report.n_done, report.n_frames))
        if len(told) == 6:
            session.control.seek(0)
    assert told == [(n, 8) for n in range(1, 7)] + [(n, 14) for n in range(7, 15)]


@pytest.mark.parametrize("target", [2, 7, 19])
def test_a_pass_in_which_somebody_seeks_has_the_frames_done_and_those_from_there_on(target):
    session = Session(clip(20), Settings(passes=2))
    reports = session.run()
    assert {r.n_frames for r in islice(reports, 7)} == {20}
    session.control.seek(target)
    first, second = (list(islice(reports, n)) for n in (20 - target, 20))
    assert [(r.n_done, r.n_frames) for r in first] == [(n, 27 - target) for n in range(8, 28 - target)]
    assert {r.n_frames for r in second} == {20}


def test_a_seek_before_the_run_is_its_first_frame(session):
    session.control.seek(7)
    reports = session.run()
    assert next(reports).frame.index == 7
    reports.close()


def test_dropping_a_basis_image_keeps_the_others(session):
    reports = session.run()
    for _ in range(9):
        next(reports)
    kept = session.method.W[:, [0, 2]].copy()
    session.drop_basis(1)
    assert np.array_equal(session.method.W, kept)
    assert next(reports).split.h.size == 2
    assert session.control.values["rank"] == 2
    session.drop_basis(1, replace=True)
    assert next(reports).split.h.size == 2
    session.drop_basis(0)
    next(reports)
    with pytest.raises(CleanplateError, match="has to stay"):
        session.drop_basis(0)
    reports.close()
