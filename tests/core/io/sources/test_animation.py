import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from PIL import Image, ImageCms

from core.errors import CleanplateError
from core.frames.frame import Planes
from core.io.sources import headers
from core.io.sources.animation import _parsed as parsed
from tests.films import numbered
from tests.small_inputs import opened, save_png

DURATIONS_MS = [100, 40, 40, 200, 30, 80]
TIMES_S = [0.0, 0.1, 0.14, 0.18, 0.38, 0.41]


def animated(path, *, alpha=255, durations_ms=DURATIONS_MS, **how):
    """Write numbered pictures, whose lower half is as transparent as told."""
    shown = [np.dstack([numbered(i), np.full((48, 64), 255, np.uint8)]) for i in range(len(durations_ms))]
    for picture in shown:
        picture[24:, :, 3] = alpha
    first, *others = map(Image.fromarray, shown)
    if path.suffix == ".webp":
        how = {"lossless": True, "exact": True, **how}
    first.save(path, save_all=True, append_images=others, duration=list(durations_ms), **how)
    return path


@pytest.mark.parametrize("suffix", [".webp", ".png", ".gif"])
@pytest.mark.parametrize("called", [None, ".png", ".webp", ".jpg", ".tif", ".mp4", ""])
def test_an_animation_is_a_film_whatever_it_is_called(tmp_path, suffix, called):
    path = animated(tmp_path / f"a{suffix}")
    source = opened(path if called is None else path.rename(tmp_path / f"b{called}"))
    frames = list(source.frames())
    assert [frame.index for frame in frames] == list(range(6))
    np.testing.assert_allclose([frame.time_s for frame in frames], TIMES_S)
    assert source.info.layout.planes is Planes.RGB
    assert source.info.n_frames == 6
    assert source.info.fps
    for index, frame in enumerate(frames):
        off = np.abs(frame.image() - numbered(index).astype(int)).max()
        assert off <= (60 if suffix == ".gif" else 0), "GIF has 256 colours"


@pytest.mark.parametrize("suffix", [".webp", ".png"])
def test_alpha_of_an_animation_is_left_out_with_a_note(tmp_path, suffix):
    source = opened(animated(tmp_path / f"a{suffix}", alpha=90))
    np.testing.assert_array_equal(next(source.frames()).image(), numbered(0))
    assert source.warnings == [f"a{suffix} has an alpha channel, which is not used."]
    assert opened(animated(tmp_path / f"b{suffix}")).warnings == (
        [] if suffix == ".webp" else [f"b{suffix} has an alpha channel, which is not used."]
    )


def test_an_animation_is_read_from_the_middle(tmp_path):
    source = opened(animated(tmp_path / "a.webp"))
    told = list(source.frames())
    for first in (1, 4, 5):
        frames = list(source.frames(first))
        assert [(f.index, f.time_s) for f in frames] == [(f.index, f.time_s) for f in told[first:]]
        np.testing.assert_array_equal(frames[0].values, told[first].values)
    assert list(source.frames(6)) == []


def test_pictures_that_are_shown_for_no_time_are_shown_as_browsers_do(tmp_path):
    source = opened(animated(tmp_path / "a.webp", durations_ms=[0] * 4))
    np.testing.assert_allclose([frame.time_s for frame in source.frames()], [0, 0.1, 0.2, 0.3])
    assert source.info.fps == 10


def test_pictures_that_are_shown_for_hours_have_a_rate_that_a_film_can_have(tmp_path):
    source = opened(animated(tmp_path / "a.webp", durations_ms=[3_600_000] * 2))
    assert Fraction(source.info.fps).limit_denominator(1001) > 0


def test_looking_for_the_pictures_copies_none_of_them():
    """It would, for each picture, all that follow it: a time that grows with the square of their number."""
    picture = b"ANMF" + (1 << 20).to_bytes(4, "little") + bytes(12) + (40).to_bytes(3, "little") + bytes((1 << 20) - 15)
    file = b"RIFF" + (4 + 8 * len(picture)).to_bytes(4, "little") + b"WEBP" + 8 * picture
    tracemalloc.start()
    found = parsed(file)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.durations_ms == [40] * 8
    assert peak < 100_000


def test_an_animation_keeps_its_colour_profile(tmp_path):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert opened(animated(tmp_path / "a.webp", icc_profile=profile)).info.profile.data == profile
    assert opened(animated(tmp_path / "b.webp")).info.profile is None


def test_an_animation_that_is_cut_off_gives_its_whole_pictures_and_a_note(tmp_path):
    whole = animated(tmp_path / "a.webp").read_bytes()
    path = tmp_path / "cut.webp"
    path.write_bytes(whole[: int(0.6 * len(whole))])
    source = opened(path)
    n_frames = len(list(source.frames()))
    assert 1 < n_frames == source.info.n_frames < 6
    assert source.warnings == [f"cut.webp is cut off: what follows its picture {n_frames} is missing."]


@pytest.mark.parametrize("n_bytes", [30, 60, 200])
def test_an_animation_without_a_whole_picture_is_one_sentence(tmp_path, n_bytes):
    path = animated(tmp_path / "a.webp")
    path.write_bytes(path.read_bytes()[:n_bytes])
    with pytest.raises(CleanplateError, match=r"^a\.webp is damaged[^\n]*\.$"):
        opened(path)


def test_damage_ends_an_animation_with_a_note(tmp_path):
    path = animated(tmp_path / "a.webp")
    data = bytearray(path.read_bytes())
    place = [i for i in range(len(data)) if data[i : i + 4] == b"VP8L"][3]
    data[place + 14 : place + 60] = bytes(46)
    path.write_bytes(data)
    source = opened(path)
    assert len(list(source.frames())) == 3
    assert source.warnings == ["a.webp is damaged; what follows the damage is missing."]


def test_an_animation_that_is_gone_is_one_sentence(tmp_path):
    source = opened(path := animated(tmp_path / "a.webp"))
    path.unlink()
    with pytest.raises(CleanplateError, match=r"^a\.webp is gone"):
        next(source.frames())


def test_an_animated_avif_is_read_as_a_film_and_not_by_its_cover(tmp_path):
    source = opened(animated(tmp_path / "a.avif", quality=95))
    shown = [frame.image().astype(int) for frame in source.frames()]
    assert (len(shown), source.info.n_frames) == (len(DURATIONS_MS), len(DURATIONS_MS))
    for number, image in enumerate(shown):
        assert np.abs(image - numbered(number)).mean() < 8


@pytest.mark.parametrize("suffix", [".webp", ".png"])
def test_a_folder_takes_the_first_picture_of_an_animation_with_a_note(tmp_path, suffix):
    animated(tmp_path / f"a{suffix}")
    source = opened(tmp_path)
    (frame,) = source.frames()
    np.testing.assert_array_equal(frame.image(), numbered(0))
    assert any("is an animation" in note for note in source.warnings)


def test_stills_are_no_animations(tmp_path):
    save_png(tmp_path / "a.png", numbered(0))
    Image.fromarray(numbered(0)).save(tmp_path / "a.webp", lossless=True)
    Image.fromarray(numbered(0)).save(tmp_path / "a.avif")
    for name in ("a.png", "a.webp", "a.avif"):
        assert opened(tmp_path / name).info.files == (name,)
        data = (tmp_path / name).read_bytes()
        assert not headers.is_animated(data)
