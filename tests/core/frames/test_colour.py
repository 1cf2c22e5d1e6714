import av
import numpy as np
import pytest

from core.frames import colour
from core.runtime import bands

# White, black and weights of ITU-R BT.601, BT.709 and BT.2020, written out once more.
WEIGHTS = {"bt601": (0.299, 0.587, 0.114), "bt709": (0.2126, 0.7152, 0.0722), "bt2020": (0.2627, 0.6780, 0.0593)}
SWS_MATRIX = {"bt601": 5, "bt709": 1, "bt2020": 9}

every_kind = pytest.mark.parametrize(
    ("depth", "full_range", "matrix"),
    [(d, f, m) for d in (8, 10, 16) for f in (False, True) for m in WEIGHTS],
)


def formula(y, cb, cr, depth, full_range, matrix):
    """RGB (H, W, 3) float of planes of one size, as the recommendations define luma and chroma."""
    red, green, blue = WEIGHTS[matrix]
    y, cb, cr = (plane.astype(float) / 2 ** (depth - 8) for plane in (y, cb, cr))
    if full_range:
        white = (2**depth - 1) / 2 ** (depth - 8)
        luma, pb, pr = y / white, (cb - 128) / white, (cr - 128) / white
    else:
        luma, pb, pr = (y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224
    r = luma + 2 * (1 - red) * pr
    b = luma + 2 * (1 - blue) * pb
    g = (luma - red * r - blue * b) / green
    return np.clip(np.dstack([r, g, b]), 0, 1) * (2**depth - 1)


def enlarged(plane, height, width):
    """Chroma at full size: a sample lies in the middle of its four pixels; linear between, the edge repeated."""
    for axis, size in ((0, height), (1, width)):
        at = np.clip((np.arange(size) + 0.5) / 2 - 0.5, 0, plane.shape[axis] - 1)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, plane.shape[axis] - 1)
        share = (at - low).reshape((-1, 1) if axis == 0 else (1, -1))
        plane = np.take(plane, low, axis) * (1 - share) + np.take(plane, high, axis) * share
    return plane


