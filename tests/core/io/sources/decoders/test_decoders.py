"""What holds for the files of every decoder."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.sources import decoders, reading
from core.io.sources.decoders.base import Unreadable, fitting
from core.io.sources.no_images import UNREAD_SUFFIXES
from tests.core.io.sources.decoders.made import by_libav, drawn, encoded
from tests.small_inputs import opened

FILES = {
    ".avif": encoded(".avif", drawn()),
    ".jp2": encoded(".jp2", drawn()),
    ".j2k": encoded(".jp2", drawn())[encoded(".jp2", drawn()).index(b"\xff\x4f\xff\x51") :],
    ".dpx": by_libav("dpx", "rgb48be", drawn(65535, np.uint16)),
    ".heic": (Path(__file__).parent / "heif" / "colour.heic").read_bytes(),
}


@pytest.fixture(params=sorted(FILES))
def kind(request):
    return request.param, FILES[request.param]


def test_every_suffix_is_read_in_a_folder_and_alone_whatever_its_case(tmp_path, kind):
    suffix, data = kind
    for name in (f"IMG_2{suffix.upper()}", f"IMG_10{suffix}"):
        (tmp_path / name).write_bytes(data)
    assert [frame.name for frame in opened(tmp_path).frames()] == [f"IMG_2{suffix.upper()}", f"IMG_10{suffix}"]
    alone = opened(tmp_path / f"IMG_10{suffix}")
    assert (alone.info.n_frames, alone.info.layout.width, alone.info.layout.height) == (1, 64, 48)


def test_a_name_may_lie_about_the_kind(tmp_path, kind):
    (tmp_path / "a.jpg").write_bytes(kind[1])
    assert next(opened(tmp_path).frames()).image().shape == (48, 64, 3)


def test_what_is_cut_short_anywhere_is_one_sentence(tmp_path, kind):
    suffix, data = kind
    for end in [*range(1, 40), len(data) // 3, len(data) // 2, len(data) - 20]:
        with pytest.raises(Unreadable, match=r"^is damaged"):
            decoders.opened(data[:end]).decode()
    (tmp_path / f"1{suffix}").write_bytes(data[: len(data) // 2])
    with pytest.raises(CleanplateError, match=rf"^1\{suffix} is damaged or not an image; choose another file\.$"):
        opened(tmp_path / f"1{suffix}")
    (tmp_path / f"2{suffix}").write_bytes(data)
    source = opened(tmp_path)
    assert [frame.index for frame in source.frames()] == [1]
    assert source.warnings == [f"1 image was skipped: 1{suffix} in {tmp_path.name} is damaged or not an image."]


def test_damaged_bytes_are_an_image_or_one_sentence(kind):
    if kind[0] == ".dpx":
        pytest.skip("most of it are samples")
    rng = np.random.default_rng(5)
    n_refused = 0
    for _ in range(200):
        data = bytearray(kind[1])
        for place in rng.integers(0, len(data), rng.integers(1, 4)):
            data[place] = rng.integers(256)
        try:
            found = decoders.opened(bytes(data))
            if found.size[0] * found.size[1] < 1 << 20:
                image = found.decode()
                assert image.image.max() < 1 << image.bit_depth
        except Unreadable:
            n_refused += 1
    assert n_refused > 20


def test_sizes_that_differ_are_told_before_anything_is_read(tmp_path, kind):
    suffix, data = kind
    if suffix == ".avif":
        pytest.skip("its header is not read without the rest")
    for name in "12":
        (tmp_path / f"{name}{suffix}").write_bytes(data)
    assert not reading.may_differ(tmp_path / f"1{suffix}", (64, 48))
    assert reading.may_differ(tmp_path / f"1{suffix}", (48, 64))
    other = encoded(".jp2", drawn(size=(60, 48)))
    (tmp_path / f"3{suffix}").write_bytes(other)
    with pytest.raises(CleanplateError, match=rf"1\{suffix} is 64×48, 3\{suffix} is 48×60; keep images of one size"):
        opened(tmp_path)


def test_no_sample_is_above_the_largest_of_its_bits():
    wild = np.array([[0, 1023], [1024, 65535]], ">u2")
    np.testing.assert_array_equal(fitting(wild, 10), [[0, 1023], [1023, 1023]])
    assert fitting(wild, 10).dtype == np.uint16
    np.testing.assert_array_equal(fitting(wild, 16), wild)


def test_no_kind_is_read_and_said_not_to_be():
    assert UNREAD_SUFFIXES.isdisjoint(reading.IMAGE_SUFFIXES)
