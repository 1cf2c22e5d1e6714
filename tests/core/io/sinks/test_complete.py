"""A final name means a complete result: nothing half-written is left, nothing that was there is lost."""

import sys

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.sinks.base import Partial
from core.io.sinks.images import PngSequence, TiffSequence
from core.io.sinks.video import H264, Ffv1, ProRes4444

NOISE = np.random.default_rng(1).integers(0, 256, (40, 60, 4), dtype=np.uint8)
SINKS = {
    "cleaned-png": lambda folder: (PngSequence(folder / "cleaned"), 3),
    "cleaned-tiff": lambda folder: (TiffSequence(folder / "cleaned"), 3),
    "cleaned.mkv": lambda folder: (Ffv1(folder / "cleaned.mkv", 25.0), 3),
    "cleaned.mp4": lambda folder: (H264(folder / "cleaned.mp4", 25.0), 3),
    "foreground.mov": lambda folder: (ProRes4444(folder / "foreground.mov", 25.0), 4),
}


def begin(kind, folder, n=6):
    sink, planes = SINKS[kind](folder)
    sink.open()
    picture = np.ascontiguousarray(NOISE[..., :planes])
    for number in range(1, n + 1):
        sink.write(number, number / 25, np.roll(picture, number, 0))
    return sink


@pytest.mark.parametrize("kind", SINKS)
def test_the_final_name_appears_only_with_publish(tmp_path, kind):
    sink = begin(kind, tmp_path)
    assert not sink.final.exists()
    sink.close()
    assert not sink.final.exists()
    sink.partial.publish()
    assert [p.name for p in tmp_path.iterdir()] == [sink.final.name]


@pytest.mark.parametrize("kind", SINKS)
@pytest.mark.parametrize("n_written", [0, 2])
def test_abort_leaves_nothing_behind(tmp_path, kind, n_written):
    begin(kind, tmp_path, n_written).abort()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", SINKS)
def test_what_was_there_survives_an_abort_and_goes_with_publish(tmp_path, kind):
    old = begin(kind, tmp_path, 1)
    old.close()
    old.partial.publish()
    before = content(old.final)
    begin(kind, tmp_path, 2).abort()
    assert content(old.final) == before
    new = begin(kind, tmp_path, 3)
    new.close()
    new.partial.publish()
    assert content(old.final) != before
    assert len(list(tmp_path.iterdir())) == 1


def content(path):
    return {p.name: p.read_bytes() for p in path.iterdir()} if path.is_dir() else path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="the operating system has no limit on the size of files")
@pytest.mark.parametrize("kind", SINKS)
def test_a_file_that_does_not_fit_is_always_an_error(tmp_path, kind):
    """The real limit of the system, at sizes from nothing to one byte short: no sink may call a cut file complete."""
    import resource

    whole = begin(kind, tmp_path)
    whole.close()
    path = whole.partial.path
    size = max(p.stat().st_size for p in path.iterdir()) if path.is_dir() else path.stat().st_size
    whole.abort()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, size // 3, size - 1):
        sink = None
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
            sink, planes = SINKS[kind](tmp_path)
            with pytest.raises(CleanplateError, match="disk is full"):
                write_all(sink, planes)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            sink.abort()
    assert not list(tmp_path.iterdir())


def write_all(sink, planes):
    sink.open()
    picture = np.ascontiguousarray(NOISE[..., :planes])
    for number in range(1, 7):
        sink.write(number, number / 25, np.roll(picture, number, 0))
    sink.close()


def test_a_missing_folder_is_one_sentence(tmp_path):
    sink = PngSequence(tmp_path / "nowhere" / "mask")
    with pytest.raises(CleanplateError, match="mask could not be written"):
        sink.open()


def test_a_partial_is_hidden_and_unlike_any_result(tmp_path):
    partial = Partial(tmp_path / "mask.mkv")
    assert partial.path.parent == tmp_path
    assert partial.path.name.startswith(".mask.mkv.partial-")
    assert Partial(tmp_path / "mask.mkv").path != partial.path
