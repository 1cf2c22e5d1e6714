import os
import subprocess
import sys
import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from core.runtime import bands
from tests.patience import PATIENCE_S


def covered(n):
    """Return the bands that cover ``range(n)``, in the order of the results."""
    return bands.run(lambda start, stop: (start, stop), n)


@pytest.mark.parametrize(
    "n", [0, 1, 63, bands.SHORT, bands.SHORT + 1, bands.SHORT + 63, 3 * 320 * 240, 1920 * 1080, 5_000_011]
)
def test_bands_cover_everything_once_and_in_order(n):
    parts = covered(n)
    assert parts[0][0] == 0
    assert parts[-1][1] == n
    assert all(before[1] == after[0] for before, after in pairwise(parts))


def test_long_vectors_are_cut_the_same_way_on_every_machine():
    parts = covered(bands.SHORT + 1)
    assert len(parts) == bands.N_BANDS
    assert all(start % 64 == 0 for start, _ in parts), "bands would share cache lines"
    sizes = np.diff([start for start, _ in parts])
    assert sizes.max() - sizes.min() <= 64


def test_short_vectors_stay_on_the_calling_thread():
    assert bands.run(lambda start, stop: threading.get_ident(), bands.SHORT) == [threading.get_ident()]


def test_heavy_work_is_cut_earlier():
    n = bands.SHORT // bands.HEAVY
    counts = [len(bands.run(lambda start, stop: start, n + more, cost=bands.HEAVY)) for more in (0, 1)]
    assert counts == [1, bands.N_BANDS]


def test_an_error_in_a_band_reaches_the_caller():
    def fails(start, stop):
        if start:
            raise ValueError("in a band")

    with pytest.raises(ValueError, match="in a band"):
        bands.run(fails, bands.SHORT + 1)


def test_no_band_writes_any_more_when_an_error_reaches_the_caller(monkeypatch):
    monkeypatch.setattr(bands, "_n_cores", lambda: 2)
    here, begun, ended, both = threading.get_ident(), [], [], threading.Barrier(2)

    def fails_here(start, stop):
        if not begun:
            both.wait(PATIENCE_S)  # Each thread has one before either goes on.
        if threading.get_ident() == here:
            raise ValueError("in a band")
        begun.append(start)
        time.sleep(0.1)
        ended.append(start)

    with pytest.raises(ValueError, match="in a band"):
        bands.run(fails_here, bands.SHORT + 1)
    at_once = list(ended)
    assert at_once
    assert at_once == begun
    time.sleep(0.2)
    assert at_once == begun == ended


class Tasks(list):
    """Tasks that tell when there are none left to take."""

    def __init__(self, tasks):
        super().__init__(tasks)
        self.are_taken = threading.Event()

    def __iter__(self):
        self._waiting = super().__iter__()
        return iter(self._next, None)

    def _next(self):
        task = next(self._waiting, None)
        if task is None:
            self.are_taken.set()
        return task


@pytest.mark.parametrize("fails_here", [True, False])
def test_nothing_is_begun_any_more_once_a_thread_has_raised(monkeypatch, fails_here):
    monkeypatch.setattr(bands, "_n_cores", lambda: 2)
    here, begun, both = threading.get_ident(), [], threading.Barrier(2)

    def task():
        if not begun:
            both.wait(PATIENCE_S)  # Each thread has one before either goes on.
        begun.append(0)
        if (threading.get_ident() == here) == fails_here:
            raise ValueError("in a band")
        if len(begun) <= 2:
            tasks.are_taken.wait(60)  # By who has raised.

    tasks = Tasks([task] * 100)
    with pytest.raises(ValueError, match="in a band"):
        bands.all_of(tasks, bands.SHORT + 1)
    assert len(begun) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own():
    code = """if True:
        import os
        from core.runtime import bands
        total = lambda: sum(bands.run(lambda start, stop: stop - start, bands.SHORT + 5))
        total()
        child = os.fork()
        if not child:
            os._exit(total() != bands.SHORT + 5)
        assert os.waitpid(child, 0)[1] == 0
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_callers_on_several_threads_do_not_wait_for_each_other_for_ever():
    results = []

    def work():
        for _ in range(50):
            results.append(sum(bands.run(lambda start, stop: stop - start, bands.SHORT + 5)))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert results == [bands.SHORT + 5] * 150


@pytest.mark.parametrize(("rows", "values"), [(1, 10), (3, bands.SHORT + 1), (135, 1920 * 1080), (30, 100)])
def test_bands_of_rows_cover_all_rows_once(rows, values):
    parts = bands.run_rows(range, rows, values)
    assert [i for part in parts for i in part] == list(range(rows))
    assert len(parts) == (bands.N_BANDS if values > bands.SHORT else 1)
