"""Results of films in BT.2020, and of high dynamic range, show what those show: by their tags and by the formulae."""

import struct
import zlib
from dataclasses import replace
from fractions import Fraction

import av
import cv2
import numpy as np
import pytest
import tifffile
from PIL import Image

from core.export.job import run_job
from core.export.job_spec import Job
from core.export.pictures import full_depth
from core.export.pieces.join import join_pieces
from core.io.sinks.video import Film
from core.io.sources import InputSpec
from core.session.settings import Settings
from tests.films import write_film, write_planes
from tests.small_inputs import opened

WEIGHTS = {9: (0.2627, 0.0593), 1: (0.2126, 0.0722)}
"""Weights of red and blue in luma, by the tag of the matrix (BT.2020 and BT.709)."""

DRAWN = np.array([[0.8, 0.15, 0.1], [0.1, 0.3, 0.75]])
"""RGB of the left and of the right half of the films here, of 1."""

TAGS = [(9, 18), (9, 16), (9, 14), (12, 1)]
"""Primaries and transfer curves: BT.2020 with HLG, PQ and the curve of BT.709, and Display P3."""


def matrix_of(primaries):
    return 9 if primaries == 9 else 1


def ycc(rgb, matrix):
    """Luma and chroma of RGB (…, 3) at video levels, of 8 bits, as BT.709 and BT.2020 define them."""
    red, blue = WEIGHTS[matrix]
    luma = rgb @ np.array([red, 1 - red - blue, blue])
    cb, cr = (rgb[..., 2] - luma) / (2 * (1 - blue)), (rgb[..., 0] - luma) / (2 * (1 - red))
    return 16 + 219 * luma, 128 + 224 * cb, 128 + 224 * cr


def lines_of(plane, bits):
    """The samples of a plane of a frame (h, w)."""
    lines = np.frombuffer(bytes(plane), np.uint16 if bits > 8 else np.uint8)
    return lines.reshape(plane.height, -1)[:, : plane.width]


