"""Whole runs: the right files, complete or not at all, the same every time."""

import csv
import os
import re
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CancelledError, CleanplateError
from core.events.rules import Rules
from core.export.job import run_job
from core.export.job_spec import Job, usual_passes
from core.export.plan import estimate
from core.export.plate_notes import NO_SCENE
from core.export.products import PRODUCTS, QUALITIES, STACK, place, places
from core.export.progress import FEWEST
from core.io.input_spec import ALL_FRAMES
from core.io.sinks.coded import Av1
from core.io.sinks.sound import BEFORE_S
from core.io.sources import InputSpec, open_source
from core.session.model import Model
from core.session.scene_plate import ScenePlate
from core.session.session import Session
from core.session.settings import Settings
from tests.films import sounding, write_film, write_planes
from tests.small_inputs import save_png, scene

SETTINGS = Settings(values={"smallest": 0})


def job(source, output, *save, view=None, **more):
    spec = InputSpec(**{"path": str(source), **(view or {})})
    return Job(spec, Path(output), **{"save": save or ("mask",), "settings": SETTINGS, **more})


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def read(path):
    picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    return picture if picture.ndim == 2 else picture[..., [2, 1, 0, 3][: picture.shape[2]]]


def reports(source):
    opened = open_source(InputSpec(str(source)))
    try:
        return list(Session(opened, SETTINGS).run())
    finally:
        opened.close()


@pytest.fixture(scope="module")
def everything(photos, tmp_path_factory):
    """A folder with every product of the photographs, and the summary of the run."""
    folder = tmp_path_factory.mktemp("results") / "out"
    return folder, run_job(job(photos, folder, *PRODUCTS))


def test_every_product_is_where_the_contract_says(everything):
    folder, summary = everything
    names = [f"{n:06d}.png" for n in range(1, 17)]
    assert {p.name for p in folder.iterdir()} >= {
        f"{t}.{s}" for t in ("coefficients", "curves") for s in ("npz", "csv")
    }
    for product in ("background", "foreground", "mask", "matte", "cleaned"):
        assert sorted(p.name for p in (folder / product).iterdir()) == names
    assert sorted(p.name for p in (folder / "basis").iterdir()) == ["01.png", "02.png", "03.png"]
    assert sorted(p.name for p in folder.iterdir()) == sorted(p.name for p in summary.files)
    assert (folder / "plate.png").is_file()
    assert (folder / "model.npz").is_file()


def test_the_summary_tells_what_was_done(everything):
    _, summary = everything
    assert (summary.method, summary.frames, summary.width, summary.height) == ("fast", 16, 64, 48)
    assert set(summary.stages_ms) == {"decode", "step", "mask", "write"}
    assert summary.stages_ms["write"] > 0
    assert summary.peak_mib > 20
    assert summary.seconds > 0
    assert summary.warnings == []


def test_long_work_between_the_passes_and_at_the_end_is_told_of(photos, tmp_path):
    told = []
    wanted = job(photos, tmp_path, "plate")
    run_job(replace(wanted, settings=replace(wanted.settings, passes=2)), told.append)
    work = [(step.pass_number, step.frame, step.work) for step in told if step.work]
    assert work == [(pass_number, 16, "Working out the plate from 16 frames…") for pass_number in (1, 2)]


@pytest.mark.parametrize(("saved", "end"), [("mask", 4), ("plate", 16)])
def test_a_run_tells_where_it_ends_and_which_frames_it_writes(photos, tmp_path, saved, end):
    once = Settings(passes=1)
    steps = []
    run_job(job(photos, tmp_path / "out", "mask", saved, settings=once, written=(3, 4)), steps.append)
    steps = [step for step in steps if not step.work]
    assert (steps[-1].frame, steps[-1].goal) == (end, end)
    after = ["written until 4"] * (end - 4)
    assert [step.unwritten for step in steps] == ["written from 3 on"] * 2 + [""] * 2 + after


def test_masks_are_black_and_white_at_the_original_size(everything):
    folder, _ = everything
    for path in (folder / "mask").iterdir():
        mask = read(path)
        assert mask.dtype == np.uint8
        assert mask.shape == (48, 64)
        assert set(np.unique(mask)) <= {0, 255}
    assert read(folder / "mask" / "000016.png")[20:26, 50:56].mean() == 255


def test_written_pictures_are_those_of_the_reports(everything, photos):
    folder, _ = everything
    for index, report in enumerate(reports(photos)):
        name = f"{index + 1:06d}.png"
        np.testing.assert_array_equal(read(folder / "mask" / name), report.full_mask)
        np.testing.assert_array_equal(read(folder / "matte" / name), report.matte)
        np.testing.assert_array_equal(read(folder / "cleaned" / name), report.cleaned_image)
        np.testing.assert_array_equal(read(folder / "background" / name), report.background_image)
        np.testing.assert_array_equal(read(folder / "foreground" / name), report.foreground_rgba)


def test_the_plate_is_that_of_the_session_and_holds_no_square(everything, photos):
    folder, _ = everything
    plate = read(folder / "plate.png")
    opened = open_source(InputSpec(str(photos)))
    session = Session(opened, SETTINGS)
    list(session.run())
    np.testing.assert_array_equal(plate, session.plate())
    red, green = plate[16:30, :60, 0].astype(int), plate[16:30, :60, 1]
    assert (red - green).max() < 100


def test_the_confidence_is_that_of_the_session_and_darkest_where_the_square_was(everything, photos):
    folder, _ = everything
    picture = read(folder / "confidence.png")
    opened = open_source(InputSpec(str(photos)))
    session = Session(opened, SETTINGS)
    list(session.run())
    confidence = session.confidence()
    assert picture.dtype == np.uint8
    assert picture.shape == (48, 64)
    np.testing.assert_array_equal(picture == 0, confidence == 0)
    np.testing.assert_array_equal(picture == 255, confidence == 1)
    assert np.abs(picture / 255 - confidence).max() < 0.5 / 255 + 1e-6
    assert picture[18:28, 10:40].mean() < picture[36:].mean()


def test_each_basis_image_reaches_white(everything):
    folder, _ = everything
    assert all(read(path).max() == 255 for path in (folder / "basis").iterdir())


@pytest.mark.parametrize("form", ["png", "tiff", "mkv", "mp4"])
def test_the_same_run_twice_is_identical_byte_for_byte(photos, tmp_path, form):
    for name in "ab":
        run_job(job(photos, tmp_path / name, *PRODUCTS, format=form))
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_tiff_gives_the_same_pixels_as_png(everything, photos, tmp_path):
    folder, _ = everything
    run_job(job(photos, tmp_path / "out", "cleaned", "foreground", format="tiff"))
    for product in ("cleaned", "foreground"):
        for path in (tmp_path / "out" / product).iterdir():
            np.testing.assert_array_equal(tifffile.imread(path), read(folder / product / f"{path.stem}.png"))


