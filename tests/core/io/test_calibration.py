import numpy as np
import pytest
import tifffile

from core.io.calibration import Calibration, PixelSize, read_calibration

PLANE = np.zeros((8, 9), np.uint16)


def written(path, **options):
    tifffile.imwrite(path, PLANE, **options)
    with tifffile.TiffFile(path) as file:
        return read_calibration(file).pixel_size


def test_imagej_ome_and_plain_tiff_say_how_large_a_pixel_is(tmp_path):
    path = tmp_path / "a.tif"
    found = written(path, imagej=True, resolution=(1 / 0.325, 1 / 0.325), metadata={"unit": "um"})
    assert found == PixelSize(pytest.approx(0.325), "um")
    found = written(path, imagej=True, resolution=(4, 4), metadata={"unit": "\\u00B5m"})
    assert found == PixelSize(0.25, "µm")
    ome = {"axes": "YX", "PhysicalSizeX": 65.0, "PhysicalSizeXUnit": "nm"}
    assert written(tmp_path / "a.ome.tif", ome=True, metadata=ome) == PixelSize(65.0, "nm")
    assert written(path, resolution=(20_000, 20_000), resolutionunit="CENTIMETER") == PixelSize(5e-5, "cm")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"imagej": True},
        {"imagej": True, "resolution": (1, 1), "metadata": {"unit": "pixel"}},
        {"resolution": (72, 72), "resolutionunit": "INCH"},
        {"resolution": (300, 300), "resolutionunit": "INCH"},
    ],
)
def test_what_is_no_scale_of_the_scene_is_none(tmp_path, options):
    assert written(tmp_path / "a.tif", **options) is None


@pytest.mark.parametrize("size", ["", "nan", "-1", "0", "inf", "wide"])
def test_nonsense_is_no_scale(size):
    assert Calibration("ome", stated={"PhysicalSizeX": size}).pixel_size is None
    assert Calibration("imagej", ((0, 1), (0, 1)), 1, (), {"unit": "um"}).pixel_size is None
