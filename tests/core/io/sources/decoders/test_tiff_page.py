"""TIFF files of every kind of colour are one picture in a stack and in a folder, packed or not, or one sentence."""

import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError
from core.io.sources.decoders.base import Unreadable, upright
from core.io.sources.reading import read_picture
from core.io.sources.stack import StackSource
from tests.core.io.sources.decoders.tiff_kinds import (
    BLACK_IS_ZERO,
    CMYK,
    DEFLATE,
    LAB,
    LZW,
    PALETTE,
    RGB,
    UNKNOWN,
    UNPACKED,
    WHITE_IS_ZERO,
    YCBCR,
    tiff_of,
)  # fmt: skip

RNG = np.random.default_rng(7)
PACKINGS = pytest.mark.parametrize("packing", [UNPACKED, DEFLATE, LZW])
ALPHA = 2
NO_SUBSAMPLING = {"more": [(530, 3, [1, 1])]}


def pages_of(bits, *colours):
    return [RNG.integers(0, 1 << bits, (6, 9, *colours)) for _ in range(2)]


def in_a_stack(path):
    """Return the pages of a file, their bits, and what is said."""
    source = StackSource(path)
    pages = [frame.layout.plane(frame.values, 0) if frame.layout.planes.name == "GREY" else frame.image()
             for frame in source.frames()]  # fmt: skip
    return pages, source.info.layout.bit_depth, source.warnings


def assert_shows(folder, contents, wanted, bits, *, has_alpha=False):
    """Both readers show these pictures; a folder shows the first."""
    path = folder / "a.tif"
    path.write_bytes(contents)
    pages, depth, said = in_a_stack(path)
    first = read_picture(path)
    assert (depth, first.bit_depth, first.had_alpha) == (bits, bits, has_alpha)
    assert [("alpha" in sentence) for sentence in said] == [True] * has_alpha
    assert first.image.dtype == (np.uint8 if bits == 8 else np.uint16)
    np.testing.assert_array_equal(first.image, wanted[0])
    for page, picture in zip(pages, wanted, strict=True):
        np.testing.assert_array_equal(page, picture)


def refusals(folder, contents):
    """Return what both readers say of a file."""
    path = folder / "a.tif"
    path.write_bytes(contents)
    with pytest.raises(CleanplateError) as of_stack:
        StackSource(path)
    with pytest.raises(Unreadable) as of_picture:
        read_picture(path)
    return str(of_stack.value), f"a.tif {of_picture.value}."


@PACKINGS
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
def test_grey_is_black_or_white_at_zero_as_the_file_says(tmp_path, kind, bits, packing):
    pages = pages_of(bits)
    wanted = pages if kind == BLACK_IS_ZERO else [(1 << bits) - 1 - page for page in pages]
    assert_shows(tmp_path, tiff_of(pages, kind, bits, packing), wanted, bits)


@PACKINGS
@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
def test_black_and_white(tmp_path, kind, packing):
    pages = pages_of(1)
    assert_shows(tmp_path, tiff_of(pages, kind, 1, packing), [255 * (page == kind) for page in pages], 8)


@PACKINGS
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("extra", [(), (0,), (1,), (ALPHA,)])
def test_colours_are_not_multiplied_by_the_alpha_that_is_left_out(tmp_path, extra, bits, packing):
    pages = pages_of(bits, 3 + len(extra))
    contents = tiff_of(pages, RGB, bits, packing, extra=extra)
    assert_shows(tmp_path, contents, [page[..., :3] for page in pages], bits, has_alpha=bool(extra))


@PACKINGS
def test_planes_of_colours(tmp_path, packing):
    pages = pages_of(8, 3)
    assert_shows(tmp_path, tiff_of(pages, RGB, 8, packing, planar=True), pages, 8)


