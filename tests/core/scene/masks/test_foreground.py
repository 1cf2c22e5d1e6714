from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS

SIZE = (96, 128)
LAYOUTS = {
    "grey": Layout(*SIZE, Planes.GREY),
    "RGB": Layout(*SIZE, Planes.RGB),
    "4:2:0": Layout(*SIZE, Planes.YCC420, full_range=False),
    "grey, odd": Layout(97, 131, Planes.GREY),
    "RGB, odd": Layout(97, 131, Planes.RGB),
    "4:2:0, odd": Layout(97, 131, Planes.YCC420),
    "10 bits": Layout(*SIZE, Planes.YCC420, 10),
    "16 bits": Layout(97, 131, Planes.GREY, 16),
    "RGB, 16 bits": Layout(*SIZE, Planes.RGB, 16),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
GREY, RGB = LAYOUTS["grey"], LAYOUTS["RGB"]
PLACE = np.s_[24:72, 40:80]


def build(layout=GREY, **chosen):
    return Foreground(layout, {**{p.name: p.default for p in MASK_PARAMETERS}, **chosen})


def texture(shape, seed, step):
    """A smooth random picture (H, W) from about -1 to 1, with a node each ``step`` pixels."""
    nodes = np.random.default_rng(seed).uniform(-1, 1, (shape[0] // step + 2, shape[1] // step + 2))
    return cv2.resize(nodes, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def is_chroma(layout, i):
    return layout.planes is Planes.YCC420 and i > 0


def scene(layout):
    """A textured floor, in grey levels of 255."""
    v = np.full(layout.n_values, 128.0)
    for i in range(len(layout.shapes)):
        if not is_chroma(layout, i):
            layout.plane(v, i)[:] = 110 + 35 * texture(layout.shapes[0], 7, 6)
    return v


def put(layout, v, place, tone=200, colour=(0, 0)):
    """Let a thing of a texture of its own stand before a scene; ``colour`` is its chroma, blue and red."""
    v, (blue, red) = v.copy(), colour
    rows, columns = place
    pattern = tone + 20 * texture(layout.shapes[0], 3, 5)[rows, columns]
    for i, tint in enumerate((1.402 * red, -0.344 * blue - 0.714 * red, 1.772 * blue)[: len(layout.shapes)]):
        if is_chroma(layout, i):
            half = np.s_[rows.start // 2 : rows.stop // 2, columns.start // 2 : columns.stop // 2]
            layout.plane(v, i)[half] = 128 + colour[i - 1]
        else:
            layout.plane(v, i)[rows, columns] = pattern + tint * (layout.planes is Planes.RGB)
    return v


def shade(layout, v, place, share=0.65):
    """Let a shadow fall on a part of a scene."""
    v = v.copy()
    for i in range(len(layout.shapes)):
        if not is_chroma(layout, i):
            layout.plane(v, i)[place] *= share
    return v


class Stream:
    """Frames of known content and noise, one after the other through one `Foreground`."""

    def __init__(self, foreground, layout=GREY, sigma=3.0, seed=0):
        self.foreground, self.layout, self.sigma = foreground, layout, sigma
        self.background = scene(layout)
        self.rng = np.random.default_rng(seed)
        self.index = 0
        self.found = self.revealed = None

    def show(self, v=None, learn=True):
        """Return the mask of the next frame, whose content is ``v`` in grey levels of 255."""
        v = self.background if v is None else v
        unit = (v + self.sigma * self.rng.standard_normal(v.size)) / 255
        frame = Frame(self.index, self.index / 25, self.layout.quantise(unit.astype(np.float32)), self.layout)
        self.index += 1
        kept = frame.values.copy()
        self.found = self.foreground.detect(frame, self.layout.quantise((self.background / 255).astype(np.float32)))
        mask = self.found.mask
        if learn:
            self.revealed = self.foreground.update(self.found, frame.index)
        np.testing.assert_array_equal(frame.values, kept)
        for map_ in (mask, self.found.covered):
            assert (map_.dtype, map_.shape) == (np.uint8, (self.layout.height, self.layout.width))
            assert np.isin(map_, (0, 255)).all()
        return mask

    def settle(self, n=60):
        for _ in range(n):
            self.show()
        return self

    def reveals(self, v, n):
        """Return after how many frames of the same content pixels (H, W) turn out to be background, and which."""
        for t in range(n):
            self.show(v)
            if self.revealed is not None:
                return t, self.revealed
        return None, np.zeros(self.found.mask.shape, bool)


def overlap(mask, place):
    """Intersection over union of a mask and a rectangle."""
    truth = np.zeros(mask.shape, bool)
    truth[place] = True
    return ((mask > 0) & truth).sum() / ((mask > 0) | truth).sum()


def share(mask, place):
    return (mask[place] > 0).mean()


@layouts
@pytest.mark.parametrize("sigma", [0.0, 1.0, 4.0])
def test_a_scene_with_nothing_but_noise_has_empty_masks(layout, sigma):
    stream = Stream(build(layout, smallest=0), layout, sigma)
    shares = [(stream.show() > 0).mean() for _ in range(60)]
    assert max(shares) < 1e-4, "not one frame, the first included"


@layouts
def test_more_noise_than_expected_is_learnt_as_noise(layout):
    stream = Stream(build(layout), layout, sigma=9.0)
    shares = [(stream.show() > 0).mean() for _ in range(80)]
    assert max(shares[60:]) < 1e-4


@layouts
@pytest.mark.parametrize("tone", [200, 20], ids=["bright", "dark"])
def test_a_thing_is_found_where_it_is(layout, tone):
    stream = Stream(build(layout), layout).settle(20)
    for step in range(6):
        place = np.s_[24:72, 10 + 10 * step : 50 + 10 * step]
        mask = stream.show(put(layout, stream.background, place, tone))
        assert overlap(mask, place) > 0.7
        assert share(mask, place) > 0.85
        assert share(stream.found.covered, place) > 0.9
        assert stream.found.covered[mask > 0].all()


def test_a_wrong_place_would_not_pass_for_it():
    stream = Stream(build()).settle(20)
    mask = stream.show(put(GREY, stream.background, PLACE))
    assert overlap(mask, np.s_[36:84, 40:80]) < 0.7


@pytest.mark.parametrize("name", ["RGB", "4:2:0", "RGB, odd", "4:2:0, odd", "10 bits", "RGB, 16 bits"])
def test_a_thing_of_the_same_brightness_is_found_by_its_colour(name):
    layout = LAYOUTS[name]
    stream = Stream(build(layout), layout).settle(20)
    mask = stream.show(put(layout, stream.background, PLACE, 110, (-20, 60)))
    assert share(mask, PLACE) > 0.7
    assert overlap(mask, PLACE) > 0.6


@pytest.mark.parametrize("name", ["grey", "RGB", "4:2:0", "16 bits"])
def test_a_cast_shadow_is_left_out_unless_it_shall_be_in_and_hides_the_scene_either_way(name):
    layout = LAYOUTS[name]
    stream = Stream(build(layout), layout).settle(20)
    place = np.s_[40:70, 30:80]
    v = shade(layout, stream.background, place)
    assert share(stream.show(v), place) < 0.3
    assert share(stream.found.covered, place) > 0.9
    stream.foreground.set("shadows", False)
    assert share(stream.show(v), place) > 0.6
    assert share(stream.found.covered, place) > 0.9


@layouts
@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_things_at_the_edges_are_found_to_the_last_pixel(layout, corner):
    stream = Stream(build(layout), layout).settle(10)
    rows = slice(0, 40) if corner[0] == 0 else slice(layout.height - 40, layout.height)
    columns = slice(0, 48) if corner[1] == 0 else slice(layout.width - 48, layout.width)
    mask = stream.show(put(layout, stream.background, (rows, columns)))
    assert overlap(mask, (rows, columns)) > 0.7
    edge = mask[0 if corner[0] == 0 else -1, columns]
    assert (edge > 0).mean() > 0.75


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (3, 5), (8, 8), (9, 17), (1, 64), (33, 2)])
@pytest.mark.parametrize("planes", Planes)
def test_tiny_pictures_do_no_harm(size, planes):
    layout = Layout(*size, planes)
    stream = Stream(build(layout), layout).settle(8)
    assert stream.show().max() == 0
    stream.show(np.full(layout.n_values, 250.0))
    assert np.isfinite(stream.foreground.noise)
    assert stream.foreground.cover().shape == size


@pytest.mark.parametrize("level", [0.0, 128.0, 255.0])
@pytest.mark.parametrize("planes", Planes)
def test_all_is_finite_where_nothing_has_any_texture_or_noise(level, planes):
    layout = Layout(*SIZE, planes)
    stream = Stream(build(layout), layout, sigma=0.0)
    stream.background = np.full(layout.n_values, level)
    assert stream.settle(20).show().max() == 0
    for other in (0.0, 255.0):
        stream.show(np.full(layout.n_values, other))
        found = stream.found
        for array in (found.hides, found.verdict.foreground, found.verdict.shadow, found.cells.square):
            assert np.isfinite(array).all()
    for name, array in stream.foreground.state().items():
        assert np.isfinite(array).all(), name


@pytest.mark.parametrize("depth", [8, 10, 16])
@pytest.mark.parametrize("sigma", [2.0, 4.0, 8.0])
def test_the_noise_scale_is_recovered(sigma, depth):
    layout = Layout(*SIZE, Planes.GREY, depth)
    stream = Stream(build(layout), layout, sigma)
    stream.background[:] = 110  # What leaves the range of a flat neighbourhood is the noise itself.
    stream.settle(250)
    # Squares are clipped at four variances, which keeps objects out and costs a few per cent.
    assert stream.foreground.noise == pytest.approx(sigma / 255, rel=0.12)
    assert np.sqrt(np.median(stream.foreground.state()["variance"][0])) == pytest.approx(sigma, rel=0.12), "grey levels"


def test_the_noise_of_each_place_is_its_own():
    stream = Stream(build())
    stream.background[:] = 110
    rng = np.random.default_rng(4)
    for _ in range(150):
        v = stream.background.reshape(SIZE).copy()
        v[:, 64:] += 8 * rng.standard_normal((96, 64))
        stream.show(v.ravel())
    scale = np.sqrt(stream.foreground.state()["variance"][0])  # Of cells of 2×2 pixels.
    assert np.median(scale[:, 35:]) > 2 * np.median(scale[:, :29])


def test_passing_things_do_not_raise_the_noise():
    quiet, busy = Stream(build()), Stream(build())
    quiet.background[:] = busy.background[:] = 110
    quiet.settle(100)
    for t in range(100):
        left = 9 * t % 100
        busy.show(put(GREY, busy.background, np.s_[0:96, left : left + 20]))
    assert busy.foreground.noise == pytest.approx(quiet.foreground.noise, rel=0.1)


def test_noise_that_begins_anew_is_measured_again():
    stream = Stream(build(), sigma=1.0).settle(80)
    noise = stream.foreground.noise
    stream.foreground.begin_noise(np.full(SIZE, 4, np.float32))
    assert stream.foreground.noise > 1.5 * noise
    assert stream.settle(200).foreground.noise == pytest.approx(noise, rel=0.1)


@layouts
def test_nothing_is_learnt_when_told_so(layout):
    stream = Stream(build(layout), layout).settle(20)
    before = stream.foreground.state()
    thing = put(layout, stream.background, PLACE)
    stream.rng = np.random.default_rng(5)
    first = stream.show(thing, learn=False)
    for _ in range(5):
        stream.show(np.full(layout.n_values, 200.0), learn=False)
    stream.rng = np.random.default_rng(5)
    np.testing.assert_array_equal(stream.show(thing, learn=False), first)
    after = stream.foreground.state()
    assert before.keys() == after.keys()
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array, name)


class LearnsAsItLooks(Foreground):
    """A wrong variant: to detect is to learn."""

    def detect(self, frame, background):
        found = super().detect(frame, background)
        self.update(found, frame.index)
        return found


class HandsOutTheSameMask(Foreground):
    """Another: all detections share an array."""

    shared = None

    def detect(self, frame, background):
        found = super().detect(frame, background)
        if self.shared is None:
            self.shared = np.empty_like(found.mask)
        self.shared[:] = found.mask
        return replace(found, mask=self.shared)


def arrays_of(found):
    """Copies of all that a detection holds, but for the head's activations: these hold until the next one."""
    cells, verdict = found.cells, found.verdict
    arrays = [found.mask, found.covered, found.hides, verdict.foreground, verdict.shadow, verdict.active]
    return [array.copy() for array in (*arrays, cells.shown, cells.expected, cells.peak, cells.square, *cells.luma)]


def are_equal(some, others):
    return all(np.array_equal(a, b) for a, b in zip(some, others, strict=True))


def detects_without_a_trace(layout, kind):
    """Whether a run in which every frame is looked at once more, in various lights, is the run in which none is."""
    values = {p.name: p.default for p in MASK_PARAMETERS}
    plain, watched = (Stream(kind(layout, values), layout, sigma=4.0) for _ in range(2))
    ok, other = True, put(layout, scene(layout), np.s_[0:80, 0:90])
    dark = Frame(0, 0.0, layout.quantise((other / 255).astype(np.float32)), layout)
    for t in range(30):
        v = put(layout, plain.background, np.s_[20:60, 2 * t : 2 * t + 40])
        expected, mask = plain.show(v), watched.show(v)
        kept, state = arrays_of(watched.found), watched.foreground.state()
        background = layout.quantise((watched.background / 255).astype(np.float32))
        first = watched.foreground.detect(dark, background)
        seen = arrays_of(first)
        again = watched.foreground.detect(dark, background)
        ok &= first.mask.any() and are_equal(seen, arrays_of(again)) and are_equal(seen, arrays_of(first))
        ok &= are_equal(kept, arrays_of(watched.found)) and are_equal([mask], [expected])
        ok &= are_equal(state.values(), watched.foreground.state().values())
    ends = plain.foreground.state(), watched.foreground.state()
    return bool(ok and are_equal(ends[0].values(), ends[1].values()))


@layouts
def test_detecting_gives_the_same_twice_and_changes_nothing(layout):
    assert detects_without_a_trace(layout, Foreground)


@pytest.mark.parametrize("wrong", [LearnsAsItLooks, HandsOutTheSameMask])
def test_a_detection_that_learns_or_shares_its_arrays_is_refused(wrong):
    assert not detects_without_a_trace(GREY, wrong)


def test_a_frame_that_is_looked_at_again_is_compared_with_the_same_one_before():
    stream = Stream(build()).settle(20)
    for t in range(3):
        stream.show(put(GREY, stream.background, np.s_[24:72, 10 * t : 40 + 10 * t]))
    frame, background = next_of(stream, put(GREY, stream.background, PLACE))
    found = stream.foreground.detect(frame, background)
    state = stream.foreground.state()
    stream.foreground.update(found, frame.index)
    stream.foreground.load(state)  # What was learnt from it is taken back; what was before it stays.
    assert are_equal(arrays_of(stream.foreground.detect(frame, background)), arrays_of(found))


def next_of(stream, v):
    """Return the next frame, of this content without noise, and its background."""
    background = stream.layout.quantise((stream.background / 255).astype(np.float32))
    frame = Frame(stream.index, 0.0, stream.layout.quantise((v / 255).astype(np.float32)), stream.layout)
    return frame, background


def test_the_first_frame_of_a_pass_is_compared_with_none_before():
    stream = Stream(build()).settle(20)
    thing = put(GREY, stream.background, PLACE)
    stream.show(thing)
    frame, background = next_of(stream, thing)
    alone = arrays_of(stream.foreground.detect(frame, background, is_alone=True))
    assert not are_equal(arrays_of(stream.foreground.detect(frame, background)), alone), (
        "whether it moves says nothing here"
    )
    assert stream.foreground.frames_still(frame.index - 1) is not None
    stream.foreground.begin_pass()
    assert are_equal(arrays_of(stream.foreground.detect(frame, background)), alone)
    assert stream.foreground.frames_still(frame.index - 1) is None


def lamp(stream):
    """Let a place of the background be at full light for so long that this is usual; return how light it is there."""
    stream.background = stream.background.copy()
    GREY.plane(stream.background, 0)[PLACE] = 255
    return stream.settle(120).foreground.state()["usual_light"][12:36, 20:40]


def test_lamps_of_one_scene_are_none_of_the_next():
    stream = Stream(build())
    assert lamp(stream).min() > 230
    stream.foreground.begin_scene()
    assert not stream.foreground.state()["usual_light"].any()


def test_where_a_lamp_has_gone_that_is_no_longer_usual():
    stream = Stream(build(park=20))
    floor = stream.background
    assert lamp(stream).min() > 230
    _, revealed = stream.reveals(floor, 40)
    usual = stream.foreground.state()["usual_light"]
    assert revealed[PLACE].mean() > 0.8
    assert not usual[revealed[::2, ::2]].any()


def test_for_how_long_things_have_stood_is_counted_anew_where_a_camera_has_drifted():
    stream = Stream(build()).settle(20)
    thing = put(GREY, stream.background, PLACE)
    GREY.plane(thing, 0)[PLACE] = 230
    for _ in range(9):
        stream.show(thing)
    assert stream.foreground.frames_still(stream.index - 1)[PLACE].max() > 4
    stream.foreground.move(8, -4)
    stream.show(thing)
    assert stream.foreground.frames_still(stream.index - 1).max() <= 1


def flickering(stream, region, amount, by=60):
    """The background, with pixels of a region that differ at random, each frame others."""
    v = stream.background.copy()
    plane = GREY.plane(v, 0)[region]
    plane += by * (stream.rng.random(plane.shape) < amount)
    return v


REGION = np.s_[16:80, 64:120]


def test_to_update_is_to_learn():
    stream = Stream(build(), sigma=12.0)
    before, noise = stream.foreground.state(), stream.foreground.noise
    for _ in range(20):
        stream.show(learn=False)
    assert are_equal(before.values(), stream.foreground.state().values())
    for t in range(40):
        v = flickering(stream, REGION, 0.3)
        stream.show(put(GREY, v, np.s_[40:90, t : t + 30]))
    after = stream.foreground.state()
    assert stream.foreground.noise > 1.2 * noise
    assert after["unrest"].max() > 2
    assert after["cover"].max() > 0.05


def test_what_the_frame_does_not_show_teaches_nothing():
    stream = Stream(build(), sigma=9.0)
    before = stream.foreground.state()["variance"]
    unseen = np.zeros(SIZE, np.uint8)
    unseen[:, 64:] = 255
    for _ in range(20):
        stream.show(learn=False)
        stream.foreground.update(stream.found, stream.index, unseen)
    after = stream.foreground.state()["variance"][0]
    np.testing.assert_array_equal(after[:, 32:], before[0, :, 32:])
    assert (after[:, :32] != before[0, :, :32]).all()


@layouts
def test_a_state_goes_on_where_it_was(layout):
    stream = Stream(build(layout), layout, sigma=6.0).settle(40)
    for t in range(20):  # Something passes, so that what covers a place is known too.
        stream.show(put(layout, stream.background, np.s_[0:90, 6 * t : 6 * t + 16]))
    assert stream.foreground.state()["cover"].max() > 0.02
    runs = []
    for _ in range(2):
        other = Stream(build(layout), layout, sigma=6.0, seed=9)
        other.foreground.load(stream.foreground.state())
        assert not other.foreground.lacks_noise
        assert other.foreground.noise == stream.foreground.noise
        assert are_equal(other.foreground.state().values(), stream.foreground.state().values())
        v = put(layout, stream.background, PLACE)
        other.show()  # The frame before is no part of a state.
        runs.append([other.show(v), other.show(v, learn=False), other.show()])
    assert are_equal(*runs)
    stream.rng = np.random.default_rng(9)
    stream.show()
    assert (stream.show(v) != runs[0][0]).mean() < 0.005


def test_a_state_is_a_copy():
    stream = Stream(build()).settle(5)
    state = stream.foreground.state()
    kept = {name: array.copy() for name, array in state.items()}
    other = build()
    other.load(state)
    Stream(other, sigma=9.0).settle(20)
    stream.settle(20)
    for name, array in state.items():
        np.testing.assert_array_equal(array, kept[name], name)


def test_a_state_of_an_earlier_version_leaves_the_noise_to_be_learnt():
    earlier = {"white": np.array(255), "variance0": np.ones(SIZE, np.float32), "flicker": np.ones((12, 16), np.float32)}
    fresh, foreground = build(), build()
    foreground.load(earlier)
    assert foreground.lacks_noise
    assert are_equal(foreground.state().values(), fresh.state().values())
    larger = Stream(build(LAYOUTS["16 bits"]), LAYOUTS["16 bits"]).settle(5).foreground
    foreground.load(larger.state())
    assert foreground.lacks_noise, "nor is it of this layout"


def test_the_same_frames_give_the_same_masks():
    runs = []
    for _ in range(2):
        stream = Stream(build())
        runs.append([stream.show(flickering(stream, REGION, 0.3)) for _ in range(30)])
    np.testing.assert_array_equal(*runs)


@pytest.mark.parametrize("name", ["grey", "4:2:0, odd", "RGB, 16 bits"])
def test_what_was_learnt_moves_with_the_scene(name):
    layout = LAYOUTS[name]
    stream = Stream(build(layout), layout).settle(4)
    state = stream.foreground.state()
    state["variance"][:, 15, 20] = state["cover"][15, 20] = 77
    stream.foreground.load(state)
    stream.foreground.move(8, -4)
    after = stream.foreground.state()
    assert np.argwhere(after["variance"][0] == 77).tolist() == [[19, 18]]
    assert np.argwhere(after["cover"] == 77).tolist() == [[19, 18]]
    stream.foreground.move(-8, 4)
    assert np.argwhere(stream.foreground.state()["variance"][2] == 77).tolist() == [[15, 20]]


def test_a_higher_sensitivity_finds_more_from_the_next_frame_on():
    stream = Stream(build(smallest=0, holes=0)).settle(20)
    v = put(GREY, stream.background, PLACE, 130)  # It hardly differs.
    shares = []
    for sensitivity in (1, 20, 50, 80, 99):
        stream.foreground.set("sensitivity", sensitivity)
        stream.rng = np.random.default_rng(1)
        shares.append((stream.show(v, learn=False) > 0).mean())
    assert shares == sorted(shares)
    assert shares[-1] > shares[0] + 0.02


def test_the_automatic_smallest_region_grows_with_the_picture():
    for size, kept in (((96, 128), True), ((960, 1280), False)):
        layout = Layout(*size, Planes.GREY)
        stream = Stream(build(layout), layout).settle(3)
        mask = stream.show(put(layout, stream.background, np.s_[30:44, 20:34]))
        assert (mask.max() == 255) == kept


def test_a_background_that_trembles_by_a_pixel_stays_empty():
    stream = Stream(build(), sigma=1.0)
    stream.background = (120 + 50 * texture(SIZE, 2, 8)).ravel()
    floor = stream.background.reshape(SIZE)
    for t in range(8):
        shifted = np.roll(floor, ((-1) ** t, t % 2), (0, 1))
        assert (stream.show(shifted.ravel())[2:-2, 2:-2] > 0).mean() < 1e-3
    far = np.roll(floor, (17, 29), (0, 1)).ravel()
    assert (stream.show(far) > 0).mean() > 0.2, "a shift by more would be seen"


def test_what_hides_most_of_the_scene_all_the_time_does_not_become_noise():
    stream = Stream(build())
    rng, found = np.random.default_rng(5), []
    for _ in range(200):
        v = stream.background.reshape(SIZE).copy()
        for _ in range(16):  # Blotches as of leaves before the lens, elsewhere in each frame.
            y, x = rng.integers(0, SIZE[0] - 40), rng.integers(0, SIZE[1] - 40)
            v[y : y + 40, x : x + 40] += 40 * rng.standard_normal()
        mask = stream.show(v.clip(0, 255).ravel())
        found.append((mask[abs(v - stream.background.reshape(SIZE)) > 25] > 0).mean())
    assert np.mean(found[-50:]) > 0.5
    assert stream.foreground.noise < 8 / 255


# -- still things


def test_what_somebody_left_is_background_within_a_second():
    stream = Stream(build()).settle(20)
    floor = stream.background
    stream.background = put(GREY, floor, PLACE, 30)  # Who stood there from the first frame on has gone.
    frames, revealed = stream.reveals(floor, 25)
    assert frames is not None
    assert revealed[PLACE].mean() > 0.8
    assert revealed.sum() < 1.7 * revealed[PLACE].size, "with a rim of two cells"


def test_what_was_put_there_becomes_background_after_the_stated_time_or_never():
    for park, expected in ((40, True), (0, False)):
        stream = Stream(build(park=park)).settle(20)
        thing = put(GREY, stream.background, PLACE)
        frames, revealed = stream.reveals(thing, 70)
        assert (frames is not None) == expected
        if expected:
            assert 39 <= frames <= 60
            assert revealed[PLACE].mean() > 0.8
