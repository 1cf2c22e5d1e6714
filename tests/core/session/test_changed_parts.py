"""Scenes of which a part has changed know of each other what has not."""

import numpy as np

from core.frames.frame import Layout, Planes
from core.frames.motion import NO_SHIFT
from core.session.changed_parts import pieced_together
from core.session.scenes import Scene
from core.session.sudden_changes import Change

LAYOUT, SHAPE = Layout(48, 64, Planes.YCC420), (24, 32)
SLIDE, THING = np.s_[4:12, 6:20], np.s_[15:22, 22:30]


def at_pixels(cells):
    return cells.repeat(2, 0).repeat(2, 1)


def scene(first, levels, part=None, seen=True):
    """Return a scene of 100 with parts of other levels; ``part``: what has changed."""
    cells = np.full(SHAPE, 100, np.uint8)
    for where, level in levels:
        cells[where] = level
    change = None
    if part is not None:
        box = np.zeros(SHAPE, bool)
        box[part] = True
        change = Change(
            first, box, box, ~box, np.zeros((2, *SHAPE), np.float32), (1.0, 1.0), differs=True, has_moved=False
        )
    luma = at_pixels(cells)
    plate = np.concatenate([luma.ravel(), cells.ravel(), cells.ravel()])
    pixels = np.full(LAYOUT.shapes[0], seen)
    return Scene(first, plate, luma.astype(np.float32), NO_SHIFT, pixels, 30, luma > 100, pixels, change)


def looks(scenes, part):
    """Return by first frames what scenes show in a part; all that is known of it has to agree."""
    found = {}
    for one in scenes:
        rows = at_pixels(
            np.isin(np.arange(SHAPE[0] * SHAPE[1]), np.ravel_multi_index(np.mgrid[part], SHAPE)).reshape(SHAPE)
        )
        levels = np.unique(LAYOUT.plane(one.plate, 0)[rows])
        assert len(levels) == 1
        np.testing.assert_array_equal(one.noise[rows], levels[0])
        np.testing.assert_array_equal(one.sways[rows], levels[0] > 100)
        assert (LAYOUT.plane(one.plate, 1).repeat(2, 0).repeat(2, 1)[rows] == levels[0]).all()
        found[one.first] = int(levels[0])
    return found


def pieced(*scenes):
    return pieced_together(scenes, LAYOUT, at_pixels)


def test_what_is_known_later_of_the_rest_is_known_of_the_scenes_before():
    late = [(THING, 140)]
    found = pieced(
        scene(0, [(SLIDE, 200)], seen=False), scene(40, [(SLIDE, 30)], SLIDE, seen=False),
        scene(80, [(SLIDE, 150), *late], SLIDE),
    )  # fmt: skip
    assert looks(found, THING) == {0: 140, 40: 140, 80: 140}
    assert looks(found, SLIDE) == {0: 200, 40: 30, 80: 150}
    for what in ("seen", "sure"):
        assert [bool(getattr(one, what)[16, 20]) for one in found] == [False, False, True]
        assert all(getattr(one, what)[-1, -1] for one in found)
    assert [one.change is None for one in found] == [True, False, False]


def test_what_changes_elsewhere_is_known_of_the_scenes_before_as_it_was():
    found = pieced(scene(0, []), scene(40, [(THING, 220)], THING), scene(80, [(THING, 220), (SLIDE, 30)], SLIDE))
    assert looks(found, THING) == {0: 100, 40: 220, 80: 220}
    assert looks(found, SLIDE) == {0: 100, 40: 100, 80: 30}


def test_nothing_is_known_of_a_scene_from_another_one():
    found = pieced(scene(0, [(THING, 140)]), scene(40, [(SLIDE, 200)]))
    assert looks(found, THING) == {0: 140, 40: 100}


def test_what_the_method_has_learnt_alone_is_taken_as_it_is():
    bare = scene(0, [(SLIDE, 200)])._replace(noise=None, sure=None, seen=None, sways=None)
    found = pieced(bare, scene(40, [(SLIDE, 30)], SLIDE))
    assert found[0].noise is found[0].sure is found[0].sways is None
    assert LAYOUT.plane(found[0].plate, 0)[10, 14] == 200
