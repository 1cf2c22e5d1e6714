import threading

import pytest

from core.runtime.signs_of_life import give, given_to


def test_signs_reach_all_who_wait_and_nobody_behind_the_block():
    heard = []
    give()
    with given_to(lambda: heard.append("outer")):
        with given_to(lambda: heard.append("inner")):
            give()
        give()
    give()
    assert heard == ["outer", "inner", "outer"]


def test_who_waits_is_forgotten_after_an_error():
    heard = []
    with pytest.raises(ValueError, match="broken"), given_to(lambda: heard.append(1)):
        raise ValueError("broken")
    give()
    assert heard == []


def test_signs_of_other_threads_are_not_heard():
    heard = []
    with given_to(lambda: heard.append(1)):
        thread = threading.Thread(target=give)
        thread.start()
        thread.join()
    assert heard == []
