"""Pieces that show what the whole run shows are joined to what it wrote, to the last time stamp."""

import errno
import os
import shutil

import av
import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError, FullError
from core.events.totals import EventTotals
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.pieces.join import join_pieces
from core.export.pieces.part import Part
from core.export.products import PRODUCTS, places
from core.export.tables import write_columns
from core.io.calibration import Calibration
from core.io.sinks.stack import TiffStack
from core.io.sources import InputSpec
from core.session.particles import FOR_PARTICLES
from core.session.settings import Settings
from tests.films import numbered, sounding, write_film, write_planes
from tests.small_inputs import save_png, scene

CUTS = ((1, 5), (6, 6), (7, None))
NUMBERS = ("coefficients", "curves", "times")


def whole_and_joined(source, folder, *save, form="png", frames=(None, None)):
    """Return where a whole run wrote, and where pieces of the very same pictures were joined."""

    def job(name, *products, **more):
        return Job(InputSpec(str(source), frames=frames), folder / name, products, Settings(), format=form, **more)

    run_job(job("whole", *save))
    for number, written in enumerate(CUTS, 1):
        run_job(job(f"parts/{number:04d}", *dict.fromkeys((*save, "times", "confidence")), written=written))
    joined = job("joined", *save)
    summary = join_pieces(joined, folder / "parts")
    return folder / "whole", folder / "joined", summary


def drawn_piece(folder, frames, looks, seen):
    """Write what a piece leaves of frames of these numbers: how one row of pixels looks, and how often it was seen."""
    folder.mkdir(parents=True, exist_ok=True)
    write_columns(
        "times", {"frame": np.array(frames), "time_s": np.array(frames) / 25}, *places("times", folder, "png")
    )
    save_png(folder / "plate.png", looks[None])
    save_png(folder / "confidence.png", np.array([seen], np.uint8))


def packets(path):
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        about = stream.codec_context.pix_fmt, stream.codec_context.color_range, stream.average_rate
        return about, sorted(packet.pts * packet.time_base for packet in film.demux(stream) if packet.size)


def pictures(path):
    with av.open(str(path)) as film:
        return [frame.reformat(format="rgba64le").to_ndarray() for frame in film.decode(video=0)]


def test_images_numbers_and_pictures_of_pieces_are_those_of_the_whole(photos, tmp_path):
    whole, joined, summary = whole_and_joined(photos, tmp_path, *PRODUCTS)
    assert summary.frames == 16
    with (joined / "events/events.csv").open() as file:
        assert summary.events == EventTotals(len(file.readlines()) - 1)
    for path in sorted(p for p in whole.rglob("*") if p.is_file()):
        place = path.relative_to(whole)
        if place.parts[0] not in {"plate.png", "events", "boxes", "confidence.png"}:
            assert (joined / place).read_bytes() == path.read_bytes(), place
    there, wanted = ({p.relative_to(folder) for p in folder.rglob("*")} for folder in (joined, whole))
    assert there == wanted


@pytest.mark.parametrize("bit_depth", [8, 10])
def test_a_piece_counts_by_the_frames_in_which_it_saw_a_pixel(tmp_path, bit_depth):
    """Pieces of 1, 3 and 5 frames; 103 is three quarters of the way from a look of one frame to that of three."""
    dtype, step = (np.uint8, 1) if bit_depth == 8 else (np.uint16, 257)
    grey = np.full((1, 3), 100, dtype)
    source = write_planes(tmp_path / "film.mkv", "gray" if bit_depth == 8 else "gray10le", (3, 1), [[grey]])
    pieces = (
        ([1], (100, 100, 10), (255, 255, 0)),
        ([2, 3, 4], (104, 104, 20), (255, 255, 0)),
        ([5, 6, 7, 8, 9], (200, 200, 30), (255, 51, 0)),
    )
    for number, (frames, looks, seen) in enumerate(pieces, 1):
        drawn_piece(tmp_path / f"parts/{number:04d}", frames, np.array(looks, dtype) * dtype(step), seen)
    job = Job(InputSpec(str(source)), tmp_path / "joined", ("plate", "confidence"))
    summary = join_pieces(job, tmp_path / "parts")
    plate, confidence = (cv2.imread(str(job.output / name), -1) for name in ("plate.png", "confidence.png"))
    assert plate.dtype == dtype
    # The look of five frames wins over that of four; of four over that of one; what nobody saw is the middle guess.
    np.testing.assert_array_equal(plate[0], np.array([200, 103, 20]) * step)
    np.testing.assert_array_equal(confidence[0], [255, round(255 * (1 + 3 + 1) / 9), 0])
    assert any(note.startswith("33.3 % of the scene was never seen") for note in summary.warnings)


