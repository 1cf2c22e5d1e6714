"""What is worked out once."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.runtime.cached import cached

WAIT_S = 20


@dataclass(frozen=True)
class Square:
    side: int

    @cached
    def area(self):
        """The area."""
        return [self.side**2]


def test_it_is_worked_out_once_and_kept_with_the_object_alone():
    one = Square(3)
    assert one.area == [9]
    assert one.area is one.area
    assert Square(3).area is not one.area
    assert replace(one, side=4).area == [16]
    assert pickle.loads(pickle.dumps(one)) == one
    assert Square.area.__doc__ == "The area."


class Meeting:
    """Is worked out by as many threads at a time as meet there."""

    def __init__(self, barrier):
        self._barrier = barrier

    @cached
    def place(self):
        self._barrier.wait(WAIT_S)
        return object()


def test_threads_work_out_different_objects_at_the_same_time():
    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda meeting: meeting.place, [Meeting(barrier), Meeting(barrier)])
    assert one is not other


def test_threads_that_ask_the_same_object_at_the_same_time_get_the_same():
    meeting = Meeting(threading.Barrier(2))
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: meeting.place, range(2))
    assert one is other is meeting.place
