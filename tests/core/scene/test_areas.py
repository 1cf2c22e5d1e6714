"""Excluded areas: what they hold, and where they lie in pictures."""

import time

import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError
from core.scene.area_maps import AreaMaps, draw_areas, simplified
from core.scene.areas import CODES, FARTHEST, MOST_CORNERS, MOST_POINTS, MOST_SHAPES, MOST_THICKNESS, Areas, Shape

WIDTH, HEIGHT = 64, 48
SQUARE = ((10, 8), (30, 8), (30, 20), (10, 20))


def never(*points, thickness=0):
    return Shape("never", points, thickness)


def drawn(*shapes, corner=(0, 0), size=(WIDTH, HEIGHT)):
    return draw_areas(Areas(shapes), *size, corner)


def test_a_polygon_fills_what_is_inside_it_and_a_stroke_what_the_brush_covers():
    codes = drawn(never(*SQUARE))
    assert (codes[9:19, 11:29] == CODES["never"]).all()
    assert not codes[:7].any()
    assert not codes[:, 32:].any()
    codes = drawn(Shape("keep", ((10, 24), (50, 24)), 8))
    assert (codes[21:27, 10:50] == CODES["keep"]).all()
    assert codes[24, [7, 52]].all(), "its ends are round"
    assert not codes[:19].any()
    assert not codes[29:].any()
    dab = drawn(Shape("keep", ((30, 24),), 11))
    assert np.count_nonzero(dab) == pytest.approx(np.pi * 5.5**2, rel=0.2)


def test_a_later_shape_goes_before_earlier_ones_and_one_of_none_takes_away():
    inner = ((15, 10), (25, 10), (25, 18), (15, 18))
    codes = drawn(never(*SQUARE), Shape("keep", inner))
    assert codes[14, 20] == CODES["keep"]
    assert codes[14, 12] == CODES["never"]
    codes = drawn(never(*SQUARE), Shape("none", inner))
    assert not codes[12:17, 17:24].any()
    assert codes[14, 12] == CODES["never"]


def test_a_region_shows_its_part_of_the_areas():
    shapes = (never(*SQUARE), Shape("keep", ((10, 24), (50, 24)), 8))
    whole = drawn(*shapes)
    np.testing.assert_array_equal(drawn(*shapes, corner=(12, 10), size=(30, 20)), whole[10:30, 12:42])
    assert not drawn(*shapes, corner=(60, 40), size=(4, 4)).any()
    codes = bytes(whole.tobytes())
    picture = Areas(size=(WIDTH, HEIGHT), codes=codes)
    np.testing.assert_array_equal(draw_areas(picture, 30, 20, (12, 10)), whole[10:30, 12:42])
    over = Areas((Shape("none", SQUARE),), (WIDTH, HEIGHT), codes)
    assert not draw_areas(over, WIDTH, HEIGHT)[10:18, 12:28].any(), "shapes lie over the picture"


@pytest.mark.parametrize("far", [-FARTHEST, FARTHEST])
def test_points_far_outside_are_cut_off(far):
    assert drawn(never((far, far), (20, -5), (-5, 30))).shape == (HEIGHT, WIDTH)
    assert drawn(
        never((-FARTHEST, -FARTHEST), (FARTHEST, -FARTHEST), (FARTHEST, FARTHEST), (-FARTHEST, FARTHEST))
    ).all()
    assert drawn(Shape("keep", ((far, 20), (30, 20)), 6)).any()
    assert not drawn(Shape("keep", ((far, far),), 6)).any()