def rgb_of(frame, matrix):
    """RGB of 1 in the middle of each half of a frame, by these formulae; whatever it is tagged as."""
    rgb = np.empty((2, 3))
    for half, (x, y) in enumerate(((frame.width // 4, frame.height // 2), (3 * frame.width // 4, frame.height // 2))):
        samples = []
        for plane, component in zip(frame.planes, frame.format.components, strict=False):
            lines = lines_of(plane, component.bits)
            samples.append(
                lines[y * plane.height // frame.height, x * plane.width // frame.width] / (1 << component.bits - 8)
            )
        if frame.format.is_rgb:
            rgb[half] = np.array(samples)[[2, 0, 1]] / (65535 / 256)
            continue
        red, blue = WEIGHTS[matrix]
        luma, pb, pr = (samples[0] - 16) / 219, (samples[1] - 128) / 224, (samples[2] - 128) / 224
        r, b = luma + 2 * (1 - red) * pr, luma + 2 * (1 - blue) * pb
        rgb[half] = r, (luma - red * r - blue * b) / (1 - red - blue), b
    return rgb


HDR10 = ":master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50):max-cll=1000,400"
"""What a film says of its display and its light, as x265 takes it."""


def tagged_film(path, primaries, transfer, *, bits=10, n=6, more=""):
    """Write `DRAWN` as HEVC that is nearly lossless, tagged so; of 8 bits as H.264. ``more`` are parameters of x265."""
    form, codec = ("yuv420p10le", "libx265") if bits == 10 else ("yuv420p", "libx264")
    options = {"x265-params": f"log-level=none:qp=1:info=0{more}"} if bits == 10 else {"qp": "1"}
    halves = np.repeat(DRAWN[None], 48, 0).repeat(32, 1)
    planes = [plane * 2 ** (bits - 8) for plane in ycc(halves, matrix_of(primaries))]
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, form
        context = stream.codec_context
        context.colorspace, context.color_primaries, context.color_trc = matrix_of(primaries), primaries, transfer
        context.color_range = 1
        for k in range(n):
            frame = av.VideoFrame(64, 48, form)
            for step, plane, samples in zip((1, 2, 2), frame.planes, planes, strict=True):
                dtype = np.uint16 if bits == 10 else np.uint8
                lines = np.zeros((plane.height, plane.line_size // dtype().itemsize), dtype)
                lines[:, : plane.width] = np.rint(samples[::step, ::step])
                plane.update(lines.tobytes())
            frame.pts, frame.time_base = k, Fraction(1, 25)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def job(source, output, *save, **more):
    return Job(InputSpec(str(source)), output, save, Settings(), **more)


def frames_of(path):
    with av.open(str(path)) as file:
        return list(file.decode(video=0))


@pytest.mark.parametrize("form", ["mp4", "hevc", "av1", "mkv", "prores", "prores4444"])
@pytest.mark.parametrize(("primaries", "transfer"), TAGS)
def test_films_are_tagged_as_the_input_and_have_its_colours_by_the_formulae(tmp_path, form, primaries, transfer):
    source, matrix = tagged_film(tmp_path / "in.mp4", primaries, transfer), matrix_of(primaries)
    for path in run_job(job(source, tmp_path / "out", "cleaned", "background", format=form)).files:
        found = frames_of(path)[-1]
        assert (found.color_primaries, found.color_trc) == (primaries, transfer)
        assert found.color_range == (2 if form == "mkv" else 1)
        assert found.format.is_rgb if form == "mkv" else found.colorspace == matrix
        assert np.abs(rgb_of(found, matrix) - DRAWN).max() < 0.015
        if form != "mkv":
            assert np.abs(rgb_of(found, 10 - matrix) - DRAWN).max() > 0.02, "the other matrix would show"
        again = opened(path)
        standard, picture = again.info.standard, next(again.frames()).image()
        assert (standard.primaries, standard.transfer) == (primaries, transfer)
        assert (standard.matrix == "bt2020") == (primaries == 9)
        np.testing.assert_allclose(picture[24, [16, 48]] / again.info.layout.white, DRAWN, atol=0.015)


@pytest.mark.parametrize(("primaries", "transfer"), [(1, 1), (6, 6), (5, 6), (1, 14)])
def test_lossless_films_in_colour_say_the_usual_standards_too(tmp_path, primaries, transfer):
    """Of RGB nobody can tell by its height whether it was BT.601 or BT.709: masks are numbers, and say nothing."""
    source = tagged_film(tmp_path / "in.mp4", primaries, transfer)
    save = ("cleaned", "background", "foreground", "boxes", "mask", "matte")
    paths = run_job(job(source, tmp_path / "out", *save, format="mkv")).files
    assert {path.stem for path in paths} == set(save)
    for path in paths:
        found = frames_of(path)[-1]
        said = (2, 2) if path.stem in {"mask", "matte"} else (primaries, transfer)
        assert (found.color_primaries, found.color_trc) == said, path.name


@pytest.mark.parametrize(
    ("form", "pixels", "is_told"),
    [("mp4", "yuvj420p", True), ("mp4", "yuv420p", False), ("mkv", "yuvj420p", False), ("prores", "yuvj420p", False)],
)
def test_a_film_at_full_range_that_is_written_at_video_levels_is_told(tmp_path, form, pixels, is_told):
    source = write_film(tmp_path / "in.mkv", 3, pix_fmt=pixels)
    summary = run_job(job(source, tmp_path / "out", "cleaned", "background", "mask", format=form))
    told = [note for note in summary.warnings if "full range" in note]
    assert len(told) == is_told, "once for all films"
    assert all("--format mkv or png keeps" in note for note in told)
    for path in summary.files:
        assert frames_of(path)[-1].color_range == (2 if form == "mkv" else 1)


def test_films_of_images_in_colour_say_no_standard(tmp_path):
    (tmp_path / "in").mkdir()
    for k in range(3):
        cv2.imwrite(str(tmp_path / f"in/{k}.png"), np.full((48, 64, 3), (40, 90 + k, 200), np.uint8))
    [path] = run_job(job(tmp_path / "in", tmp_path / "out", "cleaned", format="mkv")).files
    assert (frames_of(path)[-1].color_primaries, frames_of(path)[-1].color_trc) == (2, 2)


def test_planes_of_8_bits_go_into_coded_films_as_they_are(tmp_path):
    source = tagged_film(tmp_path / "in.mp4", 9, 18, bits=8)
    summary = run_job(job(source, tmp_path / "out", "cleaned", format="mp4"))
    assert not [note for note in summary.warnings if "8 bits" in note]
    for before, after in zip(frames_of(source), frames_of(summary.files[0]), strict=True):
        np.testing.assert_allclose(after.to_ndarray().astype(int), before.to_ndarray().astype(int), atol=3)


@pytest.mark.parametrize("form", ["hevc", "av1"])
@pytest.mark.parametrize(("primaries", "transfer"), [(9, 18), (9, 16), (1, 1)])
def test_hevc_and_av1_have_the_10_bits_of_the_input_and_masks_have_8(tmp_path, form, primaries, transfer):
    source = tagged_film(tmp_path / "in.mp4", primaries, transfer)
    summary = run_job(
        job(source, tmp_path / "out", "cleaned", "background", "boxes", "foreground", "mask", "matte", format=form)
    )
    found = {path.stem: frames_of(path)[-1].format for path in summary.files}
    depths = {product: frame.components[0].bits for product, frame in found.items()}
    assert {depths[product] for product in ("cleaned", "background", "boxes")} == {10}
    assert (depths["mask"], depths["matte"]) == (8, 8)
    assert depths["foreground"] >= 10
    assert not [note for note in summary.warnings if "bits" in note]
    assert opened(tmp_path / "out/cleaned.mp4").info.layout.bit_depth == 10


@pytest.mark.parametrize("form", ["hevc", "av1"])
def test_planes_of_10_bits_that_nothing_replaced_reach_the_encoder_as_they_are(tmp_path, form, monkeypatch):
    rng = np.random.default_rng(1)
    planes = [rng.integers(64, 940, shape).astype(np.uint16) for shape in ((48, 64), (24, 32), (24, 32))]
    source = write_planes(tmp_path / "in.mkv", "yuv420p10le", (64, 48), [planes] * 6, colour=(6, 1))
    given, encode = [], Film._encode

    def seen(film, number, time_s, frame):
        given.append([np.array(lines_of(plane, 10)) for plane in frame.planes])
        encode(film, number, time_s, frame)

    monkeypatch.setattr(Film, "_encode", seen)
    run_job(job(source, tmp_path / "out", "cleaned", format=form))
    assert len(given) == 6
    for stored in given:
        for found, wanted in zip(stored, planes, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_lossless_films_and_png_have_the_very_samples_of_the_input(tmp_path):
    rng = np.random.default_rng(1)
    planes = [rng.integers(64, 940, shape).astype(np.uint16) for shape in ((48, 64), (24, 32), (24, 32))]
    source = write_planes(tmp_path / "in.mkv", "yuv420p10le", (64, 48), [planes] * 6, colour=(9, 1))
    wanted = [full_depth(frame.image(), 10) for frame in opened(source).frames()]
    [film] = run_job(job(source, tmp_path / "film", "cleaned", format="mkv")).files
    stored = [frame.image() for frame in opened(film).frames()]
    run_job(job(source, tmp_path / "png", "cleaned"))
    pictures = [frame.image() for frame in opened(tmp_path / "png/cleaned").frames()]
    np.testing.assert_array_equal(stored, wanted)
    np.testing.assert_array_equal(pictures, wanted)


def test_masks_stand_for_no_light_and_are_not_tagged_as_if(tmp_path):
    source = tagged_film(tmp_path / "in.mp4", 9, 16)
    for form in ("mp4", "mkv", "prores"):
        for path in run_job(job(source, tmp_path / form, "mask", "matte", format=form)).files:
            assert frames_of(path)[0].color_trc not in {16, 18}
    for path in run_job(job(source, tmp_path / "png", "mask", "confidence")).files:
        assert all(b"cICP" not in file.read_bytes() for file in ([path] if path.is_file() else path.iterdir()))


@pytest.mark.parametrize(("primaries", "transfer"), TAGS)
def test_png_says_what_its_samples_stand_for_and_every_reader_opens_it(tmp_path, primaries, transfer):
    source = tagged_film(tmp_path / "in.mp4", primaries, transfer)
    run_job(job(source, tmp_path / "out", "cleaned", "foreground", "plate"))
    for path in (
        tmp_path / "out/plate.png",
        tmp_path / "out/cleaned/000001.png",
        tmp_path / "out/foreground/000001.png",
    ):
        chunks = chunks_of(path.read_bytes())
        assert [key for key, _ in chunks[:3]] == [b"IHDR", b"cICP", b"IDAT"]
        assert chunks[1][1] == bytes([primaries, transfer, 0, 1])
        with Image.open(path) as picture:
            picture.load()
            assert picture.size == (64, 48)
    shown = cv2.imread(str(tmp_path / "out/cleaned/000001.png"), cv2.IMREAD_UNCHANGED)[..., ::-1] / 65535
    np.testing.assert_allclose(shown[24, [16, 48]], DRAWN, atol=0.015)
    ours = next(opened(tmp_path / "out/cleaned").frames()).image() / 65535
    np.testing.assert_array_equal(ours, shown)


def chunks_of(data):
    """Name and contents of each chunk of a PNG file, whose checksums are checked."""
    found, at = [], 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        body = data[at + 4 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(body),)
        found.append((body[:4], body[4:]))
        at += 12 + size
    return found


def test_png_of_the_usual_colours_says_nothing(tmp_path):
    source = tagged_film(tmp_path / "in.mp4", 1, 1)
    [path] = run_job(job(source, tmp_path / "out", "plate")).files
    assert b"cICP" not in path.read_bytes()


def test_what_a_format_cannot_say_or_hold_is_told_of_once(tmp_path):
    source = tagged_film(tmp_path / "in.mp4", 9, 18)
    told = run_job(job(source, tmp_path / "tiff", "cleaned", "background", "mask", format="tiff")).warnings
    assert len([note for note in told if "TIFF cannot say what its colours stand for (BT.2020, HLG)" in note]) == 1
    wanted = full_depth(next(opened(source).frames()).image(), 10)
    np.testing.assert_array_equal(tifffile.imread(tmp_path / "tiff/cleaned/000001.tif"), wanted)
    for save, is_told in (("plate", True), ("confidence", False)):
        told = run_job(job(source, tmp_path / save, save, format="tiff")).warnings
        assert any("TIFF cannot say" in note for note in told) == is_told
    told = run_job(job(source, tmp_path / "mp4", "cleaned", format="mp4")).warnings
    [note] = [note for note in told if "cleaned.mp4 has 8 bits" in note]
    assert "few for high dynamic range" in note
    assert "--format hevc, av1 or prores has 10, mkv and png keep all" in note
    assert len([note for note in told if "in.mp4 is of high dynamic range (BT.2020, HLG)" in note]) == 1


def said_of_light(path):
    """What the first frame of a film says of its display (11 numbers and two that say they are told) and its light."""
    beside = frames_of(path)[0].side_data
    keys = {"MASTERING_DISPLAY_METADATA": "=22i", "CONTENT_LIGHT_LEVEL": "=2I"}
    numbers = [struct.unpack(form, bytes(beside[key])) for key, form in keys.items() if key in beside]
    return [np.divide(found[:20:2], found[1:20:2]).tolist() if len(found) == 22 else list(found) for found in numbers]


@pytest.mark.parametrize("form", ["hevc", "av1"])
def test_what_a_film_says_of_its_display_and_its_light_is_said_by_results_too(tmp_path, form):
    source = tagged_film(tmp_path / "in.mp4", 9, 16, more=HDR10)
    whole = job(source, tmp_path / "out", "cleaned", "mask", "matte", format=form)
    files = {path.stem: path for path in run_job(whole).files}
    display, light = said_of_light(files["cleaned"])
    np.testing.assert_allclose(display, said_of_light(source)[0], atol=2e-5)
    assert display[:2] == pytest.approx([0.708, 0.292], abs=2e-5)
    assert light == [1000, 400]
    assert said_of_light(files["mask"]) == said_of_light(files["matte"]) == []
    for number, written in enumerate(((1, 3), (4, None)), 1):
        part = replace(whole, output=tmp_path / f"parts/{number:04d}", save=("cleaned", "times"), written=written)
        run_job(part)
    joined = replace(whole, output=tmp_path / "joined", save=("cleaned",))
    assert said_of_light(join_pieces(joined, tmp_path / "parts").files[0]) == [display, light]


@pytest.mark.parametrize("form", ["hevc", "av1"])
def test_films_whose_input_says_nothing_of_its_light_say_nothing(tmp_path, form):
    source = tagged_film(tmp_path / "in.mp4", 9, 16)
    assert said_of_light(run_job(job(source, tmp_path / "out", "cleaned", format=form)).files[0]) == []
    usual = tagged_film(tmp_path / "usual.mp4", 1, 1, more=HDR10)
    assert said_of_light(run_job(job(usual, tmp_path / "usual", "cleaned", format=form)).files[0]) == []


@pytest.mark.parametrize("form", ["mp4", "hevc", "av1", "mkv", "prores", "png"])
def test_results_of_pieces_are_tagged_too(tmp_path, form):
    whole = job(tagged_film(tmp_path / "in.mp4", 9, 18), tmp_path / "joined", "cleaned", "plate", format=form)
    for number, written in enumerate(((1, 3), (4, None)), 1):
        save = ("cleaned", "plate", "times", "confidence")
        run_job(replace(whole, output=tmp_path / f"parts/{number:04d}", save=save, written=written))
    files = {path.stem: path for path in join_pieces(whole, tmp_path / "parts").files}
    plate, cleaned = files["plate"], files["cleaned"]
    assert chunks_of(plate.read_bytes())[1] == (b"cICP", bytes([9, 18, 0, 1]))
    if form == "png":
        assert all(b"cICP" in file.read_bytes() for file in cleaned.iterdir())
    else:
        frame = frames_of(cleaned)[-1]
        assert (frame.color_primaries, frame.color_trc) == (9, 18)
        assert frame.format.components[0].bits == {"mp4": 8, "mkv": 16}.get(form, 10)
        assert np.abs(rgb_of(frame, 9) - DRAWN).max() < 0.015
