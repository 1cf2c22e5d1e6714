import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.frames.split import DenseSplit
from core.scene.masks.detection import Buffers, Detection
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
GREY = LAYOUTS["grey"]


def build(layout=GREY, **chosen):
    return Foreground(layout, {**{p.name: p.default for p in MASK_PARAMETERS}, **chosen})


def flat(layout, level=110):
    """A vector of one grey, in grey levels of 255."""
    v = np.full(layout.n_values, float(level))
    if layout.planes is Planes.YCC420:
        v[layout.slices[1].start :] = 128
    return v


def put(layout, v, rows, columns, plane=0, by=60):
    """Raise a rectangle of one plane; with RGB and plane 0 all three, so that only the brightness changes."""
    v = v.copy()
    every = layout.planes is Planes.RGB and plane == 0
    for i in range(3) if every else [plane]:
        half = layout.planes is Planes.YCC420 and i > 0
        part = (slice(rows.start // 2, rows.stop // 2), slice(columns.start // 2, columns.stop // 2))
        layout.plane(v, i)[part if half else (rows, columns)] += by
    return v


class Stream:
    """Frames of known content and noise, one after the other through one `Foreground`."""

    def __init__(self, foreground, layout=GREY, sigma=3.0, seed=0):
        self.foreground, self.layout, self.sigma = foreground, layout, sigma
        self.background = flat(layout)
        self.rng = np.random.default_rng(seed)
        self.index = 0
        self.found = None

    def show(self, v=None, learn=True):
        """Return the mask of the next frame, whose content is ``v`` in grey levels of 255."""
        v = self.background if v is None else v
        unit = (v + self.sigma * self.rng.standard_normal(v.size)) / 255
        frame = Frame(self.index, self.index / 25, self.layout.quantise(unit.astype(np.float32)), self.layout)
        self.index += 1
        background = (self.background / 255).astype(np.float32)
        split = DenseSplit(background, (unit - background).astype(np.float32), None, np.ones(1), 0.0)
        kept = frame.values.copy()
        before, self.found = self.found, self.foreground.detect(frame, split)
        mask = self.found.mask
        if learn:
            self.foreground.update(self.found, None if before is None else before.labels)
        np.testing.assert_array_equal(frame.values, kept)
        assert (mask.dtype, mask.shape) == (np.uint8, (self.layout.height, self.layout.width))
        assert np.isin(mask, (0, 255)).all()
        return mask

    def settle(self, n=60):
        for _ in range(n):
            self.show()
        return self


def overlap(mask, rows, columns):
    """Intersection over union of a mask and a rectangle."""
    truth = np.zeros(mask.shape, bool)
    truth[rows, columns] = True
    return ((mask > 0) & truth).sum() / ((mask > 0) | truth).sum()


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
@pytest.mark.parametrize("by", [60, -80], ids=["bright", "darker than a shadow"])
def test_a_square_is_found_where_it_is(layout, by):
    stream = Stream(build(layout), layout).settle(20)
    for step in range(6):
        rows, columns = slice(30, 60), slice(10 + 8 * step, 40 + 8 * step)
        assert overlap(stream.show(put(layout, stream.background, rows, columns, by=by)), rows, columns) > 0.9


def test_a_wrong_place_would_not_pass_for_it():
    stream = Stream(build()).settle(20)
    mask = stream.show(put(GREY, stream.background, slice(30, 60), slice(20, 50)))
    assert overlap(mask, slice(32, 62), slice(20, 50)) < 0.9


@pytest.mark.parametrize("name", ["RGB", "4:2:0", "RGB, odd", "4:2:0, odd", "10 bits", "RGB, 16 bits"])
def test_an_object_of_the_same_brightness_is_found_by_its_colour(name):
    layout = LAYOUTS[name]
    stream = Stream(build(layout), layout).settle(20)
    rows, columns = slice(30, 60), slice(20, 60)
    if layout.planes is Planes.YCC420:
        v = put(layout, stream.background, rows, columns, plane=2, by=45)
    else:  # weights of BT.601: what red adds, green takes away
        v = put(layout, stream.background, rows, columns, plane=1, by=-40)
        layout.plane(v, 0)[rows, columns] += 40 * 0.587 / 0.299
    assert overlap(stream.show(v), rows, columns) > 0.85


@layouts
@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_objects_at_the_edges_are_found_to_the_last_pixel(layout, corner):
    stream = Stream(build(layout), layout).settle(10)
    rows = slice(0, 24) if corner[0] == 0 else slice(layout.height - 24, layout.height)
    columns = slice(0, 30) if corner[1] == 0 else slice(layout.width - 30, layout.width)
    mask = stream.show(put(layout, stream.background, rows, columns))
    assert overlap(mask, rows, columns) > 0.85


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (3, 5), (8, 8), (9, 17)])
@pytest.mark.parametrize("planes", Planes)
def test_tiny_pictures_do_no_harm(size, planes):
    layout = Layout(*size, planes)
    stream = Stream(build(layout), layout).settle(8)
    assert stream.show().max() == 0
    stream.show(flat(layout, 250))
    assert np.isfinite(stream.foreground.noise)