def test_a_film_keeps_the_times_of_its_frames_and_every_pixel(film, tmp_path):
    path, times = film
    run_job(job(path, tmp_path / "png", "cleaned"))
    run_job(job(path, tmp_path / "mkv", "cleaned", format="mkv"))
    with av.open(str(tmp_path / "mkv" / "cleaned.mkv")) as file:
        frames = list(file.decode(video=0))
        assert [float(f.time) for f in frames] == pytest.approx(times, abs=6e-4)
        for number, frame in enumerate(frames, 1):
            expected = read(tmp_path / "png" / "cleaned" / f"{number:06d}.png")
            np.testing.assert_array_equal(frame.to_ndarray(format="rgb24"), expected)


def test_a_range_of_a_film_starts_at_time_zero_and_number_one(film, tmp_path):
    path, times = film
    summary = run_job(job(path, tmp_path, "mask", view={"frames": (5, 12)}, format="mkv"))
    assert summary.frames == 8
    with av.open(str(tmp_path / "mask.mkv")) as file:
        stored = [float(f.time) for f in file.decode(video=0)]
    assert stored == pytest.approx([t - times[4] for t in times[4:12]], abs=2e-3)


def test_images_are_numbered_in_the_order_of_what_is_read(film, tmp_path):
    run_job(job(film[0], tmp_path / "film", "mask", view={"frames": (5, 12)}))
    assert sorted(tree(tmp_path / "film" / "mask")) == [f"{n:06d}.png" for n in range(1, 9)]
    run_job(job(film[0], tmp_path / "written", "mask", view={"frames": (5, 12)}, written=(3, 4)))
    assert sorted(tree(tmp_path / "written" / "mask")) == ["000003.png", "000004.png"]


