"""What Pillow reads of a header is what OpenCV finds when it decodes the file."""

import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.io.sources import headers

SUFFIXES = (".png", ".jpg", ".bmp", ".pgm", ".ppm")
STARTS = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"BM",
    b"P5 4 4 4095 ",
    b"P6\n#\n",
    b"P3 ",
    b"RIFF\0\0\0\0WEBPVP8 ",
    b"",
]


def encoded(suffix, shape, dtype=np.uint8):
    image = np.random.default_rng(3).integers(0, 256, shape).astype(dtype)
    return cv2.imencode(suffix, image)[1].tobytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_size_is_known_without_decoding(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(encoded(suffix, (6, 9) if suffix == ".pgm" else (6, 9, 3)))
    assert headers.read(path) == headers.Header(frozenset((9, 6)))


@pytest.mark.parametrize(("planes", "has_alpha"), [(3, False), (4, True)])
def test_a_png_tells_whether_it_has_alpha(tmp_path, planes, has_alpha):
    (tmp_path / "a.png").write_bytes(encoded(".png", (5, 4, planes)))
    assert headers.read(tmp_path / "a.png").has_alpha is has_alpha


def test_a_transparent_colour_counts_as_alpha(tmp_path):
    whole = encoded(".png", (5, 4))
    at = whole.index(b"IDAT") - 4
    body = b"tRNS\0\x07"
    chunk = (2).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    (tmp_path / "a.png").write_bytes(whole[:at] + chunk + whole[at:])
    assert headers.read(tmp_path / "a.png").has_alpha


@pytest.mark.parametrize(("largest", "bits"), [(255, None), (1023, 10), (4095, 12), (65535, 16)])
def test_a_pgm_tells_how_many_bits_are_significant(tmp_path, largest, bits):
    (tmp_path / "a.pgm").write_bytes(b"P5\n# by hand\n4 3\n# of 12 samples\n%d\n" % largest + bytes(24))
    assert headers.read(tmp_path / "a.pgm").bit_depth == bits


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".webp", ".tif"])
def test_width_and_height_are_told_apart(suffix):
    assert headers.size_of(encoded(suffix, (6, 9) if suffix == ".pgm" else (6, 9, 3))) == (9, 6)


def test_a_png_whose_chunk_claims_more_than_is_there_has_no_size():
    whole = encoded(".png", (5, 4))
    at = whole.index(b"IDAT") - 4
    assert headers.size_of(whole[:at] + b"\xb7\0\0\0" + whole[at + 4 :]) is None


@pytest.mark.parametrize("start", [start for start in STARTS if not start.startswith(b"P5")])
def test_what_is_cut_short_has_no_size(start):
    assert headers.size_of(start) is None


def test_a_photo_with_a_long_preface_is_read_behind_it(tmp_path):
    whole = encoded(".jpg", (8, 16, 3))
    preface = b"\xff\xe2" + (65535).to_bytes(2, "big") + bytes(65533)
    (tmp_path / "a.jpg").write_bytes(whole[:2] + 3 * preface + whole[2:])
    assert headers.read(tmp_path / "a.jpg") == headers.Header(frozenset((16, 8)))


@given(start=st.sampled_from(STARTS), rest=st.binary(max_size=200))
def test_junk_has_no_header_or_a_header_and_never_an_error(tmp_path_factory, start, rest):
    path = tmp_path_factory.getbasetemp() / "junk"
    path.write_bytes(start + rest)
    headers.read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_cut_anywhere_is_never_an_error(tmp_path, suffix):
    whole = encoded(suffix, (6, 9) if suffix == ".pgm" else (6, 9, 3))
    for n in range(min(len(whole), 60)):
        (tmp_path / "cut").write_bytes(whole[:n])
        headers.read(tmp_path / "cut")


def test_what_is_no_image_or_not_there_has_no_header(tmp_path):
    (tmp_path / "a.txt").write_text("Lorem ipsum")
    assert headers.read(tmp_path / "a.txt") is None
    assert headers.read(tmp_path / "absent.png") is None
