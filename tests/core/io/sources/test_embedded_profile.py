import io

import numpy as np
import pytest
from PIL import Image

from core.io.sources.embedded_profile import embedded_profile
from tests.core.io.sources.decoders.test_heif import file
from tests.profiles import RGB, another, grey
from tests.small_inputs import opened, scene

KINDS = {"JPEG": "jpg", "PNG": "png", "TIFF": "tif", "WEBP": "webp", "AVIF": "avif"}


def image(kind, profile=None, mode="RGB", index=0):
    memory = io.BytesIO()
    told = {"icc_profile": profile} if profile else {}
    Image.fromarray(scene(index)).convert(mode).save(memory, kind, **told)
    return memory.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_bytes_in_the_file(kind):
    assert embedded_profile(image(kind, RGB)).data == RGB
    assert embedded_profile(image(kind)) is None


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF"])
def test_pictures_in_grey_have_profiles_of_grey(kind):
    profile = embedded_profile(image(kind, grey(), "L"))
    assert (profile.data, profile.is_grey) == (grey(), True)


def test_one_that_fills_several_segments_of_a_jpeg_is_whole():
    long = RGB + np.random.default_rng(1).bytes(200_000)
    assert embedded_profile(image("JPEG", long)).data == long


def with_profile(heif, profile):
    """Return a HEIF file that says a profile where it says tags of colour: sizes of boxes and places grow with it."""
    place = heif.index(b"colrnclx") - 4
    size = int.from_bytes(heif[place : place + 4], "big")
    box = (12 + len(profile)).to_bytes(4, "big") + b"colrprof" + profile
    more = len(box) - size
    grown = bytearray(heif)
    for name in (b"meta", b"iprp", b"ipco"):
        at = heif.index(name) - 4
        grown[at : at + 4] = (int.from_bytes(heif[at : at + 4], "big") + more).to_bytes(4, "big")
    start = heif.index(b"mdat") + 4
    for at in range(heif.index(b"iloc"), heif.index(b"iinf")):
        if int.from_bytes(heif[at : at + 4], "big") == start:
            grown[at : at + 4] = (start + more).to_bytes(4, "big")
            break
    return bytes(grown[:place] + box + grown[place + size :])


def test_photographs_of_phones_have_it():
    assert embedded_profile(file("colour.heic")) is None
    assert embedded_profile(with_profile(file("colour.heic"), RGB)).data == RGB


@pytest.mark.parametrize("kind", KINDS)
def test_of_damaged_files_none_is_read(kind):
    data = image(kind, RGB)
    for end in (0, 10, 60, 200):
        assert embedded_profile(data[:end]) is None


@pytest.mark.parametrize(
    ("first", "others", "said"),
    [
        (RGB, RGB, None), (None, None, None), (RGB, another(), "1.jpg and perhaps others lack the colour profile"),
        (RGB, None, "1.jpg and perhaps others lack the colour profile"),
        (None, RGB, "1.jpg and perhaps others have a colour profile, which results lack"),
    ],
)  # fmt: skip
def test_that_images_of_a_folder_have_different_ones_is_told_once(tmp_path, first, others, said):
    for number in range(4):
        (tmp_path / f"{number}.jpg").write_bytes(image("JPEG", others if number else first))
    source = opened(tmp_path)
    assert len(list(source.frames())) == 4
    profile = source.info.profile
    assert (profile and profile.data) == first
    assert len(source.warnings) == (said is not None)
    assert said is None or source.warnings[0].startswith(said)
