import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.sources import decoders, room
from core.io.sources.decoders.base import Unreadable
from tests.core.io.sources.decoders.made import apart, decoded, drawn, upright
from tests.small_inputs import opened

FOLDER = Path(__file__).parent / "heif"
IROT, ANGLES = b"irot", {0: 1, 1: 8, 2: 3, 3: 6}
"""The box of a rotation, and the numbers that EXIF has for its angles."""


def file(name):
    return (FOLDER / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "bits", "is_grey"),
    [
        ("colour.heic", 8, False), ("grey.heic", 8, True), ("ten_bits.heic", 10, False),
        ("ten_bits_grey.heic", 10, True), ("ten_bits_422.hif", 10, False),
    ],
)  # fmt: skip
def test_samples_keep_their_bits(name, bits, is_grey):
    white = (1 << bits) - 1
    image = drawn(white, np.uint8 if bits == 8 else np.uint16)
    found = decoded(file(name))
    assert (found.bit_depth, found.image.dtype, found.had_alpha) == (bits, image.dtype, False)
    assert found.image.max() > 0.9 * white
    assert apart(found.image, image[..., 1] if is_grey else image) < white / 60


def test_a_folder_of_them_is_an_input(tmp_path):
    for number in (10, 9):
        (tmp_path / f"IMG_{number}.HEIC").write_bytes(file("ten_bits.heic"))
    source = opened(tmp_path)
    assert source.info.layout.bit_depth == 10
    assert [frame.name for frame in source.frames()] == ["IMG_9.HEIC", "IMG_10.HEIC"]
    assert source.warnings == []


def test_odd_sizes_are_read():
    assert decoders.opened(file("odd.heif")).size == (63, 47)
    assert apart(decoded(file("odd.heif")).image, drawn(size=(47, 63))) < 4


@pytest.mark.parametrize(("name", "orientation"), [("turned_6.heic", 6), ("turned_7.heic", 7)])
def test_a_picture_is_upright_as_its_container_says(name, orientation):
    found = decoded(file(name))
    assert apart(found.image, upright(drawn(), orientation)) < 4
    assert decoders.opened(file(name)).size == (48, 64)


def test_photographs_held_upright_among_others_are_told_before_anything_is_read(tmp_path):
    for number, name in enumerate(("colour.heic", "colour.heic", "turned_6.heic")):
        (tmp_path / f"{number}.heic").write_bytes(file(name))
    with pytest.raises(CleanplateError, match=r"0\.heic is 64×48, 2\.heic is 48×64; keep images of one size"):
        opened(tmp_path)


@pytest.mark.parametrize("angle", ANGLES)
def test_it_is_turned_once_and_exif_has_no_say(angle):
    data = bytearray(file("turned_6.heic"))
    assert b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06" in data
    place = data.index(IROT) + len(IROT)
    assert data[place] == 3
    data[place] = angle
    assert apart(decoded(bytes(data)).image, upright(drawn(), ANGLES[angle])) < 4


@pytest.mark.parametrize(("name", "bits"), [("alpha.heic", 8), ("alpha_deep.heic", 10)])
def test_alpha_is_left_out_and_told(tmp_path, name, bits):
    image = drawn((1 << bits) - 1, np.uint8 if bits == 8 else np.uint16)
    found = decoded(file(name))
    assert (found.had_alpha, found.bit_depth) == (True, bits)
    assert apart(found.image, image) < (1 << bits) / 60
    (tmp_path / name).write_bytes(file(name))
    source = opened(tmp_path)
    assert len(list(source.frames())) == 1
    assert "alpha" in source.warnings[0]


def test_of_a_burst_the_primary_image_is_read():
    assert apart(decoded(file("burst.heic")).image, drawn()) < 4


def test_nothing_is_decoded_for_the_size_and_what_is_too_large_is_refused(tmp_path, monkeypatch):
    data = file("colour.heic")
    place = data.index(b"mdat") + 4
    assert decoders.opened(data[:place] + bytes(len(data) - place)).size == (64, 48)
    assert decoders.opened(data[:place]).size == (64, 48)
    size = struct.Struct(">4sIII")
    vast = file("flat.heic").replace(size.pack(b"ispe", 0, 512, 512), size.pack(b"ispe", 0, 20_000, 20_000))
    monkeypatch.setattr(room, "available_bytes", lambda: 16 * 10**9)
    (tmp_path / "vast.heic").write_bytes(vast)
    with pytest.raises(CleanplateError, match=r"^vast\.heic has 20000×20000 pixels packed into"):
        opened(tmp_path / "vast.heic")


def test_what_is_coded_larger_than_the_container_says_is_refused():
    size = struct.Struct(">4sIII")
    data = file("flat.heic")
    assert decoded(data).image.shape == (512, 512)
    small = data.replace(size.pack(b"ispe", 0, 512, 512), size.pack(b"ispe", 0, 64, 48))
    assert decoders.opened(small).size == (64, 48)
    with pytest.raises(Unreadable, match=r"^is damaged"):
        decoded(small)


def test_a_file_of_the_container_that_is_no_image_is_one_sentence():
    for brand in (b"heic", b"mif1"):
        with pytest.raises(Unreadable, match=r"^is damaged"):
            decoders.opened(b"\0\0\0\x10ftyp" + brand + bytes(4) + bytes(100))


def test_the_library_is_loaded_only_for_such_a_file(tmp_path):
    (tmp_path / "a.heic").write_bytes(file("colour.heic"))
    code = (
        "import sys; from pathlib import Path; from core.io.sources.reading import read_picture\n"
        "before = 'pi_heif' in sys.modules; read_picture(Path(sys.argv[1])); print(before, 'pi_heif' in sys.modules)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.heic")], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == ["False", "True"]