def test_the_foreground_of_mp4_is_a_film_with_alpha(film, tmp_path):
    run_job(job(film[0], tmp_path, "foreground", "mask", format="mp4"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["foreground.mov", "mask.mp4"]
    with av.open(str(tmp_path / "foreground.mov")) as file:
        frames = [f.to_ndarray(format="rgba64le") for f in file.decode(video=0)]
    assert len(frames) == 16
    assert set(np.unique(frames[-1][..., 3] > 32767)) == {False, True}


@pytest.mark.parametrize(("form", "bits"), [("mp4", 8), ("hevc", 10), ("av1", 10)])
def test_films_say_which_bits_they_leave_out(deep_photos, photos, tmp_path, form, bits):
    deep = run_job(job(deep_photos, tmp_path / "deep", "cleaned", "mask", format=form))
    [told] = [note for note in deep.warnings if "bits of a sample" in note]
    assert told.startswith(f"cleaned.mp4 has {bits} bits")
    assert re.search(rf" Its samples from \d+ to \d+ become \d+ grey levels of {2**bits}\.$", told)
    shallow = run_job(job(photos, tmp_path / "shallow", "cleaned", "mask", format=form))
    assert not [note for note in shallow.warnings if "bits" in note]


def test_sixteen_bits_stay_sixteen_bits(deep_photos, tmp_path):
    run_job(job(deep_photos, tmp_path, "plate", "cleaned", "background", "basis", "foreground", "mask"))
    for path in tmp_path.rglob("*.png"):
        assert read(path).dtype == (np.uint8 if path.parent.name == "mask" else np.uint16)
    original = read(deep_photos / "shot3.png")
    cleaned = read(tmp_path / "cleaned" / "000004.png")
    inside = read(tmp_path / "mask" / "000004.png") > 0
    report = reports(deep_photos)[3]
    replaced = report.cleaning.alpha(report.hidden, *inside.shape) > 0
    np.testing.assert_array_equal(cleaned[~replaced], original[~replaced])
    assert inside.any()
    assert replaced[inside].all()
    assert not replaced[:, 32:].any(), "nothing passes in the right half"


def test_results_have_the_original_size_when_the_work_is_smaller(photos, tmp_path):
    summary = run_job(job(photos, tmp_path, "plate", "confidence", "mask", "cleaned", "basis", view={"size": (32, 24)}))
    assert (summary.width, summary.height) == (64, 48)
    for path in tmp_path.rglob("*.png"):
        assert read(path).shape[:2] == (48, 64)


@pytest.mark.parametrize("form", ["mkv", "mp4", "hevc", "av1", "prores", "prores4444"])
def test_films_have_the_size_of_the_pictures_and_odd_ones_are_told_where_players_differ(tmp_path, form):
    folder = tmp_path / "odd"
    folder.mkdir()
    for i in range(6):
        save_png(folder / f"{i}.png", scene(i, 67, 65))
    summary = run_job(job(folder, tmp_path / "out", "mask", "background", "foreground", format=form))
    assert len(summary.warnings) == (2 if form in {"mp4", "hevc", "prores"} else 0)
    assert all("65×67" in warning for warning in summary.warnings)
    for path in summary.files:
        with av.open(str(path)) as file:
            sizes = {(frame.width, frame.height) for frame in file.decode(video=0)}
        assert sizes == {(65, 67)}


@pytest.mark.parametrize("form", ["mkv", "mp4", "png"])
def test_an_export_ends_soon_after_its_folder_is_gone(photos, tmp_path, form):
    """What writes one open file meets no error of its own."""
    folder, shown = tmp_path / "out", []

    def tell(progress):
        shown.append(progress.frame)
        if progress.frame == 3:
            folder.rename(tmp_path / "away")

    with pytest.raises(CleanplateError, match=r"could not be written \(No such file or directory\); choose another"):
        run_job(job(photos, folder, "mask", format=form), tell)
    assert shown[-1] == 3
    assert not folder.exists()


def test_an_encoder_that_is_not_there_is_one_sentence(photos, tmp_path, monkeypatch):
    monkeypatch.setattr(Av1, "codec", "libnothing")
    with pytest.raises(CleanplateError, match=r"no encoder libnothing, which AV1 film needs"):
        run_job(job(photos, tmp_path / "out", "cleaned", format="av1"))
    assert not (tmp_path / "out").exists()


def sound_of(path, until_s=np.inf):
    with av.open(str(path)) as file:
        if not file.streams.audio:
            return None
    return [(round(time_s, 2), data) for time_s, data in packets_of_sound(path) if time_s < until_s]


def packets_of_sound(path):
    with av.open(str(path)) as file:
        return [(float(p.pts * p.time_base), bytes(p)) for p in file.demux(audio=0) if p.size]


@pytest.mark.parametrize("form", ["mkv", "mp4", "hevc", "av1", "prores"])
def test_films_of_a_whole_film_have_its_sound_packet_by_packet(film, tmp_path, form):
    source = sounding(tmp_path / "in.mkv", film[0], "aac")
    summary = run_job(
        job(source, tmp_path / "out", "background", "cleaned", "foreground", "boxes", "mask", format=form)
    )
    assert summary.warnings == []
    ends = max(film[1])
    heard = sound_of(source, ends)
    assert len(heard) > 5
    for path in summary.files:
        sound = sound_of(path, ends)
        assert sound == (None if path.stem == "mask" else heard)


@pytest.fixture
def four_seconds(tmp_path):
    """A film of 100 frames with sound; some of them need frames on both sides."""
    return sounding(tmp_path / "in.mp4", write_film(tmp_path / "film.mp4", 100), "aac")


def assert_sounds_like_the_part(film, source, start_s, begins_s, ends_s):
    """Check that a film has the packets that are heard in a part of its source, at their places beside the pictures."""
    there = [(time_s - start_s - begins_s, data) for time_s, data in packets_of_sound(source)]
    beside = [(time_s, data) for time_s, data in there if -BEFORE_S <= time_s < ends_s - begins_s]
    found = packets_of_sound(film)
    assert len(beside) > 20
    assert [data for _, data in found] == [data for _, data in beside]
    np.testing.assert_allclose([time_s for time_s, _ in found], [time_s for time_s, _ in beside], atol=2e-3)


@pytest.mark.parametrize("form", ["mkv", "mp4", "prores"])
@pytest.mark.parametrize(
    "part",
    [
        {"view": {"frames": (31, 55)}},
        {"written": (31, 55)},
        {"view": {"frames": (21, None)}, "written": (11, 35)},
    ],
)
def test_films_of_a_part_of_a_film_have_what_is_heard_beside_it(four_seconds, tmp_path, form, part):
    summary = run_job(job(four_seconds, tmp_path / "out", "background", "mask", format=form, **part))
    assert summary.frames == 25
    film, mask = summary.files
    assert_sounds_like_the_part(film, four_seconds, 0.0, 30 / 25, 55 / 25)
    assert sound_of(mask) is None


def test_films_from_some_frame_to_the_end_have_the_sound_to_its_end(four_seconds, tmp_path):
    [path] = run_job(job(four_seconds, tmp_path / "out", "background", written=(51, None), format="mkv")).files
    assert_sounds_like_the_part(path, four_seconds, 0.0, 2.0, 4.0)


def test_frames_from_all_over_a_film_keep_their_times_and_so_its_sound_is_beside_them(four_seconds, tmp_path):
    [path] = run_job(job(four_seconds, tmp_path / "out", "background", spread=30, format="mkv")).files
    with av.open(str(path)) as film:
        times = [frame.time for frame in film.decode(video=0)]
    assert len(times) == 30
    assert (times[0], times[-1]) == (0, pytest.approx(99 / 25, abs=2e-3))
    assert_sounds_like_the_part(path, four_seconds, 0.0, 0.0, 4.0)


def test_pieces_of_a_long_run_have_no_sound_until_they_are_joined(four_seconds, tmp_path):
    [path] = run_job(job(four_seconds, tmp_path / "out", "background", written=(31, 55), run_in=5, format="mkv")).files
    assert sound_of(path) is None


@pytest.fixture
def begun_late(tmp_path):
    """A recording that begins between two key frames: its first pictures cannot be decoded."""
    path = sounding(tmp_path / "in.ts", write_film(tmp_path / "film.mp4", 60), "mp2", "mpegts")
    data = path.read_bytes()
    path.write_bytes(data[188 * (len(data) // 188 // 5) :])
    return path


def test_sound_is_beside_the_pictures_where_the_first_ones_cannot_be_decoded(begun_late, tmp_path):
    run_job(job(begun_late, tmp_path / "out", "background", format="mkv"))
    with av.open(str(begun_late)) as file:
        stream = file.streams.video[0]
        first = next(file.decode(video=0))
        start_s = float(first.pts * first.time_base)
        assert start_s > float(stream.start_time * stream.time_base) + 0.1
    heard, there = sound_of(tmp_path / "out/background.mkv"), sound_of(begun_late)
    after = [(time_s - start_s, data) for time_s, data in there if time_s - start_s > -BEFORE_S]
    assert len(heard) > 20
    for (time_s, data), (wanted_s, same) in zip(heard, after, strict=False):
        assert (time_s, data) == (pytest.approx(wanted_s, abs=0.02), same)


def test_sound_of_a_part_is_beside_it_where_the_first_pictures_cannot_be_decoded(begun_late, tmp_path):
    start_s = opened_info(begun_late).start_s
    [path] = run_job(job(begun_late, tmp_path / "out", "background", written=(11, 35), format="mkv")).files
    assert_sounds_like_the_part(path, begun_late, start_s, 0.4, 1.4)


@pytest.mark.parametrize(
    ("name", "codec", "container"),
    [("in.wmv", "wmav2", "asf"), ("in.mkv", "libopus", None), ("in.mkv", "flac", None)],
)
def test_sound_that_does_not_fit_into_a_film_is_told(film, tmp_path, name, codec, container):
    source = sounding(tmp_path / name, film[0], codec, container)
    summary = run_job(job(source, tmp_path / "out", "background", "mask", format="prores"))
    path = tmp_path / "out" / "background.mov"
    assert sound_of(path) is None
    [told] = summary.warnings
    assert f"{path.name} has no sound: coded as {codec.removeprefix('lib')} it" in told


def test_what_is_heard_before_the_first_picture_does_not_move_it(film, tmp_path):
    source = sounding(tmp_path / "in.mp4", film[0], "aac")
    run_job(job(source, tmp_path / "out", "background", "mask", format="mkv"))
    times = []
    for name in ("background", "mask"):
        with av.open(str(tmp_path / "out" / f"{name}.mkv")) as file:
            times.append([frame.pts for frame in file.decode(video=0)])
    assert times[0] == times[1]
    assert times[0][0] == 0
    assert sound_of(tmp_path / "out/background.mkv")[0][0] < 0


@pytest.mark.parametrize("form", ["mp4", "prores"])
def test_films_of_pixels_that_are_not_square_say_so(tmp_path, form):
    with av.open(str(tmp_path / "in.mp4"), "w") as out:
        stream = out.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(16, 11)
        for k in range(4):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 60 * k, np.uint8), "rgb24")
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    assert opened_info(tmp_path / "in.mp4").pixel_aspect == Fraction(16, 11)
    [path] = run_job(job(tmp_path / "in.mp4", tmp_path / "out", "cleaned", format=form)).files
    assert opened_info(path).pixel_aspect == Fraction(16, 11)
    told = run_job(job(tmp_path / "in.mp4", tmp_path / "lossless", "cleaned", format="mkv")).warnings
    assert any("cleaned.mkv does not say that its pixels are not square (16:11)" in note for note in told)


@pytest.mark.parametrize("form", ["mp4", "hevc", "av1", "prores", "prores4444"])
@pytest.mark.parametrize("tags", [(1, 1, 1), (6, 6, 6), (5, 5, 6), (6, 1, 1)])
def test_films_of_a_tagged_film_have_its_colours_in_viewers_that_heed_tags(tmp_path, form, tags):
    source = tmp_path / "in.mp4"
    with av.open(str(source), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"qp": "1"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        context = stream.codec_context
        context.colorspace, context.color_primaries, context.color_trc = tags
        for _ in range(4):
            frame = av.VideoFrame.from_ndarray(np.full((72, 64), 120, np.uint8), "yuv420p")
            frame.planes[0].update(bytes(64 * [100] * 48))
            frame.planes[2].update(bytes([180] * frame.planes[2].buffer_size))
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    [path] = run_job(job(source, tmp_path / "out", "cleaned", format=form)).files
    (_, wanted), (found, shown) = as_tagged(source), as_tagged(path)
    assert (found.color_primaries, found.color_trc) == tags[1:]
    np.testing.assert_allclose(shown, wanted, atol=4)
    other = found.to_ndarray(format="rgb24", src_colorspace={1: 5}.get(found.colorspace, 1)).astype(int)
    assert np.abs(other - wanted).max() > 8, "the other matrix would show"


def as_tagged(path):
    """Return the last frame of a film, and its colours by its own matrix."""
    with av.open(str(path)) as file:
        frame = list(file.decode(video=0))[-1]
    return frame, frame.to_ndarray(format="rgb24", src_colorspace=frame.colorspace).astype(int)


def opened_info(path):
    source = open_source(InputSpec(str(path)))
    source.close()
    return source.info


def test_two_passes_write_only_the_last(photos, tmp_path):
    seen = []
    summary = run_job(job(photos, tmp_path, settings=replace(SETTINGS, passes=2)), seen.append)
    seen = [p for p in seen if not p.work]
    assert summary.frames == 16
    assert len(list((tmp_path / "mask").iterdir())) == 16
    assert [p.pass_number for p in seen] == [1] * 16 + [2] * 16
    lefts = [p.seconds_left for p in seen[FEWEST:]]
    assert all(left is not None for left in lefts)
    assert lefts[-1] == 0
    # At the end of the first pass a whole pass is left, at the speed of the quicker frames.
    assert seen[15].seconds_left > 0
    assert seen[15].seconds_left * seen[15].fps <= 1.001 * 16, "0 where the machine held some of them up"


def test_a_model_applied_elsewhere_learns_nothing(everything, photos, tmp_path):
    folder, _ = everything
    run_job(job(photos, tmp_path, "mask", "model", model=folder / "model.npz", settings=Settings(method="fast")))
    before, after = Model.load(folder / "model.npz"), Model.load(tmp_path / "model.npz")
    for name, array in before.method_state.items():
        np.testing.assert_array_equal(after.method_state[name], array)
    assert len(list((tmp_path / "mask").iterdir())) == 16


def test_a_model_of_another_kind_is_one_sentence(everything, tmp_path, deep_photos):
    folder, _ = everything
    with pytest.raises(CleanplateError, match="learnt in RGB, the input is in grey"):
        run_job(job(deep_photos, tmp_path / "out", model=folder / "model.npz"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["png", "mkv", "mp4"])
def test_cancel_leaves_nothing_and_keeps_what_was_there(photos, tmp_path, form):
    run_job(job(photos, tmp_path / "out", "mask", "plate", format=form))
    before = tree(tmp_path)
    count = iter(range(100))
    with pytest.raises(CancelledError):
        run_job(
            job(photos, tmp_path / "out", "mask", "plate", "cleaned", format=form, overwrite=True),
            cancelled=lambda: next(count) == 5,
        )  # fmt: skip
    assert tree(tmp_path) == before


def test_cancel_takes_away_the_folder_it_made(photos, tmp_path):
    with pytest.raises(CancelledError):
        run_job(job(photos, tmp_path / "new" / "out"), cancelled=lambda: True)
    assert not list(tmp_path.iterdir())


def test_enough_completes_the_results(photos, tmp_path):
    seen = []
    summary = run_job(job(photos, tmp_path, "mask", "plate"), seen.append, enough=lambda: len(seen) == 5)
    assert summary.frames == 5
    assert len(list((tmp_path / "mask").iterdir())) == 5


def test_existing_results_stop_the_run_before_it_begins(photos, tmp_path):
    (tmp_path / "mask").mkdir()
    (tmp_path / "mask" / "000001.png").write_bytes(b"precious")
    before = tree(tmp_path)
    with pytest.raises(CleanplateError, match=r"^Output exists: .*mask; choose"):
        run_job(job(photos, tmp_path, "plate", "mask"))
    assert tree(tmp_path) == before


def test_results_of_another_format_that_stay_beside_those_of_a_run_are_named(photos, tmp_path):
    first = run_job(job(photos, tmp_path / "out", "mask", "plate", "times"))
    again = run_job(job(photos, tmp_path / "out", "mask", "plate", "times", format="mkv", overwrite=True))
    other = run_job(job(photos, tmp_path / "out", "mask", "plate", format="tiff", overwrite=True))

    def named(result):
        return [note for note in result.warnings if "of another run" in note]

    assert named(first) == []
    assert named(again) == ["mask beside the results: of another run, in another format."]
    assert named(other) == ["mask.mkv, plate.png beside the results: of another run, in another format."]


def test_overwriting_replaces_a_sequence_at_the_end(photos, tmp_path):
    run_job(job(photos, tmp_path))
    old = tree(tmp_path)
    seen = []
    wanted = job(photos, tmp_path, overwrite=True, view={"frames": (1, 12)})
    run_job(wanted, lambda _: seen.append({name: held for name, held in tree(tmp_path).items() if name in old}))
    assert all(during == old for during in seen)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mask"]
    assert len(list((tmp_path / "mask").iterdir())) == 12


def test_a_folder_that_holds_other_things_is_never_replaced(photos, tmp_path):
    (tmp_path / "mask").mkdir()
    (tmp_path / "mask" / "diary.txt").write_text("dear diary")
    with pytest.raises(CleanplateError, match=r"diary\.txt"):
        run_job(job(photos, tmp_path, overwrite=True))
    assert (tmp_path / "mask" / "diary.txt").read_text() == "dear diary"


@pytest.mark.parametrize(("form", "name"), [("png", "mask"), ("mkv", "mask.mkv")])
def test_a_file_in_place_of_a_folder_or_the_reverse_is_never_replaced(photos, tmp_path, form, name):
    (tmp_path / name).mkdir() if "." in name else (tmp_path / name).write_text("mine")
    with pytest.raises(CleanplateError, match="no run wrote"):
        run_job(job(photos, tmp_path, format=form, overwrite=True))
    assert (tmp_path / name).exists()


def test_the_input_is_never_replaced(photos, tmp_path):
    run_job(job(photos, tmp_path, "cleaned"))
    before = tree(tmp_path)
    with pytest.raises(CleanplateError, match="holds the input"):
        run_job(job(tmp_path / "cleaned", tmp_path, "cleaned", overwrite=True))
    assert tree(tmp_path) == before


def test_a_picture_of_the_input_is_never_replaced(photos, tmp_path):
    folder = tmp_path / "photos"
    shutil.copytree(photos, folder)
    with pytest.raises(CleanplateError, match=r"plate\.png would be taken for one of them the next time"):
        run_job(job(folder, folder, "plate", "mask"))
    run_job(job(folder, folder, "mask"))
    shutil.copy(next(folder.glob("*.png")), folder / "plate.png")
    before = tree(folder)
    with pytest.raises(CleanplateError, match="a part of it"):
        run_job(job(folder, folder, "plate", overwrite=True))
    assert tree(folder) == before
    run_job(job(folder, folder, "mask", overwrite=True))  # Which is no picture of it.


@pytest.mark.parametrize("kind", ["link", "link-in", "hard link", "dataset", "truth"])
def test_the_input_is_known_by_other_names(photos, tmp_path, kind):
    out = tmp_path / "out"
    run_job(job(photos, out, "plate", "cleaned"))
    source, wanted = tmp_path / "source", "cleaned"
    if kind == "link":
        source.symlink_to(out / "cleaned")
    elif kind == "link-in":
        source.mkdir()
        (source / "1.png").symlink_to(out / "cleaned" / "000001.png")
    elif kind == "hard link":
        source = tmp_path / "photo.png"
        os.link(out / "plate.png", source)
        wanted = "plate"
    else:
        shutil.copytree(photos, source / "input")
        (source / "groundtruth").mkdir()
        out = source / ("input" if kind == "dataset" else "groundtruth")
        run_job(job(photos, out, "plate"))
        wanted = "plate"
    before = tree(tmp_path)
    with pytest.raises(CleanplateError, match="holds the input"):
        run_job(job(source, out, wanted, overwrite=True))
    assert tree(tmp_path) == before


def test_results_whose_writer_is_not_known_stay_and_the_sentence_says_what_to_do(photos, tmp_path):
    (tmp_path / "plate.png").write_bytes(b"a picture of theirs")
    with pytest.raises(CleanplateError, match=r"plate\.png is not as this program wrote it.* move plate\.png away"):
        run_job(job(photos, tmp_path, "plate", overwrite=True))
    assert (tmp_path / "plate.png").read_bytes() == b"a picture of theirs"


def test_giving_up_is_heard_until_results_get_their_names(photos, tmp_path):
    held = []
    with pytest.raises(CancelledError):
        run_job(job(photos, tmp_path / "out"), cancelled=lambda: bool(held), hold_signals=held.append)
    assert held == [True, True, False, True, False]
    assert not list(tmp_path.iterdir())
    held.clear()
    run_job(job(photos, tmp_path / "out"), hold_signals=held.append)
    assert held == [True]


def test_what_another_run_finished_meanwhile_is_not_replaced(photos, tmp_path):
    def meanwhile(progress):
        if progress.frame == 3:
            (tmp_path / "mask").mkdir()
            (tmp_path / "mask" / "000001.png").write_bytes(b"theirs")

    with pytest.raises(CleanplateError, match="during the run"):
        run_job(job(photos, tmp_path, "mask", "plate"), meanwhile)
    assert tree(tmp_path) == {os.path.join("mask", "000001.png"): b"theirs"}


@pytest.mark.parametrize("form", ["png", "mkv"])
def test_a_result_that_cannot_get_its_name_leaves_the_others_as_they_were(photos, tmp_path, form):
    """All are written; then the name of the last is taken by a folder of someone else, that no file can replace."""
    run_job(job(photos, tmp_path, "mask", "plate", format=form))
    before = tree(tmp_path)
    wanted = job(photos, tmp_path, "mask", "cleaned", "plate", "model", format=form, overwrite=True)
    with pytest.raises(CleanplateError, match=r"model\.npz could not be written"):
        run_job(wanted, lambda progress: (tmp_path / "model.npz").mkdir(exist_ok=True))
    (tmp_path / "model.npz").rmdir()
    assert tree(tmp_path) == before
    assert len(list(tmp_path.iterdir())) == 2


def test_partials_of_a_dead_run_are_no_results(photos, tmp_path):
    (tmp_path / ".mask.partial-00000000").mkdir()
    run_job(job(photos, tmp_path))
    assert len(list((tmp_path / "mask").iterdir())) == 16


@pytest.mark.parametrize("form", ["png", "mkv", "mp4"])
def test_a_full_disk_in_the_midst_loses_nothing(photos, tmp_path, form):
    resource = pytest.importorskip("resource")
    run_job(job(photos, tmp_path / "out", "mask", "plate", format=form))
    before = tree(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, hard))
    try:
        with pytest.raises(CleanplateError, match="disk is full"):
            run_job(job(photos, tmp_path / "out", "cleaned", "mask", "plate", format=form, overwrite=True))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "gif"}, "no format 'gif'"),
        ({"save": ("plates",)}, "no result 'plates'"),
        ({"save": ()}, "Nothing would be saved"),
        ({"settings": Settings(method="magic")}, "no method 'magic'"),
        ({"settings": Settings(values={"magic": 1})}, "no parameter 'magic'"),
        ({"settings": Settings(values={"rank": 1000})}, "rank cannot be 1000"),
        ({"settings": Settings(passes=0)}, "at least 1"),
        ({"settings": Settings(seed=1)}, "random seed 0, the settings 1"),
        ({"view": {"frames": (9, 3)}}, "FIRST is at most LAST"),
        ({"view": {"frames": (0, 3)}}, "Frames 0:3 .*count from 1"),
        ({"view": {"frames": (50, None)}}, "no frame 50"),
        ({"view": {"path": "/nowhere/at all.mp4"}}, "no file or folder"),
        ({"view": {"path": "sample:nothing"}}, "nothing"),
        ({"model": Path("/nowhere/model.npz")}, "no model"),
    ],
)
def test_bad_jobs_are_one_sentence_and_write_nothing(photos, tmp_path, change, sentence):
    with pytest.raises(CleanplateError, match=sentence) as caught:
        run_job(job(photos, tmp_path / "out", **change))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_an_output_below_a_file_is_one_sentence(photos, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(CleanplateError, match="is a file"):
        run_job(job(photos, tmp_path / "file" / "out"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_output_is_one_sentence(photos, tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CleanplateError, match="cannot be written"):
            run_job(job(photos, tmp_path / "out"))
    finally:
        tmp_path.chmod(0o700)


def test_the_estimate_names_every_file_and_a_fair_size(everything, photos):
    folder, summary = everything
    layout = reports(photos)[0].frame.full.layout
    planned = estimate(job(photos, folder, *PRODUCTS), layout, 16)
    assert [p.path for p in planned] == summary.files
    assert all(p.n_bytes > 0 for p in planned)
    sizes = {p.path.name: p.n_bytes for p in planned}
    real = sum(len(content) for content in tree(folder / "cleaned").values())
    assert real / 4 < sizes["cleaned"] < real * 4
    assert estimate(job(photos, folder, "mask"), layout, None)[0].n_bytes is None


@pytest.mark.parametrize(
    ("form", "size"), [("prores", (320, 240)), ("prores", (321, 240)), ("prores4444", (1280, 720))]
)
@pytest.mark.parametrize("detail", [1, 8])
def test_the_size_of_a_prores_film_is_foreseen_by_its_profile_and_how_large_its_frames_are(
    tmp_path, form, size, detail
):
    rng, (width, height) = np.random.default_rng(0), size
    small = rng.integers(64, 192, (4, 3, -(-height // detail), -(-width // detail)), np.uint8)
    pictures = [[cv2.resize(plane, size, interpolation=cv2.INTER_CUBIC) for plane in planes] for planes in small]
    film = write_planes(tmp_path / "a.mkv", "yuv444p", size, pictures)
    wanted = Job(InputSpec(str(film)), tmp_path / "out", ("boxes",), Settings(passes=1), form, rules=Rules(shortest=99))
    [planned] = estimate(wanted, open_source(wanted.input).info.full, 4)
    run_job(wanted)
    real = planned.path.stat().st_size
    assert 0.9 < planned.n_bytes / real < (1.1 if detail == 1 else 2.5)


def test_places_are_those_of_the_contract():
    out = Path("out")
    assert place("mask", out, "png") == place("mask", out, "tiff") == out / "mask"
    assert place("mask", out, "mkv") == out / "mask.mkv"
    assert place("foreground", out, "mp4") == out / "foreground.mov"
    assert place("plate", out, "mkv") == out / "plate.png"
    assert place("plate", out, "tiff") == place("plate", out, STACK) == out / "plate.tif"
    assert place("basis", out, "mp4") == out / "basis"
    assert place("model", out, "mp4") == out / "model.npz"
    assert places("curves", out, "tiff") == [out / "curves.npz", out / "curves.csv"]


def test_a_lower_quality_makes_films_smaller_leaves_masks_alone_and_is_foreseen(photos, tmp_path):
    layout = reports(photos)[0].frame.full.layout
    size, planned = {}, {}
    for quality in QUALITIES:
        wanted = job(photos, tmp_path / quality, "cleaned", "mask", format="mp4", quality=quality)
        planned[quality] = [file.n_bytes for file in estimate(wanted, layout, 16)]
        run_job(wanted)
        size[quality] = [(tmp_path / quality / f"{name}.mp4").stat().st_size for name in ("cleaned", "mask")]
    for sizes in (size, planned):
        assert sizes["low"][0] < sizes["medium"][0] < sizes["high"][0]
        assert sizes["low"][1] == sizes["medium"][1] == sizes["high"][1]


@pytest.mark.parametrize(
    ("path", "model", "passes"), [("film.mp4", False, 2), ("film.mp4", True, 1), ("camera:0", False, 1)]
)
def test_an_input_is_read_twice_where_it_can_be_and_is_learnt_from(path, model, passes):
    assert usual_passes(InputSpec(path), applies_model=model) == passes


def test_what_was_hardly_seen_is_counted_in_frames_kept(photos, tmp_path, monkeypatch):
    """Of a long run few are kept: two of them are few frames, however many they stand for."""
    monkeypatch.setattr(ScenePlate, "confidence", lambda _: np.full((48, 64), 0.5, np.float32))
    for n_kept, n_said in ((4, 1), (16, 0)):
        monkeypatch.setattr(ScenePlate, "n_kept", n_kept)
        assert len(run_job(job(photos, tmp_path / str(n_kept), "plate")).warnings) == n_said


def test_of_a_stack_of_several_channels_it_is_said_once_what_is_wrong_and_what_to_do(tmp_path):
    """Its pages differ like those of an image set, but the preset for these would be wrong advice."""
    channels = np.kron(np.random.default_rng(0).integers(0, 60_000, (3, 6, 6)), np.ones((8, 8))).astype(np.uint16)
    pages = np.stack([channels] * 10) + np.random.default_rng(1).integers(0, 99, (10, 3, 48, 48)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "three.tif", pages, imagej=True, metadata={"axes": "TCYX"})
    tifffile.imwrite(tmp_path / "plain.tif", pages.reshape(30, 48, 48), photometric="minisblack")
    told, plain = (
        run_job(job(tmp_path / f"{name}.tif", tmp_path / name, "plate", settings=SETTINGS)).warnings
        for name in ("three", "plain")
    )
    assert [note for note in told if "seem to be different" in note or "look like different" in note] == []
    assert len([note for note in told if "3 channels" in note and "Split Channels" in note]) == 1
    assert len([note for note in plain if "seem to be different" in note or "look like different" in note]) == 2


@pytest.mark.parametrize(
    ("settings", "side", "is_said"),
    [
        (SETTINGS, 8, True), (Settings("onmf"), 8, True), (Settings("onmf", {"content": "scene"}), 8, False),
        (SETTINGS, 1, False), (Settings("onmf", {"content": "images"}), 1, True),
    ],
    ids=["fast", "onmf", "told that they are not", "noise", "told that they are"],
)  # fmt: skip
def test_of_an_image_set_it_is_said_that_there_is_no_plate(tmp_path, settings, side, is_said):
    (tmp_path / "images").mkdir()
    for i, coarse in enumerate(np.random.default_rng(0).integers(0, 255, (5, 48 // side, 48 // side))):
        save_png(tmp_path / "images" / f"{i}.png", np.kron(coarse, np.ones((side, side))).astype(np.uint8))
    for save, means_something in ((("plate",), False), (("background",), True)):
        summary = run_job(job(tmp_path / "images", tmp_path / save[0], *save, settings=settings))
        assert (NO_SCENE in summary.warnings) == (is_said and not means_something)
        says_where = any("--save confidence" in note for note in summary.warnings)
        assert says_where == (not means_something) or side == 1


def test_who_saves_the_confidence_is_told_to_look_at_it_and_not_to_save_it(photos, tmp_path, monkeypatch):
    monkeypatch.setattr(ScenePlate, "confidence", lambda _: np.zeros((48, 64), np.float32))
    for save, where in ((("plate", "confidence"), "(see confidence.png)."), (("plate",), "(--save confidence).")):
        (note,) = run_job(job(photos, tmp_path / save[-1], *save)).warnings
        assert note.endswith(f"show a guess there {where}")
    (note,) = run_job(job(photos, tmp_path / "tiff", "plate", "confidence", format="tiff")).warnings
    assert note.endswith("show a guess there (see confidence.tif).")


def test_what_only_a_part_has_not_seen_is_not_said(photos, tmp_path, monkeypatch):
    """Neither of a single picture, nor of a second pass that ends with the last frame that is written."""
    monkeypatch.setattr(ScenePlate, "confidence", lambda _: np.zeros((48, 64), np.float32))
    one, twice = sorted(photos.iterdir())[0], replace(SETTINGS, passes=2)
    for name, wanted, n_said in (
        ("one", job(one, tmp_path / "one", "plate", "cleaned"), 0),
        ("cut", job(photos, tmp_path / "cut", "cleaned", settings=twice, written=(1, 3)), 0),
        ("all", job(photos, tmp_path / "all", "cleaned", settings=twice), 1),
    ):
        said = [note for note in run_job(wanted).warnings if "Only one picture is read" not in note]
        assert len(said) == n_said, name


def test_what_an_input_is_tells_whether_results_are_a_stack_and_not_its_name(film, tmp_path):
    (tmp_path / "folder.tif").mkdir()
    (tmp_path / "film.tif").write_bytes(film[0].read_bytes())
    tifffile.imwrite(tmp_path / "stack.png", np.zeros((3, 20, 30), np.uint8), photometric="minisblack")
    for name, form in (("folder.tif", "tiff"), ("film.tif", "tiff"), ("stack.png", STACK), ("gone.tif", STACK)):
        assert job(tmp_path / name, tmp_path / "out", format="tiff").stored_as == form
        assert job(tmp_path / name, tmp_path / "out", format="png").stored_as == "png"


def test_a_stack_stays_a_stack_with_its_scale_and_all_its_bits(deep_photos, tmp_path):
    pages = np.stack([read(deep_photos / f"shot{i}.png") for i in range(8)])
    metadata = {"axes": "TYX", "unit": "um", "finterval": 2.0}
    tifffile.imwrite(tmp_path / "in.tif", pages, imagej=True, resolution=(4.0, 4.0), metadata=metadata)
    wanted = job(tmp_path / "in.tif", tmp_path / "out", "background", "mask", "plate", "confidence", format="tiff")
    run_job(wanted)
    assert sorted(tree(tmp_path / "out")) == ["background.tif", "confidence.tif", "mask.tif", "plate.tif"]
    with tifffile.TiffFile(tmp_path / "out" / "background.tif") as file:
        assert file.asarray().shape == pages.shape
        assert file.asarray().dtype == np.uint16
        assert file.imagej_metadata["finterval"] == 2.0
    for name, dtype in (("plate", np.uint16), ("confidence", np.uint8)):
        with tifffile.TiffFile(tmp_path / "out" / f"{name}.tif") as file:
            assert (file.asarray().shape, file.asarray().dtype) == (pages.shape[1:], dtype)
            assert (file.imagej_metadata["unit"], file.imagej_metadata["images"]) == ("um", 1)
            assert file.pages[0].tags["XResolution"].value == (4, 1)
    planned = estimate(wanted, open_source(wanted.input).info.layout, 8)
    assert [file.path.name for file in planned] == ["background.tif", "mask.tif", "plate.tif", "confidence.tif"]
    run_job(replace(wanted, output=tmp_path / "again"))
    assert tree(tmp_path / "again") == tree(tmp_path / "out")


@pytest.mark.parametrize("product", ["plate", "confidence", "mask"])
def test_where_the_scale_of_a_stack_is_lost_a_note_says_so(deep_photos, tmp_path, product):
    pages, said = np.stack([read(deep_photos / f"shot{i}.png") for i in range(8)]), "cannot say what a pixel shows"
    forms = (("um", "png", 1), ("um", "png16", 1), ("um", "mkv", 1), ("um", "tiff", 0), ("pixel", "png", 0))
    for unit, form, n_said in forms:
        path = tmp_path / f"{unit}.tif"
        tifffile.imwrite(path, pages, imagej=True, resolution=(4.0, 4.0), metadata={"axes": "TYX", "unit": unit})
        summary = run_job(job(path, tmp_path / unit / form, product, format=form))
        assert sum(said in note for note in summary.warnings) == n_said, (unit, form)


def test_of_tables_alone_nothing_is_said_of_pictures(deep_photos, tmp_path):
    pages = np.stack([read(deep_photos / f"shot{i}.png") for i in range(8)])
    stated = {"resolution": (4.0, 4.0), "metadata": {"axes": "TYX", "unit": "um"}}
    tifffile.imwrite(tmp_path / "in.tif", pages, imagej=True, **stated)
    summary = run_job(job(tmp_path / "in.tif", tmp_path / "out", "events"))
    assert not any("PNG" in note for note in summary.warnings)


def test_a_series_of_images_keeps_its_scale_and_interval_in_images_tables_and_events(photos, tmp_path):
    (tmp_path / "in").mkdir()
    for i in range(16):
        stated = {"resolution": (4.0, 4.0), "metadata": {"unit": "um", "finterval": 20.0}}
        tifffile.imwrite(tmp_path / "in" / f"t{i}.tif", read(photos / f"shot{i}.png")[..., 1], imagej=True, **stated)
    products, rules = ("cleaned", "mask", "plate", "times", "events"), Rules(shortest=2)
    run_job(job(tmp_path / "in", tmp_path / "out", *products, format="tiff", rules=rules))
    for name in ("cleaned/000001.tif", "mask/000016.tif", "plate.tif"):
        with tifffile.TiffFile(tmp_path / "out" / name) as file:
            assert (file.imagej_metadata["unit"], file.imagej_metadata["finterval"]) == ("um", 20.0)
            assert file.pages[0].tags["XResolution"].value == (4, 1)
    with np.load(tmp_path / "out" / "times.npz") as times:
        np.testing.assert_array_equal(times["time_s"], 20.0 * np.arange(16))
    with (tmp_path / "out" / "events" / "events.csv").open() as file:
        events = list(csv.DictReader(file))
    assert events
    for event in events:
        assert float(event["last_s"]) == 20.0 * (int(event["last_frame"]) - 1)
        assert float(event["area_median_um2"]) == pytest.approx(float(event["area_median"]) / 16, rel=1e-4)


def test_times_of_a_stack_are_in_tables_and_events_and_its_films_play_as_those_of_images(photos, tmp_path):
    pages = np.stack([read(photos / f"shot{i}.png") for i in range(16)])
    tifffile.imwrite(tmp_path / "in.tif", pages, imagej=True, metadata={"axes": "TYXS", "finterval": 20.0})
    rules = Rules(shortest=2)
    wanted = job(tmp_path / "in.tif", tmp_path / "out", "mask", "times", "events", "boxes", format="mkv", rules=rules)
    run_job(replace(wanted, input=replace(wanted.input, frames=(3, None))))
    with np.load(tmp_path / "out" / "times.npz") as times:
        np.testing.assert_array_equal(times["time_s"], 20.0 * (times["frame"] - 1))
    with (tmp_path / "out" / "events" / "events.csv").open() as file:
        events = list(csv.DictReader(file))
    assert events
    for event in events:
        for end in ("first", "last"):
            assert float(event[f"{end}_s"]) == 20.0 * (int(event[f"{end}_frame"]) - 1)
    with av.open(str(tmp_path / "out" / "mask.mkv")) as film:
        assert [float(f.time) for f in film.decode(video=0)] == pytest.approx([i / 25 for i in range(14)], abs=1e-3)


@pytest.mark.parametrize("form", ["mkv", "mp4", "prores"])
def test_films_of_images_have_the_rate_that_is_asked_for(photos, tmp_path, form):
    summary = run_job(job(photos, tmp_path, "mask", format=form, fps=12.5))
    with av.open(str(summary.files[0])) as file:
        assert [float(f.time) for f in file.decode(video=0)] == pytest.approx([i / 12.5 for i in range(16)], abs=1e-3)


def test_images_are_named_as_the_files_of_the_input_where_that_is_asked_for(photos, tmp_path):
    for name, view, written in (
        ("all", {}, ALL_FRAMES),
        ("read", {"frames": (5, 12)}, ALL_FRAMES),
        ("written", {}, (5, 12)),
    ):
        run_job(job(photos, tmp_path / name, "mask", view=view, written=written, names="input"))
    every = [f"shot{i}.png" for i in range(16)]
    assert sorted(tree(tmp_path / "all" / "mask")) == sorted(every)
    for name in ("read", "written"):
        assert sorted(tree(tmp_path / name / "mask")) == sorted(every[4:12])
    run_job(job(photos, tmp_path / "numbers", "mask"))
    named, numbered = (tree(tmp_path / name / "mask") for name in ("all", "numbers"))
    assert [named[name] for name in every] == [numbered[name] for name in sorted(numbered)]


def test_images_of_a_film_are_then_named_by_their_numbers_in_all_of_it(film, tmp_path):
    wanted = job(film[0], tmp_path, "mask", view={"frames": (5, 12)}, written=(3, 4), names="input")
    run_job(wanted)
    assert sorted(tree(tmp_path / "mask")) == ["000007.png", "000008.png"]


def test_names_that_collide_are_told_apart_and_the_next_run_replaces_them(tmp_path):
    for name in ("a.png", "A.bmp", "b.png", "con.png", "nul\\?.png"):
        cv2.imwrite(str(tmp_path / "plain.png"), scene(0))
        (tmp_path / "in").mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / f"plain{Path(name).suffix}"), scene(0))
        (tmp_path / f"plain{Path(name).suffix}").replace(tmp_path / "in" / name)
    for overwrite in (False, True):
        wanted = job(tmp_path / "in", tmp_path / "out", "background", names="input", overwrite=overwrite)
        run_job(wanted)
        assert sorted(tree(tmp_path / "out" / "background")) == [
            "A.bmp.png", "_con.png", "a.png.png", "b.png", "nul__.png",
        ]  # fmt: skip


def test_a_film_of_a_range_that_is_written_starts_at_time_zero(film, photos, tmp_path):
    for source, times in ((film[0], film[1]), (photos, [i / 25 for i in range(16)])):
        summary = run_job(job(source, tmp_path / source.stem, "mask", format="mkv", written=(5, 12)))
        with av.open(str(summary.files[0])) as file:
            stored = [float(f.time) for f in file.decode(video=0)]
        assert stored == pytest.approx([t - times[4] for t in times[4:12]], abs=2e-3)


def test_a_film_has_a_rate_of_its_own(film, tmp_path):
    with pytest.raises(CleanplateError, match=r"25 frames a second of its own; leave out the rate \(--fps\)"):
        run_job(job(film[0], tmp_path / "out", "mask", format="mkv", fps=12.5))
    with pytest.raises(CleanplateError, match="frame rate cannot be 0"):
        run_job(job(film[0], tmp_path / "out", "mask", format="mkv", fps=0.0))


def test_png_of_16_bits_has_the_same_pictures_and_finer_mattes(everything, photos, tmp_path):
    folder, _ = everything
    products = ("background", "foreground", "mask", "matte", "cleaned")
    run_job(job(photos, tmp_path, *products, format="png16"))
    steps = 0
    for product in products:
        for path in (tmp_path / product).iterdir():
            deep, flat = read(path), read(folder / product / path.name)
            assert deep.dtype == np.uint16
            if product == "matte":
                assert np.abs(deep / 257 - flat).max() <= 0.5 + 1e-3
                steps += np.count_nonzero(deep % 257)
            elif product == "foreground":
                np.testing.assert_array_equal(deep[..., :3], flat[..., :3] * np.uint16(257))
                np.testing.assert_array_equal(deep[..., 3], read(tmp_path / "matte" / path.name))
            else:
                np.testing.assert_array_equal(deep, flat * np.uint16(257))
    assert steps > 100, "more than 8 bits can say"


def test_sizes_that_a_film_cannot_have_are_refused_before_anything_is_written(tmp_path):
    (tmp_path / "in").mkdir()
    cv2.imwrite(str(tmp_path / "in" / "thin.png"), np.zeros((9, 1), np.uint8))
    with pytest.raises(CleanplateError, match="choose another format"):
        run_job(replace(job(tmp_path / "in", tmp_path / "out", "plate", "mask"), format="mkv"))
    assert not (tmp_path / "out").exists()
    run_job(replace(job(tmp_path / "in", tmp_path / "out", "plate"), format="mkv"))