@pytest.mark.parametrize("depth", [8, 10, 16])
@pytest.mark.parametrize("sigma", [2.0, 4.0, 8.0])
def test_the_noise_scale_is_recovered(sigma, depth):
    layout = Layout(*SIZE, Planes.GREY, depth)
    stream = Stream(build(layout), layout, sigma).settle(250)
    # Squares are clipped at four variances, which keeps objects out and costs a few per cent.
    assert stream.foreground.noise == pytest.approx(sigma / 255, rel=0.12)


def test_passing_objects_do_not_raise_the_noise():
    quiet, busy = Stream(build(), sigma=3.0).settle(100), Stream(build(), sigma=3.0)
    for t in range(100):
        left = 9 * t % 100
        busy.show(put(GREY, busy.background, slice(0, 96), slice(left, left + 20)))
    assert busy.foreground.noise == pytest.approx(quiet.foreground.noise, rel=0.1)


def flickering(stream, region, share, by=30):
    """The background, with pixels of a region that differ at random, each frame others."""
    v = stream.background.copy()
    plane = GREY.plane(v, 0)[region]
    plane += by * (stream.rng.random(plane.shape) < share)
    return v


REGION = slice(16, 80), slice(64, 120)


def test_flicker_raises_the_bar_where_it_is_and_only_there():
    found = {}
    for calm in (0, 20):
        # Long noise memory: what is seen is the effect of flicker alone.
        stream = Stream(build(calm=calm, noise_memory=10_000))
        for _ in range(60):
            stream.show(flickering(stream, REGION, 0.2, by=60))
        crowd = stream.show(flickering(stream, REGION, 0.7, by=60))
        aside = put(GREY, flickering(stream, REGION, 0.2, by=60), slice(30, 60), slice(10, 40))
        found[calm] = (crowd[REGION] > 0).mean(), overlap(stream.show(aside)[:, :56], slice(30, 60), slice(10, 40))
    assert found[0][0] > 0.7, "without calm the swaying texture is foreground"
    assert found[20][0] < 0.25 * found[0][0], "the bar rises until little crosses it, and no further"
    assert min(found[0][1], found[20][1]) > 0.9, "an object beside it is found either way"


def test_passing_objects_do_not_raise_the_bar():
    streams = {calm: Stream(build(calm=calm)).settle(20) for calm in (0, 100)}
    masks = {}
    for calm, stream in streams.items():
        for t in range(80):
            rows, columns = slice(30, 60), slice(9 * t % 90, 9 * t % 90 + 30)
            masks[calm] = stream.show(put(GREY, stream.background, rows, columns, by=40))
    assert overlap(masks[100], rows, columns) > 0.9
    assert overlap(masks[0], rows, columns) > 0.9


@layouts
def test_nothing_is_learnt_when_told_so(layout):
    stream = Stream(build(layout), layout).settle(20)
    before = stream.foreground.state()
    object_ = put(layout, stream.background, slice(30, 60), slice(20, 50))
    stream.rng = np.random.default_rng(5)
    first = stream.show(object_, learn=False)
    for _ in range(5):
        stream.show(flat(layout, 200), learn=False)
    stream.rng = np.random.default_rng(5)
    np.testing.assert_array_equal(stream.show(object_, learn=False), first)
    after = stream.foreground.state()
    assert before.keys() == after.keys()
    for name, array in before.items():
        np.testing.assert_array_equal(after[name], array, name)


