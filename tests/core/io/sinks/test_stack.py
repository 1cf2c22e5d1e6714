"""Stacks: scale and interval of the input, every sample, and beyond 4 GB."""

import numpy as np
import pytest
import tifffile

from core.io.calibration import Calibration
from core.io.colour_profile import ColourProfile
from core.io.sinks import stack
from core.io.sinks.stack import TiffStack
from core.io.sources.stack import StackSource

RNG = np.random.default_rng(3)
PAGES = RNG.integers(0, 65536, (6, 20, 30)).astype(np.uint16)


def copied(path, tmp_path, pages):
    """Write pages as a result of the stack at ``path``; returns the file."""
    info = StackSource(path).info
    sink = TiffStack(tmp_path / "cleaned.tif", info.n_frames, info.calibration)
    sink.open(tmp_path)
    for number, page in enumerate(pages, 1):
        sink.write(number, 0.0, page)
    sink.close()
    return sink.final


def imagej(path, **more):
    metadata = {"axes": "TYX", "unit": "\\u00B5m", "finterval": 2.5, "spacing": 0.7, "fps": 0.4, **more}
    tifffile.imwrite(path, PAGES, imagej=True, resolution=(1 / 0.32, 1 / 0.32), metadata=metadata)
    return path


@pytest.mark.parametrize("n", [6, 3])
def test_what_imagej_states_of_scale_and_time_is_kept(tmp_path, n):
    source = imagej(tmp_path / "in.tif", min=3.0, max=77.0)
    with tifffile.TiffFile(copied(source, tmp_path, PAGES[:n])) as file, tifffile.TiffFile(source) as before:
        assert file.is_imagej
        assert not file.is_bigtiff
        np.testing.assert_array_equal(file.asarray(), PAGES[:n])
        told = file.imagej_metadata
        assert (told["images"], told["frames"]) == (n, n)
        assert (told["unit"], told["finterval"], told["spacing"], told["fps"]) == (
            before.imagej_metadata["unit"], 2.5, 0.7, 0.4,
        )  # fmt: skip
        assert "max" not in told, "the contrast was that of other pictures"
        for tag in ("XResolution", "YResolution", "ResolutionUnit"):
            assert file.pages[0].tags[tag].value == before.pages[0].tags[tag].value


def test_channels_and_slices_of_a_whole_stack_stay(tmp_path):
    path = tmp_path / "in.tif"
    tifffile.imwrite(path, PAGES.reshape(3, 2, 20, 30), imagej=True, metadata={"axes": "TCYX"})
    with tifffile.TiffFile(copied(path, tmp_path, PAGES)) as file:
        assert file.series[0].axes == "TCYX"
    with tifffile.TiffFile(copied(path, tmp_path, PAGES[:4])) as file:
        assert file.series[0].axes == "TYX"


@pytest.mark.parametrize("n", [6, 4])
@pytest.mark.parametrize("axes", ["TYX", "ZYX"])
def test_what_ome_states_of_scale_and_time_is_kept(tmp_path, n, axes):
    scale = {"PhysicalSizeX": 0.32, "PhysicalSizeXUnit": "µm", "TimeIncrement": 2.5, "TimeIncrementUnit": "s"}
    path = tmp_path / "in.ome.tif"
    tifffile.imwrite(path, PAGES, metadata={"axes": axes, **scale}, resolution=(31250, 31250), resolutionunit=3)
    with tifffile.TiffFile(copied(path, tmp_path, PAGES[:n])) as file:
        assert file.is_ome
        np.testing.assert_array_equal(file.asarray(), PAGES[:n])
        assert file.series[0].axes == axes
        pixels = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
        assert {name: pixels[name] for name in scale} == scale
        assert file.pages[0].tags["ResolutionUnit"].value == 3


@pytest.mark.parametrize("shape", [(20, 30, 3), (20, 30, 4)])
@pytest.mark.parametrize("suffix", [".ome.tif", ".tif"])
def test_colour_and_alpha_are_pages_of_the_same_stack(tmp_path, shape, suffix):
    path = tmp_path / f"in{suffix}"
    tifffile.imwrite(path, PAGES, imagej=suffix == ".tif", metadata={"axes": "TYX"})
    pages = RNG.integers(0, 256, (6, *shape)).astype(np.uint8)
    with tifffile.TiffFile(copied(path, tmp_path, pages)) as file:
        assert len(file.pages) == 6
        np.testing.assert_array_equal([page.asarray() for page in file.pages], pages)


def test_a_stack_that_says_nothing_gets_nothing_made_up(tmp_path):
    tifffile.imwrite(tmp_path / "in.tif", PAGES, photometric="minisblack", metadata=None)
    with tifffile.TiffFile(copied(tmp_path / "in.tif", tmp_path, PAGES)) as file:
        assert not file.is_imagej
        assert not file.is_ome
        assert "ImageDescription" not in file.pages[0].tags


def test_beyond_four_gigabytes_a_stack_is_bigtiff(tmp_path, monkeypatch):
    monkeypatch.setattr(stack, "BIG", PAGES[:4].nbytes)
    for n, is_big in ((4, False), (5, True), (None, True)):
        sink = TiffStack(tmp_path / f"{n}.tif", n, Calibration())
        sink.open(tmp_path)
        for number, page in enumerate(PAGES[: n or 6], 1):
            sink.write(number, 0.0, page)
        sink.close()
        with tifffile.TiffFile(sink.final) as file:
            assert file.is_bigtiff == is_big
            np.testing.assert_array_equal(file.asarray(), PAGES[: n or 6])


def test_the_profile_of_each_page_counts_too(tmp_path, monkeypatch):
    monkeypatch.setattr(stack, "BIG", PAGES.nbytes)
    for profile in (None, ColourProfile(b"a profile", is_grey=True)):
        sink = TiffStack(tmp_path / "out.tif", len(PAGES), Calibration(), profile)
        sink.open(tmp_path)
        for number, page in enumerate(PAGES, 1):
            sink.write(number, 0.0, page)
        sink.close()
        with tifffile.TiffFile(sink.final) as file:
            assert file.is_bigtiff == (profile is not None)


@pytest.mark.parametrize("text", ["ImageJ=1\nunit\nfinterval", "<OME><Pixels/></OME>", "<OME xmlns='x'><broken"])
def test_a_description_that_cannot_be_understood_keeps_no_stack_from_being_read(tmp_path, text):
    tifffile.imwrite(tmp_path / "in.tif", PAGES, photometric="minisblack", metadata=None, description=text)
    with tifffile.TiffFile(copied(tmp_path / "in.tif", tmp_path, PAGES)) as file:
        np.testing.assert_array_equal([page.asarray() for page in file.pages], PAGES)
