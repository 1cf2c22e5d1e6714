"""Whether a file that is being written is there in full: as its format says, whatever lies behind its end."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from core.io.sources import arrivals
from core.io.sources.completeness import FILM_STILL_S, NO_LENGTH_STILL_S, is_whole_film, is_whole_image
from core.io.sources.reading import LastPicture
from tests.films import write_film
from tests.small_inputs import scene

THUMBNAIL = b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"
"""Begins what a camera writes before its picture: a small one."""


def jpeg(options=(), exif=b""):
    data = cv2.imencode(".jpg", scene(0), options)[1].tobytes()
    if exif:
        out = io.BytesIO()
        Image.open(io.BytesIO(data)).save(out, "JPEG", exif=exif)
        data = out.getvalue()
    return data


IMAGES = {
    "jpeg": jpeg(),
    "jpeg, progressive": jpeg([cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
    "jpeg, restarts": jpeg([cv2.IMWRITE_JPEG_RST_INTERVAL, 2]),
    "jpeg, thumbnail": jpeg(exif=THUMBNAIL + jpeg()),
    "png": cv2.imencode(".png", scene(0))[1].tobytes(),
}


@pytest.mark.parametrize("data", IMAGES.values(), ids=IMAGES.keys())
@pytest.mark.parametrize("behind", [b"", bytes(100), bytes(8192), b"\xff\xd8" + bytes(1 << 20)], ids=len)
def test_an_image_is_whole_whatever_lies_behind_its_end(tmp_path, data, behind):
    path = tmp_path / "a"
    path.write_bytes(data + behind)
    assert is_whole_image(path, LastPicture())


@pytest.mark.parametrize("data", IMAGES.values(), ids=IMAGES.keys())
@pytest.mark.parametrize("behind", [b"", bytes(8192)], ids=len)
def test_an_image_that_lacks_its_end_is_not_whole(tmp_path, data, behind):
    path = tmp_path / "a"
    for n_bytes in np.linspace(3, len(data) - 9, 50).astype(int):
        path.write_bytes(data[:n_bytes] + behind)
        assert not is_whole_image(path, LastPicture()), n_bytes


@pytest.mark.parametrize(
    ("suffix", "codec", "pix_fmt", "options"),
    [
        (".mkv", "libx264", "yuv420p", {}),
        (".webm", "libvpx-vp9", "yuv420p", {}),
        (".avi", "mjpeg", "yuvj420p", {}),
        (".mxf", "mpeg2video", "yuv420p", {}),
        (".flv", "flv1", "yuv420p", {}),
        (".mov", "libx264", "yuv420p", {}),
        (".mp4", "libx264", "yuv420p", {"movflags": "faststart"}),
        (".mp4", "libx264", "yuv420p", {"movflags": "frag_keyframe+empty_moov"}),
        (".wmv", "wmv2", "yuv420p", {}),
    ],
)
def test_a_film_that_lacks_bytes_is_not_whole(tmp_path, suffix, codec, pix_fmt, options):
    path = write_film(tmp_path / f"a{suffix}", 60, codec=codec, pix_fmt=pix_fmt, b_frames=0, of_file=options)
    assert is_whole_film(path, FILM_STILL_S)
    whole = path.read_bytes()
    for share in (0.3, 0.6, 0.9):
        path.write_bytes(whole[: int(share * len(whole))])
        assert not is_whole_film(path, FILM_STILL_S), share


@pytest.mark.parametrize("suffix", [".mp4", ".avi"])
def test_a_film_is_whole_whatever_lies_behind_its_end(tmp_path, suffix):
    codec, pix_fmt = {".mp4": ("libx264", "yuv420p"), ".avi": ("mjpeg", "yuvj420p")}[suffix]
    path = write_film(tmp_path / f"a{suffix}", 30, codec=codec, pix_fmt=pix_fmt, b_frames=0)
    whole = path.read_bytes()
    for behind in (bytes(10), bytes(5000), b"\x7f" * 5000):
        path.write_bytes(whole + behind)
        assert is_whole_film(path, FILM_STILL_S), behind[:4]


def test_a_film_that_was_written_to_a_moment_ago_is_not_whole(tmp_path):
    path = write_film(tmp_path / "a.ts", 30)
    assert is_whole_film(path, FILM_STILL_S)
    assert not is_whole_film(path, FILM_STILL_S - 1.0)


@pytest.mark.parametrize(("suffix", "codec"), [(".mkv", "libx264"), (".webm", "libvpx-vp9")])
def test_a_film_that_says_no_length_is_whole_once_it_was_still_for_longer(tmp_path, suffix, codec):
    path = write_film(tmp_path / f"a{suffix}", 60, codec=codec, b_frames=0, of_file={"live": "1"})
    assert is_whole_film(path, NO_LENGTH_STILL_S)
    assert not is_whole_film(path, NO_LENGTH_STILL_S - 1.0)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(0.6 * len(whole))])
    assert not is_whole_film(path, NO_LENGTH_STILL_S)


def test_a_film_that_says_no_length_is_waited_for_longer_than_another_and_read_before_it_is_given_up():
    assert FILM_STILL_S < NO_LENGTH_STILL_S < arrivals.GIVEN_UP_S


def test_films_wait_for_longer_than_a_buffer_of_32_kbyte_is_filled_for_at_64_kbit_s():
    assert FILM_STILL_S > 2 * 32 * 8 / 64