def test_maps_are_none_where_nothing_is_excluded_and_follow_the_working_size():
    full, small = (WIDTH, HEIGHT), (WIDTH // 2, HEIGHT // 2)
    assert AreaMaps.of(Areas(), full, small, (0, 0)) == AreaMaps()
    outside = AreaMaps.of(Areas((never((900, 900), (910, 900), (910, 910)),)), full, small, (0, 0))
    assert outside == AreaMaps(), "areas may lie outside of a region"
    maps = AreaMaps.of(Areas((never(*SQUARE),)), full, small, (0, 0))
    assert maps.cleaned is None
    assert not maps.foreground[9:19, 11:29].any()
    assert maps.never.shape == (24, 32)
    assert maps.never[5:9, 6:14].all()
    mask = np.full((HEIGHT, WIDTH), 255, np.uint8)
    out = maps.only_foreground(mask)
    np.testing.assert_array_equal(out, maps.foreground)
    assert maps.only_cleaned(mask) is mask
    deep = maps.only_foreground(np.full((24, 32), 65535, np.uint16))
    assert deep.dtype == np.uint16
    assert not deep[5:9, 6:14].any()
    assert deep[0, 0] == 65535


def test_areas_come_back_from_json_as_they_were():
    areas = Areas((never(*SQUARE), Shape("keep", ((1.5, 2.25), (3, 4)), 12)), (WIDTH, HEIGHT), bytes(WIDTH * HEIGHT))
    assert msgspec.json.decode(msgspec.json.encode(areas), type=Areas) == areas
    assert msgspec.json.encode(Areas()) == b"{}"
    assert msgspec.json.decode(b'{"shapes":[{"kind":"never","points":[[1,2],[3,4],[5,6]]}]}', type=Areas) == Areas(
        (never((1, 2), (3, 4), (5, 6)),)
    )


WRONG = [
    b'{"shapes":[{"kind":"sometimes","points":[[1,2],[3,4],[5,6]]}]}',
    b'{"shapes":[{"kind":"never","points":[]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2],[3,4]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2],[3,4],[5]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2],[3,4],[5,1e9]]}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2]],"thickness":-4}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2]],"thickness":1e6}]}',
    b'{"shapes":[{"kind":"never","points":[[1,2],[3,4],[5,6]],"colour":1}]}',
    b'{"size":[4,4],"codes":"AAAA"}',
    b'{"size":[2,2],"codes":"AAAJAA=="}',
    b'{"codes":"AAAA"}',
    b'{"size":[0,4]}',
    b'{"size":[4]}',
    b'{"shapes":[' + b",".join([b'{"kind":"never","points":[[1,2]],"thickness":4}'] * (MOST_SHAPES + 1)) + b"]}",
    b'{"shapes":[{"kind":"never","points":[' + b",".join([b"[1,2]"] * (MOST_POINTS + 1)) + b'],"thickness":4}]}',
    b'{"shapes":[{"kind":"never","points":[' + b",".join([b"[1,2]"] * (MOST_CORNERS + 1)) + b"]}]}",
    b'{"shapes":['
    + b",".join([b'{"kind":"never","points":[' + b",".join([b"[1,2]"] * (MOST_POINTS - 10)) + b'],"thickness":4}'] * 2)
    + b"]}",
]


@pytest.mark.parametrize("packed", WRONG, ids=range(len(WRONG)))
def test_what_can_be_no_areas_is_refused(packed):
    with pytest.raises((msgspec.MsgspecError, CleanplateError)):
        msgspec.json.decode(packed, type=Areas)


def test_the_most_that_areas_may_hold_is_drawn_in_seconds():
    rng = np.random.default_rng(0)
    points = tuple(map(tuple, rng.uniform(0, 1000, (MOST_POINTS, 2)).tolist()))
    parts = [points[i : i + MOST_CORNERS] for i in range(0, MOST_POINTS, MOST_CORNERS)]
    started = time.process_time()
    drawn(Shape("never", points, MOST_THICKNESS), size=(1920, 1080))
    drawn(*(never(*part) for part in parts), size=(1920, 1080))
    assert time.process_time() - started < 10


def test_the_way_of_a_brush_is_kept_by_few_points():
    t = np.linspace(0, 2 * np.pi, 600)
    way = list(zip((300 + 200 * np.cos(t)).tolist(), (300 + 200 * np.sin(t)).tolist(), strict=True))
    kept = simplified(way)
    assert len(kept) < 80
    size = (640, 640)
    exact, short = (drawn(Shape("never", tuple(points), 24), size=size) for points in (way, kept))
    assert np.count_nonzero(exact != short) < 0.02 * np.count_nonzero(exact)
    assert simplified([(3.14159, 2.71828)]) == ((3.1, 2.7),)
    assert (
        msgspec.json.decode(msgspec.json.encode(Areas((Shape("never", kept, 24),))), type=Areas).shapes[0].points
        == kept
    )


def test_areas_for_another_size_say_so():
    areas = Areas(size=(WIDTH, HEIGHT))
    areas.check_size(WIDTH, HEIGHT)
    Areas().check_size(1, 1)
    with pytest.raises(CleanplateError, match="64×48, and the input has 32×24; give areas"):
        areas.check_size(32, 24)


def test_shapes_of_which_none_lies_in_the_picture_are_refused_where_they_are_asked_for():
    inside, outside = ((5, 5), (9, 5), (9, 9)), ((1000, 2000), (1900, 2000), (1900, 2700))
    Areas((Shape("never", outside), Shape("never", inside))).check_reach(WIDTH, HEIGHT)
    Areas((Shape("never", ((-3.0, 5.0), (-3.0, 9.0)), thickness=8),)).check_reach(WIDTH, HEIGHT)
    Areas().check_reach(WIDTH, HEIGHT)
    with pytest.raises(CleanplateError, match="None of the areas lies in the picture"):
        Areas((Shape("never", outside),)).check_reach(WIDTH, HEIGHT)
