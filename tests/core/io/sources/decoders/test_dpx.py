import struct

import numpy as np
import pytest

from core.io.sources import decoders, room
from core.io.sources.decoders.base import Unreadable
from tests.core.io.sources.decoders.made import by_libav, decoded, drawn, upright
from tests.small_inputs import opened

GREY, RGB = 6, 50
START = 2048
ELEMENT = 800


def by_hand(words, order, size=(64, 48), samples=RGB, packing=1):
    """Return a file of 10 bits in words of 32, with its highest byte first (``>``) or last."""
    head = bytearray(START)
    head[:4], head[8:12] = b"SDPX" if order == ">" else b"XPDS", b"V2.0"
    struct.pack_into(f"{order}I", head, 4, START)
    struct.pack_into(f"{order}2H2I", head, 768, 0, 1, *size)
    struct.pack_into(f"{order}4B2HI", head, ELEMENT, samples, 1, 1, 10, packing, 0, START)
    return bytes(head) + words.astype(f"{order}u4").tobytes()


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("packing", [1, 2])
def test_ten_bits_of_a_film_scan_are_its_code_values(order, packing):
    image = drawn(1023, np.uint16)
    red, green, blue = (image[..., i].astype(np.uint32) for i in range(3))
    words = red << 20 | green << 10 | blue
    found = decoded(by_hand(words << 2 if packing == 1 else words, order, packing=packing))
    assert (found.bit_depth, found.image.dtype, found.had_alpha) == (10, np.uint16, False)
    np.testing.assert_array_equal(found.image, image)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("width", [63, 64, 65])
def test_ten_bits_of_grey_are_three_to_a_word(order, width):
    image = drawn(1023, np.uint16, (48, width))[..., 1]
    threes = np.pad(image, ((0, 0), (0, -width % 3))).astype(np.uint32).reshape(48, -1, 3)
    words = threes[..., 0] << 2 | threes[..., 1] << 12 | threes[..., 2] << 22
    found = decoded(by_hand(words, order, (width, 48), GREY))
    assert found.bit_depth == 10
    np.testing.assert_array_equal(found.image, image)


@pytest.mark.parametrize(
    ("form", "bits"),
    [("gray16le", 16), ("gray16be", 16), ("rgb48le", 16), ("rgb48be", 16), ("rgba64be", 16), ("gbrp12be", 12)],
)
def test_what_libav_writes_keeps_its_bits(form, bits):
    deep = drawn(65535, np.uint16)
    image = deep[..., 0] if "gray" in form else np.dstack([deep, deep[..., 1]]) if "rgba" in form else deep
    found = decoded(by_libav("dpx", form, image))
    assert (found.bit_depth, found.had_alpha) == (bits, "rgba" in form)
    np.testing.assert_array_equal(found.image, (image if image.ndim == 2 else image[..., :3]) >> (16 - bits))


@pytest.mark.parametrize(("number", "orientation"), list(enumerate((1, 2, 4, 3, 5, 6, 8, 7))))
def test_a_picture_is_upright_however_its_lines_run(number, orientation):
    data = bytearray(by_libav("dpx", "rgb48be", drawn().astype(np.uint16) * 257))
    data[768:770] = number.to_bytes(2, "big")
    np.testing.assert_array_equal(decoded(bytes(data)).image // 257, upright(drawn(), orientation))
    data[768:770] = b"\xff\xff"
    np.testing.assert_array_equal(decoded(bytes(data)).image // 257, drawn())


def test_a_folder_of_them_is_an_input_of_ten_bits(tmp_path):
    for number in (2, 10):
        (tmp_path / f"shot.{number}.dpx").write_bytes(by_hand(np.full((48, 64), number << 22), ">"))
    source = opened(tmp_path)
    assert source.info.layout.bit_depth == 10
    assert [(frame.name, frame.values[0]) for frame in source.frames()] == [("shot.2.dpx", 2), ("shot.10.dpx", 10)]


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [(0, 100, "neither grey nor RGB"), (3, 1, "1-bit samples"), (3, 64, "64-bit samples"), (7, 1, "run lengths")],
)
def test_other_kinds_are_one_sentence(place, value, words):
    data = bytearray(by_hand(np.zeros((48, 64)), ">"))
    data[ELEMENT + place] = value
    with pytest.raises(Unreadable, match=words):
        decoders.opened(bytes(data))


def test_the_size_is_known_by_the_header_alone(monkeypatch):
    data = by_hand(np.zeros((1, 1)), "<", (60_000, 50_000))
    assert decoders.opened(data).size == (60_000, 50_000)
    monkeypatch.setattr(room, "available_bytes", lambda: 16 * 10**9)
    assert "packed into" in room.too_large(60_000, 50_000, len(data))
    with pytest.raises(Unreadable, match=r"^is damaged"):
        decoders.opened(data).decode()
    with pytest.raises(Unreadable, match=r"^is damaged"):
        decoders.opened(by_hand(np.zeros((1, 1)), "<", (0, 5)))


def test_damaged_headers_are_an_image_or_one_sentence():
    data = by_libav("dpx", "rgb48be", drawn(65535, np.uint16))
    rng = np.random.default_rng(6)
    n_refused = 0
    for place in [*range(4, 8), *range(768, 820)]:
        for value in (0, 1, 255, *rng.integers(256, size=3)):
            damaged = bytearray(data)
            damaged[place] = value
            try:
                decoders.opened(bytes(damaged)).decode()
            except Unreadable:
                n_refused += 1
    assert n_refused > 20
