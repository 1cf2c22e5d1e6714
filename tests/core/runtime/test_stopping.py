import threading

import pytest

from core.errors import CancelledError
from core.runtime.stopping import StoppedError, check, stops_when


def test_nobody_is_stopped_who_was_not_told_to():
    check()
    with stops_when(lambda: False):
        check()


def test_work_is_stopped_from_where_someone_wants_it_to_where_the_block_ends():
    wanted = threading.Event()
    with stops_when(wanted.is_set):
        check()
        wanted.set()
        with pytest.raises(StoppedError):
            check()
    check()


def test_one_of_several_reasons_is_enough():
    with stops_when(lambda: True), stops_when(lambda: False), pytest.raises(CancelledError):
        check()


def test_a_reason_is_forgotten_after_an_error():
    with pytest.raises(StoppedError), stops_when(lambda: True):
        check()
    check()


def test_other_threads_go_on():
    ended = []
    with stops_when(lambda: True):
        thread = threading.Thread(target=lambda: ended.append(check()))
        thread.start()
        thread.join()
    assert ended == [None]
