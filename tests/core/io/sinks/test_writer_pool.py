import threading

import pytest

from core.errors import CleanplateError
from core.io.sinks.writer_pool import BoundedWriterPool


def test_a_pool_with_one_thread_keeps_the_order():
    pool, done = BoundedWriterPool(1, 2), []
    for i in range(50):
        pool.put(lambda i=i: done.append(i))
    pool.finish()
    assert done == list(range(50))


def test_a_pool_holds_no_more_than_its_slots():
    pool, gate, begun = BoundedWriterPool(1, 2), threading.Event(), []
    putter = threading.Thread(target=lambda: [pool.put(lambda i=i: (begun.append(i), gate.wait())) for i in range(10)])
    putter.start()
    putter.join(0.2)
    assert putter.is_alive()
    assert len(begun) == 1
    gate.set()
    putter.join()
    pool.finish()
    assert len(begun) == 10


def fill(pool, done):
    for i in range(10_000):
        pool.put(lambda i=i: done.append(i))
    pool.finish()


def test_a_pool_raises_what_its_task_raised_and_runs_no_more():
    pool, done = BoundedWriterPool(2, 2), []

    def fail():
        raise CleanplateError("The disk is full.")

    pool.put(fail)
    with pytest.raises(CleanplateError, match="full"):
        fill(pool, done)
    pool.abandon()
    n_done = len(done)
    assert n_done < 10_000
    assert not [t for t in threading.enumerate() if t.name == "write"]
