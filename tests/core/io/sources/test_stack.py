import contextlib
import os
import tracemalloc
import zlib

import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError
from core.frames.frame import Planes
from tests.hostile.bombs import tiff
from tests.small_inputs import opened

PAGES = np.random.default_rng(5).integers(0, 65536, (6, 20, 30)).astype(np.uint16)


@pytest.mark.parametrize("imagej", [False, True])
def test_a_stack_that_is_cut_short_says_how_many_pages_it_should_have(tmp_path, imagej):
    path = tmp_path / "cut.tif"
    tifffile.imwrite(path, np.random.default_rng(0).integers(0, 999, (12, 30, 40)).astype(np.uint16), imagej=imagej)
    assert opened(path).warnings == []
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    assert "of its 12 pages: it is cut short." in opened(path).warnings[0]


@pytest.mark.parametrize("other", [PAGES[0].view(np.uint8).reshape(20, 20, 3), np.tile(PAGES[0], (3, 1))])
def test_a_whole_stack_of_pages_that_differ_is_not_said_to_be_cut_short(tmp_path, other):
    with tifffile.TiffWriter(tmp_path / "mixed.tif") as writer:
        for page in (PAGES[0], other) * 3:
            writer.write(page, photometric="rgb" if page.ndim == 3 else "minisblack")
    source = opened(tmp_path / "mixed.tif")
    assert source.info.n_frames == 6
    assert not [note for note in source.warnings if "cut short" in note]


def test_the_rest_of_a_stack_behind_its_one_page_is_read(tmp_path):
    """As tifffile writes it where it is told to truncate: the description says how many there are."""
    path = tmp_path / "run.tif"
    tifffile.imwrite(path, PAGES, photometric="minisblack", metadata={"axes": "TYX"}, truncate=True)
    source = opened(path)
    assert source.warnings == []
    assert_pages(source, PAGES)


def assert_pages(source, pages):
    assert source.info.n_frames == len(pages)
    for frame, page in zip(source.frames(), pages, strict=True):
        np.testing.assert_array_equal(frame.image(), page)
    np.testing.assert_array_equal(next(source.frames(len(pages) - 1)).image(), pages[-1])
    assert list(source.frames(len(pages))) == []


def first_of(source, index):
    with contextlib.closing(source.frames(index)) as frames:
        return next(frames).image()


KINDS = [{}, {"imagej": True}, {"ome": True}, {"bigtiff": True}, {"byteorder": ">"}]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compression", [None, "zlib"])
def test_pages_are_frames(tmp_path, kind, compression):
    if kind.get("imagej") and compression:
        pytest.skip("ImageJ does not write this compression")
    path = tmp_path / "stack.tif"
    tifffile.imwrite(path, PAGES, photometric="minisblack", compression=compression, **kind)
    source = opened(path)
    assert (source.info.layout.bit_depth, source.info.fps) == (16, None)
    assert_pages(source, PAGES)


def test_imagej_run_of_samples_behind_one_page(tmp_path):
    path = tmp_path / "large.tif"
    tifffile.imwrite(path, PAGES, imagej=True)
    data = bytearray(path.read_bytes())
    with tifffile.TiffFile(path) as file:
        # Files beyond 4 GB are written so: the chain of pages ends with the first.
        page = file.pages[0]
        order, count = file.byteorder, len(page.tags)
    end = page.offset + 2 + 12 * count
    data[end : end + 4] = (0).to_bytes(4, "little" if order == "<" else "big")
    path.write_bytes(data)
    assert_pages(opened(path), PAGES)


@pytest.mark.parametrize("packing", [5, 32773, 8])
def test_packed_colour_pages(tmp_path, packing):
    images = [np.random.default_rng(i).integers(0, 256, (20, 30, 3)).astype(np.uint8) for i in range(4)]
    path = tmp_path / "packed.tif"
    data = cv2.imencodemulti(".tif", images, [cv2.IMWRITE_TIFF_COMPRESSION, packing])[1]
    path.write_bytes(data.tobytes())
    source = opened(path)
    assert source.info.layout.planes is Planes.RGB
    assert_pages(source, [i[..., ::-1] for i in images])


