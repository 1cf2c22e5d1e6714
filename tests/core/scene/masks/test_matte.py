"""Mattes, held to composites whose alpha is known."""

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes, frame_from_image
from core.frames.split import DenseSplit
from core.io.sources.samples import street_cast, street_scene
from core.io.sources.samples.painting import lay_over, speckle
from core.kernels import matte as kernel
from core.scene.masks.foreground import Foreground
from core.scene.masks.matte import find_matte
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.report import Report

NOISE = 2.5
"""Grey levels."""


class Composite:
    """A foreground over a background: what a camera sees of it, the mask found, and what the matte should be."""

    def __init__(self, mixed, background, alpha, rng):
        self.seen, self.background, self.alpha = noisy(mixed, rng), samples(background), alpha
        layout = frame_from_image(0, 0.0, self.background).layout
        foreground = Foreground(layout, {p.name: p.default for p in MASK_PARAMETERS})
        for index in range(20):
            found = found_in(foreground, noisy(background, rng), self.background)
            foreground.update(found, index)
        self.mask = found_in(foreground, self.seen, self.background).mask

    def error(self, matte):
        """Mean absolute error around the edge, levels of 255."""
        square = np.ones((17, 17), np.uint8)
        band = cv2.dilate(self.mask, square) != cv2.erode(self.mask, square)
        band |= (self.alpha > 0) & (self.alpha < 1)
        return np.abs(matte - 255 * self.alpha)[band].mean()

    def blurred(self):
        """The error of the best that blurring the mask gives, its width chosen by the truth."""
        widths = (0.7, 1, 1.5, 2, 3, 4)
        return min(self.error(cv2.GaussianBlur(self.mask.astype(float), (0, 0), width)) for width in widths)

    def guided(self):
        """The error of the best that a guided filter gives (He et al., 2013), its parameters chosen by the truth."""
        guide = cv2.cvtColor(self.seen, cv2.COLOR_RGB2GRAY) / 255
        both = [(reach, smooth) for reach in (2, 4, 8) for smooth in (1e-4, 1e-3, 1e-2)]
        return min(self.error(255 * guided_filter(guide, self.mask / 255, *each)) for each in both)


def found_in(foreground, seen, background):
    return foreground.detect(frame_from_image(0, 0.0, seen), frame_from_image(0, 0.0, background).values)


def guided_filter(guide, mask, reach, smooth):
    """Return the mask as a linear function of the guide in each window."""

    def mean(x):
        return cv2.blur(x, (2 * reach + 1, 2 * reach + 1))

    slope = (mean(guide * mask) - mean(guide) * mean(mask)) / (mean(guide**2) - mean(guide) ** 2 + smooth)
    return np.clip(mean(slope) * guide + mean(mean(mask) - slope * mean(guide)), 0, 1)


def samples(picture):
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def noisy(picture, rng):
    return samples(picture + NOISE * rng.standard_normal(picture.shape))


