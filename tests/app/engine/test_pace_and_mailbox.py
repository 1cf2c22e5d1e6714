"""Clocks, the mailbox and the slot, without threads where none is needed."""

import threading

import numpy as np
import pytest

from app.engine.mailbox import Mailbox
from app.engine.pace import Pace, RateMeter, skipped
from app.engine.slot import MAX_POINTS, NewestSlot
from app.engine.snapshot import PlotPoint, Shown
from core.io.sources.base import SourceInfo


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


def test_a_slider_that_is_dragged_leaves_its_newest_value_alone_and_commands_between_keep_their_order():
    mail = Mailbox()
    for message, topic in (("rank 2", "rank"), ("rank 3", "rank"), ("step", None), ("step", None), ("rank 4", "rank")):
        assert mail.post(message, topic=topic)
    assert mail.take(0) == ["rank 3", "step", "step", "rank 4"]


def test_what_waits_is_bounded():
    mail = Mailbox(capacity=3)
    assert [mail.post(i) for i in range(5)] == [True, True, True, False, False]
    assert mail.take(0) == [0, 1, 2]
    assert mail.post(5)


def test_what_came_before_the_mailbox_was_closed_is_still_read():
    mail = Mailbox()
    mail.post("pause")
    mail.close()
    assert mail.is_closed
    assert mail.take(None) == ["pause"]


@pytest.mark.parametrize(
    ("index", "direction", "fps", "n_frames", "found"),
    [(50, 1, 25.0, 1000, 175), (50, -1, 25.0, 1000, 0), (3, 1, None, 8, 7), (3, 1, None, None, 13)],
)
def test_a_skip_goes_five_seconds_or_ten_images_and_stays_within_the_input(index, direction, fps, n_frames, found):
    info = SourceInfo("a clip", None, fps, n_frames)
    assert skipped(index, direction, info) == found


def test_news_that_say_nothing_of_a_thing_leave_it_as_it_is():
    slot = NewestSlot()
    slot.put(Shown(pictures="first", values={"rank": 3}, basis=[1]))
    slot.put(Shown(points=[PlotPoint(1, {"objective": 0.5})], basis=[]))
    assert not slot.is_empty
    shown = slot.take()
    assert (shown.pictures, shown.values, shown.basis, len(shown.points)) == ("first", {"rank": 3}, [], 1)
    slot.put(Shown(fps=2.0))
    assert slot.is_empty, "there are no pictures to be taken"


def test_a_command_wakes_the_reader():
    mail = Mailbox()
    threading.Timer(0.05, lambda: mail.post(print)).start()
    assert mail.take(10.0) == [print]


def test_the_newest_wins_and_points_are_bounded():
    slot = NewestSlot()
    for i in range(2 * MAX_POINTS):
        slot.put(Shown(points=[PlotPoint(i, {"residual": 0.0, "h": np.zeros(1)})], fps=float(i)))
    shown = slot.take()
    assert len(shown.points) == MAX_POINTS
    assert shown.points[-1].n == 2 * MAX_POINTS - 1
    assert shown.fps == 2 * MAX_POINTS - 1
    assert slot.take() is None
    slot.put(Shown(fps=1.0))
    slot.clear()
    assert slot.take() is None
