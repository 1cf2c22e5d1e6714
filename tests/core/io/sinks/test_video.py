"""Films: pixels, alpha, count and times are decoded back."""

import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.colour import STANDARDS
from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture
from core.io.sinks import coded
from core.io.sinks.coded import H264, RATES, Av1, Av1Mask, H264Mask, Hevc, HevcMask
from core.io.sinks.film_frames import NP_FORMATS
from core.io.sinks.video import Coding, Ffv1, ProRes422, ProRes4444
from tests.patience import PATIENCE_S

TIMES = [0.0, 0.04, 0.12, 0.5, 0.533]


def noise(shape, dtype, n=5):
    rng = np.random.default_rng(1)
    return [rng.integers(0, np.iinfo(dtype).max + 1, shape).astype(dtype) for _ in range(n)]


def gradients(n=5, height=46, width=64):
    y, x = np.mgrid[:height, :width]
    return [np.dstack([2 * x + 20 * i, 3 * y, 100 + 0 * x]).clip(0, 255).astype(np.uint8) for i in range(n)]


def write(sink, images, times=TIMES):
    sink.open(sink.final.parent)
    for number, (time_s, picture) in enumerate(zip(times, images, strict=True), 1):
        sink.write(number, time_s, picture)
    sink.close()
    return sink.final


def read(path, form):
    with av.open(str(path)) as file:
        frames = list(file.decode(video=0))
        return [f.to_ndarray(format=form) for f in frames], [float(f.time) for f in frames]


def planar(height, width, full_range=False, matrix="bt601", depth=8, shade=0):
    """A picture as video has it: gradients in all planes."""
    layout = Layout(height, width, Planes.YCC420, depth, full_range, matrix)
    planes = [
        np.add.outer(np.arange(h), 2 * np.arange(w)) + 40 + 30 * i + shade for i, (h, w) in enumerate(layout.shapes)
    ]
    return PlanarPicture(np.concatenate([(plane % 200).ravel() for plane in planes]).astype(layout.dtype), layout)


@pytest.mark.parametrize("kind", [H264, Hevc, Av1])
@pytest.mark.parametrize(("height", "matrix"), [(46, "bt601"), (720, "bt709")])
def test_planes_of_video_go_into_coded_films_as_they_are(tmp_path, kind, height, matrix):
    pictures = [planar(height, 64, matrix=matrix, shade=9 * i) for i, _ in enumerate(TIMES)]
    film = kind(tmp_path / "cleaned.mp4", 25.0)
    assert film.keeps(pictures[0].layout)
    film.open(tmp_path)
    for number, (time_s, picture) in enumerate(zip(TIMES, pictures, strict=True), 1):
        film.write_planes(number, time_s, picture)
    film.close()
    stored, times = read(film.final, "yuv420p")
    assert times == pytest.approx(TIMES, abs=1e-4)
    for i, got in enumerate(stored):
        off = [np.abs(got.ravel().astype(int) - picture.samples).mean() for picture in pictures]
        assert off[i] < 3
        assert np.argmin(off) == i, "each at its place"
        assert np.abs(got.ravel().astype(int) - np.roll(pictures[i].samples, 2)).mean() > off[i] + 1


@pytest.mark.parametrize(
    "layout",
    [
        planar(46, 64, full_range=True).layout, planar(46, 64, matrix="bt709").layout, planar(45, 64).layout,
        planar(46, 63).layout, planar(46, 64, depth=10).layout, Layout(46, 64, Planes.RGB), Layout(46, 64, Planes.GREY),
        planar(720, 64).layout,
    ],
)  # fmt: skip
def test_planes_that_a_film_would_show_otherwise_are_not_kept(tmp_path, layout):
    assert not H264(tmp_path / "cleaned.mp4", 25.0).keeps(layout)


def luma(path):
    """The luma of each frame of a film as it is stored, in levels of 8 bits, and its pixel format."""
    with av.open(str(path)) as file:
        frames = list(file.decode(video=0))
    shown = []
    for frame in frames:
        plane, bits = frame.planes[0], frame.format.components[0].bits
        lines = np.frombuffer(plane, np.uint8 if bits == 8 else np.uint16).reshape(plane.height, -1)
        shown.append(lines[:, : plane.width] / 2 ** (bits - 8))
    return np.array(shown), frames[0].format.name