class LearnsAsItLooks(Foreground):
    """A wrong variant: to detect is to learn."""

    def detect(self, frame, split, buffers=None):
        found = super().detect(frame, split, buffers)
        self.update(found, found.labels)
        return found


class LooksIntoItsOwnArrays(Foreground):
    """Another: all detections share their arrays."""

    def __init__(self, layout, values):
        super().__init__(layout, values)
        self.buffers = Buffers(layout)

    def detect(self, frame, split, buffers=None):
        return super().detect(frame, split, self.buffers)


def arrays_of(found):
    """Copies of all that a detection holds."""
    planes = [*found.now, *found.background, *found.coarse.now, *found.coarse.known]
    marks = [found.mask, found.covered, found.near, found.raw, found.solid, found.coarse.differs, found.coarse.mask]
    return [array.copy() for array in (*marks, *planes)]


def are_equal(some, others):
    return all(np.array_equal(a, b) for a, b in zip(some, others, strict=True))


def detects_without_a_trace(layout, kind):
    """Whether a run in which every frame is looked at once more, in various lights, is the run in which none is."""
    values = {p.name: p.default for p in MASK_PARAMETERS}
    plain, watched = (Stream(kind(layout, values), layout, sigma=4.0) for _ in range(2))
    ok, other = True, put(layout, flat(layout), slice(0, 80), slice(0, 90), by=50)
    dark = Frame(0, 0.0, layout.quantise((other / 255).astype(np.float32)), layout)
    for t in range(30):
        v = put(layout, plain.background, slice(20, 60), slice(2 * t, 2 * t + 40))
        expected, mask = plain.show(v), watched.show(v)
        kept, state = arrays_of(watched.found), watched.foreground.state()
        background = (watched.background / 255).astype(np.float32)
        split = DenseSplit(background, 0 * background, None, np.ones(1), 0.0)
        first = watched.foreground.detect(dark, split)
        seen = arrays_of(first)
        again = watched.foreground.detect(dark, split)
        ok &= first.mask.any() and are_equal(seen, arrays_of(again)) and are_equal(seen, arrays_of(first))
        ok &= are_equal(kept, arrays_of(watched.found)) and are_equal([mask], [expected])
        ok &= are_equal(state.values(), watched.foreground.state().values())
    ends = plain.foreground.state(), watched.foreground.state()
    return bool(ok and are_equal(ends[0].values(), ends[1].values()))


@layouts
def test_detecting_gives_the_same_twice_and_changes_nothing(layout):
    assert detects_without_a_trace(layout, Foreground)


@pytest.mark.parametrize("wrong", [LearnsAsItLooks, LooksIntoItsOwnArrays])
def test_a_detection_that_learns_or_shares_its_arrays_is_refused(wrong):
    assert not detects_without_a_trace(GREY, wrong)


def test_to_update_is_to_learn():
    stream = Stream(build(), sigma=9.0)
    before, noise = stream.foreground.state(), stream.foreground.noise
    for _ in range(20):
        stream.show(learn=False)
    assert are_equal(before.values(), stream.foreground.state().values())
    for t in range(40):
        v = flickering(stream, REGION, 0.3, by=60)
        stream.show(put(GREY, v, slice(60, 90), slice(t, t + 12)))
    after = stream.foreground.state()
    assert stream.foreground.noise > 1.3 * noise
    assert after["flicker"].max() > 0.02
    assert after["cover"].max() > 0.05


@layouts
def test_a_detection_is_the_same_in_buffers_and_its_labels_stay_while_one_more_is_made_there(layout):
    foreground, buffers, background = build(layout), Buffers(layout), (flat(layout) / 255).astype(np.float32)
    split = DenseSplit(background, 0 * background, None, np.ones(1), 0.0)
    found: list[Detection] = []
    expected: list[Detection] = []
    for t in range(3):
        v = put(layout, flat(layout), slice(20, 60), slice(20 * t, 20 * t + 40))
        frame = Frame(t, t / 25, layout.quantise((v / 255).astype(np.float32)), layout)
        found.append(foreground.detect(frame, split, buffers))
        expected.append(foreground.detect(frame, split))
        assert are_equal(arrays_of(found[t]), arrays_of(expected[t]))
        for before, kept in zip(found[-2:], expected[-2:], strict=True):
            assert are_equal([before.mask, before.raw, before.covered], [kept.mask, kept.raw, kept.covered])
    assert found[0].covered is found[2].covered, "a third one takes the arrays of the first"
    assert are_equal([found[0].mask], [expected[0].mask]), "but the mask is one's own"


