"""Clocks, the mailbox and the slot, without threads where none is needed."""

import threading

import numpy as np

from app.engine.mailbox import MAX_POINTS, Mailbox, NewestSlot, PlotPoint, Shown
from app.engine.pace import Pace, RateMeter


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_frames_are_due_at_their_own_times():
    clock = Clock()
    pace = Pace(clock)
    assert pace.wait_s(0.0, 25) == 0.04
    clock.now = 0.05  # Ten milliseconds late: the next wait is shorter, so that the lateness does not add up.
    assert np.isclose(pace.wait_s(0.04, 25), 0.03)


def test_a_slow_method_starts_the_clock_anew_instead_of_racing():
    clock = Clock()
    pace = Pace(clock)
    pace.wait_s(0.0, 25)
    clock.now = 3.0
    assert np.isclose(pace.wait_s(0.04, 25), 0.04)


def test_nothing_waits_without_times_or_at_full_speed():
    pace = Pace(Clock())
    assert pace.wait_s(5.0, None) == 0.0
    pace.real_time = False
    assert pace.wait_s(5.0, 25) == 0.0


def test_the_rate_is_that_of_the_last_second():
    clock = Clock()
    meter = RateMeter(clock)
    for i in range(400):
        clock.now = 0.1 * i if i < 100 else 10 + 0.01 * (i - 100)
        rate = meter.tick()
    assert 95 < rate < 105


def test_commands_come_in_order_and_a_closed_mailbox_refuses():
    mail, done = Mailbox(), []
    for i in range(5):
        assert mail.post(lambda i=i: done.append(i))
    for command in mail.take(0):
        command()
    assert done == [0, 1, 2, 3, 4]
    mail.close()
    assert not mail.post(done.clear)
    assert mail.take(None) == []


def test_a_command_wakes_the_reader():
    mail = Mailbox()
    threading.Timer(0.05, lambda: mail.post(print)).start()
    assert mail.take(10.0) == [print]


def test_the_newest_wins_and_points_are_bounded():
    slot = NewestSlot(Shown)
    for i in range(2 * MAX_POINTS):
        slot.put(PlotPoint(i, 0.0, 0.0, np.zeros(1), 0.0), fps=float(i))
    shown = slot.take()
    assert len(shown.points) == MAX_POINTS
    assert shown.points[-1].n == 2 * MAX_POINTS - 1
    assert shown.fps == 2 * MAX_POINTS - 1
    assert slot.take() is None
    slot.put(fps=1.0)
    slot.clear()
    assert slot.take() is None
