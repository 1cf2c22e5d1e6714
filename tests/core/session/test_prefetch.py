import threading
import time

import pytest

from core.errors import CleanplateError
from core.runtime import announcing, signs_of_life, stopping
from core.runtime.stopping import StoppedError, stops_when
from core.session.prefetch import SLOTS, prefetch
from tests.patience import until


class Counting:
    """An iterator of numbers that tells how far it was read and whether it was closed."""

    def __init__(self, count, fail_at=None):
        self.read = 0
        self.closed = 0
        self._count, self._fail_at = count, fail_at

    def __iter__(self):
        return self

    def __next__(self):
        if self.read == self._fail_at:
            raise OSError("the disk went away")
        if self.read == self._count:
            raise StopIteration
        self.read += 1
        return self.read - 1

    def close(self):
        self.closed += 1


def decoders():
    return [thread for thread in threading.enumerate() if thread.name == "decode"]


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    assert decoders() == []


@pytest.mark.parametrize("count", [0, 1, SLOTS, 200])
def test_frames_come_in_order_and_all_of_them(count):
    numbers = Counting(count)
    assert list(prefetch(numbers)) == list(range(count))
    assert numbers.closed == 1


def test_an_error_comes_behind_the_frames_before_it():
    numbers = Counting(9, fail_at=5)
    frames = prefetch(numbers)
    assert [next(frames) for _ in range(5)] == list(range(5))
    with pytest.raises(OSError, match="the disk went away"):
        next(frames)
    assert numbers.closed == 1
    assert list(frames) == []


def test_closing_ends_the_thread_and_closes_the_iterator():
    numbers = Counting(10_000)
    frames = prefetch(numbers)
    next(frames)
    assert decoders()
    frames.close()
    assert decoders() == []
    assert numbers.closed == 1
    assert numbers.read < 20


def test_closing_before_the_first_frame_starts_nothing():
    numbers = Counting(10)
    prefetch(numbers).close()
    assert numbers.read == 0


@pytest.mark.parametrize("slots", [1, 2, SLOTS])
def test_it_reads_ahead_but_no_further_than_its_slots(slots):
    numbers = Counting(1000)
    frames = prefetch(numbers, slots)
    next(frames)
    # One was handed out, the slots are full, and one waits in the hand of the decoder.
    until(lambda: numbers.read == slots + 2, "what is read ahead")
    time.sleep(0.15)
    assert numbers.read == slots + 2
    next(frames)
    until(lambda: numbers.read == slots + 3, "what is read ahead")
    frames.close()


def test_decoding_goes_on_while_the_caller_works():
    decoded = [threading.Event() for _ in range(5)]

    def frames():
        for i in range(5):
            decoded[i].set()
            yield i

    for i in prefetch(frames(), 1):
        assert decoded[min(i + 1, 4)].wait(60), "the next frame is decoded without being asked for"


def test_the_iterator_is_closed_by_the_thread_that_reads_it():
    seen = []

    def frames():
        try:
            while True:
                seen.append(threading.get_ident())
                yield 0
        finally:
            seen.append(threading.get_ident())

    reader = prefetch(frames())
    next(reader)
    reader.close()
    assert len(set(seen)) == 1
    assert seen[0] != threading.get_ident()


def test_who_waits_for_a_frame_can_give_up_and_leaves_a_decoder_that_does_not_end(monkeypatch):
    monkeypatch.setattr("core.session.prefetch.LEAVE_S", 0.1)
    may_end = threading.Event()

    def frames():
        yield 0
        may_end.wait(60)
        yield 1

    given_up = threading.Event()
    reader = prefetch(frames())
    assert next(reader) == 0
    given_up.set()
    began = time.monotonic()
    with stops_when(given_up.is_set), pytest.raises(StoppedError):
        next(reader)
    assert time.monotonic() - began < 30
    may_end.set()
    until(lambda: not decoders(), "the end of the decoder")


def test_who_looks_for_a_late_frame_and_shows_it_is_waited_for(monkeypatch):
    monkeypatch.setattr("core.session.prefetch.LIMIT_S", 2.0)

    def frames():
        until_s = time.monotonic() + 5.0
        while time.monotonic() < until_s:
            signs_of_life.give()
            time.sleep(0.05)
        yield 7

    assert list(prefetch(frames())) == [7]


@pytest.mark.parametrize("n_signs", [0, 1])
def test_an_input_that_falls_silent_is_one_sentence_after_signs_of_life_too(monkeypatch, n_signs):
    monkeypatch.setattr("core.session.prefetch.LIMIT_S", 0.2)
    may_end = threading.Event()

    def frames():
        for _ in range(n_signs):
            signs_of_life.give()
        may_end.wait(60)
        yield 0

    with pytest.raises(CleanplateError, match="has given no frame"):
        next(prefetch(frames()))
    may_end.set()
    until(lambda: not decoders(), "the end of the decoder")


def test_who_still_looks_for_a_frame_that_nobody_wants_any_more_is_stopped():
    looking, stopped = threading.Event(), threading.Event()

    def frames():
        yield 0
        try:
            for _ in range(1000):
                looking.set()
                stopping.check()
                time.sleep(0.01)
        except StoppedError:
            stopped.set()
            raise

    reader = prefetch(frames())
    assert next(reader) == 0
    assert looking.wait(60)
    reader.close()
    until(lambda: not decoders(), "the end of the decoder")
    assert stopped.is_set()


def test_work_that_has_ended_is_said_to_have_before_the_frame_that_follows_it():
    seen = []

    def frames():
        announcing.tell("Waiting")
        until(lambda: seen, "what is announced")
        announcing.tell("")
        yield from range(20)

    with announcing.announced_to(seen.append):
        for frame in prefetch(frames()):
            seen.append(frame)
    assert seen == ["Waiting", "", *range(20)]