def test_planar_and_alpha_pages(tmp_path):
    image = np.random.default_rng(1).integers(0, 256, (20, 30, 4)).astype(np.uint8)
    tifffile.imwrite(tmp_path / "rgba.tif", image, photometric="rgb", extrasamples=["unassalpha"])
    np.testing.assert_array_equal(next(opened(tmp_path / "rgba.tif").frames()).image(), image[..., :3])
    planar = np.ascontiguousarray(np.moveaxis(image[..., :3], -1, 0))
    tifffile.imwrite(tmp_path / "planar.tif", planar, photometric="rgb", planarconfig="separate")
    np.testing.assert_array_equal(next(opened(tmp_path / "planar.tif").frames()).image(), image[..., :3])


def test_white_is_zero_is_turned(tmp_path):
    tifffile.imwrite(tmp_path / "w.tif", PAGES[0], photometric="miniswhite")
    np.testing.assert_array_equal(next(opened(tmp_path / "w.tif").frames()).image(), 65535 - PAGES[0])


def test_black_and_white_pages_are_grey(tmp_path):
    bits = PAGES[0] > 30000
    tifffile.imwrite(tmp_path / "bits.tif", bits, photometric="minisblack")
    np.testing.assert_array_equal(next(opened(tmp_path / "bits.tif").frames()).image(), bits * 255)


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.uint32])
def test_other_samples_are_one_sentence(tmp_path, kind):
    tifffile.imwrite(tmp_path / "f.tif", np.zeros((3, 8, 8), kind), photometric="minisblack")
    with pytest.raises(CleanplateError, match=rf"{np.dtype(kind)} samples; convert them to 8 or 16 bit") as refused:
        opened(tmp_path / "f.tif")
    assert "least value" in str(refused.value), "which range is kept has to be chosen"


@pytest.mark.parametrize("options", [{"imagej": False}, {"truncate": True}, {"compression": "zlib", "predictor": 2}])
def test_samples_with_a_sign_are_the_numbers_that_they_are(tmp_path, options):
    pages = (PAGES >> 1).astype(np.int16)
    tifffile.imwrite(tmp_path / "signed.tif", pages, photometric="minisblack", **options)
    source = opened(tmp_path / "signed.tif")
    assert source.info.layout.bit_depth == 16
    for frame, page in zip(source.frames(), pages, strict=True):
        np.testing.assert_array_equal(frame.layout.plane(frame.values, 0), page)


def test_a_page_with_samples_below_zero_ends_a_stack_and_is_refused_as_the_first(tmp_path):
    pages = (PAGES >> 1).astype(np.int16)
    pages[3, 4, 5] = -1
    tifffile.imwrite(tmp_path / "signed.tif", pages, photometric="minisblack")
    source = opened(tmp_path / "signed.tif")
    assert len(list(source.frames())) == 3
    assert len(source.warnings) == 1
    assert source.warnings[0].startswith("signed.tif ends at page 4, which holds samples below 0; add a number")
    tifffile.imwrite(tmp_path / "below.tif", pages[3:], photometric="minisblack")
    with pytest.raises(CleanplateError, match=r"below\.tif holds samples below 0; add a number"):
        opened(tmp_path / "below.tif")


def test_pages_of_another_size_stop_with_a_warning(tmp_path):
    with tifffile.TiffWriter(tmp_path / "mixed.tif") as writer:
        for page in (PAGES[0], PAGES[1], PAGES[2][:10]):
            writer.write(page, contiguous=False)
    source = opened(tmp_path / "mixed.tif")
    assert len(list(source.frames())) == 2
    assert "Page 3" in source.warnings[0]


@pytest.fixture
def cut(tmp_path):
    """Write the first part of a stack whose pages follow each other in the file."""

    def write(share):
        with tifffile.TiffWriter(tmp_path / "whole.tif") as writer:
            for page in PAGES:
                writer.write(page, contiguous=False)
        data = (tmp_path / "whole.tif").read_bytes()
        (tmp_path / "cut.tif").write_bytes(data[: int(len(data) * share)])
        return str(tmp_path / "cut.tif")

    return write


