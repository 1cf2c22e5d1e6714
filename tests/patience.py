"""Waiting for other threads and processes, so long that only what never comes fails: a machine may be busy, or slow."""

import threading
import time
from contextlib import contextmanager

PATIENCE_S = 300.0
"""Where nothing was compiled yet, the first frame takes most of a minute, and more where tests share the cores."""

POLL_S = 0.005


def until(condition, what):
    """Return what ``condition()`` gives as soon as that is true."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} was waited for"
        time.sleep(POLL_S)
    return found


def ends(thread):
    """Wait for the end of a thread."""
    thread.join(PATIENCE_S)
    assert not thread.is_alive(), "a thread did not end"


@contextmanager
def aside(work, release):
    """Do work on a thread; ``release`` lets it end, also where the test fails while it waits for the test."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        release()
        ends(thread)
