"""A series of images, one of each time, has the scale and the interval that its files state."""

import numpy as np
import pytest
import tifffile

from core.io.calibration import PixelSize
from core.io.sources import InputSpec, open_source
from tests.small_inputs import opened, save_png

PAGE = np.random.default_rng(5).integers(900, 1000, (20, 30)).astype(np.uint16)
IMAGEJ = {"imagej": True, "resolution": (4.0, 4.0), "metadata": {"unit": "um", "finterval": 0.5}}
OME = {"ome": True, "metadata": {"axes": "YX", "PhysicalSizeX": 250.0, "PhysicalSizeXUnit": "nm", "TimeIncrement": 0.5}}


def series(folder, n=4, page=PAGE, **options):
    folder.mkdir(exist_ok=True)
    for number in range(1, n + 1):
        tifffile.imwrite(folder / f"t{number}.tif", page, **options)
    return folder


@pytest.mark.parametrize(("options", "width", "unit"), [(IMAGEJ, 0.25, "um"), (OME, 250.0, "nm")])
def test_a_series_has_scale_and_interval_of_its_first_file(tmp_path, options, width, unit):
    folder = series(tmp_path / "in", **options)
    source = opened(folder)
    assert source.info.calibration.pixel_size == PixelSize(width, unit)
    assert (source.info.interval_s, source.info.fps) == (0.5, None)
    assert source.info.is_timed
    assert [frame.time_s for frame in source.frames()] == [0.0, 0.5, 1.0, 1.5]
    assert [frame.time_s for frame in source.frames(2)] == [1.0, 1.5]
    assert source.warnings == []


def test_a_damaged_first_file_states_nothing_and_the_next_does(tmp_path):
    folder = series(tmp_path / "in", **IMAGEJ)
    (folder / "t0.tif").write_bytes((folder / "t1.tif").read_bytes()[:40])
    source = opened(folder)
    assert source.info.calibration.pixel_size == PixelSize(0.25, "um")
    assert [frame.time_s for frame in source.frames()] == [0.5, 1.0, 1.5, 2.0]


def test_a_folder_that_is_followed_has_them_too(tmp_path):
    folder = series(tmp_path / "in", **IMAGEJ)
    source = open_source(InputSpec(str(folder), follow_min=0.1 / 60))
    assert source.info.interval_s == 0.5
    assert [frame.time_s for frame in source.frames()] == [0.0, 0.5, 1.0, 1.5]
    source.close()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"resolution": (350, 350), "resolutionunit": "INCH"},
        {"resolution": (20_000, 20_000), "resolutionunit": "CENTIMETER"},
        {"imagej": True},
        {"imagej": True, "resolution": (300, 300), "metadata": {"unit": "inch"}},
    ],
    ids=["nothing", "a photograph", "a scan", "nothing by ImageJ", "a print by ImageJ"],
)
def test_photographs_and_scans_have_none(tmp_path, options):
    source = opened(series(tmp_path / "in", **options))
    assert source.info.calibration is None
    assert not source.info.is_timed
    assert [frame.time_s for frame in source.frames()] == [0.0, 1.0, 2.0, 3.0]


def test_other_images_have_none_whatever_they_are_called(tmp_path):
    for name in ("a.png", "b.tif"):
        folder = tmp_path / name.replace(".", "_")
        folder.mkdir()
        save_png(folder / name, PAGE)
        assert opened(folder).info.calibration is None


def test_of_stacks_in_a_folder_the_interval_is_not_that_of_their_first_pages(tmp_path):
    source = opened(series(tmp_path / "in", page=np.stack([PAGE] * 3), **IMAGEJ))
    assert source.info.calibration.pixel_size == PixelSize(0.25, "um")
    assert source.info.interval_s is None
    assert [frame.time_s for frame in source.frames()] == [0.0, 1.0, 2.0, 3.0]


def test_files_of_one_ome_series_say_when_they_are_of_several_channels(tmp_path):
    whole = tifffile.OmeXml()
    whole.addimage("uint16", (2, 2, 20, 30), (4, 1, 1, 20, 30, 1), axes="TCYX", PhysicalSizeX=0.25, TimeIncrement=0.5)
    folder = series(tmp_path / "in", description=whole.tostring().encode(), metadata=None)
    source = opened(folder)
    assert source.info.calibration.pixel_size == PixelSize(0.25, "µm")
    assert source.info.is_mixed
    assert source.info.interval_s is None
    (sentence,) = source.warnings
    assert sentence.startswith("in holds 2 time points × 2 channels")