@layouts
def test_labels_move_with_the_scene(layout):
    stream = Stream(build(layout), layout).settle(4)
    v = put(layout, stream.background, slice(30, 60), slice(20, 50))
    stream.show(v)
    moved = stream.found.labels.moved(4, -6)
    for before, after in zip((stream.found.raw, stream.found.covered), (moved.raw, moved.covered), strict=True):
        assert before.any()
        np.testing.assert_array_equal(after[4:, :-6], before[:-4, 6:])


@layouts
def test_a_state_goes_on_where_it_was(layout):
    stream = Stream(build(layout), layout, sigma=6.0).settle(40)
    for t in range(20):  # Something passes, so that what covers a place is known too.
        stream.show(put(layout, stream.background, slice(0, 90), slice(6 * t, 6 * t + 8), by=60))
    assert stream.foreground.state()["cover"].max() > 0.02
    other = Stream(build(layout), layout, sigma=6.0)
    other.foreground.load(stream.foreground.state())
    assert other.foreground.noise == stream.foreground.noise
    np.testing.assert_array_equal(other.foreground.state()["cover"], stream.foreground.state()["cover"])
    for learn in (False, True):
        stream.rng, other.rng = np.random.default_rng(9), np.random.default_rng(9)
        v = put(layout, stream.background, slice(30, 60), slice(20, 50), by=30)
        np.testing.assert_array_equal(stream.show(v, learn), other.show(v, learn))


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


def test_the_same_frames_give_the_same_masks():
    runs = []
    for _ in range(2):
        stream = Stream(build())
        runs.append([stream.show(flickering(stream, REGION, 0.3)) for _ in range(30)])
    np.testing.assert_array_equal(*runs)


def test_a_lower_threshold_finds_more_from_the_next_frame_on():
    stream = Stream(build(threshold=12, noise_memory=10_000)).settle(10)
    weak = put(GREY, stream.background, slice(30, 60), slice(20, 50), by=40)
    assert overlap(stream.show(weak), slice(30, 60), slice(20, 50)) < 0.1
    stream.foreground.set("threshold", 4)
    assert overlap(stream.show(weak), slice(30, 60), slice(20, 50)) > 0.9


def test_smaller_regions_are_dropped_and_smaller_holes_filled():
    stream = Stream(build(smallest=0, holes=0)).settle(10)
    v = put(GREY, stream.background, slice(10, 20), slice(10, 20))
    v = put(GREY, put(GREY, v, slice(40, 80), slice(40, 80)), slice(55, 64), slice(55, 64), by=-60)
    open_ = stream.show(v)
    assert open_[15, 15] == 255
    assert open_[59, 59] == 0
    stream.foreground.set("smallest", 200)
    stream.foreground.set("holes", 200)
    closed = stream.show(v)
    assert closed[15, 15] == 0
    assert closed[59, 59] == closed[45, 45] == 255
    assert overlap(closed, slice(40, 80), slice(40, 80)) > 0.9


def test_the_automatic_smallest_region_grows_with_the_picture():
    for size, kept in (((96, 128), True), ((960, 1280), False)):
        layout = Layout(*size, Planes.GREY)
        stream = Stream(build(layout), layout)
        mask = stream.show(put(layout, stream.background, slice(30, 42), slice(20, 32)))
        assert (mask.max() == 255) == kept


def test_a_background_that_trembles_by_a_pixel_stays_empty():
    texture = np.kron(np.random.default_rng(2).uniform(40, 200, (12, 16)), np.ones((8, 8)))
    stream = Stream(build(), sigma=1.0)
    stream.background = texture.ravel()
    for t in range(8):
        shifted = np.roll(texture, ((-1) ** t, t % 2), (0, 1))
        assert (stream.show(shifted.ravel())[2:-2, 2:-2] > 0).mean() < 1e-3
    far = np.roll(texture, (7, 9), (0, 1)).ravel()
    assert (stream.show(far) > 0).mean() > 0.2, "a shift by more would be seen"


