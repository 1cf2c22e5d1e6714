import threading

import pytest

from core.runtime.announcing import announced, announced_to


def test_whoever_listens_hears_of_the_beginning_and_the_end_whatever_happens():
    heard, outer = [], []
    with announced_to(outer.append), announced_to(heard.append):
        with announced("Working…"):
            assert heard == ["Working…"]
        with pytest.raises(ZeroDivisionError), announced("Dividing…"):
            1 / 0  # noqa: B018
    assert heard == outer == ["Working…", "", "Dividing…", ""]


def test_nobody_hears_outside_the_block_or_of_another_thread():
    heard = []

    def work():
        with announced("Working…"):
            pass

    with announced_to(heard.append):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    work()
    assert heard == []
