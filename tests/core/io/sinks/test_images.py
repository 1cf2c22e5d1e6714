"""Picture sequences: what is written is what is read back."""

import cv2
import numpy as np
import pytest
import tifffile

from core.io.colour_profile import profile_in
from core.io.sinks.images import PngSequence, TiffSequence, png_bytes, tiff_options
from tests.profiles import RGB, grey


def pictures(shape, dtype, n=3):
    rng = np.random.default_rng(1)
    return [rng.integers(0, np.iinfo(dtype).max + 1, shape).astype(dtype) for _ in range(n)]


def write(sink, images):
    sink.open(sink.final.parent)
    for number, picture in enumerate(images, 1):
        sink.write(number, 0.0, picture)
    sink.close()
    return sorted(sink.final.iterdir())


def read_png(path):
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture.ndim == 3:
        order = [2, 1, 0, 3][: picture.shape[2]]
        picture = picture[..., order]
    return picture


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(17, 23), (17, 23, 3), (17, 23, 4)])
@pytest.mark.parametrize(("kind", "read"), [(PngSequence, read_png), (TiffSequence, tifffile.imread)])
def test_every_kind_of_picture_survives_the_round_trip(tmp_path, kind, read, shape, dtype):
    images = pictures(shape, dtype)
    files = write(kind(tmp_path / "cleaned"), images)
    assert [f.stem for f in files] == ["000001", "000002", "000003"]
    for path, picture in zip(files, images, strict=True):
        stored = read(path)
        assert stored.dtype == dtype
        np.testing.assert_array_equal(stored, picture)


def test_masks_survive_the_round_trip(tmp_path):
    mask = np.zeros((40, 50), np.uint8)
    mask[10:20, 5:30] = 255
    (path,) = write(PngSequence(tmp_path / "mask"), [mask])
    np.testing.assert_array_equal(read_png(path), mask)


def test_tiff_says_that_its_fourth_plane_is_straight_alpha(tmp_path):
    (path,) = write(TiffSequence(tmp_path / "foreground"), pictures((9, 9, 4), np.uint16, 1))
    with tifffile.TiffFile(path) as file:
        assert file.pages[0].extrasamples == (tifffile.EXTRASAMPLE.UNASSALPHA,)


@pytest.mark.parametrize("kind", [PngSequence, TiffSequence])
def test_the_same_pictures_give_the_same_bytes(tmp_path, kind):
    images = pictures((17, 23, 3), np.uint16)
    first = [f.read_bytes() for f in write(kind(tmp_path / "a"), images)]
    assert first == [f.read_bytes() for f in write(kind(tmp_path / "b"), images)]


@pytest.mark.parametrize(("profile", "fitting"), [(profile_in(RGB), (9, 9, 3)), (profile_in(grey()), (9, 9))])
@pytest.mark.parametrize("shape", [(9, 9), (9, 9, 3), (9, 9, 4)])
def test_a_profile_is_said_of_pictures_of_its_own_samples_alone(profile, fitting, shape):
    (picture,) = pictures(shape, np.uint8, 1)
    fits = len(shape) == len(fitting)
    assert (b"iCCP" in png_bytes(picture, profile=profile)) == fits
    assert (tiff_options(picture, profile)["iccprofile"] is not None) == fits