@pytest.mark.parametrize(("share", "count"), [(0.3, 1), (0.6, 3), (0.9, 5)])
def test_truncated_stacks_give_their_whole_pages(cut, share, count):
    source = opened(cut(share))
    frames = list(source.frames())
    assert len(frames) == count
    for frame, page in zip(frames, PAGES, strict=False):
        np.testing.assert_array_equal(frame.image(), page)
    assert source.warnings == [f"cut.tif ends at page {count + 1}, which is damaged or not an image."]


@pytest.mark.parametrize(("share", "count"), [(0.3, 1), (0.6, 3), (0.9, 5)])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("pages", [PAGES, np.stack([PAGES >> 8] * 3, axis=-1).astype(np.uint8)], ids=["grey", "colour"])
def test_of_a_truncated_stack_of_imagej_all_is_read_that_is_whole(tmp_path, pages, order, share, count):
    """ImageJ describes all pages but the first behind the samples of all."""
    path = tmp_path / "cut.tif"
    tifffile.imwrite(path, pages, imagej=True, byteorder=order)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    source = opened(path)
    assert source.warnings == [f"cut.tif holds {count} of its 6 pages: it is cut short."]
    assert_pages(source, pages[:count])


@pytest.mark.parametrize("share", [0.001, 0.02, 0.1])
def test_stacks_truncated_in_their_first_page_are_one_sentence(cut, share):
    with pytest.raises(CleanplateError) as refused:
        opened(cut(share))
    assert str(refused.value) == "cut.tif is damaged or not an image; copy or save it again, or choose another file."


@pytest.mark.parametrize("content", [b"", b"no stack", b"\0\0\0\1", b"II*\0\x08\0\0\0", b"II*\0" + bytes(300)])
def test_what_is_no_stack_is_one_sentence(tmp_path, content):
    (tmp_path / "wrong.tif").write_bytes(content)
    with pytest.raises(CleanplateError, match=r"^wrong\.tif [^\\]*\.$"):
        opened(tmp_path / "wrong.tif")


def test_stack_that_vanished_is_one_sentence(tmp_path):
    tifffile.imwrite(tmp_path / "gone.tif", PAGES, photometric="minisblack")
    source = opened(tmp_path / "gone.tif")
    (tmp_path / "gone.tif").unlink()
    with pytest.raises(CleanplateError, match=r"^gone\.tif is gone"):
        next(source.frames())


@pytest.mark.parametrize("how", [{}, {"imagej": True}, {"compression": "zlib"}])
def test_a_stack_that_shrinks_while_it_is_read_ends_there(tmp_path, how):
    path = tmp_path / "shrinks.tif"
    tifffile.imwrite(path, PAGES, photometric="minisblack", **how)
    source = opened(path)
    frames = source.frames()
    next(frames)
    os.truncate(path, 200)
    assert len(list(frames)) < len(PAGES)
    assert "shrinks.tif ends at page" in source.warnings[0]


def test_a_strip_unpacks_to_no_more_than_its_page_holds(tmp_path):
    (tmp_path / "bomb.tif").write_bytes(bomb := stack_of_one_strip(zlib.compress(bytes(100 << 20), 9)))
    tracemalloc.start()
    try:
        assert len(list(opened(tmp_path / "bomb.tif").frames())) == 1
        assert tracemalloc.get_traced_memory()[1] < 20 * len(bomb) + (10 << 20)
    finally:
        tracemalloc.stop()


def stack_of_one_strip(packed):
    entries = [
        (256, 4, 16), (257, 4, 16), (258, 3, 8), (259, 3, 8), (262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 4, 16),
        (279, 4, len(packed)),
    ]  # fmt: skip
    return tiff(entries, packed)


