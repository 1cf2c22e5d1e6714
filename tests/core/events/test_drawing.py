"""Boxes and numbers of events, drawn into pictures of any depth."""

import cv2
import numpy as np
import pytest

from core.events.drawing import COLOURS, as_seen, draw_boxes
from core.events.event import SeenEvent

SEEN = [SeenEvent(1, (5, 30, 30, 40, 900)), SeenEvent(123, (188, 60, 10, 10, 90)), SeenEvent(9, (150, 0, 9, 9, 80))]


@pytest.mark.parametrize("shape", [(150, 200), (150, 200, 3)])
def test_pictures_of_sixteen_bits_look_like_those_of_eight(shape):
    shallow = draw_boxes(np.full(shape, 90, np.uint8), SEEN, 255)
    deep = draw_boxes(np.full(shape, 90 * 257, np.uint16), SEEN, 65535)
    assert (shallow.shape, shallow.dtype, deep.dtype) == ((150, 200, 3), np.uint8, np.uint16)
    np.testing.assert_allclose(deep / 257, shallow, atol=0.5)


def test_a_box_has_the_colour_of_its_event_and_a_number_beside_it_and_all_else_is_as_it_was():
    drawn = draw_boxes(np.full((150, 200), 90, np.uint8), SEEN, 255)
    for one in SEEN:
        x, y, w, h, _ = one.box
        colour = COLOURS[(one.number - 1) % len(COLOURS)]
        assert (drawn[y, x : x + w] == colour).all()
        assert (drawn[y + h - 1, x : x + w] == colour).all()
    changed = (drawn != 90).any(axis=2)
    assert not changed[85:].any()
    assert not changed[:, 60:140].any()
    assert changed[15:29, 5:16].any(), "above the box"
    assert changed[10:25, 150:170].any(), "no room above: below its upper edge"
    assert changed[44:58, 165:180].any(), "moved to where it ends inside of the picture"


@pytest.mark.parametrize(("height", "least"), [(240, 10), (360, 14), (1080, 40)])
@pytest.mark.parametrize("ground", [20, 90, 250])
def test_numbers_are_as_high_as_the_picture_asks_for_and_edged_in_black(height, least, ground):
    picture = np.full((height, height, 3), ground, np.uint8)
    for number in range(1, 8):
        box = (height // 2, height // 2, height // 4, height // 4, 9)
        drawn = draw_boxes(picture, [SeenEvent(number, box)], 255)[: height // 2 - height // 80].astype(int)
        ink = (np.abs(drawn - COLOURS[number - 1]) < 40).all(axis=2)
        rows = np.flatnonzero(ink.any(axis=1))
        assert np.ptp(rows) + 1 >= least
        around = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)) > ink
        assert np.median(drawn[around].sum(axis=1)) < 3 * 128
        assert (drawn.sum(axis=2) < 30).sum() > ink.sum() / 2


def test_a_picture_smaller_than_a_number_has_a_part_of_it():
    drawn = draw_boxes(np.zeros((6, 5, 3), np.uint8), [SeenEvent(88, (1, 1, 3, 3, 9))], 255)
    assert drawn.any()


def test_a_picture_is_seen_between_two_samples():
    picture = np.array([[0, 300, 310, 1100, 1300, 65535]], np.uint16)
    assert as_seen(picture, (300, 1300)).tolist() == [[0, 0, 3, 204, 255, 255]]
    assert as_seen(picture, (300, 1300)).dtype == np.uint8
    assert as_seen(picture, (0, 65535)).tolist() == np.rint(picture / 257).tolist()
