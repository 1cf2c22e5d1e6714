import cv2
import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.methods.fast.noise import NOISE_FLOOR
from core.methods.fast.rows import FAST
from core.session.session import Session
from core.session.settings import Settings

GREY = Layout(60, 80, Planes.GREY)
LAYOUTS = {
    "grey": GREY,
    "RGB, odd": Layout(41, 53, Planes.RGB),
    "4:2:0, odd": Layout(61, 79, Planes.YCC420, full_range=False),
    "10 bits": Layout(60, 80, Planes.YCC420, 10),
    "16 bits": Layout(60, 80, Planes.GREY, 16),
    "on a pedestal": Layout(60, 80, Planes.GREY, 16, pedestal=5000),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
LEVEL = 1 / 255
"""One grey level of 255, units of white."""


def still(layout, seed=0):
    """A textured scene (F,), units of white."""
    return 0.15 + 0.5 * np.random.default_rng(seed).random(layout.n_values)


def clip(layout, n, sigma=2 * LEVEL, gain=lambda t: 1.0, person=None, change=None, seed=1):
    """Yield n vectors of samples: the still scene, times a gain, with noise; something stands at ``person(t)``."""
    rng = np.random.default_rng(seed)
    scene = still(layout)
    for t in range(n):
        v = gain(t) * scene + sigma * rng.standard_normal(layout.n_values)
        if change is not None:
            v += change(t)
        if person is not None:
            rows, columns = person(t)
            layout.plane(v, 0)[rows, columns] = 0.95
        yield layout.quantise(v.astype(np.float32))


def build(layout, seed=0, **chosen):
    return FAST.build(layout, {**FAST.defaults(), **chosen}, seed)


def passing(t):
    return slice(20, 40), slice(7 * t % 70, 7 * t % 70 + 10)


def standing(until):
    """Someone who stands in the middle up to a frame, and then walks away along the lower edge."""
    return lambda t: (slice(10, 45), slice(30, 50)) if t < until else (slice(50, 58), slice(2 * t % 70, 2 * t % 70 + 9))


def error(split, truth):
    """Mean error of a background, grey levels of 255."""
    return np.abs(split.background - truth).mean() / LEVEL


@layouts
def test_it_never_looks_ahead(layout):
    frames = list(clip(layout, 30, person=passing))
    long, short = build(layout), build(layout)
    splits = [long.step(v) for v in frames]
    for v, split in zip(frames[:13], splits, strict=False):
        again = short.step(v)
        np.testing.assert_array_equal(again.background, split.background)
        np.testing.assert_array_equal(again.h, split.h)
        assert again.objective == split.objective


def test_the_seed_decides_which_pixels_are_sampled_and_nothing_else_is_random():
    frames = list(clip(GREY, 20, person=passing))
    coefficients, backgrounds = {}, {}
    for name, seed in (("first", 3), ("again", 3), ("other", 4)):
        method = build(GREY, seed, sample=500)
        splits = [method.step(v) for v in frames]
        coefficients[name] = [split.h for split in splits]
        backgrounds[name] = np.array([split.background for split in splits])
    np.testing.assert_array_equal(coefficients["first"], coefficients["again"])
    np.testing.assert_array_equal(backgrounds["first"], backgrounds["again"])
    assert not np.array_equal(coefficients["first"], coefficients["other"])
    assert np.abs(backgrounds["first"] - backgrounds["other"]).mean() < LEVEL


@layouts
def test_a_background_that_is_overwritten_before_the_first_frame_changes_nothing(layout):
    frames = list(clip(layout, 3))
    method, other = build(layout), build(layout)
    method.overwrite_background(frames[2], np.ones(layout.n_values, np.bool_))
    for v in frames:
        np.testing.assert_array_equal(method.step(v).background, other.step(v).background)


@layouts
def test_background_and_basis_keep_to_their_ranges(layout):
    method = build(layout)
    scene = still(layout)
    for t, v in enumerate(clip(layout, 60, person=passing)):
        split = method.step(v)
        assert method.W[: layout.signed_from].min() >= 0
        assert np.linalg.norm(method.W, axis=0).max() <= 1 + 1e-4
        if t >= 20:
            assert error(split, scene) < 1.0
    zero = np.full(layout.n_values, layout.dark / layout.white)
    zero[layout.signed_from :] = layout.neutral / layout.white
    np.testing.assert_allclose(method.W @ split.h + zero, scene, atol=8 * LEVEL)


@pytest.mark.parametrize("warm_up", [5, 240])
def test_a_changed_rank_goes_on_without_starting_over(warm_up):
    scene = still(GREY)
    method = build(GREY, warm_up=warm_up)
    gain = lambda t: 1 + 0.1 * np.sin(t / 9)  # noqa: E731
    ranks = {40: 6, 60: 2, 80: 9, 100: 1, 120: 3}
    rank, calm = 3, []
    for t, v in enumerate(clip(GREY, 140, gain=gain, person=passing)):
        if t in ranks:
            rank = ranks[t]
            method.set("rank", rank)
        split = method.step(v)
        assert method.W.shape == (GREY.n_values, rank)
        assert split.h.shape == (rank,)
        if t >= 20:
            calm.append(error(split, gain(t) * scene))
    assert max(calm) < 2, "grey levels of 255, right after a change too, and where someone passed during it"


@pytest.mark.parametrize("rank", [1, 3, 6])
def test_a_rank_that_was_set_last_goes_along_with_a_state(rank):
    *frames, last = clip(GREY, 30)
    method, other = build(GREY, warm_up=5), build(GREY, warm_up=5)
    for v in frames:
        method.step(v)
    method.set("rank", rank)
    other.load(method.state())
    assert other.values["rank"] == rank
    other.step(last)
    assert other.W.shape == (GREY.n_values, rank)
    other.load(other.state())
    assert other.values["rank"] == rank


def test_the_least_used_columns_go_first():
    rng = np.random.default_rng(0)
    lamp = np.zeros(GREY.n_values)
    lamp[:1200] = 0.2
    method = build(GREY, rank=4, warm_up=1, learn_every=1)
    for v in clip(GREY, 120, change=lambda t: lamp * (0.5 + 0.5 * np.sin(t / 5))):
        method.step(v)
    state = method.state()
    order = np.argsort(-state["usage"])
    method.set("rank", 2)
    v = GREY.quantise((still(GREY) + lamp * rng.random()).astype(np.float32))
    method.step(v)
    kept = state["W"][np.sort(order[:2])]
    alike = [max(np.corrcoef(a, b)[0, 1] for b in method.W.T) for a in kept]
    assert min(alike) > 0.95


def test_someone_present_at_the_start_leaves_no_ghost():
    scene = GREY.plane(still(GREY), 0)
    backgrounds = {}
    for warm_up in (240, 0):
        method = build(GREY, warm_up=warm_up)
        for v in clip(GREY, 120, person=standing(40)):
            split = method.step(v)
        backgrounds[warm_up] = np.abs(GREY.plane(split.background, 0) - scene)[10:45, 30:50].mean() / LEVEL
    assert backgrounds[240] < 1.5
    assert backgrounds[0] > 20, "without a warm-up the ghost is there: the scene does ask for one"


def test_the_median_of_the_start_does_not_take_in_who_stops_and_is_masked():
    where, scene = (slice(10, 45), slice(30, 50)), GREY.plane(still(GREY), 0)
    mask = np.zeros((GREY.height, GREY.width), np.uint8)
    mask[where] = 255
    found = {}
    for is_told in (True, False):
        method = build(GREY)
        for t, v in enumerate(clip(GREY, 220, person=lambda t: where if t >= 40 else (slice(0), slice(0)))):
            if is_told and t >= 40:
                method.exclude_pixels(mask)
            split = method.step(v)
        found[is_told] = np.abs(GREY.plane(split.background, 0) - scene)[where].mean() / LEVEL
    assert found[True] < 1.5
    assert found[False] > 20, "without a mask the median has him"


def test_the_street_is_empty_where_people_stood_in_the_first_frame():
    source = open_source(InputSpec("sample:street", grey=True, size=(160, 120)))
    layout = source.info.layout
    method = build(layout)
    first = None
    for frame in source.frames():
        first = frame if first is None else first
        split = method.step(frame.values)
        if frame.index == 160:
            break
    free = (first.truth.mask == 255) & (frame.truth.mask == 0)
    assert free.mean() > 0.02
    difference = np.abs(layout.plane(split.background, 0) - layout.plane(frame.truth.clean, 0) * LEVEL) / LEVEL
    seen_first = np.abs(layout.plane(first.values, 0) * LEVEL - layout.plane(frame.truth.clean, 0) * LEVEL) / LEVEL
    assert seen_first[free].mean() > 30
    assert difference[free].mean() < 5


@pytest.mark.parametrize(
    "gain", [lambda t: 1 + 0.1 * np.sin(t / 6), lambda t: 1.0 if t < 60 else 1.4], ids=["drift", "switch"]
)
def test_light_is_followed_in_the_same_frame(gain):
    scene = still(GREY)
    method = build(GREY)
    errors, unmoved = [], []
    for t, v in enumerate(clip(GREY, 100, gain=gain, person=passing)):
        split = method.step(v)
        if t >= 30:
            errors.append(error(split, gain(t) * scene))
            unmoved.append(np.abs(scene - gain(t) * scene).mean() / LEVEL)
    assert max(errors) < 2
    assert max(unmoved) > 8, "the light does change"


@pytest.mark.parametrize("black", [20, 150, 400])
def test_a_scene_that_comes_after_black_is_learnt_and_stays(black):
    """The median of all that was seen is black until as many frames have come as were black."""
    scene = still(GREY)
    method = build(GREY)
    errors = []
    for v in clip(GREY, black + 100, gain=lambda t: float(t >= black), person=passing):
        errors.append(error(method.step(v), scene))
    assert max(errors[black + 20 :]) < 1.5, "grey levels of 255; the black plate differs by 100"
    assert method.lam < 10 * LEVEL


@pytest.mark.parametrize(("warm_up", "cut"), [(10, 60), (240, 60), (240, 300)])
def test_after_a_cut_the_new_scene_is_learnt_within_a_second(warm_up, cut):
    other = still(GREY, 5)
    method = build(GREY, warm_up=warm_up)
    errors = []
    for v in clip(GREY, cut + 60, person=passing, change=lambda t: (other - still(GREY)) * (t >= cut)):
        errors.append(error(method.step(v), other))
    assert max(errors[cut + 20 :]) < 1.5
    assert method.lam < 10 * LEVEL
    assert errors[cut - 1] > 40


def test_a_view_that_a_camera_has_turned_to_is_learnt_though_none_of_its_frames_was_new_at_once():
    """It begins to turn so slowly that the frame in which the model is lost still looks like what is known."""
    layout = Layout(240, 320, Planes.GREY)
    rng = np.random.default_rng(2)
    wide = cv2.GaussianBlur(rng.standard_normal((240, 700)), (0, 0), 3)
    wide = 0.5 + 9 * LEVEL * wide / wide.std()
    method, began = build(layout), []
    for t in range(90):
        x = int(np.clip(t - 40, 0, 8) + np.clip(20 * (t - 48), 0, 200))
        view = wide[:, x : x + layout.width].ravel()
        split = method.step(layout.quantise((view + LEVEL * rng.standard_normal(view.size)).astype(np.float32)))
        if method.scene_began is not None:
            began.append(t - method.scene_began)
    assert began == [58], "the first frame that shows what the last one does"
    assert error(split, view) < 1.5


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("level", [0.0, 0.5, 1.0], ids=["black", "grey", "white"])
def test_a_flash_is_no_cut_and_leaves_the_background_as_it_was(level, n):
    scene = still(GREY)
    method = build(GREY)
    for t, v in enumerate(clip(GREY, 120, person=passing)):
        split = method.step(np.full_like(v, 255 * level) if 60 <= t < 60 + n else v)
        assert method.scene_began is None
        if t >= 30 and not 60 <= t < 60 + n:
            assert error(split, scene) < 1.5


def test_who_hides_half_of_the_scene_is_no_cut():
    """As still as a picture on the wall, for longer than a cut takes to be seen. By the median pixel it would be."""
    scene = still(GREY)
    rng = np.random.default_rng(3)
    clothes = 0.2 + 0.6 * rng.random((60, 44))
    method = build(GREY, warm_up=30)
    for t, v in enumerate(clip(GREY, 81, person=passing)):
        if 60 <= t < 80:
            GREY.plane(v, 0)[:, 10:54] = 255 * clothes + 2 * rng.standard_normal(clothes.shape)
        split = method.step(v)
    assert error(split, scene) < 6, "grey levels of 255; as new background it differs by 29"


def test_a_median_that_explains_less_than_what_was_learnt_is_not_taken_up():
    """Half of the picture changes: too little for a cut, and the median shows the old half until frame 192 and on."""
    scene, change = still(GREY), np.zeros(GREY.n_values)
    change[: GREY.n_values // 2] = 0.25
    method = build(GREY, memory=20)
    errors = []
    for t, v in enumerate(clip(GREY, 215, person=passing, change=lambda t: change * (t >= 120))):
        errors.append(error(method.step(v), scene + change * (t >= 120)))
    assert max(errors[185:]) < 3, "grey levels of 255; the median at frame 192 differs by 32"


@layouts
@pytest.mark.parametrize("sigma", [1.5, 5.0])
def test_automatic_lambda_is_three_times_the_noise(layout, sigma):
    method = build(layout)
    for v in clip(layout, 60, sigma=sigma * LEVEL):
        split = method.step(v)
    assert method.lam == pytest.approx(3 * sigma * LEVEL, rel=0.1)
    np.testing.assert_allclose(
        split.outliers, split.residual - np.clip(split.residual, -split.lam, split.lam), atol=1e-6
    )


def test_objects_hardly_raise_lambda():
    method = build(GREY)
    for v in clip(GREY, 60, sigma=3 * LEVEL, person=lambda t: (slice(0, 60), slice(7 * t % 70, 7 * t % 70 + 10))):
        method.step(v)
    assert 9 * LEVEL < method.lam < 1.5 * 9 * LEVEL


def test_lambda_is_what_was_set_and_never_below_the_rounding_of_samples():
    method = build(GREY, lam=0.2)
    frames = list(clip(GREY, 30, sigma=0))
    for v in frames[:5]:
        method.step(v)
    assert method.lam == 0.2
    method.set("lam", None)
    for v in frames[5:]:
        method.step(v)
    assert method.lam == pytest.approx(3 * NOISE_FLOOR * LEVEL, rel=0.3)


def test_samples_of_every_depth_and_floats_give_the_same_background():
    deep = Layout(60, 80, Planes.GREY, 16)
    frames = [v.astype(np.uint16) * 257 for v in clip(GREY, 40, person=passing)]
    eight, sixteen, floats = build(GREY), build(deep), build(deep)
    for v in frames:
        a = eight.step((v // 257).astype(np.uint8)).background
        b = sixteen.step(v).background
        c = floats.step(v.astype(np.float32) / np.float32(65535)).background
        np.testing.assert_allclose(b, c, atol=1e-3 * LEVEL * 255 / 65 + 2e-4)
        assert np.abs(a - b).max() < 1.01 * LEVEL
    assert eight.lam == pytest.approx(sixteen.lam, rel=0.05)


def test_sampled_coefficients_are_those_of_all_pixels_within_a_quarter_of_a_level():
    layout = Layout(240, 320, Planes.GREY)
    gain = lambda t: 1 + 0.1 * np.sin(t / 5)  # noqa: E731
    frames = list(
        clip(layout, 16, sigma=3 * LEVEL, gain=gain, person=lambda t: (slice(60, 180), slice(10 * t, 10 * t + 90)))
    )
    taught = build(layout)
    for v in frames:
        taught.step(v)
    full = build(layout, sample=100_000_000)
    full.load(taught.state())
    whole = full.transform(frames[-1]).h
    W = np.array(full.W)

    def apart(sample):
        """Worst deviation over seeds, root of the mean square, grey levels."""
        worst = 0.0
        for seed in range(5):
            sampled = build(layout, seed, sample=sample)
            sampled.load(taught.state())
            worst = max(worst, np.sqrt(np.mean((W @ (sampled.transform(frames[-1]).h - whole)) ** 2)) / LEVEL)
        return worst

    assert apart(8192) < 0.25
    assert apart(256) > 0.25, "a sample that is too small would not pass"


@pytest.mark.parametrize("n_values", [300, 8191, 8192, 8193, 50_000])
def test_a_sample_never_asks_for_more_than_there_is(n_values):
    layout = Layout(1, n_values, Planes.GREY)
    method = build(layout)
    for v in clip(layout, 4):
        split = method.step(v)
    assert error(split, still(layout)) < 4


def test_a_shorter_memory_adapts_sooner():
    shift = np.zeros(GREY.n_values)
    shift[:2000] = 8 * LEVEL  # within what teaches the basis
    left = {}
    for memory in (20, 100_000):
        method = build(GREY, memory=memory, warm_up=10, rank=1)
        for v in clip(GREY, 120, change=lambda t: shift * (t >= 60)):
            split = method.step(v)
        left[memory] = np.abs(split.background - still(GREY) - shift)[:2000].mean() / LEVEL
    assert left[20] < 1.5
    assert left[100_000] > 2 * left[20]


def test_what_is_excluded_teaches_nothing():
    parked = slice(10, 30), slice(20, 40)
    foreground = np.zeros((60, 80), np.uint8)
    foreground[parked] = 255
    scene = GREY.plane(still(GREY), 0)
    seen = {}
    for excluded in (True, False):
        method = build(GREY, warm_up=30, memory=100)
        for t, v in enumerate(clip(GREY, 300, person=lambda t: parked if t >= 60 else (slice(0, 2), slice(0, 2)))):
            split = method.step(v)
            if excluded and t >= 60:
                method.exclude_pixels(foreground)
        seen[excluded] = np.abs(GREY.plane(split.background, 0) - scene)[parked].mean() / LEVEL
    assert seen[True] < 4
    assert seen[False] > 12


@layouts
def test_what_is_overwritten_is_background_at_once_and_nothing_else_changes(layout):
    method = build(layout, warm_up=5)
    frames = list(clip(layout, 41, person=passing))
    for v in frames[:40]:
        method.step(v)
    before = method.transform(frames[40])
    scene = still(layout)
    where = np.arange(layout.n_values) % 7 == 0
    changed = np.where(where, layout.quantise((1.2 * scene).astype(np.float32)), frames[40])
    method.overwrite_background(changed, where)
    after = method.transform(changed.astype(layout.dtype))
    assert np.abs(after.background - 1.2 * scene)[where].mean() < 2 * LEVEL
    assert np.abs(after.background - before.background)[~where].mean() < 0.5 * LEVEL


@layouts
def test_all_that_is_overwritten_is_background_though_all_was_black(layout):
    method, black = build(layout, warm_up=5), layout.quantise(0 * still(layout))
    for _ in range(8):
        method.step(black)
    plate = layout.quantise(still(layout).astype(np.float32))
    method.overwrite_background(plate, np.ones(layout.n_values, np.bool_))
    assert np.abs(method.transform(plate).background - still(layout)).mean() < LEVEL


def test_every_parameter_of_the_row_is_one_that_the_method_knows():
    assert catalogue.METHODS["fast"] is FAST
    assert set(build(GREY).values) == {p.name for p in FAST.parameters}


def test_a_state_of_before_the_first_frame_is_begun_with():
    layout = Layout(12, 16, Planes.GREY)
    method = build(layout)
    method.load(build(layout).state())
    assert method.values["rank"] == FAST.defaults()["rank"]
    v = np.full(layout.n_values, 90, np.uint8)
    for _ in range(3):
        split = method.step(v)
    np.testing.assert_array_equal(split.samples(layout), v)


def test_the_outlier_penalty_says_what_it_does_and_masks_hardly_follow_it():
    set_aside, masks = [], []
    for lam in (0.01, 0.04, 0.16):
        session = Session(open_source(InputSpec("sample:street", frames=(1, 40))), Settings("fast", {"lam": lam}))
        report = list(session.run())[-1]
        set_aside.append(np.count_nonzero(report.split.outliers))
        masks.append(report.mask > 0)
    assert set_aside[0] > 2 * set_aside[1] > 2 * set_aside[2]
    for mask in masks[1:]:
        assert np.count_nonzero(mask != masks[0]) < 0.05 * np.count_nonzero(masks[0])
    penalty = next(one for one in FAST.parameters if one.name == "lam")
    assert penalty.effect == "lower: more is an outlier"
