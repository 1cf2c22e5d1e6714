"""Events on drawn masks, where it is known what moves where."""

import tracemalloc

import cv2
import numpy as np
import pytest

from core.events.regions import find_regions
from core.events.rules import Rules
from core.events.tracker import BRIEF, PATIENCE, Tracker
from tests.core.events.drawn import HEIGHT, WIDTH, mask


def follow(masks, **rules):
    """Return the events in masks, by number."""
    tracker, events = Tracker(Rules(**rules)), []
    for index, drawn in enumerate(masks):
        events += tracker.update(index, index / 25, find_regions(drawn))[1]
    return sorted(events + tracker.finish(), key=lambda event: event.number)


def walk(frame, x=5, speed=3, y=50):
    return (x + speed * frame, y, 12, 20)


def test_one_thing_is_one_event_with_its_boxes_and_times():
    (event,) = follow([mask(walk(i)) if 3 <= i < 33 else mask() for i in range(50)])
    assert (event.number, event.first, event.last, event.length) == (1, 3, 32, 30)
    assert event.rows.tolist() == [[i, *walk(i), 240] for i in range(3, 33)]
    assert event.times_s.tolist() == [i / 25 for i in range(3, 33)]
    assert event.area == 240
    assert event.path[0].tolist() == [5 + 9 + 6, 60]


@pytest.mark.parametrize("gone", [PATIENCE - 1, PATIENCE])
def test_something_missed_for_some_frames_stays_one_event(gone):
    (event,) = follow([mask() if 15 <= i < 15 + gone else mask(walk(i)) for i in range(40)])
    assert event.length == 40
    assert len(event.rows) == 40 - gone


def test_something_gone_for_longer_is_two_events():
    assert len(follow([mask() if 15 <= i < 16 + PATIENCE else mask(walk(i)) for i in range(45)])) == 2


@pytest.mark.parametrize(("gone", "n_events"), [(3, 1), (4, 2)])
def test_what_was_hardly_seen_is_missed_for_no_longer_than_it_was_seen(gone, n_events):
    assert len(follow([mask() if 3 <= i < 3 + gone else mask(walk(i)) for i in range(20)], shortest=1)) == n_events


def test_what_comes_near_something_that_was_followed_and_is_gone_is_another():
    """Only what was seen once takes what lies near: it has no velocity yet."""
    still, near = (50, 50, 12, 20), (67, 50, 12, 20)
    first, second = follow([mask(still if i < 20 else near) for i in range(40)])
    assert (first.last, second.first) == (19, 20)
    step = near[0] - still[0]
    assert len(follow([mask(walk(i, speed=step)) for i in range(8)])) == 1, "not near enough: the test shows nothing"