def test_real_stacks(data):
    source = opened(data / "stacks" / "tiff_stack.tif")
    assert_pages(source, tifffile.imread(data / "stacks" / "tiff_stack.tif"))
    folder = opened(data / "stacks" / "brain_u16")
    first = tifffile.imread(data / "stacks" / "brain_u16" / "C3-BrainSection0001.tif")
    np.testing.assert_array_equal(next(folder.frames()).image(), first)
    assert folder.info.layout.bit_depth == 16


@pytest.mark.parametrize("kind", ["imagej", "ome"])
@pytest.mark.parametrize(
    ("axes", "shape", "words"),
    [("TCYX", (3, 2), "3 time points × 2 channels"), ("TZYX", (2, 3), "2 time points × 3 depths"), ("TYX", (6,), "")],
)
def test_pages_of_several_channels_or_depths_are_told(tmp_path, kind, axes, shape, words):
    path = tmp_path / ("a.ome.tif" if kind == "ome" else "a.tif")
    tifffile.imwrite(path, PAGES.reshape(*shape, 20, 30), **{kind: True}, metadata={"axes": axes})
    source = opened(path)
    assert_pages(source, PAGES)
    assert [words in sentence for sentence in source.warnings] == [True] * bool(words)
    assert source.info.is_mixed == bool(words)


@pytest.mark.parametrize(("stated", "step_s"), [({"finterval": 0.5}, 0.5), ({}, 1)])
def test_frames_have_the_time_that_the_stack_says_and_no_rate_to_be_played_at(tmp_path, stated, step_s):
    tifffile.imwrite(tmp_path / "a.tif", PAGES, imagej=True, metadata={"axes": "TYX", **stated})
    source = opened(tmp_path / "a.tif")
    assert [frame.time_s for frame in source.frames(2)] == [step_s * index for index in range(2, 6)]
    assert (source.info.interval_s, source.info.is_timed) == ((0.5, True) if stated else (None, False))
    assert (source.info.fps, source.info.frames_per_s) == (None, 2.0 if stated else None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_found_in_a_long_stack_as_soon_as_in_a_short_one(tmp_path, monkeypatch, kind):
    """An image set that is shuffled is read so: to walk the chain of pages for each would take hours."""

    def read(handle, *asked):
        nonlocal n_reads
        n_reads += 1
        return whole(handle, *asked)

    whole, n_reads, reads = tifffile.FileHandle.read, 0, []
    monkeypatch.setattr(tifffile.FileHandle, "read", read)
    for n_pages in (40, 400):
        path = tmp_path / f"{n_pages}.tif"
        pages = np.arange(n_pages, dtype=np.uint16)[:, None, None] + np.zeros((8, 9), np.uint16)
        tifffile.imwrite(path, pages, photometric="minisblack", **kind)
        source = opened(path)
        first_of(source, 5)  # Where they are is found out once.
        n_reads = 0
        assert [int(first_of(source, index).max()) for index in (30, 3, 39)] == [30, 3, 39]
        reads.append(n_reads)
    assert reads[0] == reads[1] < 100


def test_pages_of_a_stack_that_was_written_anew_are_looked_for_again(tmp_path):
    path = tmp_path / "stack.tif"
    tifffile.imwrite(path, PAGES, photometric="minisblack", compression="zlib")
    source = opened(path)
    np.testing.assert_array_equal(next(source.frames(2)).image(), PAGES[2])
    tifffile.imwrite(path, PAGES[::-1], photometric="minisblack", metadata=None, bigtiff=True)
    np.testing.assert_array_equal(next(source.frames(2)).image(), PAGES[3])


def test_series_are_not_asked_for_where_each_page_may_be_one(tmp_path, monkeypatch):
    """To find out which are scaled copies of others, tifffile compares each with each."""
    with tifffile.TiffWriter(tmp_path / "each.tif") as writer:
        for page in PAGES:
            writer.write(page, photometric="minisblack")

    def series(_):
        raise AssertionError

    monkeypatch.setattr(tifffile.TiffFile, "series", property(series))
    source = opened(tmp_path / "each.tif")
    assert source.warnings == []
    assert_pages(source, PAGES)
