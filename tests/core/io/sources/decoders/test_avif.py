import struct

import cv2
import numpy as np
import pytest
from PIL import Image

from core.io.sources import decoders
from core.io.sources.decoders.base import Unreadable
from tests.core.io.sources.decoders.made import ORIENTATIONS, apart, by_pillow, decoded, drawn, encoded, upright


@pytest.mark.parametrize("bits", [8, 10, 12])
def test_samples_keep_their_bits(bits):
    white = (1 << bits) - 1
    image = drawn(white, np.uint8 if bits == 8 else np.uint16)
    found = decoded(encoded(".avif", image, [cv2.IMWRITE_AVIF_DEPTH, bits, cv2.IMWRITE_AVIF_QUALITY, 100]))
    assert (found.bit_depth, found.image.dtype, found.had_alpha) == (bits, image.dtype, False)
    assert apart(found.image, image) < white / 100
    assert found.image.max() > 0.9 * white


def test_grey_stays_grey():
    image = drawn()[..., 0]
    found = decoded(encoded(".avif", image))
    assert found.image.shape == image.shape
    assert apart(found.image, image) < 3


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_a_picture_is_upright_as_its_container_says(orientation):
    data = by_pillow("AVIF", drawn(), orientation, quality=95)
    found = decoded(data)
    assert apart(found.image, upright(drawn(), orientation)) < 4
    assert decoders.opened(data).size == (64, 48)


def test_it_is_turned_once_where_exif_says_the_same_and_exif_alone_has_no_say():
    exif = by_pillow("JPEG", drawn(), 6)
    exif = exif[exif.index(b"MM") :][:26]
    image = cv2.cvtColor(drawn(), cv2.COLOR_RGB2BGR)
    data = cv2.imencodeWithMetadata(".avif", image, [cv2.IMAGE_METADATA_EXIF], [np.frombuffer(exif, np.uint8)])[1]
    data = bytearray(data.tobytes())
    place = data.index(b"irot") + 4
    assert (data[place], exif in data) == (3, True)
    assert apart(decoded(bytes(data)).image, upright(drawn(), 6)) < 4
    data[place] = 0
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (64, 48, 3)
    assert decoded(bytes(data)).image.shape == (48, 64, 3)


def test_alpha_is_left_out_and_told():
    image = np.dstack([drawn(), np.full((48, 64), 128, np.uint8)])
    found = decoded(encoded(".avif", image))
    assert found.had_alpha
    assert apart(found.image, image[..., :3]) < 4


def test_nothing_is_decoded_for_the_size(monkeypatch):
    data = encoded(".avif", drawn())
    monkeypatch.setattr(cv2, "imdecode", None)
    rubbish = data[: data.index(b"mdat") + 4] + bytes(len(data) - data.index(b"mdat") - 4)
    assert decoders.opened(rubbish).size == (64, 48)


def test_what_is_coded_larger_than_the_container_says_is_refused():
    size = struct.Struct(">4sIII")
    data = encoded(".avif", np.zeros((2000, 2000), np.uint8), [cv2.IMWRITE_AVIF_SPEED, 10])
    assert decoders.opened(data).size == (2000, 2000)
    small = data.replace(size.pack(b"ispe", 0, 2000, 2000), size.pack(b"ispe", 0, 64, 48))
    assert small != data
    with pytest.raises(Unreadable, match=r"^is damaged"):
        decoders.opened(small)


def test_an_animation_gives_its_first_picture():
    frames = [Image.fromarray(drawn()), Image.fromarray(drawn() // 2)]
    found = decoded(by_pillow("AVIF", drawn(), save_all=True, append_images=frames[1:], quality=95))
    assert apart(found.image, drawn()) < 4
