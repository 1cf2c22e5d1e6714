import struct

import numpy as np
import pytest

from core.io.sources import decoders
from core.io.sources.decoders import jpeg2000
from core.io.sources.decoders.base import Unreadable
from tests.core.io.sources.decoders.made import apart, by_libav, decoded, drawn, encoded

CODE = b"\xff\x4f\xff\x51"
GRID, TILES, COMPONENTS, DEPTH = 8, 24, 40, 42
"""Where in a code stream its size stands, that of its tiles, how many components it has, and the bits of the first."""


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("is_grey", [False, True])
def test_samples_keep_their_bits(dtype, is_grey):
    image = drawn(np.iinfo(dtype).max, dtype)
    image = image[..., 1] if is_grey else image
    data = encoded(".jp2", image)
    for found in (decoded(data), decoded(data[data.index(CODE) :])):
        assert (found.bit_depth, found.had_alpha) == (8 * dtype().itemsize, False)
        np.testing.assert_array_equal(found.image, image)


@pytest.mark.parametrize(("form", "bits"), [("gray10le", 10), ("gray12le", 12), ("rgb48le", 16)])
def test_what_another_program_writes_is_read_at_its_own_depth(form, bits):
    image = drawn((1 << bits) - 1, np.uint16)
    image = image if form == "rgb48le" else image[..., 1]
    found = decoded(by_libav("jpeg2000", form, image << (16 - bits), pred="dwt53"))
    assert found.bit_depth == bits
    assert apart(found.image, image) < (1 << bits) / 100


def test_alpha_is_left_out_and_told():
    image = np.dstack([drawn(), np.full((48, 64), 128, np.uint8)])
    found = decoded(encoded(".jp2", image))
    assert found.had_alpha
    np.testing.assert_array_equal(found.image, image[..., :3])


@pytest.mark.parametrize(("kind", "words"), [(0x87, "signed 8-bit"), (3, "4-bit"), (23, "24-bit")])
def test_other_samples_are_one_sentence(kind, words):
    data = bytearray(encoded(".jp2", drawn()[..., 0]))
    data[data.index(CODE) + DEPTH] = kind
    with pytest.raises(Unreadable, match=f"^holds {words} samples; convert"):
        decoders.opened(bytes(data))


@pytest.mark.parametrize("n_components", [0, 5, 16_384])
def test_what_has_no_components_or_more_than_colours_and_alpha_is_refused(n_components):
    data = bytearray(encoded(".jp2", drawn()))
    place = data.index(CODE) + COMPONENTS
    assert int.from_bytes(data[place : place + 2], "big") == 3
    data[place : place + 2] = n_components.to_bytes(2, "big")
    assert jpeg2000.header_of(bytes(data)) is None
    with pytest.raises(Unreadable, match=r"^is damaged or not an image$"):
        decoders.opened(bytes(data))


@pytest.mark.parametrize("place", [GRID, GRID + 4, TILES, TILES + 4])
def test_sizes_of_zero_are_refused(place):
    data = bytearray(encoded(".jp2", drawn()))
    at = data.index(CODE) + place
    data[at : at + 4] = bytes(4)
    assert jpeg2000.header_of(bytes(data)) is None
    data[at : at + 4] = (1).to_bytes(4, "big")
    assert jpeg2000.header_of(bytes(data)) is not None


def test_the_size_is_that_of_the_code_stream_and_not_what_is_said_of_it():
    data = encoded(".jp2", drawn())
    place = data.index(CODE) + GRID
    vast = data[:place] + struct.pack(">6I", 60_000, 60_000, 0, 0, 60_000, 60_000) + data[place + 24 :]
    assert decoders.opened(data).size == (64, 48)
    assert decoders.opened(vast).size == (60_000, 60_000)
    decoy = data[: data.index(b"jp2c") - 4] + struct.pack(">I4s", 8 + 60, b"xml ") + data[place - 8 :][:60]
    assert decoders.opened(decoy + vast[data.index(b"jp2c") - 4 :]).size == (60_000, 60_000)


def test_the_origin_of_the_grid_is_no_part_of_the_size():
    data = bytearray(encoded(".jp2", drawn()))
    place = data.index(CODE) + GRID + 8
    data[place : place + 8] = struct.pack(">II", 4, 8)
    assert decoders.opened(bytes(data)).size == (60, 40)


def test_more_tiles_than_anyone_writes_are_refused():
    data = bytearray(encoded(".jp2", drawn(size=(256, 256))))
    place = data.index(CODE) + TILES
    data[place : place + 8] = struct.pack(">II", 1, 1)
    assert jpeg2000.header_of(bytes(data)).n_tiles == 1 << 16
    with pytest.raises(Unreadable, match="more tiles"):
        decoders.opened(bytes(data))


def test_boxes_without_an_end_are_refused():
    data = encoded(".jp2", drawn())
    for length in (0, 1, 7, 2**31):
        with pytest.raises(Unreadable):
            decoders.opened(data[:12] + struct.pack(">I", length) + data[16:])
