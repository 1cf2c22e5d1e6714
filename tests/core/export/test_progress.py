"""Speed and time left, from the times at which reports come."""

from types import SimpleNamespace

import pytest

from core.export.progress import SPEED_FRAMES, Progress, ProgressMeter, Writing
from core.session.phase import Phase


def report(n_done, *, pass_index=0, n_passes=1, n_frames=None, phase=Phase.LEARNING, iteration=None, stages_ms=None):
    return SimpleNamespace(
        n_done=n_done,
        pass_index=pass_index,
        n_passes=n_passes,
        n_frames=n_frames,
        phase=phase,
        iteration=iteration,
        stages_ms=stages_ms or {},
    )


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when a test says so."""
    now = SimpleNamespace(s=0.0)
    monkeypatch.setattr("core.export.progress.time.perf_counter", lambda: now.s)
    return now


def measured(meter, clock, step_s, reports):
    found = []
    for one in reports:
        clock.s += step_s
        found.append(meter.measure(one))
    return found


def test_the_speed_is_that_of_the_last_frames(clock):
    meter = ProgressMeter()
    slow = measured(meter, clock, 0.5, [report(n, n_frames=500) for n in range(1, 101)])
    assert slow[0].fps == 0
    assert slow[0].seconds_left is None
    assert slow[-1].fps == pytest.approx(2)
    assert slow[-1].seconds_left == pytest.approx(200)
    fast = measured(meter, clock, 0.1, [report(n, n_frames=500) for n in range(101, 101 + SPEED_FRAMES)])
    assert fast[-1].fps == pytest.approx(10)


def test_what_is_compiled_at_the_start_says_nothing_of_the_time_left(clock):
    meter = ProgressMeter()
    first = measured(meter, clock, 60.0, [report(n, n_frames=500) for n in range(1, 4)])
    assert [one.seconds_left for one in first] == [None] * 3
    then = measured(meter, clock, 0.1, [report(n, n_frames=500) for n in range(4, 8)])
    assert then[-1].seconds_left == pytest.approx(49.3)


@pytest.mark.parametrize(("n_slow", "frame_s"), [(3, 0.1), (4, (60 + 5 * 0.1) / 6)])
def test_only_the_few_slowest_frames_are_left_out(clock, n_slow, frame_s):
    meter = ProgressMeter()
    measured(meter, clock, 60.0, [report(n, n_frames=50) for n in range(1, n_slow + 2)])
    then = measured(meter, clock, 0.1, [report(n, n_frames=50) for n in range(n_slow + 2, n_slow + 7)])
    assert then[-1].frame_s == pytest.approx(frame_s)


def test_of_the_first_frames_the_faster_half_counts(clock):
    meter = ProgressMeter()
    for n, step_s in enumerate([9.0, 4.0, 1.0, 3.0, 2.0], start=1):
        [found] = measured(meter, clock, step_s, [report(n, n_frames=50)])
    assert found.frame_s == pytest.approx((1.0 + 2.0) / 2)


def test_of_the_work_on_frames_the_faster_half_counts_too(clock):
    """Of five, three."""
    works = [report(n, n_frames=50, stages_ms={"step": 1e3 * n}) for n in (5, 1, 4, 2, 3)]
    assert measured(ProgressMeter(), clock, 0.5, works)[-1].frame_s == pytest.approx(2.0)


def test_a_speed_is_told_when_what_is_compiled_weighs_in_it_no_more(clock):
    meter = ProgressMeter()
    measured(meter, clock, 10.0, [report(n, n_frames=500) for n in range(1, 4)])
    settling = measured(meter, clock, 0.1, [report(n, n_frames=500) for n in range(4, 100)])
    told = [one.fps for one in settling if one.fps]
    assert settling[0].fps == 0
    assert min(told) > 5, "and not 3 frames in 10 s"
    assert told[-1] == pytest.approx(10)


def test_work_between_two_passes_is_no_part_of_the_speed(clock):
    meter = ProgressMeter()
    measured(meter, clock, 0.01, [report(n, n_passes=2, n_frames=600) for n in range(1, 601)])
    clock.s += 12.0
    second = [report(n, pass_index=1, n_passes=2, n_frames=600) for n in range(1, 601)]
    found = measured(meter, clock, 0.01, second)
    assert found[0].fps == 0, "and not 5 a second"
    assert found[0].seconds_left == pytest.approx(6, abs=0.1)
    assert found[-1].fps == pytest.approx(100)


def test_a_slow_method_tells_its_speed_after_a_few_frames(clock):
    found = measured(ProgressMeter(), clock, 12.0, [report(n, n_frames=500) for n in range(1, 8)])
    assert [round(1 / one.fps) if one.fps else None for one in found] == [None] * 4 + [12] * 3


def test_passes_still_to_come_take_their_time(clock):
    passes = [report(n, pass_index=1, n_passes=3, n_frames=10) for n in range(1, 6)]
    last = measured(ProgressMeter(), clock, 1.0, passes)[-1]
    assert (last.pass_number, last.n_passes, last.frame, last.total) == (2, 3, 5, 10)
    assert last.seconds_left == pytest.approx(5 + 10)


def test_a_run_that_ends_with_the_last_written_frame_is_timed_until_there(clock):
    meter = ProgressMeter(Writing(50, 70, is_end=True))
    first = measured(meter, clock, 0.1, [report(n, n_passes=2, n_frames=240) for n in range(1, 241)])[-1]
    assert (first.goal, first.overall) == (240, (240, 310))
    assert first.seconds_left == pytest.approx(7)
    last = measured(meter, clock, 0.1, [report(n, pass_index=1, n_passes=2, n_frames=240) for n in range(1, 71)])
    assert (last[-1].goal, last[-1].overall) == (70, (310, 310))
    assert last[-1].seconds_left == 0
    assert [one.unwritten for one in last] == ["written from 50 on"] * 49 + [""] * 21
    on = measured(ProgressMeter(Writing(50, 70)), clock, 0.1, [report(n, n_frames=240) for n in range(1, 72)])[-1]
    assert (on.goal, on.overall, on.unwritten) == (240, (71, 240), "written until 70")
    assert Progress(1, 1, 3, 60, 0.0, None, writing=Writing(50, 70, is_end=True)).goal == 60, "a shorter input"


def test_an_input_of_unknown_length_and_a_set_that_is_gathered_have_no_time_left(clock):
    assert measured(ProgressMeter(), clock, 1.0, [report(1), report(2)])[-1].seconds_left is None
    gathered = [report(n, n_frames=9, phase=Phase.GATHERING) for n in (1, 2)]
    assert measured(ProgressMeter(), clock, 1.0, gathered)[-1].seconds_left is None


def test_iterations_are_timed_by_themselves(clock):
    meter = ProgressMeter()
    measured(meter, clock, 1.0, [report(n, n_passes=2, n_frames=4, phase=Phase.GATHERING) for n in range(1, 5)])
    iterations = [report(n, n_passes=2, n_frames=20, phase=Phase.ITERATING, iteration=object()) for n in range(1, 6)]
    found = measured(meter, clock, 0.1, iterations)
    assert found[0].fps == 0
    assert found[-1].fps == pytest.approx(10)
    assert found[-1].seconds_left == pytest.approx(1.5), "of the iterations alone"


def test_frames_that_are_learnt_together_and_come_at_once_have_their_share_of_the_time(clock):
    meter, group, share_s, n = ProgressMeter(), 64, 0.1, 640
    for done in range(1, n + 1):
        clock.s += group * share_s if done % group == 1 else 0.001
        found = meter.measure(report(done, n_frames=n, stages_ms={"step": 1e3 * share_s, "mask": 1.0}))
        real_s = (n - done) // group * group * share_s
        if found.seconds_left is not None:
            assert found.seconds_left >= real_s
            assert found.seconds_left <= 1.2 * (n - done) * share_s
    assert found.seconds_left == 0


def test_the_first_moments_of_a_long_run_say_nothing_of_its_end(clock):
    found = measured(ProgressMeter(), clock, 0.02, [report(n, n_passes=3, n_frames=400) for n in range(1, 100)])
    told = [one.seconds_left for one in found]
    first = next(i for i, left in enumerate(told) if left is not None)
    assert first == 50, "a second, or a twentieth of all"
    assert told[first:] == pytest.approx([0.02 * (1200 - n) for n in range(first + 1, 100)])


def test_short_runs_are_told_of_as_soon_as_a_part_of_them_is_done(clock):
    found = measured(ProgressMeter(), clock, 0.02, [report(n, n_frames=16) for n in range(1, 17)])
    assert [one.seconds_left is None for one in found] == [True] * 4 + [False] * 12