def faint_edge(layout):
    """A bright rectangle, and below it six rows that differ by less than the threshold, but by more than 60 % of it."""
    v = put(layout, flat(layout), slice(30, 50), slice(30, 70), by=60)
    return put(layout, v, slice(50, 56), slice(30, 70), by=14)


@pytest.mark.parametrize("name", ["grey", "4:2:0", "grey, odd", "16 bits"])
def test_weak_pixels_count_where_they_hang_together_with_strong_ones(name):
    layout, shares = LAYOUTS[name], {}
    for weak in (100, 60):
        stream = Stream(build(layout, weak=weak, shadows=False), layout, sigma=1.5).settle(40)
        shares[weak] = (stream.show(faint_edge(layout))[50:52, 34:66] > 0).mean()
    assert shares[100] < 0.1
    assert shares[60] > 0.9


def test_weak_pixels_far_from_strong_ones_stay_out_of_the_mask():
    stream = Stream(build(weak=60, shadows=False), sigma=1.5).settle(40)
    v = put(GREY, put(GREY, stream.background, slice(60, 80), slice(20, 60), by=14), slice(10, 30), slice(20, 60))
    mask = stream.show(v)
    assert (mask[12:28, 22:58] > 0).mean() > 0.95
    assert not mask[40:].any()


def test_weak_pixels_bring_no_noise_into_the_mask():
    stream = Stream(build(weak=60, smallest=0, holes=0)).settle(20)
    assert max((stream.show() > 0).mean() for _ in range(40)) < 1e-4


@pytest.mark.parametrize(("holes", "filled"), [(None, False), (0, False), (100, True)])
def test_holes_have_a_size_of_their_own(holes, filled):
    stream = Stream(build(holes=holes)).settle(20)
    v = put(GREY, stream.background, slice(20, 60), slice(20, 60))
    mask = stream.show(put(GREY, v, slice(36, 44), slice(36, 44), by=-60))
    assert (mask[38:42, 38:42] > 0).all() == filled
    assert (mask[24:32, 24:56] > 0).all()


def test_the_smallest_hole_grows_with_the_frame():
    layout = Layout(288, 384, Planes.GREY)
    stream = Stream(build(layout), layout).settle(20)
    v = put(layout, stream.background, slice(20, 160), slice(20, 160))
    assert (stream.show(put(layout, v, slice(60, 74), slice(60, 74), by=-60))[60:74, 60:74] > 0).all()
    small = Layout(96, 128, Planes.GREY)
    stream = Stream(build(small), small).settle(20)
    v = put(small, stream.background, slice(20, 80), slice(20, 80))
    assert (stream.show(put(small, v, slice(40, 54), slice(40, 54), by=-60))[42:52, 42:52] == 0).all()


@pytest.mark.parametrize(("holes", "gap", "bridged"), [(None, 6, True), (0, 6, False), (None, 14, False)])
def test_what_looks_like_the_background_across_an_object_is_bridged_where_it_is_narrow(holes, gap, bridged):
    layout = Layout(288, 384, Planes.GREY)
    stream = Stream(build(layout, holes=holes), layout).settle(20)
    v = put(layout, stream.background, slice(40, 200), slice(60, 120))
    mask = stream.show(put(layout, v, slice(100, 100 + gap), slice(60, 120), by=-60))
    assert (mask[100 : 100 + gap, 64:116] > 0).all() == bridged
    assert (stream.found.covered[100 : 100 + gap, 64:116] > 0).all() == bridged
    assert not mask[:, :50].any()


def test_what_hides_most_of_the_scene_all_the_time_does_not_become_noise():
    stream = Stream(build())
    rng, found = np.random.default_rng(5), []
    for _ in range(200):
        v = stream.background.reshape(SIZE).copy()
        for _ in range(16):  # Blotches as of leaves before the lens, elsewhere in each frame.
            y, x = rng.integers(0, SIZE[0] - 40), rng.integers(0, SIZE[1] - 40)
            v[y : y + 40, x : x + 40] += 40 * rng.standard_normal()
        mask = stream.show(v.clip(0, 255).ravel())
        found.append((mask[abs(v - 110) > 25] > 0).mean())
    assert np.mean(found[-50:]) > 0.5
    assert stream.foreground.noise < 8 / 255
