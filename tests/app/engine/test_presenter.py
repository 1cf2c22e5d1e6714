"""What the window gets to know of a run beside its pictures."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from app.engine.presenter import Presenter
from app.engine.slot import NewestSlot
from core.session.phase import Iteration
from tests.app.view_helpers import make_report

GROUP, SHARE_S = 4, 0.6
"""Images that are learnt together and come at once, and what each of them takes."""


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""
    now = SimpleNamespace(s=0.0)
    monkeypatch.setattr("core.export.progress.time.perf_counter", lambda: now.s)
    return now


@pytest.fixture
def presenter(monkeypatch):
    made = Presenter(NewestSlot())
    monkeypatch.setattr(made, "_basis", Mock(is_due=False, is_behind=False))
    return made


def told_after(presenter, clock, n_images):
    """Let images come in groups; return what is told of each, s."""
    session, told = Mock(method=Mock(automatic={}), foreground=Mock(automatic={})), []
    report = replace(make_report(), stages_ms={"step": 1e3 * SHARE_S})
    for n in range(n_images):
        clock.s += GROUP * SHARE_S if n % GROUP == 0 else 0.001
        presenter.show(report, session, n, 30.0, at_once=False)
        told.append(presenter._slot.take(None).frame_s)
    return told


def test_what_an_image_takes_is_told_alike_however_many_come_at_once(presenter, clock):
    told = told_after(presenter, clock, 120)
    known = [frame_s for frame_s in told if frame_s]
    assert len(known) > 100
    assert min(known) >= 0.9 * SHARE_S
    assert max(known) <= 1.1 * SHARE_S


def test_the_time_that_a_person_takes_between_two_frames_is_none_that_a_frame_takes(presenter, clock):
    told_after(presenter, clock, 40)
    presenter.flush(None)
    clock.s += 3600.0
    told = told_after(presenter, clock, 40)
    assert told[0] == 0, "not known yet"
    assert max(told) <= 1.1 * SHARE_S


def test_what_a_camera_sent_meanwhile_is_counted_but_not_in_a_pause_nor_twice(presenter):
    session, told = Mock(method=Mock(automatic={}), foreground=Mock(automatic={})), []
    report = make_report()

    def show(n_missed, **changes):
        frame = replace(report.frame, n_missed=n_missed)
        presenter.show(replace(report, frame=frame, **changes), session, 1, 30.0, at_once=False)
        told.append(presenter._slot.take(None).n_missed)

    show(7)  # Nobody waited for what came before the first.
    show(2)
    show(1)
    show(5, iteration=Iteration(1, 9, 4, 0.5))
    show(5, pass_index=1)
    presenter.flush(None)
    show(90)
    show(4)
    presenter.clear()
    show(3)
    assert told == [0, 2, 3, 3, 3, 3, 7, 0]
