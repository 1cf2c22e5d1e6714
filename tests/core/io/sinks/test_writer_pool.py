import threading
import weakref

import pytest

from core.errors import CleanplateError
from core.io.sinks.writer_pool import BoundedWriterPool
from tests.patience import PATIENCE_S, aside, ends, until


def test_a_pool_with_one_thread_keeps_the_order():
    pool, done = BoundedWriterPool(1, 2), []
    for i in range(50):
        pool.put(lambda i=i: done.append(i))
    pool.finish()
    assert done == list(range(50))


def test_a_pool_holds_no_more_than_its_slots():
    pool, gate, begun = BoundedWriterPool(1, 2), threading.Event(), []
    with aside(lambda: [pool.put(lambda i=i: (begun.append(i), gate.wait())) for i in range(10)], gate.set) as putter:
        until(lambda: begun, "the first task")
        putter.join(0.2)
        assert putter.is_alive()
        assert len(begun) == 1
        gate.set()
        ends(putter)
    pool.finish()
    assert len(begun) == 10


@pytest.mark.parametrize(("threads", "slots"), [(1, 0), (2, 0), (2, 1)])
def test_no_more_tasks_are_held_than_threads_and_slots(threads, slots):
    pool, gate, put = BoundedWriterPool(threads, slots), threading.Event(), []
    with aside(lambda: [(pool.put(gate.wait), put.append(i)) for i in range(10)], gate.set) as putter:
        until(lambda: len(put) >= threads + slots, "as many tasks as may be held")
        putter.join(0.2)
        assert len(put) == threads + slots
        gate.set()
        ends(putter)
    pool.finish()
    assert len(put) == 10


class Task:
    def __init__(self):
        self.is_done = threading.Event()

    def __call__(self):
        self.is_done.set()


def test_a_task_is_dropped_when_it_is_done():
    pool, task = BoundedWriterPool(1, 2), Task()
    is_done, is_gone = task.is_done, threading.Event()
    weakref.finalize(task, is_gone.set)
    pool.put(task)
    del task
    assert is_done.wait(PATIENCE_S)
    assert is_gone.wait(PATIENCE_S), "the thread holds it until the next one comes"
    pool.finish()


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
