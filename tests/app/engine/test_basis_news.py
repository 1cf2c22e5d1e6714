"""What the window gets of the basis, on a real session."""

from dataclasses import replace
from itertools import islice
from unittest.mock import Mock

import numpy as np
import pytest

from app.engine import basis_news
from app.engine.basis_news import THUMBNAILS_S, BasisNews
from app.rendering import basis_thumbnails
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings

SMALL = InputSpec("sample:street", size=(64, 48), frames=(1, 40))


@pytest.fixture
def now(monkeypatch):
    """Return a list with the time, seconds."""
    told = [100.0]
    monkeypatch.setattr(basis_news, "time", Mock(perf_counter=lambda: told[0]))
    return told


@pytest.fixture
def street():
    """Return a session, and its reports."""
    source = open_source(SMALL)
    session = Session(source, Settings())
    run = session.run()
    yield session, run
    run.close()
    source.close()


def test_it_is_behind_from_a_frame_on_until_it_is_drawn_in_its_turn(street, now):
    session, run = street
    basis = BasisNews()
    assert not basis.is_behind
    basis.see(next(run), 1)
    assert basis.is_behind
    assert basis.is_due
    assert len(basis.drawn(session).basis) == 3
    assert basis.is_behind, "that was out of its turn"
    assert basis.is_due
    assert len(basis.brought_up_to_date(session).basis) == 3
    assert not basis.is_behind
    now[0] += THUMBNAILS_S / 2
    basis.see(next(run), 2)
    assert basis.is_behind
    assert not basis.is_due
    now[0] += THUMBNAILS_S
    assert basis.is_due


def test_shares_are_those_of_the_frame_that_was_seen_last(street):
    session, run = street
    basis, drawn = BasisNews(), []
    for n, report in enumerate(islice(run, 12), 1):
        basis.see(report, n)
        drawn.append(basis.drawn(session).shares)
    assert sum(drawn[-1]) == pytest.approx(1, abs=1e-6)
    assert drawn[-1] != drawn[-2]
    session.control.set({"rank": 5})
    last = next(run)
    assert basis.drawn(session).shares == [None] * 5, "what was seen last was of another rank"
    basis.see(last, 13)
    assert sum(basis.drawn(session).shares) == pytest.approx(1, abs=1e-6)


def test_changes_are_told_from_the_frames_that_were_learnt(street):
    session, run = street
    basis = BasisNews()
    basis.see(next(run), 1)
    assert basis.drawn(session).changes == [None] * 3
    for n, report in enumerate(islice(run, 8), 2):
        basis.see(report, n)
    assert None not in basis.drawn(session).changes


def test_what_any_frame_used_is_used_whether_it_was_drawn_or_not(street):
    session, run = street
    report, basis = next(run), BasisNews()
    for n, h in enumerate(([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), 1):
        basis.see(replace(report, split=replace(report.split, h=np.array(h))), n)
    assert basis.drawn(session).unused == [False, False, True]


def test_pictures_that_are_looked_at_closely_are_as_large_as_the_frames(street, monkeypatch):
    monkeypatch.setattr(basis_thumbnails, "WIDTH", 32)
    session, run = street
    basis = BasisNews()
    basis.see(next(run), 1)
    basis.set_enlarged(frozenset({1}))
    assert [picture.shape[:2] for picture in basis.drawn(session).basis] == [(24, 32), (48, 64), (24, 32)]


def test_of_another_run_nothing_is_known(street):
    session, run = street
    basis = BasisNews()
    for n, report in enumerate(islice(run, 12), 1):
        basis.see(report, n)
        shown = basis.drawn(session)
    assert None not in [*shown.changes, *shown.shares]
    basis.clear()
    assert not basis.is_behind
    assert basis.drawn(session).basis == []
    basis.stand_at(report)
    shown = basis.drawn(session)
    assert None not in shown.shares
    assert shown.changes == [None] * 3
    assert not basis.is_behind, "nothing was learnt since"
    basis.clear()
    basis.see(report, 30)
    assert basis.drawn(session).changes == [None] * 3, "later in its run than the former one had come"
