"""Of parts that change at once, slides are scenes, and what comes or leaves is none."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.frames.motion import NO_SHIFT
from core.session.changed_parts import settled
from core.session.scenes import Scene
from core.session.sudden_changes import Change

LAYOUT, SHAPE = Layout(48, 64, Planes.YCC420), (24, 32)
SLIDE, THING = np.s_[4:12, 6:20], np.s_[15:22, 22:30]
NEW, SAME, LEFT = (5.0, 60.0), (40.0, 60.0), (60.0, 5.0)
"""How much the picture changes across an outline, before and after."""


def at_pixels(cells):
    return cells.repeat(2, 0).repeat(2, 1)


def scene(first, levels, change=None, edges=NEW, n_frames=0, sure=True):
    """Return a scene of 100 with parts of other levels; ``change``: the part that has changed."""
    cells = np.full(SHAPE, 100, np.uint8)
    for part, level in levels:
        cells[part] = level
    changed = None
    if change is not None:
        where = np.zeros(SHAPE, bool)
        where[change] = True
        changed = Change(first, where, where, edges)
    luma = at_pixels(cells)
    plate = np.concatenate([luma.ravel(), cells.ravel(), cells.ravel()])
    pixels = np.full(LAYOUT.shapes[0], sure)
    return Scene(
        first, plate, luma.astype(np.float32), NO_SHIFT, pixels, n_frames or first + 30, luma > 100, pixels, changed
    )


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


def settle(*scenes, follows_all=False):
    return settled(scenes, LAYOUT, at_pixels, follows_all=follows_all)


def test_slides_are_scenes_whatever_their_outlines():
    levels = {0: 100, 40: 200, 80: 30, 120: 150}
    scenes = [scene(first, [(SLIDE, level)], SLIDE if first else None) for first, level in levels.items()]
    assert looks(settle(*scenes), SLIDE) == levels


def test_one_change_is_a_scene_where_the_outline_was_there_before():
    before, after = scene(0, [(SLIDE, 200)]), scene(40, [(SLIDE, 30)], SLIDE, SAME)
    assert looks(settle(before, after), SLIDE) == {0: 200, 40: 30}


@pytest.mark.parametrize("edges", [NEW, LEFT])
def test_where_something_comes_or_leaves_no_scene_begins_and_the_background_is_without_it(edges):
    thing = [(THING, 220)]
    shown, then = ([], thing) if edges == NEW else (thing, [])
    found = settle(scene(0, shown), scene(40, then, THING, edges))
    assert looks(found, THING) == {0: 100}
    assert found[0].change is None
    assert found[0].n_frames == 70


@pytest.mark.parametrize(("n_before", "n_after", "is_sure"), [(40, 70, True), (40, 90, False)])
def test_where_something_has_come_the_background_is_sure_if_it_was_seen_for_most_of_the_time(
    n_before, n_after, is_sure
):
    found = settle(scene(0, [], n_frames=n_before), scene(40, [(THING, 220)], THING, n_frames=n_after))
    where = at_pixels(np.zeros(SHAPE, bool))
    where[30:44, 44:60] = True
    assert (found[0].sure[where] == is_sure).all()
    assert found[0].sure[~where].all()


def test_what_changes_back_was_no_scene():
    thing = scene(40, [(THING, 220)], THING)
    assert looks(settle(scene(0, []), thing, scene(80, [], THING, LEFT)), THING) == {0: 100}


def test_what_has_come_stands_before_the_scenes_that_follow_until_something_changes_there():
    slide, other = [(SLIDE, 200)], [(SLIDE, 30)]
    found = settle(
        scene(0, slide), scene(40, [*slide, (THING, 220)], THING), scene(80, [*other, (THING, 220)], SLIDE, SAME),
        scene(120, [*other, (THING, 160)], THING, SAME),
    )  # fmt: skip
    assert looks(found, THING) == {0: 100, 80: 100, 120: 160}
    assert looks(found, SLIDE) == {0: 200, 80: 30, 120: 30}


def test_what_is_known_later_of_the_rest_is_known_of_the_scenes_before():
    late = [(THING, 140)]
    found = settle(
        scene(0, [(SLIDE, 200)], sure=False), scene(40, [(SLIDE, 30)], SLIDE, SAME, sure=False),
        scene(80, [(SLIDE, 150), *late], SLIDE, SAME),
    )  # fmt: skip
    assert looks(found, THING) == {0: 140, 40: 140, 80: 140}
    assert looks(found, SLIDE) == {0: 200, 40: 30, 80: 150}
    at = LAYOUT.shapes[0][0] // 4, LAYOUT.shapes[0][1] // 4
    assert [bool(one.seen[at]) for one in found] == [False, False, True]
    assert all(one.seen[-1, -1] for one in found)


def test_nothing_is_known_of_a_scene_from_another_one():
    found = settle(scene(0, [(THING, 140)]), scene(40, [(SLIDE, 200)]))
    assert looks(found, THING) == {0: 140, 40: 100}


def test_all_that_changes_is_followed_where_a_person_says_so():
    thing = scene(40, [(THING, 220)], THING)
    assert looks(settle(scene(0, []), thing, follows_all=True), THING) == {0: 100, 40: 220}


def test_what_the_method_has_learnt_alone_is_taken_as_it_is():
    bare = scene(0, [(SLIDE, 200)])._replace(noise=None, sure=None, seen=None, sways=None)
    found = settle(bare, scene(40, [(SLIDE, 30)], SLIDE, SAME))
    assert found[0].noise is found[0].sure is found[0].sways is None
    assert LAYOUT.plane(found[0].plate, 0)[10, 14] == 200
