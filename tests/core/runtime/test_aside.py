"""What waits can be left."""

import threading
import time

import pytest

from core.runtime import aside
from core.runtime.aside import GivenUpError, call_aside


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
