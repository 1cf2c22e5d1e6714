import math

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
    ("count", "unit"), [(300, "INCH"), (118.11, "CENTIMETER"), (28.346, "CENTIMETER"), (72, "INCH")]
)
def test_what_is_meant_for_printers_is_no_scale_of_the_scene(tmp_path, count, unit):
    assert written(tmp_path / "a.tif", resolution=(count, count), resolutionunit=unit) is None
    measured = (1.1 * count, 1.1 * count)
    assert written(tmp_path / "a.tif", resolution=measured, resolutionunit=unit) is not None


def test_pixels_may_be_higher_than_wide_and_are_told_in_micrometres(tmp_path):
    options = {"imagej": True, "resolution": (4, 2), "metadata": {"unit": "um"}}
    assert written(tmp_path / "a.tif", **options) == PixelSize(0.25, "um", aspect=2.0)
    yunit = Calibration("imagej", ((4, 1), (2000, 1)), 1, (), {"unit": "mm", "yunit": "m"}).pixel_size
    assert yunit == PixelSize(0.25, "mm", aspect=pytest.approx(2.0))
    sides = {"PhysicalSizeX": "500", "PhysicalSizeXUnit": "nm", "PhysicalSizeY": "0.25"}
    assert Calibration("ome", stated=sides).pixel_size.micrometres == pytest.approx((0.5, 0.25))
    assert PixelSize(3e-5, "cm").micrometres == pytest.approx((0.3, 0.3))
    assert PixelSize(1, "furlong").micrometres is None
    strange = Calibration("ome", stated={**sides, "PhysicalSizeYUnit": "furlong"})
    assert strange.pixel_size == PixelSize(500, "nm")


@pytest.mark.parametrize(("width", "unit"), [(0.108, "µm"), (108, "nm"), (0.000108, "mm"), (1.08e-5, "cm")])
def test_micrometres_are_as_a_person_would_write_them(width, unit):
    assert PixelSize(width, unit).micrometres == (0.108, 0.108)


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


def interval(path, **options):
    tifffile.imwrite(path, np.stack([PLANE] * 6).reshape(*options.pop("shape", (6,)), *PLANE.shape), **options)
    with tifffile.TiffFile(path) as file:
        return read_calibration(file).interval_s


@pytest.mark.parametrize(
    ("stated", "seconds"),
    [
        ({"finterval": 0.5}, 0.5), ({"finterval": 2, "tunit": "min"}, 120), ({"finterval": 40, "tunit": "ms"}, 0.04),
        ({"finterval": 0}, None), ({"finterval": 1, "tunit": "fortnights"}, None), ({"fps": 7}, None), ({}, None),
    ],
)  # fmt: skip
def test_imagej_says_how_much_time_lies_between_pages(tmp_path, stated, seconds):
    found = interval(tmp_path / "a.tif", imagej=True, metadata={"axes": "TYX", **stated})
    assert found == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("unit", "seconds"), [({}, 3), ({"TimeIncrementUnit": "ms"}, 0.003), ({"TimeIncrementUnit": "h"}, 3 * 3600)]
)
def test_ome_says_it_too(tmp_path, unit, seconds):
    metadata = {"axes": "TYX", "TimeIncrement": 3, **unit}
    assert interval(tmp_path / "a.ome.tif", ome=True, metadata=metadata) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ([0, 40, 80, 120, 160, 200], 0.04),
        ([7, 47, 88, 126, 166, 207], 0.04),
        ([0, 40, 80, 120, 200, 240], None),
        ([0, 0, 0, 0, 0, 0], None),
        ([200, 160, 120, 80, 40, 0], None),
        ([0, 40, 80, 120, 160, math.nan], None),
        ([0, 40, 80, 120, 160, "soon"], None),
    ],
    ids=["even", "nearly", "a frame is missing", "none", "backwards", "no number", "a word"],
)
@pytest.mark.parametrize("stated", [{}, {"TimeIncrement": 0}])
def test_where_ome_states_the_time_of_each_plane_alone_even_steps_are_the_interval(tmp_path, times, seconds, stated):
    planes = {"DeltaT": times, "DeltaTUnit": ["ms"] * 6}
    found = interval(tmp_path / "a.ome.tif", ome=True, metadata={"axes": "TYX", "Plane": planes, **stated})
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_an_interval_that_is_stated_goes_before_times_of_planes_and_units_are_not_mixed(tmp_path):
    times = {"DeltaT": [0, 1, 2, 3, 4, 5], "DeltaTUnit": ["s"] * 6}
    metadata = {"axes": "TYX", "TimeIncrement": 3, "Plane": times}
    assert interval(tmp_path / "a.ome.tif", ome=True, metadata=metadata) == 3
    metadata = {"axes": "TYX", "Plane": {**times, "DeltaTUnit": ["s"] * 5 + ["ms"]}}
    assert interval(tmp_path / "a.ome.tif", ome=True, metadata=metadata) is None


def test_times_of_planes_are_written_as_an_interval(tmp_path):
    metadata = {"axes": "TYX", "Plane": {"DeltaT": [0, 40, 81], "DeltaTUnit": ["ms"] * 3}}
    tifffile.imwrite(tmp_path / "a.ome.tif", np.stack([PLANE] * 3), ome=True, metadata=metadata)
    with tifffile.TiffFile(tmp_path / "a.ome.tif") as file:
        description = read_calibration(file).description(3, (8, 9), "uint16")
    assert 'TimeIncrement="40.5" TimeIncrementUnit="ms"' in description


def test_of_several_channels_what_is_stated_of_time_stays(tmp_path):
    times = {"DeltaT": [0, 0, 1, 1, 2, 2], "TheT": [0, 0, 1, 1, 2, 2], "TheC": [0, 1] * 3, "TheZ": [0] * 6}
    for stated in ({}, {"TimeIncrement": 3.0}):
        metadata = {"axes": "TCYX", "Plane": times, **stated}
        tifffile.imwrite(tmp_path / "a.ome.tif", np.zeros((3, 2, 8, 9), np.uint16), ome=True, metadata=metadata)
        with tifffile.TiffFile(tmp_path / "a.ome.tif") as file:
            found = read_calibration(file)
        assert found.interval_s is None
        assert float(found.stated["TimeIncrement"]) == stated.get("TimeIncrement", 1.0)


@pytest.mark.parametrize(("axes", "shape"), [("ZYX", (6,)), ("TZYX", (2, 3)), ("TCYX", (3, 2))])
def test_pages_that_are_not_of_one_time_after_another_have_no_interval(tmp_path, axes, shape):
    metadata = {"axes": axes, "finterval": 0.5}
    assert interval(tmp_path / "a.tif", imagej=True, metadata=metadata, shape=shape) is None


@pytest.mark.parametrize("number", ["", "nan", "-1", "inf", "often"])
def test_nonsense_is_no_interval(number):
    assert Calibration("imagej", stated={"finterval": number}).interval_s is None


@pytest.mark.parametrize(
    ("axes", "told", "untold"),
    [
        ((("T", 3), ("C", 2)), "one stack for each channel (", "depth"),
        ((("T", 2), ("Z", 3)), "one stack for each depth, or of their maximum (", "channel"),
        ((("Z", 3), ("C", 2)), "one stack for each channel (", "each depth"),
        ((("T", 2), ("Z", 3), ("C", 2)), "all time frames), and for each channel (", "of each"),
    ],
)
def test_of_pages_along_several_axes_it_is_said_what_to_save_apart(axes, told, untold):
    words = Calibration("imagej", axes=axes).mixture(math.prod(size for _, size in axes))
    assert told in words
    assert untold not in words