def ellipse(height, width, softness, seed):
    """An ellipse with a soft edge; both it and what lies behind are textured."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    depth = (1 - np.hypot((x - width / 2) / (0.22 * width), (y - height / 2) / (0.3 * height))) * 0.3 * height
    alpha = 1 / (1 + np.exp(-2 * depth / softness))
    alpha[alpha < 0.003], alpha[alpha > 0.997] = 0, 1
    behind = np.dstack([120 + 30 * speckle(rng, height, width, 4) for _ in range(3)])
    before = np.dstack([level + 20 * speckle(rng, height, width, 5) for level in (190, 90, 70)])
    behind += np.linspace(-30, 30, width)[:, None]
    return Composite(before * alpha[..., None] + behind * (1 - alpha[..., None]), behind, alpha, rng)


def street():
    """A walker and a car, drawn with soft edges, before the houses of the sample."""
    rng = np.random.default_rng(0)
    behind = np.stack([cv2.resize(plane, None, fx=2, fy=2) for plane in street_scene.backdrop(rng)])
    mixed, alpha = behind.copy(), np.zeros(behind.shape[1:])
    walker = street_cast.person(140, (196, 110, 64), (58, 56, 66), (34, 28, 26))
    for sprite, x, row in ((walker, 160, 440), (street_cast.car(220, (178, 48, 44)), 400, 400)):
        rows, columns, covered = lay_over(mixed, sprite.phases[0], x - sprite.foot[0], row - sprite.foot[1])
        alpha[rows, columns] += covered * (1 - alpha[rows, columns])
    return Composite(mixed.transpose(1, 2, 0), behind.transpose(1, 2, 0), alpha, rng)


SOFTENED = 0.8
"""A matte errs by less than this share of what the mask does, softened as the truth would have it."""

COMPOSITES = {
    "a sharp edge": lambda: ellipse(240, 320, 1.0, 0),
    "a soft edge": lambda: ellipse(240, 320, 2.5, 1),
    "a soft edge, larger": lambda: ellipse(480, 640, 2.5, 2),
    "the drawn street": street,
}


@pytest.fixture(scope="module", params=COMPOSITES)
def composite(request):
    return COMPOSITES[request.param]()


def test_the_matte_is_nearer_the_truth_than_any_softened_mask(composite):
    matte = find_matte(composite.seen, composite.background, composite.mask, 255)
    error = composite.error(matte.alpha.astype(float))
    assert error < 9, "levels of 255, around the edge"
    for other in (composite.error(composite.mask.astype(float)), composite.blurred(), composite.guided()):
        assert error < SOFTENED * other


def test_that_bound_finds_a_background_that_is_not_one(composite):
    wrong = find_matte(composite.seen, composite.seen, composite.mask, 255).alpha
    assert composite.error(wrong.astype(float)) > SOFTENED * composite.blurred()


@pytest.mark.parametrize("name", ["a sharp edge", "a soft edge"])
def test_edge_colours_hold_less_of_the_background_than_the_picture(name):
    rng = np.random.default_rng(0)
    composite = COMPOSITES[name]()
    matte = find_matte(composite.seen, composite.background, composite.mask, 255)
    rgba = matte.cut_out(composite.seen, 255)
    np.testing.assert_array_equal(rgba[..., 3], matte.alpha)
    edge = (composite.alpha > 0.1) & (composite.alpha < 0.9) & (matte.alpha > 25)
    elsewhere = rng.integers(0, 255, composite.seen.shape)  # laid over another scene, what is left behind shows
    cover = composite.alpha[..., None]
    foreground = (composite.seen - (1 - cover) * composite.background) / np.maximum(cover, 0.1)
    wanted = cover * foreground + (1 - cover) * elsewhere
    alpha = matte.alpha[..., None] / 255
    plain, clean = (alpha * p + (1 - alpha) * elsewhere for p in (composite.seen, rgba[..., :3]))
    assert np.abs(clean - wanted)[edge].mean() < 0.85 * np.abs(plain - wanted)[edge].mean()


def flat(shape, dtype, before=200, behind=60):
    """A rectangle of one colour before another, both without noise, with one column that is half covered."""
    unit = np.iinfo(dtype).max // 255
    mask = np.zeros(shape[:2], np.uint8)
    mask[shape[0] // 4 : -shape[0] // 4, shape[1] // 4 : -shape[1] // 4] = 255
    background = np.full(shape, behind * unit, dtype)
    picture = background.copy()
    picture[mask > 0] = before * unit
    column = np.flatnonzero(mask.any(axis=0))[0]
    picture[mask[:, column] > 0, column] = (before + behind) // 2 * unit
    return picture, background, mask, column


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(32, 40), (33, 41, 3), (64, 48, 3)])
def test_a_half_covered_column_is_found_with_its_colour(shape, dtype):
    picture, background, mask, column = flat(shape, dtype)
    white = int(np.iinfo(dtype).max)
    matte = find_matte(picture, background, mask, white)
    rows = slice(shape[0] // 2 - 3, shape[0] // 2 + 3)
    assert np.abs(matte.alpha[rows, column].astype(int) - 128).max() <= 2
    assert (matte.alpha[rows, column + 1 : column + 6] >= 254).all()
    assert (matte.alpha[rows, :column] <= 1).all()
    rgba = matte.cut_out(picture, white)
    assert (rgba.dtype, rgba.shape) == (dtype, (*shape[:2], 4))
    unit = white // 255
    assert np.abs(rgba[rows, column, :3].astype(int) - 200 * unit).max() <= 6 * unit
    assert rgba[shape[0] // 2, shape[1] // 2, 3] == white
    assert not rgba[matte.alpha == 0].any()


def test_colours_too_alike_to_tell_leave_the_mask_as_it_is_but_for_a_pixel():
    picture, background, mask, _ = flat((40, 48, 3), np.uint8, before=61, behind=60)
    matte = find_matte(picture, background, mask, 255).alpha
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8)) != cv2.erode(mask, np.ones((3, 3), np.uint8))
    assert np.abs(matte.astype(int) - mask)[~near].max() < 30


@pytest.mark.parametrize("value", [0, 255])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (7, 1, 3), (30, 40, 3)])
def test_masks_without_an_edge_are_taken_as_they_are(shape, value):
    picture = np.random.default_rng(0).integers(0, 255, shape).astype(np.uint8)
    matte = find_matte(picture, 255 - picture, np.full(shape[:2], value, np.uint8), 255)
    assert (matte.alpha == value).all()
    rgba = matte.cut_out(picture, 255)
    if value:
        np.testing.assert_array_equal(rgba[..., :3], picture if picture.ndim == 3 else np.dstack([picture] * 3))
    else:
        assert not rgba.any()


def test_what_is_too_thin_to_have_an_inside_stays():
    picture, background = np.full((40, 50, 3), 60, np.uint8), np.full((40, 50, 3), 60, np.uint8)
    mask = np.zeros((40, 50), np.uint8)
    mask[5:35, 20:22] = 255
    picture[mask > 0] = (220, 40, 40)
    matte = find_matte(picture, background, mask, 255)
    assert (matte.alpha[mask > 0] == 255).all()
    assert (matte.alpha[mask == 0] < 10).all()


def test_around_what_is_too_thin_to_have_an_inside_nothing_is_opaque_that_looks_like_it():
    """A sliver of a shadow is in the mask; the rest of the shadow, of the same colour, is not."""
    picture, background = np.full((60, 90, 3), 60, np.uint8), np.full((60, 90, 3), 130, np.uint8)
    mask = np.zeros((60, 90), np.uint8)
    mask[30:32, 20:60] = 255
    for coarse in (1, 2):
        matte = find_matte(picture, background, mask, 255, coarse=coarse).alpha
        assert (matte[mask > 0] > 250).all()
        soft = cv2.blur(mask, (2 * coarse + 1, 2 * coarse + 1))
        assert (matte <= soft)[mask == 0].all()


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_a_few_pixels_that_depart_from_the_mask_and_from_all_around_them_have_no_say(dtype):
    """A check on a shirt shows what lies behind, a stone beside it shows the shirt."""
    white = np.iinfo(dtype).max
    background, mask = np.full((120, 160, 3), white // 4, dtype), np.zeros((120, 160), np.uint8)
    mask[30:90, 40:120] = 255
    picture = background.copy()
    picture[mask > 0] = (white // 10 * 8, white // 3, white // 5)
    shirt, floor = picture[60, 60].copy(), background[0, 0]
    picture[50:53, 42:44], picture[50:53, 36:38] = floor, shirt
    matte = find_matte(picture, background, mask, white)
    assert (matte.alpha[50:53, 42:44] > 200).all()
    assert (matte.alpha[50:53, 36:38] < 50).all()
    cut = np.s_[50:70, 38:44]  # A part that is missing is, and what is there and not in the mask is there.
    picture[cut] = floor
    assert (find_matte(picture, background, mask, white).alpha[54:66, 41:43] < 50).all()
    picture[cut] = shirt
    assert (find_matte(picture, background, mask, white).alpha[54:66, 38:40] > 200).all()


@pytest.mark.parametrize("coarse", [1, 2, 4])
def test_away_from_its_edge_the_mask_is_the_matte_whatever_the_colours_say(coarse):
    """Half of the object looks like the background, and half of the background like the object."""
    rng = np.random.default_rng(0)
    background = samples(np.full((240, 320, 3), 60) + NOISE * rng.standard_normal((240, 320, 3)))
    mask = np.zeros((240, 320), np.uint8)
    mask[60:180, 80:240] = 255
    picture = background.copy()
    picture[:, 160:] = (200, 90, 40)
    matte = find_matte(picture, background, mask, 255, coarse=coarse).alpha
    near = np.ones((9, 9), np.uint8)
    assert (matte[cv2.erode(mask, near) > 0] == 255).all()
    assert not matte[cv2.dilate(mask, near) == 0].any()


def test_the_edge_of_a_small_picture_is_narrower():
    background, mask = np.full((32, 48, 3), 60, np.uint8), np.zeros((32, 48), np.uint8)
    mask[8:24, 12:36] = 255
    picture = background.copy()
    picture[:, 24:] = (200, 90, 40)
    matte = find_matte(picture, background, mask, 255).alpha
    near = np.ones((5, 5), np.uint8)
    assert (matte[cv2.erode(mask, near) > 0] == 255).all()
    assert not matte[cv2.dilate(mask, near) == 0].any()


def test_a_mask_that_was_found_at_half_the_size_gives_a_matte_nearly_as_good():
    composite = COMPOSITES["a sharp edge"]()
    behind, before = composite.background, composite.seen
    composite.mask = enlarged(composite.mask)
    error = composite.error(find_matte(before, behind, composite.mask, 255, coarse=2).alpha.astype(float))
    assert error < 7
    assert error < 0.75 * composite.blurred()


def enlarged(mask):
    """Return a mask as it is after it was halved and enlarged again."""
    small = cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = np.where(small > 127, np.uint8(255), np.uint8(0))
    return np.where(cv2.resize(small, mask.shape[::-1]) > 127, np.uint8(255), np.uint8(0))


def test_the_edge_is_listed_pixel_by_pixel():
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (3, 200), (41, 67), (70, 1)):
        inside, outside = (np.where(rng.random(shape) < 0.7, np.uint8(0), np.uint8(255)) for _ in range(2))
        rows, columns = kernel.edge_of(inside, outside)
        expected = np.nonzero(inside != outside)
        np.testing.assert_array_equal(rows, expected[0])
        np.testing.assert_array_equal(columns, expected[1])


def test_colours_spread_ring_by_ring():
    """Held to whole-picture sums: each ring takes the mean of what was reached before."""
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (30, 37, 3)).astype(np.uint8)
    mask = np.zeros((30, 37), np.uint8)
    mask[8:22, 6:28] = 255
    square = np.ones((7, 7), np.uint8)
    inside, outside = cv2.erode(mask, square), cv2.dilate(mask, square)
    rows, columns = kernel.edge_of(inside, outside)
    out = np.empty((rows.size, 3), np.float32)
    reached = kernel.spread(rows, columns, picture, mask, inside, np.zeros(mask.shape, np.int32), out)
    assert reached.all()
    colour, done = np.where(inside[..., None] > 0, picture, 0).astype(float), (inside > 0).astype(float)
    for _ in range(6):
        sums = np.dstack([cv2.boxFilter(c, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
                          for c in (*cv2.split(colour), done)])  # fmt: skip
        new = (done == 0) & (sums[..., 3] > 0) & (outside > 0)
        colour[new], done[new] = sums[new, :3] / sums[new, 3:], 1
    np.testing.assert_allclose(out, colour[rows, columns], rtol=1e-4)


def test_a_report_gives_the_matte_at_the_original_size_and_uses_it_as_alpha():
    layout = Layout(48, 64, Planes.YCC420, 10, full_range=False)
    rng = np.random.default_rng(0)
    plate = rng.integers(64, 900, layout.n_values).astype(layout.dtype)
    values = plate.copy()
    layout.plane(values, 0)[12:36, 20:44] = 900
    original = Frame(0, 0.0, values, layout)
    small = Layout(24, 32, Planes.GREY, 10)
    seen, known = (cv2.resize(layout.plane(v, 0), (32, 24), interpolation=cv2.INTER_AREA) for v in (values, plate))
    mask = np.zeros((24, 32), np.uint8)
    mask[6:18, 10:22] = 255
    unit = (known.ravel() / 1023).astype(np.float32)
    frame = Frame(0, 0.0, seen.ravel(), small, original=original)
    report = Report(frame, DenseSplit(unit, 0 * unit, None, np.ones(1), 0.0), mask, 0, 1, 1, 1, 0.01, {})
    assert (report.matte.dtype, report.matte.shape) == (np.uint8, (48, 64))
    assert report.matte[24, 32] == 255
    assert report.matte[2, 2] == 0
    rgba = report.foreground_rgba
    assert rgba.dtype == np.uint16
    np.testing.assert_array_equal(rgba[..., 3], report.matte.astype(np.uint32) * 1023 // 255)


def painted_scene():
    """A stroke on a textured scene that looks as the background does, beside a thing that differs from it."""
    rng = np.random.default_rng(0)
    behind = np.dstack([120 + 30 * speckle(rng, 120, 160, 4) for _ in range(3)])
    thing, stroke = np.zeros((120, 160), np.uint8), np.zeros((120, 160), np.uint8)
    thing[20:100, 90:130] = 255
    cv2.line(stroke, (30, 40), (92, 80), 255, 16)
    seen = np.where(thing[..., None] > 0, 230, behind)
    return noisy(seen, rng), samples(behind), thing, stroke


def test_what_was_painted_is_opaque_inside_and_soft_at_its_edge_whatever_it_looks_like():
    seen, behind, thing, stroke = painted_scene()
    mask = thing | stroke
    square = np.ones((3, 3), np.uint8)
    inside = (cv2.erode(mask, square) > 0) & (stroke > 0)
    outside = cv2.dilate(mask, square) == 0
    matte = find_matte(seen, behind, mask, 255, painted=stroke).alpha
    assert (matte[inside] >= 250).all()
    assert not matte[outside & (cv2.dilate(stroke, np.ones((9, 9), np.uint8)) > 0)].any()
    edge = matte[(stroke > 0) & ~inside]
    assert ((edge > 60) & (edge < 250)).mean() > 0.9, "soft"
    assert (find_matte(seen, behind, mask, 255).alpha[inside] < 64).any(), "by their looks, parts of it are no object"


def test_edges_away_from_what_was_painted_are_found_by_their_looks():
    seen, behind, thing, stroke = painted_scene()
    far = cv2.dilate(stroke, np.ones((21, 21), np.uint8)) == 0
    with_it, without = (find_matte(seen, behind, thing | stroke, 255, painted=each).alpha for each in (stroke, None))
    np.testing.assert_array_equal(with_it[far], without[far])