@pytest.mark.parametrize("kind", [Hevc, Av1])
@pytest.mark.parametrize("grey", [True, False])
def test_smooth_light_of_16_bits_shows_no_steps_of_8(tmp_path, kind, grey):
    y, x = np.mgrid[:128, :256]
    light = 0.1 + 0.05 * x / 256 + 0.01 * y / 128
    wanted = 16 + 219 * light
    found = {}
    for dtype in (np.uint8, np.uint16):
        picture = np.rint(light * np.iinfo(dtype).max).astype(dtype)
        pictures = [picture if grey else np.dstack([picture] * 3)] * len(TIMES)
        shown, form = luma(write(kind(tmp_path / f"{dtype.__name__}.mp4", 25.0), pictures))
        assert form == ("yuv420p" if dtype == np.uint8 else "yuv420p10le")
        off = shown[-1] - wanted
        of_places = off.reshape(16, 8, 32, 8).mean((1, 3))
        found[dtype] = np.abs(off).mean(), np.abs(of_places).max(), len(np.unique(shown[-1])), abs(off.mean())
    error, bias_of_places, n_levels, bias = (np.array(pair) for pair in zip(*found.values(), strict=True))
    assert error[1] < error[0] / 2
    assert bias_of_places[1] < bias_of_places[0] / 2
    assert n_levels[1] > 3 * n_levels[0]
    assert bias[1] < 0.05


@pytest.mark.parametrize("kind", [Hevc, Av1])
@pytest.mark.parametrize("width", [64, 72, 66])
def test_planes_of_10_bits_are_given_to_the_encoder_as_they_are(tmp_path, kind, width):
    rng = np.random.default_rng(5)
    layout = Layout(46, width, Planes.YCC420, 10, full_range=False, used=0.5, pedestal=70)
    film = kind(tmp_path / "cleaned.mp4", 25.0, Coding("high"))
    given = []
    film._encode = lambda number, time_s, frame: given.append(frame)
    samples = rng.integers(0, 1024, layout.n_values).astype(np.uint16)
    assert film.keeps(layout)
    film.write_planes(1, 0.0, PlanarPicture(samples, layout))
    assert given[0].format.name == "yuv420p10le"
    for index, plane in enumerate(given[0].planes):
        lines = np.frombuffer(plane, np.uint16).reshape(plane.height, -1)[:, : plane.width]
        np.testing.assert_array_equal(lines, layout.plane(samples, index))


@pytest.mark.parametrize("kind", [Hevc, Av1])
def test_films_of_10_bits_are_closer_to_planes_of_10_bits(tmp_path, kind):
    layout = Layout(96, 128, Planes.YCC420, 10, full_range=False)
    y, x = np.mgrid[:96, :128]
    planes = [400 + x + y / 2, 480 + x[::2, ::2] / 4, 560 - y[::2, ::2] / 2]
    picture = PlanarPicture(np.concatenate([np.rint(p).astype(np.uint16).ravel() for p in planes]), layout)
    film = kind(tmp_path / "cleaned.mp4", 25.0)
    film.open(tmp_path)
    for number in range(1, 6):
        film.write_planes(number, number / 25, picture)
    film.close()
    shown, form = luma(film.final)
    assert form == "yuv420p10le"
    off = shown[-1] - layout.plane(picture.samples, 0) / 4
    assert np.abs(off).mean() < 0.25, "a sample of 10 bits; those of 8 alone are off by as much"
    assert abs(off.mean()) < 0.05
    assert not film.notes


@pytest.mark.parametrize(
    ("kind", "width", "form"),
    [(Hevc, 64, "yuv420p10le"), (Hevc, 63, "yuv444p10le"), (Av1, 64, "yuv420p10le"), (Av1, 63, "yuv420p10le"),
     (H264, 64, "yuv420p"), (H264, 63, "yuv444p")],
)  # fmt: skip
def test_hevc_and_av1_have_10_bits_of_deep_pictures_and_h264_has_8(tmp_path, kind, width, form):
    deep = [i.astype(np.uint16) * 257 for i in gradients(height=64, width=width)]
    film = kind(tmp_path / "cleaned.mp4", 25.0, Coding(standard=STANDARDS["bt2020"]))
    with av.open(str(write(film, deep))) as file:
        stream = file.streams.video[0]
        frame = next(file.decode(stream))
        assert frame.format.name == form
        assert (frame.colorspace, frame.color_primaries, frame.color_trc, frame.color_range) == (9, 9, 14, 1)
        assert (stream.profile == "Main 10") == ((kind, width) == (Hevc, 64))


