import contextlib
import os
import re
import sys
from itertools import islice

import av
import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.colour import ColourStandard
from core.frames.frame import Planes
from core.io.sources.video import VideoSource
from core.runtime import cores
from core.runtime.signs_of_life import given_to
from core.runtime.stopping import StoppedError, stops_when
from tests.films import assert_seeks_exactly, exactly, numbered, sounding, turn_upright, write_film, write_planes
from tests.small_inputs import opened

VARIABLE = [0, 40, 50, 250, 290, 300, 900, 940, 1000, 1010] + [1500 + 7 * i * i for i in range(50)]


def first_at_or_after(path, seconds):
    """Return what a seek by frame number gives: the first frame at or after a time that assumes a fixed rate."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        container.seek(int(seconds / stream.time_base), stream=stream)
        for frame in container.decode(stream):
            if frame.time >= seconds - 1e-6:
                return frame.to_ndarray(format="rgb24")
    return None


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".avi", ".ts"])
def test_seeks_are_exact_among_b_frames(tmp_path, suffix):
    ticks = None if suffix == ".mkv" else [40 * i for i in range(60)]
    source = opened(write_film(tmp_path / f"b{suffix}", 60, ticks=ticks))
    assert len(exactly(source)) == 60
    assert_seeks_exactly(source, [1, 5, 17, 18, 23, 24, 25, 36, 47, 58, 59])


@pytest.mark.parametrize("suffix", [".mpg", ".avi", ".ts", ".mkv"])
@pytest.mark.parametrize("codec", ["mpeg4", "mpeg2video"])
def test_seeks_are_exact_in_older_codecs(tmp_path, codec, suffix):
    source = opened(write_film(tmp_path / f"old{suffix}", 60, codec=codec))
    assert_seeks_exactly(source, range(17, 60, 3))


def test_seeks_are_exact_where_one_lands_in_the_middle_of_a_packet(tmp_path):
    """The rest of it decodes as well, to another picture with the time stamp of the whole."""
    assert_seeks_exactly(opened(write_film(tmp_path / "first.mpg", 60, codec="mpeg1video")), range(26, 34))


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".avi", ".ts", ".nut"])
def test_seeks_are_exact_in_open_groups_of_pictures(tmp_path, suffix):
    path = write_film(tmp_path / f"open{suffix}", 60, options={"x264-params": "open-gop=1:keyint=10:scenecut=0"})
    assert_seeks_exactly(opened(path), range(17, 60))


def test_seeks_are_exact_at_a_variable_rate(tmp_path):
    path = write_film(tmp_path / "vfr.mkv", len(VARIABLE), ticks=VARIABLE)
    source = opened(path)
    assert [round(1000 * t) for _, t, _ in exactly(source)] == VARIABLE
    assert_seeks_exactly(source, [2, 17, 18, 30, 41, 59])
    # A seek by number at a fixed rate is what must not be: it lands elsewhere.
    told = [f.image() for f in source.frames()]
    assert any(
        (naive := first_at_or_after(path, k / source.info.fps)) is None
        or np.abs(naive - told[k].astype(int)).max() > 30
        for k in (17, 30, 41)
    )


def test_the_rate_of_a_film_whose_rate_varies_is_its_mean(tmp_path):
    """As a telephone slows down in the dark: all frames fit 120 a second, and 26.8 are shown."""
    ticks = [round(1000 * i / 30) for i in range(60)]
    ticks += [ticks[-1] + round(1000 * i / 24) for i in range(1, 61)]
    info = opened(write_film(tmp_path / "dark.mp4", len(ticks), ticks=ticks)).info
    assert info.n_frames == 120
    assert info.n_frames / info.fps == pytest.approx(ticks[-1] / 1000, abs=0.05)


@pytest.mark.parametrize("rate", [24, 30])
def test_a_last_frame_that_lasts_longer_changes_no_rate(tmp_path, rate):
    ticks = [round(1000 * i / rate) for i in range(120)]
    info = opened(write_film(tmp_path / "steady.mp4", 120, ticks=ticks)).info
    assert info.fps == pytest.approx(rate, rel=0.01)


def test_seeks_are_exact_where_packets_have_no_time(tmp_path):
    source = opened(write_film(tmp_path / "raw.h264", 40))
    assert len(exactly(source)) == 40
    assert_seeks_exactly(source, [1, 18, 39])


def test_time_starts_at_zero_whatever_the_file_says(tmp_path):
    source = opened(write_film(tmp_path / "late.mkv", 30, ticks=[5000 + 40 * i for i in range(30)]))
    assert next(source.frames()).time_s == 0
    assert next(source.frames(20)).time_s == pytest.approx(0.8)


@pytest.mark.parametrize("size", [(64, 48), (33, 25), (70, 1)])
@pytest.mark.parametrize(("pix_fmt", "depth"), [("yuv420p", 8), ("yuv420p10le", 10), ("yuv420p12le", 12)])
def test_planes_of_420_are_the_decoders_own(tmp_path, pix_fmt, depth, size):
    rng = np.random.default_rng(0)
    half = ((size[1] + 1) // 2, (size[0] + 1) // 2)
    kind = np.uint8 if depth == 8 else np.uint16
    shapes = ((size[1], size[0]), half, half)
    pictures = [[rng.integers(0, 1 << depth, s).astype(kind) for s in shapes] for _ in range(3)]
    source = opened(write_planes(tmp_path / "planes.mkv", pix_fmt, size, pictures))
    layout = source.info.layout
    assert (layout.planes, layout.bit_depth, layout.full_range) == (Planes.YCC420, depth, False)
    assert layout.shapes == shapes
    for frame, planes in zip(source.frames(), pictures, strict=True):
        np.testing.assert_array_equal(frame.values, np.concatenate([p.ravel() for p in planes]))


@pytest.mark.parametrize("pix_fmt", ["yuv420p10le", "gray10le"])
def test_no_sample_is_above_white_whatever_is_in_the_words_of_a_damaged_file(tmp_path, pix_fmt):
    planes = [np.full((20, 30), 500, np.uint16), *(np.full((10, 15), 512, np.uint16) for _ in range(2))]
    planes[0][3, 4] = 2000
    written = write_planes(
        tmp_path / "raw.nut", pix_fmt, (30, 20), [planes[: 1 if pix_fmt == "gray10le" else 3]], "rawvideo"
    )
    frame = next(opened(written).frames())
    assert frame.layout.plane(frame.values, 0)[3, 4] == frame.layout.white == frame.values.max() == 1023


@pytest.mark.parametrize(("pix_fmt", "depth"), [("gray", 8), ("gray10le", 10), ("gray16le", 16)])
def test_grey_video_keeps_its_depth(tmp_path, pix_fmt, depth):
    samples = np.random.default_rng(1).integers(0, 1 << depth, (21, 35)).astype(np.uint8 if depth == 8 else np.uint16)
    source = opened(write_planes(tmp_path / "grey.mkv", pix_fmt, (35, 21), [[samples]]))
    assert source.info.layout.planes is Planes.GREY
    assert source.info.layout.bit_depth == depth
    np.testing.assert_array_equal(next(source.frames()).image(), samples)


def test_rgb_video_is_exact(tmp_path):
    samples = np.random.default_rng(1).integers(0, 1024, (3, 20, 30)).astype(np.uint16)
    green, blue, red = samples
    source = opened(write_planes(tmp_path / "rgb.mkv", "gbrp10le", (30, 20), [[green, blue, red]]))
    assert (source.info.layout.planes, source.info.layout.bit_depth) == (Planes.RGB, 10)
    np.testing.assert_array_equal(next(source.frames()).image(), np.dstack([red, green, blue]))


@pytest.mark.parametrize(("matrix", "tag"), [("bt601", 5), ("bt709", 1), ("bt2020", 9)])
@pytest.mark.parametrize(("form", "bits", "planes"), [
    ("yuv444p", 8, Planes.RGB), ("yuv422p", 8, Planes.RGB), ("yuv422p10le", 10, Planes.RGB),
    ("yuv444p12le", 12, Planes.RGB),
    ("yuv420p", 8, Planes.YCC420), ("yuv420p10le", 10, Planes.YCC420),
])  # fmt: skip
def test_luma_and_chroma_become_rgb_by_their_own_matrix(tmp_path, matrix, tag, form, bits, planes):
    drawn = np.array([200.0, 60.0, 30.0])
    path = write_colour(tmp_path / "m.mkv", form, bits, *MATRICES[matrix], drawn, tag)
    source = opened(path)
    assert (source.info.layout.planes, source.info.layout.bit_depth) == (planes, bits)
    shown = next(source.frames()).image()[8, 8] * (255 / source.info.layout.white)
    # Luma, chroma and what is made of them are rounded, by half a sample each: of 8 bits 0.6, 1.1 and 0.5 of 255.
    np.testing.assert_allclose(shown, drawn, atol=2.2 / 2 ** (bits - 8))


@pytest.mark.parametrize("full_range", [False, True])
@pytest.mark.parametrize("form", ["yuv444p", "yuv422p", "yuv422p10le", "yuv444p10le", "yuv444p12le"])
def test_greys_of_every_level_keep_theirs_from_black_to_white(tmp_path, form, full_range):
    """What people difference against the source has no level to spare: 1020 is not the white of 10 bits."""
    bits = int(form.partition("p")[2].removesuffix("le") or 8)
    unit, dtype = 2 ** (bits - 8), np.uint8 if bits == 8 else np.uint16
    black, white = (0, 2**bits - 1) if full_range else (16 * unit, 235 * unit)
    luma = np.rint(np.linspace(black, white, 64 * 64)).astype(dtype).reshape(64, 64)
    chroma = np.full((64, 64 if "444" in form else 32), 128 * unit, dtype)
    path = write_planes(
        tmp_path / "m.mkv", form, (64, 64), [[luma, chroma, chroma]], colour=(1, 2 if full_range else 1)
    )
    source = opened(path)
    shown = next(source.frames()).image().astype(int)
    expected = (luma.astype(float) - black) * ((2**bits - 1) / (white - black))
    np.testing.assert_allclose(shown, np.repeat(expected[..., None], 3, 2), atol=0.51)
    assert (shown.min(), shown.max()) == (0, source.info.layout.white)


@pytest.mark.parametrize("form", ["yuv444p10le", "yuv420p10le"])
@pytest.mark.parametrize("wrong", ["bt601", "bt709"])
def test_samples_of_another_matrix_would_show_other_colours(tmp_path, form, wrong):
    drawn = np.array([200.0, 60.0, 30.0])
    path = write_colour(tmp_path / "m.mkv", form, 10, *MATRICES[wrong], drawn, 9)
    shown = next(opened(path).frames()).image()[8, 8] * (255 / 1023)
    assert np.abs(shown - drawn).max() > 4


MATRICES = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722), "bt2020": (0.2627, 0.0593)}
"""Weights of red and blue in luma."""


def write_colour(path, form, bits, kr, kb, rgb, tag):
    """Write one colour, RGB of 255, as luma and chroma of these weights at video levels."""
    red, green, blue = rgb / 255
    luma = kr * red + (1 - kr - kb) * green + kb * blue
    cb, cr = (blue - luma) / (2 * (1 - kb)), (red - luma) / (2 * (1 - kr))
    levels = [2 ** (bits - 8) * level for level in (16 + luma * 219, 128 + cb * 224, 128 + cr * 224)]
    half = {"yuv444p": (16, 16), "yuv422p": (16, 8), "yuv420p": (8, 8)}[form[:7]]
    dtype = np.uint8 if bits == 8 else np.uint16
    planes = [np.full(size, round(x), dtype) for size, x in zip(((16, 16), half, half), levels, strict=True)]
    return write_planes(path, form, (16, 16), [planes], colour=(tag, 1))


def test_unnamed_matrix_follows_the_number_of_lines(tmp_path):
    for lines, matrix in ((718, "bt601"), (720, "bt709")):
        flat = [np.full((lines, 16), 90, np.uint8), *[np.full((lines // 2, 8), 120, np.uint8)] * 2]
        path = write_planes(tmp_path / f"{lines}.mkv", "yuv420p", (16, lines), [flat])
        assert opened(path).info.layout.matrix == matrix


@pytest.mark.parametrize(
    ("lines", "tags", "standard"),
    [
        (48, (1, 1, 1), ("bt709", 1, 1)), (48, (5, 5, 6), ("bt601", 5, 6)), (48, (6, 1, 1), ("bt601", 1, 1)),
        (48, (2, 2, 2), ("bt601", 6, 6)), (720, (2, 2, 2), ("bt709", 1, 1)), (48, (1, 2, 2), ("bt709", 1, 1)),
        (720, (6, 6, 6), ("bt601", 6, 6)), (48, (9, 9, 16), ("bt2020", 9, 16)),
        (48, (9, 9, 18), ("bt2020", 9, 18)), (720, (9, 9, 14), ("bt2020", 9, 14)), (48, (9, 2, 2), ("bt2020", 9, 14)),
        (48, (2, 9, 18), ("bt2020", 9, 18)), (720, (1, 12, 1), ("bt709", 12, 1)), (48, (10, 9, 15), ("bt2020", 9, 15)),
        (720, (1, 1, 13), ("bt709", 1, 1)), (720, (1, 10, 17), ("bt709", 1, 1)),
    ],
)  # fmt: skip
def test_what_colours_stand_for_is_that_of_the_tags_or_of_the_number_of_lines(tmp_path, lines, tags, standard):
    path = tmp_path / "tagged.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, lines, "yuv420p"
        context = stream.codec_context
        context.colorspace, context.color_primaries, context.color_trc = tags
        out.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((lines * 3 // 2, 64), 90, np.uint8), "yuv420p")))
        out.mux(stream.encode(None))
    source = opened(path)
    assert source.info.standard == ColourStandard(*standard)
    assert source.info.layout.matrix == standard[0]


def test_alpha_is_left_out_with_a_warning(tmp_path):
    planes = [np.full((16, 16), 100, np.uint8), *[np.full((8, 8), 128, np.uint8)] * 2, np.zeros((16, 16), np.uint8)]
    source = opened(write_planes(tmp_path / "a.mkv", "yuva420p", (16, 16), [planes]))
    assert source.info.layout.planes is Planes.YCC420
    assert set(next(source.frames()).values[:256]) == {100}
    assert "alpha" in source.warnings[0]


def test_a_clock_that_begins_anew_goes_on_and_is_told_of(tmp_path):
    parts = [write_film(tmp_path / f"{n}.ts", n) for n in (20, 14)]
    path = tmp_path / "joined.ts"
    path.write_bytes(b"".join(part.read_bytes() for part in (*parts, *parts)))
    source = opened(path)
    times = [frame.time_s for frame in source.frames()]
    assert len(times) >= 66
    np.testing.assert_allclose(np.diff(times), 0.04, atol=1e-3)
    notes = ["The clock of joined.ts begins anew at frame 21 and 2 more; times go on there."]
    assert source.warnings == notes
    assert next(source.frames(25)).time_s == times[25]
    assert source.warnings == notes, "of whoever reads less of it nothing is taken back"


def test_recordings_that_begin_between_key_frames_and_were_put_behind_each_other_are_as_long_as_their_frames(tmp_path):
    path = write_film(tmp_path / "film.ts", 60)
    data = path.read_bytes()
    path.write_bytes(4 * data[188 * (len(data) // 188 // 5) : 188 * (len(data) // 188 * 4 // 5)])
    source = opened(path)
    times = [frame.time_s for frame in source.frames()]
    assert len(times) > 100
    assert times[-1] == pytest.approx(0.04 * len(times), abs=0.6)
    assert np.abs(np.diff(times)).max() < 0.5
    assert source.warnings[-1].startswith("The clock of film.ts begins anew at frame ")
    assert source.warnings[-1].endswith(" and 2 more; times go on there.")


def signs_until_a_frame_comes(source, first):
    heard = []
    with given_to(lambda: heard.append(1)), contextlib.closing(source.frames(first)) as frames:
        assert next(frames).index == first
    return len(heard)


def test_a_film_that_is_decoded_from_its_start_gives_signs_of_life_and_is_stopped_on_the_way(tmp_path):
    part = write_film(tmp_path / "part.ts", 60)
    path = tmp_path / "joined.ts"
    path.write_bytes(2 * part.read_bytes())
    source = opened(path)
    next(source.frames(90))  # Now it is known that it has no index.
    assert signs_until_a_frame_comes(source, 90) >= 90
    with stops_when(lambda: True):
        assert next(source.frames(0)).index == 0, "what is there at once is given"
        with pytest.raises(StoppedError):
            next(source.frames(90))


def test_reading_an_index_gives_signs_of_life(tmp_path):
    source = opened(write_film(tmp_path / "a.mp4", 100))
    first, second = (signs_until_a_frame_comes(source, 60) for _ in range(2))
    assert first - second >= 100, "a packet, a sign; the index is read once"


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [((-1, 0, 0, 1), lambda x: x[:, ::-1]), ((1, 0, 0, -1), lambda x: x[::-1]),
     ((-1, 0, 0, -1), lambda x: x[::-1, ::-1]), ((0, 1, 1, 0), lambda x: x.transpose(1, 0, 2)),
     ((0, -1, 1, 0), np.rot90)],
    ids=["mirrored", "upside down", "half a turn", "transposed", "a quarter"],
)  # fmt: skip
def test_video_is_shown_as_its_display_matrix_says(tmp_path, matrix, shown):
    path = write_film(tmp_path / "phone.mp4", 3, options={"crf": "10"})
    lying = next(opened(path).frames()).image().astype(int)
    turn_upright(path, matrix)
    assert np.abs(next(opened(path).frames()).image() - shown(lying)).mean() < 2


def test_video_held_upright_is_shown_upright(tmp_path):
    path = write_film(tmp_path / "phone.mp4", 20, options={"crf": "10"})
    lying = next(opened(path).frames()).image().astype(int)
    turn_upright(path)
    source = opened(path)
    assert (source.info.layout.width, source.info.layout.height) == (48, 64)
    upright = next(source.frames()).image().astype(int)
    right, wrong = np.rot90(lying, -1), np.rot90(lying, 1)
    assert np.abs(upright - right).mean() < 2
    assert np.abs(upright - wrong).mean() > 20
    assert_seeks_exactly(source, [3, 19])


def test_path_may_hold_any_letters(tmp_path):
    folder = tmp_path / "Straße 街 %d: 1"
    folder.mkdir()
    assert len(exactly(opened(write_film(folder / "vidéo №1.mp4", 5)))) == 5


def test_truncated_file_gives_what_is_there(tmp_path):
    whole = write_film(tmp_path / "whole.mkv", 80)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * 0.6)])
    source = opened(cut)
    told = exactly(source)
    assert 20 < len(told) < 80
    assert_seeks_exactly(source, [18, 25, len(told) - 1])


@pytest.mark.parametrize("first", [0, 20])
def test_a_film_that_is_cut_off_says_how_much_of_it_is_missing(tmp_path, first):
    whole = write_film(tmp_path / "whole.mkv", 80)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * 0.6)])
    source = VideoSource(cut)
    last = list(source.frames(first))[-1]
    end = f"ends at {last.time_s + 0.04:.1f} s"
    assert source.warnings == [f"cut.mkv is cut off: it says that it lasts 3.2 s, and {end}."]
    assert not list(VideoSource(cut).frames(first + 100))


@pytest.mark.parametrize("without_tags", [False, True])
def test_a_film_whose_sound_lasts_longer_is_not_said_to_be_cut_off(tmp_path, without_tags):
    path = sounding(tmp_path / "a.mkv", write_film(tmp_path / "film.mkv", 10, b_frames=0), "aac")
    if without_tags:
        path.write_bytes(path.read_bytes().replace(b"DURATION", b"LENGTHXX"))
    with av.open(str(path)) as film:
        assert film.duration > 0.6 * av.time_base
    source = VideoSource(path)
    assert len(list(source.frames())) == 10
    assert source.warnings == []


def test_a_film_whose_last_picture_is_shown_for_long_is_not_said_to_be_cut_off(tmp_path):
    path = tmp_path / "held.mkv"
    with av.open(str(path), "w") as out, av.open(str(write_film(tmp_path / "a.mkv", 20, b_frames=0))) as film:
        stream = out.add_stream_from_template(film.streams.video[0])
        packets = [packet for packet in film.demux(video=0) if packet.dts is not None]
        packets[-1].duration = 60_000
        for packet in packets:
            packet.stream = stream
            out.mux(packet)
    source = VideoSource(path)
    assert len(list(source.frames())) == 20
    with av.open(str(path)) as film:
        assert film.duration > 60 * av.time_base
    assert source.warnings == []


def test_damage_in_the_middle_never_ends_in_an_exception(tmp_path):
    data = bytearray(write_film(tmp_path / "whole.ts", 80).read_bytes())
    for share in (0.3, 0.5, 0.7):
        at = int(len(data) * share)
        data[at : at + 900] = np.random.default_rng(1).bytes(900)
    path = tmp_path / "spoilt.ts"
    path.write_bytes(data)
    source = opened(path)
    assert len(exactly(source)) > 20
    assert len(list(source.frames(30))) > 0


def test_where_pictures_are_missing_in_a_damaged_film_is_told_once_it_was_read_to_its_end(tmp_path):
    data = bytearray(write_film(tmp_path / "whole.mkv", 100, codec="ffv1", pix_fmt="yuv420p", b_frames=0).read_bytes())
    at = len(data) // 2
    data[at : at + len(data) // 10] = np.random.default_rng(1).bytes(len(data) // 10)
    path = tmp_path / "spoilt.mkv"
    path.write_bytes(data)
    source = opened(path)
    times = [time_s for _, time_s, _ in exactly(source)]
    gap = int(np.argmax(np.diff(times))) + 1
    n_missing = round((times[gap] - times[gap - 1]) * source.info.fps) - 1
    assert n_missing > 2, "else it tells nothing"
    told = (
        f"spoilt.mkv lacks some {n_missing} pictures after frame {gap}, as damaged films do; times go on behind them."
    )
    assert told in source.warnings


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_of_a_film_whose_rate_varies_or_of_which_a_recorder_left_one_out_no_picture_is_said_to_be_missing(
    tmp_path, suffix
):
    usual = [40 * i for i in range(60)]
    for name, ticks in (
        ("whole", usual), ("one", [*usual[:20], *usual[21:]]), ("varies", VARIABLE),
        ("pauses", [40 * i + 2000 * (i // 10) for i in range(60)]),
    ):  # fmt: skip
        source = opened(write_film(tmp_path / f"{name}{suffix}", len(ticks), ticks=ticks))
        assert len(list(source.frames())) == len(ticks)
        assert source.warnings == []


def test_change_of_size_stops_with_a_warning(tmp_path):
    import cv2

    pictures = [numbered(i) for i in range(6)] + [numbered(i, 96, 128) for i in range(4)]
    path = tmp_path / "sizes.mjpeg"
    path.write_bytes(b"".join(cv2.imencode(".jpg", p)[1].tobytes() for p in pictures))
    source = opened(path)
    assert len(exactly(source)) == 6
    assert source.warnings == ["sizes.mjpeg changes from 64×48 to 128×96 at frame 7; reading stops there."]


def test_closing_an_iterator_closes_the_file(tmp_path):
    if not sys.platform.startswith("linux"):
        pytest.skip("open files are counted in /proc, which only Linux has")
    source = opened(write_film(tmp_path / "film.mkv", 40))
    before = len(os.listdir("/proc/self/fd"))
    for first in (0, 25):
        frames = source.frames(first)
        next(frames)
        assert len(os.listdir("/proc/self/fd")) > before
        frames.close()
        assert len(os.listdir("/proc/self/fd")) == before


def test_two_iterators_do_not_disturb_each_other(tmp_path):
    source = opened(write_film(tmp_path / "film.mkv", 40))
    told = exactly(source)
    near, far = source.frames(), source.frames(20)
    for index in range(15):
        np.testing.assert_array_equal(next(near).values, told[index][2])
        np.testing.assert_array_equal(next(far).values, told[20 + index][2])
    near.close()
    far.close()


@pytest.mark.parametrize("content", [b"", b"no video at all", bytes(range(256)) * 40])
def test_what_is_no_video_is_one_sentence(tmp_path, content):
    path = tmp_path / "wrong.mp4"
    path.write_bytes(content)
    with pytest.raises(CleanplateError, match=r"^wrong\.mp4 .*\.$"):
        opened(path)


def test_sound_without_pictures_is_one_sentence(tmp_path):
    path = tmp_path / "song.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), layout="mono")
        frame.sample_rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with pytest.raises(CleanplateError, match="holds no video"):
        opened(path)


def test_broken_files_of_the_collection(data):
    for name in ("empty.mp4", "noise.avi"):
        with pytest.raises(CleanplateError, match=rf"^{name} .*\.$"):
            opened(data / "broken" / name)
    assert len(exactly(opened(data / "broken" / "raw_dib_48x48.avi"))) == 51


@pytest.mark.parametrize(("name", "count"), [("declares_1392_has_695.avi", 695), ("truncated.mp4", 195)])
def test_declared_numbers_of_frames_are_not_believed(data, name, count):
    source = opened(data / "broken" / name)
    assert len(exactly(source)) == count
    assert source.info.n_frames == count
    assert str(count) in source.warnings[0]
    assert_seeks_exactly(source, [17, count // 2, count - 1])


@pytest.mark.parametrize("first", [0, 20])
def test_a_film_whose_frames_are_shown_for_longer_is_not_said_to_end_early(tmp_path, first):
    """AVI has empty slots after them, and counts these."""
    path = write_film(tmp_path / "held.avi", 40, codec="ffv1", ticks=[80 * n for n in range(40)], b_frames=0)
    whole, cut = VideoSource(path), tmp_path / "cut.avi"
    list(whole.frames(first))
    assert whole.info.n_frames == 40
    (note,) = whole.warnings
    assert re.fullmatch(r"held.avi declares \d+ frames, and holds 40, up to its end: some are shown for longer.", note)
    cut.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])
    short = VideoSource(cut)
    list(short.frames(first))
    assert "but only" in short.warnings[-1]


def film_with_a_hole(path, count, hole):
    """Write pictures of which one cannot be decoded, though its packet is there and has its time."""
    data = bytearray(write_film(path, count, codec="png", pix_fmt="rgb24", b_frames=0).read_bytes())
    place = -1
    for _ in range(hole + 1):
        place = data.index(b"\x89PNG\r\n", place + 1)
    data[place : place + 6] = bytes(6)
    path.write_bytes(data)
    return VideoSource(path)


@pytest.mark.parametrize("sought_before", [False, True])
def test_a_film_with_fewer_frames_than_packets_is_sought_exactly_once_it_was_read(tmp_path, sought_before):
    source = film_with_a_hole(tmp_path / "hole.mov", 60, 20)
    if sought_before:
        list(source.frames(30))
    assert len(list(source.frames())) == source.info.n_frames == 59
    for first in (30, 58):
        frames = list(source.frames(first))
        assert [frame.index for frame in frames] == list(range(first, 59))
        assert (frames[0].image() == numbered(first + 1)).all(), "one that is missing before it"


def test_a_seek_that_finds_nothing_has_not_landed(tmp_path):
    source = film_with_a_hole(tmp_path / "end.mov", 60, 59)
    assert list(source.frames(59)) == []
    assert (source.info.n_frames, source.info.is_counted) == (59, True)
    assert "end.mov declares 60 frames, but only 59 can be read." in source.warnings


def test_a_film_that_ends_early_says_so_where_only_its_end_is_read(data):
    source = opened(data / "broken" / "truncated.mp4")
    assert list(islice(source.frames(100), 20))
    assert source.warnings == [], "its end was not seen"
    assert len(list(source.frames(100))) == 95
    assert source.info.n_frames == 195
    assert source.warnings == ["truncated.mp4 declares 795 frames, but only 195 can be read."]


def test_real_video_seeks_exactly(data):
    assert_seeks_exactly(opened(data / "video" / "car_768x432.mp4"), [16, 17, 100, 250, 376])


@pytest.mark.parametrize(("n_cores", "n_threads"), [(1, 1), (3, 3), (64, 4)])
def test_a_film_is_decoded_by_no_more_threads_than_there_are_cores_nor_by_those_of_a_large_machine(
    tmp_path, n_cores, n_threads, monkeypatch
):
    monkeypatch.setattr(cores, "usable", lambda: n_cores)
    source = opened(write_film(tmp_path / "a.mp4", 5))
    with VideoSource(tmp_path / "a.mp4")._open() as container:
        assert container.streams.video[0].codec_context.thread_count == n_threads
    assert len(exactly(source)) == 5


@pytest.mark.parametrize(("options", "n_notes"), [({"flags": "+ildct+ilme", "top": "1"}, 1), ({}, 0)])
def test_of_an_interlaced_film_it_is_said_that_frames_show_two_moments(tmp_path, options, n_notes):
    path = tmp_path / "old.mkv"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("mpeg2video", rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for level in range(16, 66, 10):
            file.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((72, 64), level, np.uint8), format="yuv420p")))
        file.mux(stream.encode(None))
    source = VideoSource(path)
    told = [note for note in source.warnings if "interlaced" in note]
    source.close()
    assert len(told) == n_notes
