"""What only the thread that iterates may do is refused to all others while it iterates."""

import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

from core.scene.areas import Areas
from core.session import iterating_thread
from core.session.iterating_thread import IteratingThread
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_session import clip


def in_another_thread(call):
    """Return what a call raises in a thread of its own; None where it raises nothing."""
    raised = []

    def work():
        try:
            call()
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return raised[0] if raised else None


def test_others_are_refused_only_while_one_iterates():
    thread = IteratingThread()
    assert in_another_thread(thread.check) is None
    with thread.iterating():
        thread.check()
        assert in_another_thread(thread.check) is not None
    assert in_another_thread(thread.check) is None


def test_a_second_thread_cannot_iterate_meanwhile():
    thread = IteratingThread()

    def iterate():
        with thread.iterating():
            pass

    with thread.iterating():
        assert in_another_thread(iterate) is not None
        thread.check()


def test_what_looks_at_what_the_thread_changes_is_refused_too():
    run = Session(clip(3), Settings())
    reports = run.run()
    next(reports)
    assert in_another_thread(lambda: run.browse(0)) is not None
    assert in_another_thread(lambda: run.warnings) is not None
    reports.close()
    assert in_another_thread(lambda: run.warnings) is None


def begin(thread):
    with thread.iterating():
        pass


def test_nobody_iterates_twice_at_a_time_and_the_first_stays_the_one_that_does():
    thread = IteratingThread()
    with thread.iterating():
        with pytest.raises(RuntimeError, match="once at a time"):
            begin(thread)
        assert in_another_thread(thread.check) is not None
        assert in_another_thread(lambda: begin(thread)) is not None
    begin(thread)


class CheckedBeforehand(IteratingThread):
    """Wrong: lets its own thread in again, which then ends both, and looks before it sets."""

    @contextmanager
    def iterating(self):
        self.check()
        self._ident = iterating_thread.get_ident()
        try:
            yield
        finally:
            self._ident = None


def test_a_second_iteration_by_the_same_thread_would_open_the_first_to_others():
    wrong = CheckedBeforehand()
    with wrong.iterating():
        begin(wrong)
        assert in_another_thread(wrong.check) is None, "the test above would not notice"


@pytest.mark.parametrize(("kind", "only_one"), [(IteratingThread, True), (CheckedBeforehand, False)])
def test_of_many_threads_that_begin_at_once_one_iterates(monkeypatch, kind, only_one):
    n_threads = 4
    thread, tried, inside = kind(), threading.Barrier(n_threads), []

    def slow_ident():
        time.sleep(0.1)  # between looking and setting, where the others come
        return threading.get_ident()

    def try_to_iterate():
        try:
            with thread.iterating():
                inside.append(1)
                tried.wait(60)
        except RuntimeError:
            tried.wait(60)

    monkeypatch.setattr(iterating_thread, "get_ident", slow_ident)
    threads = [threading.Thread(target=try_to_iterate) for _ in range(n_threads)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (len(inside) == 1) is only_one


WHERE = np.ones((48, 64), bool)


@pytest.mark.parametrize(
    "call",
    [
        lambda s, r: s.preview(), lambda s, r: s.drop_basis(0), lambda s, r: s.plate(), lambda s, r: s.confidence(),
        lambda s, r: s.scene_plate(), lambda s, r: s.when_scene_ends(print),
        lambda s, r: s.basis(), lambda s, r: s.model(), lambda s, r: list(s.run()),
        lambda s, r: s.set_passes(2),
        lambda s, r: s.strokes.paint(r.frame, WHERE), lambda s, r: s.strokes.undo(), lambda s, r: s.strokes.forget(),
        lambda s, r: s.areas.now, lambda s, r: s.areas.set(Areas()),
    ],
    ids=[
        "preview", "drop", "plate", "confidence", "plate of a scene", "plates of scenes", "basis", "model", "run",
        "passes", "paint", "undo", "forget", "areas", "other areas",
    ],
)  # fmt: skip
def test_between_frames_a_session_obeys_the_thread_that_iterates_alone(call):
    session = Session(clip(6), Settings())
    reports = session.run()
    report = next(reports)
    assert in_another_thread(lambda: call(session, report)) is not None
    reports.close()
    assert in_another_thread(lambda: call(session, report)) is None, "nobody iterates any more"


def test_other_threads_control_it_and_read_what_was_painted():
    session = Session(clip(6), Settings())
    reports = session.run()
    report = next(reports)
    session.strokes.paint(report.frame, WHERE)
    seen = []

    def all_that_is_allowed():
        session.control.pause()
        session.control.set({"sensitivity": 6})
        session.control.seek(2)
        session.seek(4)
        session.control.resume()
        seen.extend([session.control.values["sensitivity"], len(session.strokes.painted)])

    assert in_another_thread(all_that_is_allowed) is None
    assert seen[0] == 6
    assert seen[1]
    assert next(reports).frame.index == 4
    reports.close()