@pytest.mark.parametrize(
    ("kind", "depth", "note"),
    [
        (H264, 10, "has 8 bits of a sample; --format hevc, av1 or prores has 10, mkv and png keep all"),
        (H264, 16, "has 8 bits of a sample; --format hevc, av1 or prores has 10, mkv and png keep all"),
        (Hevc, 10, None),
        (Hevc, 12, "has 10 bits of a sample; --format mkv or png keeps all"),
        (Av1, 9, None),
        (Av1, 16, "has 10 bits of a sample; --format mkv or png keeps all"),
        (ProRes422, 10, None),
        (ProRes422, 16, "has 10 bits of a sample; --format mkv or png keeps all"),
        (ProRes4444, 12, "has 10 bits of a sample; --format mkv or png keeps all"),
    ],
)
def test_bits_that_a_film_has_not_are_told_of_once(tmp_path, kind, depth, note):
    deep = [i.astype(np.uint16) * 257 for i in gradients()]
    film = kind(tmp_path / f"cleaned.{kind.container}", 25.0, Coding(bit_depth=depth))
    write(film, deep)
    assert len(film.notes) == (note is not None)
    assert all(f"cleaned.{kind.container} {note}" in told for told in film.notes)


def test_of_a_stack_that_uses_little_of_its_range_it_is_told_how_few_grey_levels_are_left(tmp_path):
    deep = [i.astype(np.uint16) * 8 for i in gradients()]
    film = H264(tmp_path / "cleaned.mp4", 25.0, Coding(levels=(0, 2047)))
    write(film, deep)
    [note] = film.notes
    assert note.endswith("keep all that the input has. Its samples from 0 to 2047 become 9 grey levels of 256.")


@pytest.mark.parametrize("kind", [Hevc, Av1])
def test_an_encoder_that_was_built_for_8_bits_writes_8_and_it_is_told(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(coded, "takes", lambda codec, pixels: "10" not in pixels)
    film = kind(tmp_path / "cleaned.mp4", 25.0, Coding(bit_depth=10))
    assert not film.keeps(planar(46, 64, depth=10).layout)
    assert film.keeps(planar(46, 64).layout)
    path = write(film, [i.astype(np.uint16) * 257 for i in gradients()])
    np.testing.assert_array_equal(
        read(path, "rgb24")[0], read(write(kind(tmp_path / "flat.mp4", 25.0), gradients()), "rgb24")[0]
    )
    [note] = film.notes
    assert f"has 8 bits of a sample, as the encoder {kind.codec} here has no more; --format prores has 10" in note


def test_what_an_encoder_takes_is_asked_of_itself():
    assert coded.takes("libx264", "yuv420p")
    assert not coded.takes("libx264", "bgr0")
    assert not coded.takes("no such encoder", "yuv420p")


@pytest.mark.parametrize("kind", [Hevc, Av1])
def test_better_quality_of_10_bits_is_larger_and_closer(tmp_path, kind):
    images = [i.astype(np.uint16) * 257 for i in moving_texture()]
    times = np.arange(len(images)) / 25
    films = [write(kind(tmp_path / f"{q}.mp4", 25.0, Coding(q)), images, times) for q in ("low", "medium", "high")]
    sizes = [film.stat().st_size for film in films]
    assert sizes == sorted(sizes)
    errors = [psnr_db(film, [i / 257 for i in images]) for film in films]
    assert errors[0] + 1 < errors[1]
    assert errors[1] + 1 < errors[2]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(37, 51), (37, 51, 3), (37, 51, 4)])
def test_ffv1_keeps_every_sample_and_every_time(tmp_path, shape, dtype):
    images = noise(shape, dtype)
    path = write(Ffv1(tmp_path / "cleaned.mkv", 25.0), images)
    form = NP_FORMATS[np.dtype(dtype).str[1:], 1 if len(shape) == 2 else shape[2]]
    stored, times = read(path, form)
    assert times == pytest.approx(TIMES, abs=6e-4)
    for a, b in zip(stored, images, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_folder_with_a_colon_is_no_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "12:30").mkdir()
    write(Ffv1(Path("12:30/cleaned.mkv"), 25.0), noise((8, 8), np.uint8))
    assert (tmp_path / "12:30" / "cleaned.mkv").stat().st_size


