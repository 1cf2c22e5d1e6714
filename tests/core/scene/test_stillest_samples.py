import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.stillest_samples import DENSE_FRAMES, StillestSamples

LAYOUTS = {
    "grey": Layout(60, 80, Planes.GREY),
    "RGB": Layout(60, 80, Planes.RGB),
    "4:2:0": Layout(61, 81, Planes.YCC420),
    "16 bits": Layout(60, 80, Planes.GREY, 16),
    "on a grid of every third": Layout(600, 80, Planes.GREY),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def scene(layout, seed=0):
    """A textured scene, in whole samples."""
    rng = np.random.default_rng(seed)
    return layout.quantise((0.2 + 0.3 * rng.random(layout.n_values)).astype(np.float32))


def behind_leaves(layout, n, seed=1, seen=2):
    """The scene, of which half is hidden by something that changes all the time, but for a few frames of each ten."""
    still, rng = scene(layout), np.random.default_rng(seed)
    hidden = np.zeros((layout.height, layout.width), bool)
    hidden[layout.height // 2 :] = True
    hidden = layout.spread(hidden)
    for t in range(n):
        v = still.copy()
        if t % 10 >= seen:  # some frames in a row show it
            v[hidden] = layout.quantise(rng.random(hidden.sum()).astype(np.float32))
        yield v


def keep(layout, frames):
    still = StillestSamples(layout)
    for v in frames:
        still.offer(v)
    return still


def cover(layout, share):
    """Foreground hides every pixel in so many frames."""
    return np.full((layout.height, layout.width), share, np.float32)


@layouts
def test_places_that_no_sample_has_taken_yet_fill_nothing(layout):
    frames = list(behind_leaves(layout, 4))
    assert keep(layout, frames).better(frames[0], cover(layout, 0.9)) is None


@layouts
def test_a_background_of_what_mostly_passes_is_in_doubt(layout):
    still = keep(layout, behind_leaves(layout, 150, seen=3))
    hidden = cover(layout, 0.7)
    assert still.better(scene(layout), hidden) is None, "what is right stays"
    assert still.better(scene(layout, 9), cover(layout, 0.2)) is None, "what is often seen is known"
    values, where = still.better(scene(layout, 9), hidden)
    assert where[int(0.6 * layout.height) :].mean() > 0.9
    assert not where[: int(0.4 * layout.height)].any(), "where nothing passes there is no doubt"
    seen = layout.spread(where)
    assert np.abs(values.astype(float) - scene(layout))[seen].mean() < 0.01 * layout.white


@layouts
@pytest.mark.parametrize(("still_frames", "is_known"), [(4, False), (7, True)])
def test_a_look_is_known_that_was_still_in_most_of_ten_frames(layout, still_frames, is_known):
    def leaves_after_a_while():
        rng = np.random.default_rng(2)
        for t in range(60):
            noise = layout.quantise(rng.random(layout.n_values).astype(np.float32))
            yield scene(layout) if t <= still_frames else noise  # The first follows none.

    found = keep(layout, leaves_after_a_while()).better(scene(layout, 9), cover(layout, 0.9))
    assert (found is not None and found[1].mean() > 0.9) == is_known
    if is_known:
        seen = layout.spread(found[1])
        np.testing.assert_array_equal(found[0][seen], scene(layout)[seen])


@layouts
def test_who_stands_still_for_most_of_the_time_does_not_become_background(layout):
    def stands():
        for t in range(150):
            v = scene(layout)
            if t > 20:
                v[layout.spread(np.arange(layout.n_pixels).reshape(layout.height, -1) % 80 < 20)] = layout.white
            yield v

    still = keep(layout, stands())
    assert still.better(scene(layout), cover(layout, 0.8)) is None


def test_where_few_frames_are_looked_at_each_is_still_held_against_the_one_before_it():
    """What changes with every frame and back again is the same in every second of them, and not still."""
    layout = LAYOUTS["grey"]
    looks = scene(layout, 5), scene(layout, 6)
    still = keep(layout, [looks[t % 2] for t in range(2 * DENSE_FRAMES)])
    assert still.better(scene(layout, 9), cover(layout, 0.9)) is None


def test_faint_samples_of_8_bits_are_as_restless_as_deep_ones():
    shallow = Layout(60, 80, Planes.GREY, used=64 / 255)
    deep = Layout(60, 80, Planes.GREY, 16, used=64 * 257 / 65535)
    rng = np.random.default_rng(3)
    clip = [rng.integers(0, 64, shallow.n_values) if t % 10 > 2 else np.full(shallow.n_values, 30) for t in range(150)]
    background = np.full(shallow.n_values, 50)
    found = [
        keep(layout, [(unit * v).astype(layout.dtype) for v in clip]).better(
            (unit * background).astype(layout.dtype), cover(layout, 0.7)
        )
        for layout, unit in ((shallow, 1), (deep, 257))
    ]
    assert found[0] is not None
    np.testing.assert_array_equal(found[0][1], found[1][1])