def pieces(frame):
    x, y, width, height = walk(frame)
    return (x, y, width, height // 2 - 1), (x, y + height // 2 + 1, width, height // 2 - 1)


def in_pieces(n_frames):
    """Return the events of something that is seen in pieces for so many frames, and whole before and after."""
    return follow([mask(*(pieces(i) if 15 <= i < 15 + n_frames else [walk(i)])) for i in range(40)], shortest=1)


def test_something_in_pieces_for_some_frames_stays_one_event_with_the_whole_box():
    (event,) = in_pieces(BRIEF)
    assert len(in_pieces(BRIEF + 1)) == 2
    assert event.rows[:, :5].tolist() == [[i, *walk(i)] for i in range(40)]


def test_what_comes_apart_for_good_is_two_events():
    apart = [mask(*([walk(i)] if i < 15 else pieces(i))) for i in range(40)]
    assert len(follow(apart)) == 2


def test_two_that_pass_each_other_keep_their_numbers():
    both = [mask((5 + 4 * i, 50, 14, 20), (140 - 4 * i, 58, 14, 20)) for i in range(33)]
    events = follow(both)
    assert [(event.first, event.last) for event in events] == [(0, 32), (0, 32)]
    right, left = events
    assert right.path[-1, 0] > 100
    assert left.path[-1, 0] < 60


def test_a_frame_in_which_they_are_one_region_has_a_box_for_each():
    events = follow([mask((5 + 4 * i, 50, 14, 20), (140 - 4 * i, 58, 14, 20)) for i in range(33)])
    for event in events:
        assert len(event.rows) == 33
        assert np.abs(event.rows[:, 3:5] - (14, 20)).max() <= 14


def test_something_faster_than_its_own_width_is_one_event():
    assert len(follow([mask((2 + 15 * i, 50, 10, 12)) for i in range(10)])) == 1


def test_something_fast_that_is_missed_for_some_frames_goes_on_as_fast_as_it_did():
    """A wrong velocity would put it beside where it is: it moves by nearly twice its width."""
    fast = [mask() if i in {5, 6} else mask((2 + 11 * i, 50, 6, 12)) for i in range(14)]
    assert [event.length for event in follow(fast, shortest=1)] == [14]


def test_something_that_has_come_near_and_breaks_is_one_event_as_large_as_it_is_by_then():
    tall = [10 + 2 * i for i in range(34)]
    boxes = [[(60, 60 - height // 2, 20, height)] for height in tall]
    for i in range(25, 25 + BRIEF):
        ((x, y, width, height),) = boxes[i]
        boxes[i] = [(x, y, width, height // 2 - 1), (x, y + height // 2 + 1, width, height // 2 - 1)]
    (event,) = follow([mask(*parts) for parts in boxes], shortest=1)
    np.testing.assert_allclose(event.rows[:, 4], tall, atol=2)


def test_flecks_are_no_events():
    rng = np.random.default_rng(0)
    flecks = [mask(*((x, y, 4, 4) for x, y in rng.integers(0, 110, (3, 2)))) for _ in range(200)]
    assert len(follow(flecks)) < len(follow(flecks, shortest=1)) / 20


def test_only_what_passes_the_area_large_enough_and_long_enough_counts():
    things = [mask(walk(i), walk(i, y=5), (100, 90, 3, 3)) for i in range(40)]
    assert len(follow(things)) == 3
    assert [event.rows[0, 2] for event in follow(things, smallest=10)] == [5, 50]
    lower = ((0, 40), (159, 40), (159, 80), (0, 80))
    assert [event.rows[0, 2] for event in follow(things, area=lower)] == [50]
    assert follow(things, area=lower, shortest=41) == []


def follow_over_a_cut(masks, first, known_at, **rules):
    """Return the events in masks of which those from ``first`` on show another scene, as is known at a later one."""
    tracker, events = Tracker(Rules(**rules)), []
    for index, drawn in enumerate(masks):
        scene_first = first if index >= known_at else 0
        events += tracker.update(index, index / 25, find_regions(drawn), scene_first)[1]
    return sorted(events + tracker.finish(), key=lambda event: event.number)


@pytest.mark.parametrize("late", [0, 1, 9])
def test_nothing_goes_on_over_a_cut_and_what_was_seen_before_the_cut_was_known_is_no_event(late):
    everything = mask((0, 0, WIDTH, HEIGHT))
    masks = [everything if 20 <= i < 20 + late else mask(walk(i)) for i in range(40)]
    before, after = follow_over_a_cut(masks, 20, 20 + late)
    assert before.rows.tolist() == [[i, *walk(i), 240] for i in range(20)]
    assert after.rows.tolist() == [[i, *walk(i), 240] for i in range(20 + late, 40)]
    assert len(before.times_s) == 20
    assert follow(masks)[0].last > 20, "without a cut it goes on: the test shows nothing"


def test_what_only_came_to_count_after_a_cut_that_was_not_known_is_no_event():
    masks = [mask(walk(i)) if 16 <= i < 25 else mask() for i in range(40)]
    assert len(follow_over_a_cut(masks, 20, 25, shortest=4)) == 1
    assert follow_over_a_cut(masks, 20, 25, shortest=5) == []


def test_numbers_are_those_that_were_seen_frame_by_frame():
    tracker, seen = Tracker(Rules()), {}
    events = []
    for index in range(40):
        found, ended = tracker.update(index, 0.0, find_regions(mask(walk(index), walk(index // 2, y=5))))
        events += ended
        for one in found:
            seen.setdefault(one.number, []).append((index, *one.box))
    for event in events + tracker.finish():
        assert [tuple(row) for row in event.rows.tolist()][-len(seen[event.number]) :] == seen[event.number]
    assert len(seen) == 2


def test_many_random_walkers_are_followed_to_their_ends():
    rng = np.random.default_rng(4)
    lanes = [(int(x), 10 * lane, int(speed)) for lane, (x, speed) in enumerate(rng.integers(1, 4, (11, 2)))]
    masks = [mask(*((x + speed * i // 2, y, 8, 6) for x, y, speed in lanes)) for i in range(60)]
    events = follow(masks)
    assert len(events) == len(lanes)
    assert all(len(event.rows) == 60 for event in events)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_masks_show_events_are_in_order_inside_the_picture_and_made_of_what_is_set(seed):
    rng = np.random.default_rng(seed)
    masks = []
    for _ in range(40):
        noise = cv2.GaussianBlur(rng.random((HEIGHT, WIDTH)), (0, 0), float(rng.choice([1, 3, 8])))
        drawn = (noise > np.quantile(noise, rng.choice([0.5, 0.9, 0.99]))).astype(np.uint8)
        masks.append(drawn * np.uint8(255) if rng.random() < 0.9 else mask())
    tracker, events = Tracker(Rules()), []
    for index, drawn in enumerate(masks):
        events += tracker.update(index, 0.0, find_regions(drawn))[1]
    events += tracker.finish()
    assert len({event.number for event in events}) == len(events)
    for event in events:
        frames, boxes = event.rows[:, 0], event.rows[:, 1:]
        assert (np.diff(frames) > 0).all()
        assert len(frames) >= Rules().shortest
        assert (boxes[:, 2:] > 0).all()
        for index, (x, y, width, height, area) in zip(frames.tolist(), boxes.tolist(), strict=True):
            inside = masks[index][y : y + height, x : x + width]
            assert inside.shape == (height, width)
            assert np.count_nonzero(inside) >= area > 0


def test_what_is_over_is_forgotten():
    tracker = Tracker(Rules())
    for index in range(300):
        tracker.update(index, 0.0, find_regions(mask(walk(index % 40))))
    for index in range(300, 330):
        tracker.update(index, 0.0, find_regions(mask()))
    assert tracker.finish() == []


def test_thousands_of_small_things_are_followed_in_bounded_memory():
    rng = np.random.default_rng(0)
    at = np.stack(np.meshgrid(np.arange(6, 850, 17), np.arange(6, 850, 17)), axis=2).reshape(-1, 2)
    tracker = Tracker(Rules(shortest=3))
    for index in range(3):
        drawn = np.zeros((860, 860), np.uint8)
        for x, y in at + rng.integers(0, 2, at.shape):
            drawn[y : y + 5, x : x + 5] = 255
        regions = find_regions(drawn)
        if index == 2:
            tracemalloc.start()
        tracker.update(index, index / 25, regions)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(at) == 2500
    assert len(tracker.finish()) == len(at)
    assert peak < 15e6, "far less than a number for each of all pairs"


def test_one_that_is_near_keeps_it_whatever_is_far_away():
    """Of two that were seen once one is near something; the other is far from all, and no reason to give that up."""
    masks = [mask((50, 50, 12, 20), (130, 50, 12, 20))]
    masks += [mask((50 + 14 * i, 50, 12, 20), (20, 50, 12, 20)) for i in range(1, 8)]
    events = follow(masks, shortest=1)
    assert sorted((event.first, event.last) for event in events) == [(0, 0), (0, 7), (1, 7)]
