"""What is said of ranges that lead beyond the end of the input."""

from dataclasses import replace

import pytest

from core.errors import CleanplateError
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.pieces.join import join_pieces
from core.io.input_spec import ALL_FRAMES, InputSpec
from core.session.settings import Settings
from tests.app.windows import write_cut_clip

SETTINGS = Settings(values={"smallest": 0})


def notes_of(source, output, frames=ALL_FRAMES, written=ALL_FRAMES, save=("mask",), **more):
    spec = InputSpec(str(source), frames=frames)
    warnings = run_job(Job(spec, output, save, SETTINGS, written=written, **more)).warnings
    return [note for note in warnings if not note.startswith("Only ")]  # Of few pictures more is said.


@pytest.mark.parametrize(
    ("frames", "written", "notes"),
    [
        ((9, 40), ALL_FRAMES, ["The input has 16 frames: 9 to 16 were read."]),
        ((None, 17), ALL_FRAMES, ["The input has 16 frames: 1 to 16 were read."]),
        ((16, 17), ALL_FRAMES, ["The input has 16 frames: 16 was read."]),
        (ALL_FRAMES, (9, 40), ["The input has 16 frames: 9 to 16 were written."]),
        ((9, 14), (2, 7), ["6 frames were read: 2 to 6 were written, in the input 10 to 14."]),
        ((None, 6), (2, 7), ["6 frames were read: 2 to 6 were written."]),
        ((9, 40), (2, 4), []),
        ((9, 16), (2, 8), []),
        ((9, None), (2, None), []),
    ],
)
def test_a_range_that_leads_beyond_the_end_is_told_of_in_one_note(photos, tmp_path, frames, written, notes):
    assert notes_of(photos, tmp_path, frames, written) == notes


@pytest.mark.parametrize(
    ("frames", "written", "notes"),
    [
        ((9, 16), ALL_FRAMES, []),
        ((9, 40), ALL_FRAMES, ["The input has 16 frames: 9 to 15 were read."]),
        (ALL_FRAMES, (2, 16), []),
        (ALL_FRAMES, (2, 40), ["The input has 16 frames: 2 to 14 were written."]),
    ],
)
def test_damaged_images_are_there_all_the_same(photos, tmp_path, frames, written, notes):
    for index, path in enumerate(sorted(photos.iterdir(), key=lambda path: int(path.stem[4:]))):
        (tmp_path / path.name).write_bytes(b"damaged" if index in (10, 15) else path.read_bytes())
    said = notes_of(tmp_path, tmp_path / "out", frames, written)
    assert [note for note in said if "skipped" not in note] == notes
    if written == ALL_FRAMES:
        spec = InputSpec(str(tmp_path), frames=frames)
        run_job(Job(spec, tmp_path / "parts" / "0001", ("mask", "times"), SETTINGS))
        assert join_pieces(Job(spec, tmp_path / "joined", ("mask",), SETTINGS), tmp_path / "parts").warnings == notes


def test_a_film_that_is_shorter_than_it_declares_is_told_of_too(tmp_path):
    film = write_cut_clip(tmp_path / "film.mkv")
    (note,) = (n for n in notes_of(film, tmp_path / "out", written=(10, 78)) if n.startswith("The input has "))
    assert note.endswith(" frames: 10 to " + note.split()[3] + " were written.")
    assert 20 < int(note.split()[3]) < 78


@pytest.mark.parametrize("more", [{"written": (3, 8), "run_in": 2}, {"spread": 4}])
def test_what_is_a_part_by_itself_says_nothing_of_the_end(photos, tmp_path, more):
    assert notes_of(photos, tmp_path, (1, 40), **more) == []


def test_a_run_that_is_ended_early_says_nothing_of_the_end(photos, tmp_path):
    job = Job(InputSpec(str(photos), frames=(1, 40)), tmp_path, ("mask",), SETTINGS)
    seen = []
    assert run_job(job, seen.append, enough=lambda: len(seen) >= 5).warnings == []


def test_pieces_tell_of_it_once_they_are_joined(photos, tmp_path):
    spec = InputSpec(str(photos), frames=(9, 40))
    parts = Job(spec, tmp_path / "parts" / "0001", ("mask", "times", "confidence"), SETTINGS)
    run_job(parts)
    joined = join_pieces(Job(spec, tmp_path / "joined", ("mask",), SETTINGS), tmp_path / "parts")
    assert joined.warnings == ["The input has 16 frames: 9 to 16 were read."]


@pytest.mark.parametrize("method", ["fast", "b-kl"])
@pytest.mark.parametrize("frames", [ALL_FRAMES, (3, None)])
def test_what_lies_beyond_counted_frames_is_refused_before_any_is_read(photos, tmp_path, method, frames):
    n_frames, told = 16 - (frames[0] or 1) + 1, []
    job = Job(InputSpec(str(photos), frames=frames), tmp_path / "out", ("mask",), Settings(method, passes=2))
    with pytest.raises(CleanplateError, match=f"has {n_frames} frames to read and no frame {n_frames + 1};"):
        run_job(replace(job, written=(n_frames + 1, None)), told.append)
    assert told == []
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("method", "passes"), [("fast", 2), ("fast", 3), ("b-kl", 1)])
def test_what_lies_beyond_declared_frames_is_refused_once_they_are_read(tmp_path, method, passes):
    source = write_cut_clip(tmp_path / "film.mkv")
    job = Job(InputSpec(str(source)), tmp_path / "out", ("mask",), Settings(method, passes=passes), written=(79, 80))
    told = []
    with pytest.raises(CleanplateError, match="frames to read and no frame 79;"):
        run_job(job, told.append)
    frames = [progress.frame for progress in told if not progress.work]
    assert 20 < len(frames) < 78
    assert frames == list(range(1, len(frames) + 1))


def test_the_last_of_counted_frames_is_written(photos, tmp_path):
    assert notes_of(photos, tmp_path, written=(16, 16)) == []