@pytest.mark.parametrize("packing", [UNPACKED, DEFLATE])
def test_planes_of_deep_colours(tmp_path, packing):
    pages = pages_of(16, 3)
    assert_shows(tmp_path, tiff_of(pages, RGB, 16, packing, planar=True), pages, 16)


@PACKINGS
@pytest.mark.parametrize("step", [257, 256, 1])
def test_colours_of_a_palette_have_8_bits_however_the_table_has_them(tmp_path, step, packing):
    pages, table = pages_of(8), RNG.permuted(np.tile(np.arange(256), (3, 1)), axis=1)
    contents = tiff_of(pages, PALETTE, 8, packing, colours=step * table)
    assert_shows(tmp_path, contents, [table.T[page] for page in pages], 8)


@PACKINGS
def test_a_palette_of_16_colours(tmp_path, packing):
    pages, table = pages_of(4), RNG.permuted(np.tile(17 * np.arange(16), (3, 1)), axis=1)
    contents = tiff_of(pages, PALETTE, 4, packing, colours=257 * table)
    assert_shows(tmp_path, contents, [table.T[page] for page in pages], 8)


@PACKINGS
@pytest.mark.parametrize("planar", [False, True])
def test_inks_become_the_light_that_they_leave(tmp_path, planar, packing):
    pages = [page.astype(int) for page in pages_of(8, 4)]
    pages[0][0, 0] = 255, 0, 0, 0
    wanted = [(255 - page[..., :3]) * (255 - page[..., 3:]) // 255 for page in pages]
    assert wanted[0][0, 0].tolist() == [0, 255, 255], "cyan"
    assert_shows(tmp_path, tiff_of(pages, CMYK, 8, packing, planar=planar), wanted, 8)


@PACKINGS
def test_luma_and_differences_of_colour(tmp_path, packing):
    pages = [np.tile([76, 85, 255], (6, 9, 1)), np.tile([200, 128, 128], (6, 9, 1))]
    wanted = [np.tile([254, 0, 0], (6, 9, 1)), np.full((6, 9, 3), 200)]
    assert_shows(tmp_path, tiff_of(pages, YCBCR, 8, packing, **NO_SUBSAMPLING), wanted, 8)


@PACKINGS
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("bits", [8, 16])
def test_a_picture_is_upright_as_the_file_says(tmp_path, orientation, bits, packing):
    pages = pages_of(bits)
    contents = tiff_of(pages, BLACK_IS_ZERO, bits, packing, orientation=orientation)
    assert_shows(tmp_path, contents, [upright(page, orientation) for page in pages], bits)


@pytest.mark.parametrize("packing", [UNPACKED, DEFLATE])
@pytest.mark.parametrize("bits", [2, 4, 10, 12, 14])
@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
def test_samples_of_few_bits_have_their_own_white(tmp_path, kind, bits, packing):
    """Those of less than 8 bits are scaled, as of PNG; a row of 9 fills no whole byte."""
    pages, white = pages_of(bits), (1 << bits) - 1
    wanted = pages if kind == BLACK_IS_ZERO else [white - page for page in pages]
    wanted = [page * 255 // white for page in wanted] if bits < 8 else wanted
    assert_shows(tmp_path, tiff_of(pages, kind, bits, packing), wanted, max(bits, 8))


@pytest.mark.parametrize("bits", [10, 12, 14])
@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
def test_deep_samples_packed_as_lzw_have_their_own_white(tmp_path, kind, bits):
    pages = pages_of(bits)
    wanted = pages if kind == BLACK_IS_ZERO else [(1 << bits) - 1 - page for page in pages]
    assert_shows(tmp_path, tiff_of(pages, kind, bits, LZW), wanted, bits)


@PACKINGS
@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
def test_grey_with_a_sign_is_read_as_it_is(tmp_path, kind, packing):
    pages = pages_of(15)
    wanted = pages if kind == BLACK_IS_ZERO else [32767 - page for page in pages]
    assert_shows(tmp_path, tiff_of(pages, kind, 16, packing, more=[(339, 3, [2])]), wanted, 16)
    below = tiff_of([pages[0] - 1 - pages[0].min()], kind, 16, packing, more=[(339, 3, [2])])
    of_stack, of_picture = refusals(tmp_path, below)
    assert of_stack == of_picture
    assert of_stack.startswith("a.tif holds samples below 0; add")


@pytest.mark.parametrize("kind", [BLACK_IS_ZERO, WHITE_IS_ZERO])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_an_inverting_table_of_imagej_is_applied_to_all_planes_of_its_run(tmp_path, dtype, kind):
    pages = RNG.integers(0, 256, (3, 6, 9)).astype(dtype)
    photometric = "miniswhite" if kind == WHITE_IS_ZERO else "minisblack"
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, pages, imagej=True, photometric=photometric, truncate=True)
    wanted = ~pages if kind == WHITE_IS_ZERO else pages
    with tifffile.TiffFile(path) as file:
        assert len(file.pages) == 1
    shown, _, _ = in_a_stack(path)
    np.testing.assert_array_equal(shown, wanted)
    np.testing.assert_array_equal(read_picture(path).image, wanted[0])


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (tiff_of(pages_of(8, 3), LAB), "holds CIE Lab colours; convert it to grey or RGB"),
        (tiff_of(pages_of(8), 32803), "holds a camera's raw colours; convert it to grey or RGB"),
        (tiff_of(pages_of(8), 40000), "holds unknown colours; convert it to grey or RGB"),
        (tiff_of(pages_of(16, 4), CMYK, 16), "holds CMYK colours of 16 bits; convert it to RGB"),
        (tiff_of(pages_of(8, 5), RGB), "has 5 samples a pixel; only grey or RGB can be read"),
        (tiff_of(pages_of(8), BLACK_IS_ZERO, more=[(339, 3, [2])]), "holds int8 samples; convert them to"),
        (tiff_of(pages_of(8), BLACK_IS_ZERO, more=[(32997, 4, [2])]), "has pages of 2 depths each; save one page"),
        (tiff_of(pages_of(4), BLACK_IS_ZERO, 4, LZW), "has samples of 4 bits packed as LZW; save it without"),
        (tiff_of(pages_of(16, 3), RGB, 16, LZW, planar=True), "has samples of 16 bits packed as LZW; save it without"),
        (tiff_of(pages_of(8), PALETTE), "lacks the palette of its colours; convert it to RGB"),
        (tiff_of(pages_of(8), BLACK_IS_ZERO, 8, UNKNOWN), "is packed in an unknown way; save it without compression."),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_rightly_is_the_same_sentence_in_both(tmp_path, contents, words):
    of_stack, of_picture = refusals(tmp_path, contents)
    assert of_stack == of_picture
    assert of_stack.startswith(f"a.tif {words}")


def test_a_page_that_cannot_be_shown_ends_a_stack_with_a_note(tmp_path):
    contents = bytearray(tiff_of([page.astype(np.uint8) for page in pages_of(8, 3)], RGB))
    tag = bytes((6, 1, 3, 0, 1, 0, 0, 0, RGB))
    place = contents.rindex(tag)
    contents[place + len(tag) - 1] = LAB
    (tmp_path / "a.tif").write_bytes(contents)
    source = StackSource(tmp_path / "a.tif")
    assert len(list(source.frames())) == 1
    assert source.warnings == ["a.tif ends at page 2, which holds CIE Lab colours; convert it to grey or RGB."]


def test_without_a_word_on_its_colours_grey_has_black_at_zero(tmp_path):
    contents = tiff_of(pages := pages_of(8), BLACK_IS_ZERO)
    unknown = contents.replace(bytes((6, 1, 3, 0, 1, 0, 0, 0, 1)), bytes((7, 1, 3, 0, 1, 0, 0, 0, 1)))
    assert_shows(tmp_path, unknown, pages, 8)
