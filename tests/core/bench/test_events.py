"""The score of events against labels whose truth is drawn."""

import cv2
import numpy as np
import pytest

from core.bench.events import labelled_regions, measure, overlaps, passages, score
from core.bench.sequences import find_sequences
from core.events.event import Event


def corners(*boxes):
    return np.array([(x, y, x + w, y + h) for x, y, w, h in boxes], float).reshape(-1, 4)


TRUTH = {i: corners((2 * i, 10, 10, 10), (100, 50, 10, 10)) for i in range(30)}


def event(number, first, last, box):
    rows = np.array([[i, *box(i), 100] for i in range(first, last)], np.int32)
    return Event(number, rows, rows[:, 0] / 25)


def walker(i):
    return (2 * i, 10, 10, 10)


def stander(i):
    return (100, 50, 10, 10)


def test_events_that_are_the_labels_score_one():
    found = score("", TRUTH, [event(1, 0, 30, walker), event(2, 0, 30, stander)])
    assert (found.f, found.passages, found.broken, found.missed, found.events) == (1.0, 2, 0, 0, 2)


def test_a_passage_that_two_events_follow_is_broken_though_its_boxes_are_right():
    found = score("", TRUTH, [event(1, 0, 15, walker), event(3, 15, 30, walker), event(2, 0, 30, stander)])
    assert (found.f, found.broken, found.missed) == (1.0, 1, 0)


def test_a_passage_without_an_event_is_missed_and_what_is_not_there_is_wrong():
    found = score("", TRUTH, [event(1, 0, 30, walker), event(2, 0, 30, lambda i: (60, 80, 9, 9))])
    assert (found.precision, found.recall, found.missed) == (0.5, 0.5, 1)


def test_passages_end_where_labels_part_or_meet():
    meeting = {i: corners((2 * i, 10, 10, 10), (100, 10, 10, 10)) if i < 20 else corners((38, 10, 72, 10))
               for i in range(40)}  # fmt: skip
    assert sorted(len(one) for one in passages(meeting)) == [20, 20, 20]


def test_passages_end_where_frames_have_no_labels():
    gap = {i: boxes for i, boxes in TRUTH.items() if i != 14}
    assert sorted(len(one) for one in passages(gap)) == [14, 14, 15, 15]


def test_only_what_is_surely_foreground_is_labelled():
    labels = np.zeros((40, 40), np.uint8)
    labels[5:20, 5:20] = 170
    labels[7:15, 8:18] = 255
    labels[30:, 30:] = 50
    assert labelled_regions(labels).tolist() == [[8, 7, 18, 15]]


@pytest.fixture
def drawn_sequence(tmp_path):
    """A square that passes before noise, labelled, a strip of it outside of what is scored."""
    folder = tmp_path / "square"
    (folder / "input").mkdir(parents=True)
    (folder / "groundtruth").mkdir()
    rng = np.random.default_rng(1)
    for i in range(1, 91):
        picture = rng.normal(110, 2, (96, 128, 3)).clip(0, 255).astype(np.uint8)
        labels = np.zeros((96, 128), np.uint8)
        if i > 40:
            x = 2 * (i - 40)
            picture[30:50, x : x + 16] = (20, 200, 240)
            labels[30:50, x : x + 16] = 255
        labels[:, 120:] = 85
        cv2.imwrite(str(folder / f"input/in{i:06d}.png"), picture)
        cv2.imwrite(str(folder / f"groundtruth/gt{i:06d}.png"), labels)
    (folder / "scored.txt").write_text("30 90\n")
    return tmp_path


def test_the_program_follows_a_square_through_a_drawn_sequence(drawn_sequence):
    (sequence,) = find_sequences(drawn_sequence)
    found = measure(sequence)
    assert (found.passages, found.broken, found.missed) == (1, 0, 0)
    assert found.f > 0.9


def test_overlaps_are_intersection_over_union():
    one, others = corners((0, 0, 10, 10)), corners((0, 0, 10, 10), (5, 0, 10, 10), (10, 0, 10, 10), (20, 20, 10, 10))
    assert overlaps(one, others) == pytest.approx(np.array([[1, 1 / 3, 0, 0]]))
    assert overlaps(one, corners()).shape == (1, 0)
