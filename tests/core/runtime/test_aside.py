"""What waits can be left."""

import threading
import time
from types import SimpleNamespace

import pytest

from core.runtime import aside
from core.runtime.aside import GivenUpError, call_aside
from tests.patience import PATIENCE_S, ends


def called(work, *, given_up=lambda: False, limit_s=60.0, discard=lambda result: None):
    return call_aside(work, given_up=given_up, limit_s=limit_s, discard=discard, name="aside")


def test_the_result_or_the_error_is_that_of_the_work():
    assert called(lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        called(lambda: 1 // 0)


@pytest.mark.parametrize("how", [{"given_up": lambda: True}, {"limit_s": 0.1}])
def test_what_does_not_answer_is_left_and_its_result_discarded(how, monkeypatch):
    monkeypatch.setattr(aside, "LEAVE_S", 0.1)
    may_end, discarded = threading.Event(), []
    began = time.monotonic()
    with pytest.raises((GivenUpError, TimeoutError)):
        called(lambda: may_end.wait(60) and 7, discard=discarded.append, **how)
    assert time.monotonic() - began < 30
    thread = next(thread for thread in threading.enumerate() if thread.name == "aside")
    may_end.set()
    thread.join(60)
    assert discarded == [7]


def test_a_result_that_came_as_it_was_given_up_is_discarded_once():
    discarded = []
    with pytest.raises(GivenUpError):
        called(lambda: 7, given_up=lambda: True, discard=discarded.append)
    assert discarded == [7]


class LetGo:
    """A lock; who does the work goes on only when ``on`` is set, once it has let go."""

    def __init__(self, handed_over, on):
        self._lock, self._handed_over, self._on = threading.Lock(), handed_over, on

    def __enter__(self):
        self._lock.acquire()

    def __exit__(self, *_):
        self._lock.release()
        if threading.current_thread().name == "aside":
            self._handed_over.set()
            self._on.wait(PATIENCE_S)


def what_was_left_ends():
    for thread in threading.enumerate():
        if thread.name == "aside":
            ends(thread)


def test_a_result_that_is_given_up_as_it_is_handed_over_is_discarded_once(monkeypatch):
    handed_over, on, discarded = threading.Event(), threading.Event(), []
    locks = SimpleNamespace(Lock=lambda: LetGo(handed_over, on), Event=threading.Event, Thread=threading.Thread)
    monkeypatch.setattr(aside, "threading", locks)

    def discard(result):
        discarded.append(result)
        on.set()

    with pytest.raises(GivenUpError):
        called(lambda: 7, given_up=handed_over.is_set, discard=discard)
    what_was_left_ends()
    assert discarded == [7]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_who_gives_up_does_not_wait_on_where_a_result_cannot_be_discarded(monkeypatch):
    monkeypatch.setattr(aside, "LEAVE_S", 60)
    may_end = threading.Event()

    def given_up():
        threading.Timer(0.2, may_end.set).start()  # When it has been left.
        return True

    began = time.monotonic()
    with pytest.raises(GivenUpError):
        called(may_end.wait, given_up=given_up, discard=lambda result: 1 // 0)
    assert time.monotonic() - began < 30
    what_was_left_ends()  # Its error is this test's.
