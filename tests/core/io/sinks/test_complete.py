"""A final name means a complete result: nothing half-written is left, nothing that was there is lost."""

import sys

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.publishing.transaction import Transaction
from core.io.sinks.coded import H264
from core.io.sinks.images import PngSequence, TiffSequence
from core.io.sinks.video import Ffv1, ProRes4444

NOISE = np.random.default_rng(1).integers(0, 256, (40, 60, 4), dtype=np.uint8)
SINKS = {
    "cleaned-png": lambda folder: (PngSequence(folder / "cleaned"), 3),
    "cleaned-tiff": lambda folder: (TiffSequence(folder / "cleaned"), 3),
    "cleaned.mkv": lambda folder: (Ffv1(folder / "cleaned.mkv", 25.0), 3),
    "cleaned.mp4": lambda folder: (H264(folder / "cleaned.mp4", 25.0), 3),
    "foreground.mov": lambda folder: (ProRes4444(folder / "foreground.mov", 25.0), 4),
}


def begin(kind, folder, new, n=6):
    sink, planes = SINKS[kind](folder)
    sink.open(new)
    picture = np.ascontiguousarray(NOISE[..., :planes])
    for number in range(1, n + 1):
        sink.write(number, number / 25, np.roll(picture, number, 0))
    return sink


@pytest.mark.parametrize("kind", SINKS)
def test_the_final_name_appears_only_with_publish(tmp_path, kind):
    transaction = Transaction(tmp_path, [SINKS[kind](tmp_path)[0].final], overwrite=False)
    sink = begin(kind, tmp_path, transaction.new)
    assert not sink.final.exists()
    sink.close()
    assert not sink.final.exists()
    transaction.publish(lambda: None)
    assert [p.name for p in tmp_path.iterdir()] == [sink.final.name]


@pytest.mark.parametrize("kind", SINKS)
@pytest.mark.parametrize("n_written", [0, 2])
def test_abort_leaves_nothing_behind(tmp_path, kind, n_written):
    begin(kind, tmp_path, tmp_path, n_written).abort()
    assert not list(tmp_path.iterdir())


def test_aborting_what_was_never_begun_removes_nothing(tmp_path):
    (tmp_path / "mask.mkv").write_bytes(b"theirs")
    Ffv1(tmp_path / "mask.mkv", 25.0).abort()
    assert (tmp_path / "mask.mkv").read_bytes() == b"theirs"


@pytest.mark.parametrize("kind", SINKS)
def test_what_was_there_survives_an_abort_and_goes_with_publish(tmp_path, kind):
    finals = [SINKS[kind](tmp_path)[0].final]
    first = Transaction(tmp_path, finals, overwrite=False)
    old = begin(kind, tmp_path, first.new, 1)
    old.close()
    first.publish(lambda: None)
    before = content(old.final)
    given_up = Transaction(tmp_path, finals, overwrite=True)
    begin(kind, tmp_path, given_up.new, 2).abort()
    given_up.end()
    assert content(old.final) == before
    second = Transaction(tmp_path, finals, overwrite=True)
    begin(kind, tmp_path, second.new, 3).close()
    second.publish(lambda: None)
    assert content(old.final) != before
    assert len(list(tmp_path.iterdir())) == 1


def content(path):
    return {p.name: p.read_bytes() for p in path.iterdir()} if path.is_dir() else path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="the operating system has no limit on the size of files")
@pytest.mark.parametrize("kind", SINKS)
def test_a_file_that_does_not_fit_is_always_an_error(tmp_path, kind):
    """The real limit of the system, at sizes from nothing to one byte short: no sink may call a cut file complete."""
    import resource

    whole = begin(kind, tmp_path, tmp_path)
    whole.close()
    path = whole.final
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
    sink.open(sink.final.parent)
    picture = np.ascontiguousarray(NOISE[..., :planes])
    for number in range(1, 7):
        sink.write(number, number / 25, np.roll(picture, number, 0))
    sink.close()


def test_a_missing_folder_is_one_sentence(tmp_path):
    sink = PngSequence(tmp_path / "nowhere" / "mask")
    with pytest.raises(CleanplateError, match="mask could not be written"):
        sink.open(tmp_path / "nowhere")