def test_what_nobody_saw_is_said_to_be_known_where_a_model_is_applied(tmp_path, photos):
    for number in (1, 2):
        drawn_piece(tmp_path / f"parts/{number:04d}", [number], np.array([9, 9], np.uint8), (255, 0))
    for model, said in ((None, "plate and cleaned frames show a guess"), (tmp_path, "show what the model knows")):
        job = Job(InputSpec(str(photos)), tmp_path / f"joined {model is None}", ("plate",), model=model)
        assert [note for note in join_pieces(job, tmp_path / "parts").warnings if said in note]


@pytest.mark.parametrize(("form", "product"), [("png", "mask"), ("png", "plate"), ("mkv", "cleaned"), ("mkv", "plate")])
def test_joined_results_are_told_to_lack_what_those_of_a_whole_run_lack(tmp_path, form, product):
    pages = np.stack([scene(index)[..., 1] for index in range(16)])
    stated = {"resolution": (4.0, 4.0), "metadata": {"axes": "TYX", "unit": "um"}}
    tifffile.imwrite(tmp_path / "in.tif", pages, imagej=True, **stated)
    (tmp_path / "joined").mkdir()
    (tmp_path / "joined" / f"{product}.tif").touch()
    _, _, summary = whole_and_joined(tmp_path / "in.tif", tmp_path, product, form=form)
    whole = run_job(Job(InputSpec(str(tmp_path / "in.tif")), tmp_path / "again", (product,), Settings(), format=form))
    lacks = [note for note in whole.warnings if note != FOR_PARTICLES]
    assert "cannot say what a pixel shows" in "".join(lacks)
    assert summary.warnings == [*lacks, f"{product}.tif beside the results: of another run, in another format."]


def test_pieces_that_both_hold_a_frame_are_refused(tmp_path, photos):
    for number, frames in enumerate(([1, 2], [2, 3]), 1):
        drawn_piece(tmp_path / f"parts/{number:04d}", frames, np.array([9], np.uint8), [255])
    with pytest.raises(CleanplateError, match="The pieces overlap"):
        join_pieces(Job(InputSpec(str(photos)), tmp_path / "joined", ("plate",)), tmp_path / "parts")


def test_images_beyond_the_number_that_has_more_digits_stay_in_their_order(tmp_path):
    drawn_piece(tmp_path, [999_999, 1_000_000], np.array([9], np.uint8), [255])
    names = ["999999.png", "1000000.png"]
    (tmp_path / "mask").mkdir()
    for name in names:
        (tmp_path / "mask" / name).touch()
    (tmp_path / "mask" / ".DS_Store").touch()
    assert [path.name for path in Part(tmp_path, "png").images("mask")] == names


