"""Films of constant rate in containers that round times: the rate comes back, and what varies goes on to vary."""

from fractions import Fraction

import av
import numpy as np
import pytest

from core.io.sinks.coded import H264
from core.io.sinks.video import Coding, ProRes422
from core.io.sources.rates import usual_rate
from core.io.sources.steady import Times
from tests.films import assert_seeks_exactly, exactly
from tests.small_inputs import opened

NTSC = Fraction(30_000, 1001)


def write_at(path, rate, times_s):
    """Write a film that states a rate, with pictures at these times; Matroska rounds them to milliseconds."""
    unit = Fraction(1, 1_000_000)
    with av.open(str(path), "w") as film:
        stream = film.add_stream("ffv1", rate=rate)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        stream.codec_context.time_base = unit
        for i, time_s in enumerate(times_s):
            frame = av.VideoFrame.from_ndarray(np.full((48, 32), 40 + i % 150, np.uint8), "yuv420p")
            frame.pts, frame.time_base = round(time_s / unit), unit
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
    return path


def times_in(path):
    return [time_s for _, time_s, _ in exactly(opened(path))]


@pytest.mark.parametrize("late_s", [Fraction(0), Fraction(21, 2000), NTSC**-1])
@pytest.mark.parametrize(
    "rate", [Fraction(24_000, 1001), Fraction(24), NTSC, Fraction(60_000, 1001), Fraction(120_000, 1001), Fraction(240)]
)
def test_a_constant_rate_that_matroska_has_rounded_is_constant_again(tmp_path, rate, late_s):
    path = write_at(tmp_path / "film.mkv", rate, [late_s + i / rate for i in range(90)])
    source = opened(path)
    assert source.info.fps == float(rate)
    assert [time_s for _, time_s, _ in exactly(source)] == [float(i / rate) for i in range(90)]
    assert_seeks_exactly(source, [17, 18, 50, 89])
    with av.open(str(path)) as film:
        stored = [packet.pts for packet in film.demux(video=0) if packet.size]
    assert len(set(np.diff(stored))) > 1, "the file itself is not constant"


@pytest.mark.parametrize("kind", [H264, ProRes422])
def test_a_film_that_is_made_of_it_is_of_constant_rate(tmp_path, kind):
    source = opened(write_at(tmp_path / "film.mkv", NTSC, [i / NTSC for i in range(40)]))
    sink = kind(tmp_path / "cleaned.mov", source.info.fps, Coding())
    sink.open(tmp_path)
    for frame in source.frames():
        sink.write(frame.index + 1, frame.time_s, np.full((32, 32), 9, np.uint8))
    sink.close()
    with av.open(str(sink.final)) as film:
        stream = film.streams.video[0]
        stamps = sorted(packet.pts * packet.time_base for packet in film.demux(stream) if packet.size)
        assert stream.average_rate == NTSC
    assert set(np.diff(stamps)) == {1 / NTSC}


def test_rates_that_vary_vary_as_they_did(tmp_path):
    frames = [0, 31, 70, 99, 131, 169, 205, 236, 266, 302, 333, 369, 404]
    path = write_at(tmp_path / "film.mkv", Fraction(30), [Fraction(ms, 1000) for ms in frames])
    assert times_in(path) == [ms / 1000 for ms in frames]


def test_frames_that_are_left_out_leave_gaps_of_whole_frames(tmp_path):
    shown = [i for i in range(60) if i % 7 != 3]
    path = write_at(tmp_path / "film.mkv", NTSC, [i / NTSC for i in shown])
    assert times_in(path) == [float(i / NTSC) for i in shown]


def test_what_comes_at_another_time_later_on_keeps_it(tmp_path):
    frames = [i / NTSC for i in range(30)]
    frames[20] += Fraction(9, 1000)
    times = times_in(write_at(tmp_path / "film.mkv", NTSC, frames))
    assert times[20] == round(1000 * frames[20]) / 1000
    del times[20], frames[20]
    assert times == [float(time) for time in frames]


def test_no_two_frames_have_one_time_and_none_goes_back():
    times, stamps = Times(0, Fraction(1, 1000), 1000 / NTSC), [0, 33, 34, 66, 67, 100]
    told = [times.time_s(stamp, before) for stamp, before in zip(stamps, [None, *stamps], strict=False)]
    assert told == [0, float(1 / NTSC), 0.034, float(2 / NTSC), 0.067, float(3 / NTSC)]
    assert sorted(set(told)) == told


def test_delays_of_animations_are_those_that_somebody_chose(tmp_path):
    gif = tmp_path / "a.gif"
    with av.open(str(gif), "w") as film:
        stream = film.add_stream("gif", rate=Fraction(30))
        stream.width, stream.height, stream.pix_fmt = 32, 32, "rgb8"
        for i in range(20):
            frame = av.VideoFrame.from_ndarray(np.full((32, 32, 3), 10 * i, np.uint8), "rgb24").reformat(format="rgb8")
            film.mux(stream.encode(frame))
        film.mux(stream.encode(None))
    assert {round(step, 6) for step in np.diff(times_in(gif))} == {0.03, 0.04}


@pytest.mark.parametrize(("told", "meant"), [("19001/317", "60000/1001"), ("29011/242", "120000/1001"), ("60", "60")])
def test_rates_of_television_are_told_from_those_beside_them(told, meant):
    assert usual_rate(Fraction(told)) == Fraction(meant)


def test_other_rates_stay_as_they_are():
    for rate in (Fraction(25), Fraction(1, 7), Fraction(2997, 100), Fraction(59_940, 1000)):
        assert usual_rate(rate) == rate