def random_planes(height, width, depth, seed=0):
    rng = np.random.default_rng(seed)
    half = ((height + 1) // 2, (width + 1) // 2)
    dtype = np.uint8 if depth == 8 else np.uint16
    return [rng.integers(0, 2**depth, shape).astype(dtype) for shape in ((height, width), half, half)]


@every_kind
@pytest.mark.parametrize("size", [(8, 12), (9, 13), (1, 1), (1, 5), (7, 2)])
def test_rgb_is_what_the_recommendation_says(size, depth, full_range, matrix):
    y, cb, cr = random_planes(*size, depth)
    rgb = colour.ycc_to_rgb(y, cb, cr, depth, full_range, matrix)
    assert (rgb.dtype, rgb.shape) == (y.dtype, (*size, 3))
    expected = formula(y, enlarged(cb, *size), enlarged(cr, *size), depth, full_range, matrix)
    # Half a sample for rounding the result, and half a sample of each chroma, which is enlarged in whole samples.
    np.testing.assert_allclose(rgb, expected, atol=1.8 if depth == 8 else 2.2)
    assert np.abs(rgb - expected).mean() < 0.5


@pytest.mark.parametrize("wrong", ["bt709", "bt2020", "range", "swapped chroma"])
def test_that_comparison_finds_a_wrong_conversion(wrong):
    y, cb, cr = random_planes(8, 12, 8)
    kind = [8, wrong != "range", wrong if wrong in WEIGHTS else "bt601"]
    rgb = colour.ycc_to_rgb(y, cr, cb, *kind) if wrong == "swapped chroma" else colour.ycc_to_rgb(y, cb, cr, *kind)
    expected = formula(y, enlarged(cb, 8, 12), enlarged(cr, 8, 12), 8, True, "bt601")
    assert np.abs(rgb - expected).mean() > 2


def test_video_levels_go_from_16_to_235_and_expand_brings_every_level_back():
    levels = np.arange(256, dtype=np.uint8)[None]
    stored = np.zeros_like(levels)
    colour.to_video_levels(levels, stored)
    assert (stored[0, 0], stored[0, -1]) == (16, 235)
    assert np.abs(colour.expand(stored, 8, False).astype(int) - levels).max() <= 1


def test_levels_of_16_bits_become_the_nearest_of_10():
    levels = np.arange(0, 65536, 5, dtype=np.uint16)[None]
    stored = np.zeros_like(levels)
    colour.to_video_levels(levels, stored)
    assert (stored[0, 0], stored[0, -1]) == (64, 940)
    assert np.abs(stored - (64 + levels * (876 / 65535))).max() <= 0.5


@pytest.mark.parametrize("full_range", [False, True])
@pytest.mark.parametrize("matrix", WEIGHTS)
@pytest.mark.parametrize(("depth", "form"), [(8, "yuv420p"), (10, "yuv420p10le")])
@pytest.mark.parametrize("size", [(16, 32), (17, 31)])
def test_smooth_pictures_agree_with_swscale(size, depth, form, matrix, full_range):
    height, width = size
    unit = 2 ** (depth - 8)
    half = np.mgrid[: (height + 1) // 2, : (width + 1) // 2]
    y = np.add.outer(60 + 4 * np.arange(height), 2 * np.arange(width)) * unit
    cb, cr = (100 + 3 * half[0] + half[1]) * unit, (150 - 2 * half[0] - half[1]) * unit
    planes = [np.clip(p, 0, 2**depth - 1).astype(np.uint8 if depth == 8 else np.uint16) for p in (y, cb, cr)]
    frame = av.VideoFrame(width, height, form)
    for plane, samples in zip(frame.planes, planes, strict=True):
        lines = np.zeros((plane.height, plane.line_size // samples.itemsize), samples.dtype)
        lines[:, : samples.shape[1]] = samples
        plane.update(lines.tobytes())
    theirs = frame.reformat(
        format="gbrp" if depth == 8 else "gbrp10le",
        src_colorspace=SWS_MATRIX[matrix],
        src_color_range=2 if full_range else 1,
        dst_color_range=2,
    ).to_ndarray()
    theirs = theirs.astype(float)
    ours = colour.ycc_to_rgb(*planes, depth, full_range, matrix)
    # swscale places chroma at the left and rounds in between: a few levels of 255, more at the edges.
    inner = (slice(2, -2), slice(2, -2))
    assert np.abs(ours[inner] - theirs[inner]).max() <= 5 * unit
    assert np.abs(ours[inner] - theirs[inner]).mean() <= 2 * unit


@pytest.mark.parametrize("depth", [8, 10, 16])
def test_black_white_and_grey_have_no_colour(depth):
    unit, white = 2 ** (depth - 8), 2**depth - 1
    dtype = np.uint8 if depth == 8 else np.uint16
    neutral = np.full((1, 2), 128 * unit, dtype)
    for full_range, levels in ((False, (16 * unit, 235 * unit)), (True, (0, white))):
        rgb = colour.ycc_to_rgb(np.array([[*levels, 100 * unit]], dtype), neutral, neutral, depth, full_range, "bt601")
        np.testing.assert_array_equal(rgb[0, 0], [0, 0, 0])
        np.testing.assert_array_equal(rgb[0, 1], [white, white, white])
        assert np.ptp(rgb[0, 2].astype(int)) == 0


@pytest.mark.parametrize(("white", "dtype"), [(255, np.uint8), (1023, np.uint16), (65535, np.uint16)])
def test_quantise_rounds_to_the_nearest_sample_and_clips(white, dtype):
    rng = np.random.default_rng(0)
    # Long enough to be done in bands, and not a multiple of anything.
    vector = np.concatenate([rng.uniform(-0.5, 1.5, bands.SHORT + 77), [0, 1, -1e9, 1e9, -np.inf, np.inf]])
    vector = vector.astype(np.float32)
    out = colour.quantise(vector, white, dtype)
    exact = np.clip(vector * np.float32(white), 0, white).astype(float)
    assert out.dtype == dtype
    assert np.abs(out - exact).max() <= 0.5 + 1e-2 * (white > 1023)
    assert np.abs(np.floor(exact) - exact).max() > 0.99, "cutting off would pass"


@pytest.mark.parametrize("depth", [8, 10, 16])
def test_expand_stretches_video_levels_and_leaves_full_range_alone(depth):
    dtype = np.uint8 if depth == 8 else np.uint16
    unit, white = 2 ** (depth - 8), 2**depth - 1
    luma = np.arange(2**depth).astype(dtype).reshape(2, -1)
    assert colour.expand(luma, depth, True) is luma
    stretched = colour.expand(luma, depth, False)
    exact = np.clip((luma.astype(float) / unit - 16) / 219, 0, 1) * white
    assert stretched.dtype == dtype
    assert np.abs(stretched - exact).max() <= 0.5


@every_kind
def test_luma_and_chroma_of_a_picture_show_it_again(depth, full_range, matrix):
    dtype, white = (np.uint8 if depth == 8 else np.uint16), 2**depth - 1
    coarse = np.random.default_rng(1).integers(white // 4, white - white // 4, (4, 5, 3))
    picture = coarse.repeat(8, 0).repeat(8, 1)[:31, :39].astype(dtype)
    planes = colour.rgb_to_ycc(picture, depth, full_range, matrix)
    assert [plane.shape for plane in planes] == [(31, 39), (16, 20), (16, 20)]
    assert {plane.dtype for plane in planes} == {np.dtype(dtype)}
    again = colour.ycc_to_rgb(*planes, depth, full_range, matrix)
    inner = np.s_[3::8, 3::8]  # Away from where colours meet, which chroma of half the size blurs.
    assert np.abs(again[inner].astype(int) - picture[inner]).max() <= 3 * 2 ** (depth - 8)


@pytest.mark.parametrize(
    ("primaries", "transfer", "title"),
    [(1, 1, ""), (6, 6, ""), (5, 6, ""), (1, 14, ""), (9, 14, "BT.2020"), (12, 1, "Display P3"), (11, 16, "DCI-P3, PQ"),
     (9, 18, "BT.2020, HLG"), (1, 18, "HLG")],
)  # fmt: skip
def test_what_viewers_would_take_for_another_has_a_title(primaries, transfer, title):
    standard = colour.ColourStandard("bt709", primaries, transfer)
    assert standard.title == title
    assert standard.is_usual == (not title)
    assert standard.is_high_range == title.endswith(("PQ", "HLG"))