@pytest.mark.parametrize("form", ["mkv", "mp4", "hevc", "av1", "prores", "prores4444"])
def test_films_are_copied_packet_by_packet_with_exact_times(film, tmp_path, form):
    source, times = film
    save = ("mask", "cleaned") if form in {"hevc", "av1"} else ("mask", "cleaned", "foreground")
    whole, joined, _ = whole_and_joined(source, tmp_path, *save, form=form)
    for path in whole.iterdir():
        copy = joined / path.name
        assert packets(copy) == packets(path), path.name
        assert packets(copy)[1] == pytest.approx(times, abs=1e-3)
        together = pictures(copy)
        parts = [picture for part in sorted((tmp_path / "parts").iterdir()) for picture in pictures(part / path.name)]
        assert all(np.array_equal(*pair) for pair in zip(together, parts, strict=True))
        if form == "mkv":
            assert all(np.array_equal(*pair) for pair in zip(together, pictures(path), strict=True))


def heard(path):
    with av.open(str(path)) as film:
        return [(packet.pts * packet.time_base, bytes(packet)) for packet in film.demux(audio=0) if packet.size]


@pytest.mark.parametrize("form", ["mkv", "mp4"])
def test_sound_that_begins_before_the_pictures_moves_none(film, tmp_path, form):
    source = sounding(tmp_path / "in.mp4", film[0], "aac")
    whole, joined, _ = whole_and_joined(source, tmp_path, "cleaned", form=form)
    name = f"cleaned.{form}"
    assert heard(joined / name)[0][0] < 0
    assert heard(joined / name) == heard(whole / name)
    assert packets(joined / name) == packets(whole / name)


def test_films_of_a_range_begin_with_its_first_frame(film, tmp_path):
    source, times = film
    whole, joined, _ = whole_and_joined(source, tmp_path, "mask", form="mkv", frames=(6, 15))
    assert packets(joined / "mask.mkv") == packets(whole / "mask.mkv")
    assert packets(joined / "mask.mkv")[1] == pytest.approx([t - times[5] for t in times[5:15]], abs=1e-3)


@pytest.mark.parametrize("form", ["mkv", "mp4"])
def test_films_of_a_range_have_the_sound_of_it(tmp_path, form):
    source = sounding(tmp_path / "in.mp4", write_film(tmp_path / "film.mp4", 50), "aac")
    whole, joined, _ = whole_and_joined(source, tmp_path, "cleaned", form=form, frames=(21, 40))
    name = f"cleaned.{form}"
    assert 30 < len(heard(whole / name)) < 0.6 * len(heard(source))
    assert heard(joined / name) == heard(whole / name)
    assert packets(joined / name) == packets(whole / name)


def test_pages_of_stacks_are_copied(tmp_path):
    source = TiffStack(tmp_path / "stack.tif", 16, Calibration())
    source.open(tmp_path)
    for index in range(16):
        source.write(index + 1, 0.0, scene(index)[..., 1].astype(np.uint16) * 200)
    source.close()
    whole, joined, _ = whole_and_joined(tmp_path / "stack.tif", tmp_path, "mask", "cleaned", "plate", form="tiff")
    for name in ("mask.tif", "cleaned.tif"):
        assert (joined / name).read_bytes() == (whole / name).read_bytes()
        assert len(tifffile.imread(joined / name)) == 16
    plate, wanted = (tifffile.imread(folder / "plate.tif") for folder in (joined, whole))
    assert (plate.shape, plate.dtype) == (wanted.shape, wanted.dtype)


def test_a_piece_that_is_missing_or_cut_short_is_one_sentence(photos, tmp_path):
    whole_and_joined(photos, tmp_path, "mask")
    (tmp_path / "parts" / "0002" / "mask" / "000006.png").unlink()
    joined = Job(InputSpec(str(photos)), tmp_path / "again", ("mask",))
    with pytest.raises(CleanplateError, match="holds 0 images in place of 1"):
        join_pieces(joined, tmp_path / "parts")
    assert not (tmp_path / "again").exists()
    (tmp_path / "parts" / "0002").rename(tmp_path / "parts" / "0004")
    with pytest.raises(CleanplateError, match="does not hold all pieces"):
        join_pieces(joined, tmp_path / "parts")


