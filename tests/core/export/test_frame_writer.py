"""Pictures of every frame: away from their places until the end, each product by the threads that its kind allows."""

import threading
from functools import partialmethod

import av
import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.frame_writer import FrameWriter
from core.frames.frame import Layout, Planes
from core.io.sinks.coded import H264
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.runtime import cores
from core.session.session import Session
from core.session.settings import Settings

INFO = SourceInfo("photos", Layout(48, 64, Planes.RGB), 25.0, 6)


@pytest.fixture(scope="module")
def reports(photos):
    return list(Session(open_source(InputSpec(str(photos), frames=(1, 6))), Settings()).run())


@pytest.mark.parametrize("form", ["png", "mkv"])
def test_everything_is_complete_where_it_was_asked_for_and_timed(tmp_path, reports, form):
    writer = FrameWriter(tmp_path, tmp_path / "out", ["mask", "cleaned"], form, INFO)
    for report in reports:
        writer.write(report)
    writer.finish()
    assert len(writer.write_ms) == len(reports)
    assert all(spent > 0 for spent in writer.write_ms)
    assert set(tmp_path.iterdir()) == {
        tmp_path / (name if form == "png" else f"{name}.mkv") for name in ("mask", "cleaned")
    }
    writer.abort()
    assert list(tmp_path.iterdir()) == []


def writing_threads():
    return {thread for thread in threading.enumerate() if thread.name == "write"}


@pytest.mark.parametrize(("n_cores", "n_threads"), [(1, 1), (2, 2), (64, 2)])
def test_images_are_encoded_by_no_more_threads_than_there_are_cores(tmp_path, n_cores, n_threads, monkeypatch):
    monkeypatch.setattr(cores, "usable", lambda: n_cores)
    before = writing_threads()
    writer = FrameWriter(tmp_path, tmp_path / "out", ["mask", "cleaned"], "png", INFO)
    assert len(writing_threads() - before) == n_threads
    writer.abort()


def test_giving_up_leaves_nothing(tmp_path, reports):
    writer = FrameWriter(tmp_path, tmp_path / "out", ["mask", "foreground"], "mp4", INFO)
    writer.write(reports[0])
    writer.abort()
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_begun_leaves_nothing(tmp_path):
    with pytest.raises(CleanplateError, match="could not be written"):
        FrameWriter(tmp_path / "absent", tmp_path, ["mask", "cleaned"], "png", INFO)
    assert list(tmp_path.iterdir()) == []


def test_without_pictures_there_is_nothing_to_do(tmp_path, reports):
    writer = FrameWriter(tmp_path, tmp_path, [], "png", INFO)
    writer.write(reports[0])
    writer.finish()
    assert writer.write_ms == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [None, (48, 36)])
@pytest.mark.parametrize("product", ["cleaned", "background"])
def test_video_goes_into_coded_films_by_its_planes_and_at_its_size_whatever_the_working_size(
    tmp_path, monkeypatch, product, size
):
    film, folder = tmp_path / "film.mp4", tmp_path / "out"
    sink = H264(film, 25.0)
    sink.open(tmp_path)
    rng = np.random.default_rng(0)
    still = np.kron(rng.integers(40, 200, (9, 12, 3)), np.ones((8, 8, 1))).astype(np.uint8)
    for number in range(1, 7):
        sink.write(number, number / 25, still)
    sink.close()
    folder.mkdir()
    source = open_source(InputSpec(str(film), size=size))
    by_planes = []
    monkeypatch.setattr(H264, "write_planes", partialmethod(_noted, H264.write_planes, by_planes))
    writer = FrameWriter(folder, folder, [product], "mp4", source.info)
    for report in Session(source, Settings()).run():
        writer.write(report)
    writer.finish()
    with av.open(str(folder / f"{product}.mp4")) as file:
        pictures = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    assert [picture.shape for picture in pictures] == [still.shape] * 6
    assert np.abs(pictures[-1].astype(int) - still).mean() < (4 if size is None else 20)
    # A cleaned frame has the size of its input; a background has the working size, and is enlarged as a picture.
    assert len(by_planes) == (6 if size is None or product == "cleaned" else 0)


def _noted(sink, write, noted, number, time_s, picture):
    noted.append(number)
    write(sink, number, time_s, picture)
