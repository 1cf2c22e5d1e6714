import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from core.io.sources import decoders
from tests.hostile.media import chunk

GREY = np.random.default_rng(3).integers(0, 256, (20, 30)).astype(np.uint8)


def png(image):
    memory = io.BytesIO()
    image.save(memory, "PNG", **({"transparency": 7} if image.mode == "L" else {}))
    return memory.getvalue()


@pytest.mark.parametrize("mode", ["LA", "L"])
def test_grey_with_alpha_is_grey(mode):
    image = Image.fromarray(GREY)
    if mode == "LA":
        image.putalpha(Image.fromarray(GREY[::-1]))
    found = decoders.opened(png(image)).decode()
    np.testing.assert_array_equal(found.image, GREY)
    assert (found.bit_depth, found.had_alpha) == (8, True)


def test_deep_grey_with_alpha_is_grey():
    deep = GREY.astype(np.uint16) * 257
    lines = [b"\0" + line.astype(">u2").tobytes() for line in np.dstack([deep, deep[::-1]])]
    head = struct.pack(">IIBBBBB", 30, 20, 16, 4, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(lines))) + chunk(b"IEND", b"")
    found = decoders.opened(b"\x89PNG\r\n\x1a\n" + body).decode()
    np.testing.assert_array_equal(found.image, deep)
    assert (found.bit_depth, found.had_alpha) == (16, True)


def test_colour_with_alpha_stays_colour():
    colour = np.dstack([GREY, GREY, GREY])
    found = decoders.opened(png(Image.fromarray(np.dstack([colour, GREY]), "RGBA"))).decode()
    np.testing.assert_array_equal(found.image, colour)