@pytest.mark.parametrize("kind", [H264, Hevc, Av1, ProRes422, ProRes4444])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize(("height", "width"), [(66, 64), (65, 63), (65, 64)])
def test_coded_films_are_close_and_keep_sizes_and_times(tmp_path, kind, height, width, dtype):
    images = gradients(height=height, width=width)
    given = [image.astype(dtype) * (np.iinfo(dtype).max // 255) for image in images]
    stored, times = read(write(kind(tmp_path / f"cleaned.{kind.container}", 25.0), given), "rgb24")
    assert times == pytest.approx(TIMES, abs=1e-4)
    for a, b in zip(stored, images, strict=True):
        assert a.shape == b.shape
        assert np.abs(a.astype(int) - b).mean() < 3


@pytest.mark.parametrize("kind", [H264, Hevc, Av1, ProRes422, ProRes4444])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("width", [64, 63])
def test_grey_pictures_stay_grey(tmp_path, kind, dtype, width):
    images = [image[..., 0] for image in gradients(height=64, width=width)]
    given = [image.astype(dtype) * (np.iinfo(dtype).max // 255) for image in images]
    stored, _ = read(write(kind(tmp_path / f"matte.{kind.container}", 25.0), given), "rgb24")
    assert np.ptp(np.asarray(stored).astype(int), axis=-1).max() <= 1
    assert np.abs(np.asarray(stored)[..., 0].astype(int) - images).mean() < 3


@pytest.mark.parametrize("kind", [H264, Hevc])
def test_an_odd_size_that_not_every_player_shows_is_said(tmp_path, kind):
    for width, n_notes in ((64, 0), (63, 1)):
        film = kind(tmp_path / f"{width}.mp4", 25.0)
        write(film, gradients(height=64, width=width))
        assert len(film.notes) == n_notes
    assert "63×64" in film.notes[0]


@pytest.mark.parametrize("kind", [H264, Hevc, Av1])
def test_each_speed_of_a_codec_has_a_preset(tmp_path, kind):
    images = list(moving_texture())
    sizes = [
        write(kind(tmp_path / f"{speed}.mp4", 25.0, Coding(speed=speed)), images, np.arange(12) / 25).stat().st_size
        for speed in ("fast", "medium", "slow")
    ]
    assert len(set(sizes)) == 3


def moving_texture(n=12, height=96, width=128):
    """Photograph-like: smooth light, texture that moves, a little noise; no fine colour, which 4:2:0 cannot hold."""
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:height, :width]
    texture = rng.normal(0, 25, (height, width, 1))
    for i in range(n):
        shown = (
            (x + y)[..., None] / 2 + 40 + np.roll(texture, i, 1) + rng.normal(0, 2, (height, width, 1)) + [-20, 0, 20]
        )
        yield shown.clip(0, 255).astype(np.uint8)


def psnr_db(path, images, form="rgb24"):
    stored, _ = read(path, form)
    return 10 * np.log10(255**2 / np.mean((np.array(stored, float) - np.array(images)) ** 2))


@pytest.mark.parametrize("colour", [True, False])
def test_better_quality_is_larger_and_closer(tmp_path, colour):
    images = [i if colour else i[..., 1] for i in moving_texture()]
    times = np.arange(len(images)) / 25
    films = [write(H264(tmp_path / f"{q}.mp4", 25.0, Coding(q)), images, times) for q in ("low", "medium", "high")]
    sizes = [film.stat().st_size for film in films]
    assert sizes[0] * 1.2 < sizes[1]
    assert sizes[1] * 1.2 < sizes[2]
    errors = [psnr_db(film, images, "rgb24" if colour else "gray") for film in films]
    assert errors[0] + 1 < errors[1]
    assert errors[1] + 1 < errors[2]


def test_the_better_the_quality_the_smaller_its_rate():
    assert RATES["high"] < RATES["medium"] < RATES["low"]


def random_mask(height, width, n=6):
    """No structure at all is the worst that a mask can be to an encoder."""
    return [255 * picture for picture in np.random.default_rng(2).integers(0, 2, (n, height, width), np.uint8)]


def blob_mask(height, width, n=6):
    y, x = np.mgrid[:height, :width]
    return [255 * ((x - 20 - 3 * i) ** 2 + (y - 24) ** 2 < 200).astype(np.uint8) for i in range(n)]


@pytest.mark.parametrize("drawn", [random_mask, blob_mask])
@pytest.mark.parametrize(("height", "width"), [(46, 64), (45, 63)])
@pytest.mark.parametrize("kind", [H264Mask, HevcMask, Av1Mask])
def test_a_mask_film_decodes_to_black_and_white(tmp_path, kind, drawn, height, width):
    masks = drawn(height, width)
    stored, _ = read(write(kind(tmp_path / "mask.mp4", 25.0), masks, np.arange(6) / 25), "gray")
    for a, b in zip(stored, masks, strict=True):
        assert np.abs(a.astype(int) - b).max() < 32, "grey edges"


def test_the_encoder_for_photographs_would_leave_grey_edges_in_masks(tmp_path):
    masks = random_mask(46, 64)
    coding = Coding(speed="medium")  # The quickest searches for nothing, and so does nothing worse.
    stored, _ = read(write(H264(tmp_path / "mask.mp4", 25.0, coding), masks, np.arange(6) / 25), "gray")
    assert np.abs(np.array(stored, int) - masks).max() > 32


def test_grey_films_have_the_levels_of_the_same_pictures_in_colour(tmp_path):
    grey = [np.tile(np.arange(256, dtype=np.uint8), (32, 1))] * 2
    flat = read(write(H264(tmp_path / "a.mp4", 25.0), grey, TIMES[:2]), "rgb24")[0]
    rgb = read(write(H264(tmp_path / "b.mp4", 25.0), [np.dstack([g] * 3) for g in grey], TIMES[:2]), "rgb24")[0]
    assert np.abs(np.array(flat, int) - np.array(rgb, int)).max() <= 4
    assert np.abs(np.array(flat, int) - np.array(rgb, int)).mean() < 0.5


@pytest.mark.parametrize(("height", "standard"), [(46, 6), (720, 1)])
def test_h264_says_how_its_colours_are_meant(tmp_path, height, standard):
    path = write(H264(tmp_path / "cleaned.mp4", 25.0), gradients(1, height), TIMES[:1])
    with av.open(str(path)) as file:
        context = file.streams.video[0].codec_context
        assert context.pix_fmt == "yuv420p"
        assert context.color_range == 1
        assert context.color_primaries == context.color_trc == standard
        # The matrix 5 is BT.470BG, the same numbers as 6.
        assert context.colorspace in ({5, 6} if standard == 6 else {1})


def test_h264_of_16_bits_has_the_colours_of_8(tmp_path):
    images = gradients()
    deep = write(H264(tmp_path / "a.mp4", 25.0), [i.astype(np.uint16) * 257 for i in images])
    flat = write(H264(tmp_path / "b.mp4", 25.0), images)
    np.testing.assert_array_equal(read(deep, "rgb24")[0], read(flat, "rgb24")[0])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_prores_keeps_alpha_and_nearly_the_colours(tmp_path, dtype):
    white = np.iinfo(dtype).max
    images = [np.dstack([g, np.where(g[..., :1] > 60, 255, 0).astype(np.uint8)]) for g in gradients()]
    scaled = [i.astype(dtype) * (white // 255) for i in images]
    stored, times = read(write(ProRes4444(tmp_path / "foreground.mov", 25.0), scaled), "rgba64le")
    assert times == pytest.approx(TIMES, abs=1e-4)
    for a, b in zip(stored, images, strict=True):
        alpha = a[..., 3] / 65535
        np.testing.assert_allclose(alpha, b[..., 3] / 255, atol=1e-3)
        assert np.abs(a[..., :3] / 257 - b[..., :3]).mean() < 3


@pytest.mark.parametrize("width", [64, 65, 63, 17, 33])
def test_prores_keeps_each_column_of_an_odd_width(tmp_path, width):
    film = ProRes422(tmp_path / "cleaned.mov", 25.0)
    images = [np.full((32, width, 3), (40, 160, 220), np.uint8) for _ in TIMES]
    stored, _ = read(write(film, images), "rgb24")
    for picture in stored:
        assert np.abs(picture.astype(int) - (40, 160, 220)).max() <= 4
    assert len(film.notes) == width % 2


@pytest.mark.parametrize("kind", [ProRes422, ProRes4444])
@pytest.mark.parametrize("level", [0, 100, 12_345, 32_768, 65_535])
def test_prores_has_16_bit_levels_where_video_has_them(tmp_path, kind, level):
    given = [np.full((32, 32, 3), level, np.uint16) for _ in TIMES]
    path = write(kind(tmp_path / "cleaned.mov", 25.0), given)
    with av.open(str(path)) as file:
        frames = list(file.decode(video=0))
    ten_bits = 1 << frames[0].format.components[0].bits - 10
    planes = [frame.planes[0] for frame in frames]
    luma = [np.frombuffer(bytes(p), np.uint16).reshape(32, p.line_size // 2)[:, :32] for p in planes]
    assert np.abs(np.stack(luma) / ten_bits - (64 + 876 * level / 65_535)).max() <= 1


def test_inputs_without_times_play_at_25_a_second(tmp_path):
    _, times = read(write(Ffv1(tmp_path / "mask.mkv", None), noise((16, 16), np.uint8)), "gray")
    assert times == pytest.approx([0, 0.04, 0.08, 0.12, 0.16])


CONSTANT = ["24000/1001", "30000/1001", "60000/1001", "24", "25", "300", "2000", "100000", "1000000"]


@pytest.mark.parametrize("rate", [Fraction(rate) for rate in CONSTANT])
@pytest.mark.parametrize("kind", [H264, ProRes422])
def test_frames_at_a_constant_rate_are_exactly_one_step_apart(tmp_path, kind, rate):
    path = write(kind(tmp_path / "film", float(rate)), gradients(9), [float(i / rate) for i in range(9)])
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        times = sorted(packet.pts * packet.time_base for packet in file.demux(stream) if packet.size)
        assert stream.average_rate == rate
    assert times == [i / rate for i in range(9)]


def test_hours_between_two_frames_fit_at_any_rate(tmp_path):
    path = write(H264(tmp_path / "film", 1234.567), gradients(3), [0.0, 3600.0, 7200.0])
    assert read(path, "rgb24")[1] == pytest.approx([0, 3600, 7200])


@pytest.mark.parametrize("rate", [1000.0, 1001.0])
def test_a_note_says_where_matroska_shows_frames_at_one_time(tmp_path, rate):
    sink = Ffv1(tmp_path / "mask.mkv", rate)
    write(sink, noise((16, 16), np.uint8), [i / rate for i in range(5)])
    assert sink.notes == [
        "mask.mkv keeps times to the millisecond, and 1001 frames a second are closer: some have the same time; "
        "--format mp4 or prores tells them apart."
    ] * (rate > 1000)


def test_times_that_stand_still_or_go_back_still_give_every_picture(tmp_path):
    images = noise((16, 16), np.uint8)
    stored, times = read(write(Ffv1(tmp_path / "mask.mkv", 25.0), images, [0.0, 0.04, 0.04, 0.02, 0.2]), "gray")
    assert len(stored) == 5
    assert times == sorted(times)


KINDS = [
    (Ffv1, "a.mkv", 3),
    *((partial(H264, coding=Coding(quality)), "a.mp4", 3) for quality in RATES),
    (H264Mask, "a.mp4", 1),
    (Hevc, "a.mp4", 3),
    (HevcMask, "a.mp4", 1),
    (Av1, "a.mp4", 3),
    (Av1Mask, "a.mp4", 1),
    (ProRes422, "a.mov", 3),
    (ProRes4444, "a.mov", 4),
]


@pytest.mark.parametrize(
    ("kind", "name", "planes", "dtype"),
    [*((*row, np.uint8) for row in KINDS), *((kind, "a.mp4", 3, np.uint16) for kind in (Hevc, Av1))],
)
def test_the_same_pictures_give_the_same_bytes(tmp_path, kind, name, planes, dtype):
    """Many times: with its trees of macroblocks x264 writes other bytes in one encode of three."""
    noisy = np.random.default_rng(1).integers(0, 256, (64, 72, 4), dtype=np.uint8)[..., :planes].squeeze()
    noisy = noisy.astype(dtype) * dtype(np.iinfo(dtype).max // 255)
    images = [np.roll(noisy, shift, 0) for shift in range(1, 7)]
    times = [shift / 25 for shift in range(1, 7)]
    first = write(kind(tmp_path / name, 25.0), images, times).read_bytes()
    assert all(write(kind(tmp_path / name, 25.0), images, times).read_bytes() == first for _ in range(15))


@pytest.mark.parametrize("kind", [Ffv1, H264, H264Mask, ProRes4444])
def test_sizes_are_refused_that_the_encoder_refuses(kind, tmp_path):
    n_planes = {H264Mask: (), ProRes4444: (4,)}.get(kind, (3,))
    low, high = kind.sides
    for width, height in ((low, low), (low, 9), (high, 2), (2, high)):
        kind.check_size(width, height)
        write(kind(tmp_path / f"{width}x{height}", 25), [np.zeros((height, width, *n_planes), np.uint8)], [0.0])
    for width, height in ((low - 1, 9), (9, low - 1), (high + 1, 2), (2, high + 1)):
        with pytest.raises(CleanplateError, match="choose another format"):
            kind.check_size(width, height)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [*((kind, np.uint8) for kind in (Hevc, HevcMask, Av1, Av1Mask)), (Hevc, np.uint16), (Av1, np.uint16)],
)
def test_the_smallest_pictures_can_be_coded(kind, dtype, tmp_path):
    low, high = kind.sides
    for width, height in ((low, low), (low, 4 * low)):
        kind.check_size(width, height)
        write(kind(tmp_path / f"{width}x{height}", 25), [np.zeros((height, width), dtype)], [0.0])
    for width, height in ((low - 1, 64), (64, low - 1), (high + 1, 64), (64, high + 1)):
        with pytest.raises(CleanplateError, match="choose another format"):
            kind.check_size(width, height)


NARROW = """
import sys
from pathlib import Path
import numpy as np
from core.io.sinks.coded import Hevc

noise = np.random.default_rng(0)
for width in range(16, 65):
    sink = Hevc(Path(sys.argv[1], f"{width}.mp4"), 25.0)
    sink.open(sink.final.parent)
    for i in range(6):
        sink.write(i + 1, i / 25, noise.integers(0, 256, (28, width, 3)).astype(sys.argv[2]))
    sink.close()
"""
"""x265 wrote past the end of its memory at widths of 33 to 48, which ends a whole process."""


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_narrow_pictures_in_hevc_do_not_end_the_program(tmp_path, dtype):
    command = [sys.executable, "-c", NARROW, tmp_path, dtype]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    assert [len(read(tmp_path / f"{width}.mp4", "rgb24")[0]) for width in range(16, 65)] == [6] * 49


@pytest.mark.parametrize("kind", [Hevc, HevcMask])
def test_one_picture_at_a_time_is_coded_in_hevc_for_the_last_of_two_may_wait_for_ever(kind, tmp_path):
    """No test can wait for it: one of some ten thousand small films met it."""
    assert "frame-threads=1" in kind(tmp_path / "film.mp4", 25.0).settings()["x265-params"].split(":")


@pytest.mark.parametrize("kind", [H264, Hevc, Av1, ProRes422, ProRes4444, Ffv1])
def test_films_of_one_or_two_frames_are_films(kind, tmp_path):
    for n in (1, 2):
        path = write(kind(tmp_path / f"{n}", 25.0), gradients(n, 64, 64), TIMES[:n])
        assert len(read(path, "rgb24")[0]) == n


def test_what_the_encoder_refuses_all_the_same_is_one_sentence(tmp_path):
    sink = H264(tmp_path / "film.mp4", 25)
    sink.open(tmp_path)
    with pytest.raises(CleanplateError, match=r"film\.mp4 cannot be coded"):
        sink.write(1, 0.0, np.zeros((2, 20_000, 3), np.uint8))
    sink.abort()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", range(4))
def test_masks_of_moving_things_in_av1_are_exact(tmp_path, seed):
    rng = np.random.default_rng(seed)
    masks = []
    for k in range(12):
        mask = np.zeros((48, 64), np.uint8)
        for x, y, size in rng.integers((0, 0, 1), (50, 40, 9), (4, 3)):
            mask[y : y + size, (x + 3 * k) % 64 : (x + 3 * k) % 64 + size] = 255
        masks.append(mask)
    stored, _ = read(write(Av1Mask(tmp_path / "mask.mp4", 25.0), masks, np.arange(12) / 25), "gray")
    assert all(np.array_equal(a > 127, b > 127) for a, b in zip(stored, masks, strict=True))