@pytest.mark.parametrize("damaged", [(10,), (13, 14, 19), (17, 18, 19, 20), (36, 37)])
def test_pieces_of_a_folder_with_damaged_images_hold_every_other_one_once(tmp_path, damaged):
    """Each piece runs in over ten frames; the last has but three to write, or fewer."""
    (tmp_path / "in").mkdir()
    for index in range(40):
        save_png(tmp_path / "in" / f"shot{index:02d}.png", scene(index))
        if index in damaged:
            (tmp_path / "in" / f"shot{index:02d}.png").write_bytes(b"damaged")

    def job(name, *products, **more):
        return Job(InputSpec(str(tmp_path / "in")), tmp_path / name, products, Settings(passes=2), **more)

    whole = run_job(job("whole", "mask", "times"))
    for number, written in enumerate(((1, 20), (21, 37), (38, None)), 1):
        piece = run_job(job(f"parts/{number:04d}", "mask", "times", written=written, run_in=10))
        assert all("images were skipped" in note or "image was skipped" in note for note in piece.warnings)
    joined = join_pieces(job("joined", "mask", "times"), tmp_path / "parts")
    assert joined.frames == whole.frames == 40 - len(damaged)
    for name in ("times.csv", "times.npz"):
        assert (tmp_path / "joined" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    names = {
        folder: sorted(path.name for path in (tmp_path / folder / "mask").iterdir()) for folder in ("joined", "whole")
    }
    assert names["joined"] == names["whole"]


@pytest.mark.parametrize("product", ["mask", "model", "basis"])
def test_a_full_disk_that_has_no_second_names_leaves_nothing(photos, tmp_path, monkeypatch, product):
    run_job(Job(InputSpec(str(photos)), tmp_path / "parts" / "0001", (product, "times")))

    def refused(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refused)
    monkeypatch.setattr(shutil, "copy2", refused)
    with pytest.raises(FullError, match="The disk is full"):
        join_pieces(Job(InputSpec(str(photos)), tmp_path / "joined", (product,)), tmp_path / "parts")
    assert not (tmp_path / "joined").exists()


def timecode_of(path):
    with av.open(str(path)) as film:
        return {key.lower(): value for key, value in film.streams.video[0].metadata.items()}.get("timecode")


@pytest.fixture
def coded(tmp_path):
    """A film that begins at an hour and two seconds."""
    with av.open(str(tmp_path / "coded.mov"), "w") as film:
        stream = film.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.metadata["timecode"] = "01:00:02:00"
        for index in range(30):
            film.mux(stream.encode(av.VideoFrame.from_ndarray(numbered(index), "rgb24")))
        film.mux(stream.encode(None))
    return tmp_path / "coded.mov"


@pytest.mark.parametrize(("form", "suffix"), [("mkv", "mkv"), ("mp4", "mp4"), ("prores", "mov")])
def test_films_go_on_from_the_time_code_of_the_frame_that_they_begin_with(coded, tmp_path, form, suffix):
    whole, joined, _ = whole_and_joined(coded, tmp_path, "cleaned", "mask", form=form, frames=(5, 20))
    for name in ("cleaned", "mask"):
        assert timecode_of(whole / f"{name}.{suffix}") == "01:00:02:04"
        assert timecode_of(joined / f"{name}.{suffix}") == "01:00:02:04"
    parts = [timecode_of(tmp_path / f"parts/{n:04d}/mask.{suffix}") for n in (1, 2, 3)]
    assert parts == ["01:00:02:04", "01:00:02:09", "01:00:02:10"]


def test_frames_from_all_over_a_film_have_no_time_code(coded, tmp_path):
    for spread, wanted in ((30, "01:00:02:00"), (20, None)):
        job = Job(InputSpec(str(coded)), tmp_path / str(spread), ("mask",), format="mkv", spread=spread)
        run_job(job)
        assert timecode_of(tmp_path / str(spread) / "mask.mkv") == wanted
