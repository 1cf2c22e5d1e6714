"""Frames from all over an input, and how many it has whatever its container says."""

from dataclasses import replace

import pytest

from core.errors import CleanplateError
from core.io.sources.spread import STRETCH, Spread, count_readable
from core.io.timecode import Timecode
from tests.films import numbered, write_film
from tests.small_inputs import opened


class Declares:
    """A source that declares another number of frames than it has."""

    def __init__(self, inner, n_frames):
        self._inner, self.warnings = inner, []
        self.info = replace(inner.info, n_frames=n_frames)
        self.frames = inner.frames


@pytest.mark.parametrize("declared", [None, 1, 36, 37, 38, 74, 500])
def test_frames_are_counted_whatever_is_declared(tmp_path, declared):
    source = opened(write_film(tmp_path / "film.mp4", 37))
    assert count_readable(Declares(source, declared)) == 37


def test_stretches_lie_from_the_start_to_the_end(tmp_path):
    source = opened(write_film(tmp_path / "film.mkv", 100, codec="ffv1", pix_fmt="bgr0"))
    spread = Spread(source, 30)
    frames = list(spread.frames())
    assert spread.info.n_frames == len(frames) == 30
    assert [frame.index for frame in frames] == list(range(30))
    wanted = [*range(STRETCH), *range(45, 45 + STRETCH), *range(90, 100)]
    for frame, number in zip(frames, wanted, strict=True):
        assert (frame.layout.image(frame.values) == numbered(number)).all()
    assert [frame.index for frame in spread.frames(25)] == list(range(25, 30))
    assert len(list(Spread(source, 1000).frames())) == 100


@pytest.mark.parametrize("n_frames", [1, 4, 9, 10, 11, 15, 25, 59, 60, 61])
def test_as_many_frames_as_were_asked_for_from_the_start_to_the_end(tmp_path, n_frames):
    source = opened(write_film(tmp_path / "film.mkv", 60, codec="ffv1", pix_fmt="bgr0"))
    spread = Spread(source, n_frames)
    times = [round(frame.time_s * source.info.fps) for frame in spread.frames()]
    assert len(times) == spread.info.n_frames == min(n_frames, 60)
    assert times == sorted(set(times)), "in order, none twice"
    assert times[0] == 0
    assert n_frames <= STRETCH or times[-1] == 59


def test_frames_from_one_place_keep_their_numbers_and_time_code_and_those_from_many_have_neither(tmp_path):
    inner = opened(write_film(tmp_path / "film.mkv", 60, codec="ffv1", pix_fmt="bgr0"))
    source = Declares(inner, 60)
    source.info = replace(source.info, timecode=Timecode.of("10:00:00:00", 25.0))
    whole, parts = Spread(source, 60).info, Spread(source, 30).info
    assert (whole.numbers_frames, whole.timecode) == (True, source.info.timecode)
    assert whole.timecode is not None
    assert (parts.numbers_frames, parts.timecode) == (False, None)


def test_what_never_ends_is_one_sentence(tmp_path):
    source = Declares(opened(write_film(tmp_path / "film.mp4", 3)), 3)
    source.info = replace(source.info, live=True)
    with pytest.raises(CleanplateError, match="never ends"):
        count_readable(source)
