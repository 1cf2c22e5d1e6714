"""Long films in pieces: which jobs there are, what is kept of an earlier batch, and that nothing is left behind."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.batch.job import JobState
from core.batch.pieces import RUN_IN, check_in_pieces, check_length, cut, in_pieces, tidy
from core.batch.plan import batch_list
from core.errors import CleanplateError
from core.export.job_spec import Job
from core.io.sources import InputSpec
from core.session.settings import Settings
from tests.films import write_film

MINUTES = 4 / (25 * 60)
"""Four frames of a film of 25 a second."""


def job_of(listed):
    return Job(InputSpec(listed.input), Path(listed.output), ("plate", "mask", "model"))


def planned(film, folder, *, resume=False):
    jobs, _ = batch_list(folder, [str(film)], ["--grey"], resume=resume, manner="--pieces=1")
    in_pieces(jobs, MINUTES, ["--grey"], job_of)
    return jobs


def finish(jobs, number, *names):
    """Let a job be done that wrote these."""
    job = jobs[number]
    for name in names:
        (job.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (job.folder / name).write_bytes(b"it")
    jobs.change(number, state=JobState.DONE, figures={"files": list(names)})


def test_a_film_is_cut_at_exact_frames_and_ends_with_an_open_piece(tmp_path):
    film = write_film(tmp_path / "film.mp4", 10)
    job = Job(InputSpec(str(film)), tmp_path / "out")
    assert cut(job, MINUTES) == [(1, 4), (5, 8), (9, None)]
    assert cut(job, 2 * MINUTES) == [(1, 8), (9, None)]
    assert cut(job, 5 * MINUTES) == [(1, None)]
    assert cut(replace(job, input=InputSpec(str(film), frames=(2, 6))), MINUTES) == [(1, 4), (5, None)]
    assert cut(replace(job, input=InputSpec(str(tmp_path / "gone.mp4"))), MINUTES) == [(None, None)]


def test_pieces_wait_for_the_first_model_and_the_film_for_them(tmp_path):
    jobs = planned(write_film(tmp_path / "film.mp4", 10), tmp_path / "out")
    start, one, two, three, joined = jobs.jobs
    below = tmp_path / "out" / "pieces" / "film"
    assert [job.folder for job in jobs.jobs] == [
        below / "start", below / "0001", below / "0002", below / "0003", tmp_path / "out" / "film"
    ]  # fmt: skip
    assert [job.after for job in (start, one, two, three)] == [(), (start.number,), (start.number,), (start.number,)]
    assert joined.after == tuple(job.number for job in (start, one, two, three))
    assert joined.options == ("--grey", "--join", str(below))
    assert start.options[:3] == ("--grey", "--save", "model")
    model = str(below / "start" / "model.npz")
    wanted = (
        "--grey",
        "--save",
        "plate,mask,times,confidence",
        "--write",
        "5:8",
        "--run-in",
        str(RUN_IN),
        "--start",
        model,
    )
    assert two.options == wanted
    assert three.options[2:5] == ("plate,mask,times,confidence,model", "--write", "9:")
    jobs.close()


def test_what_is_done_stays_done_and_parts_go_when_they_are_joined(tmp_path):
    film, out = write_film(tmp_path / "film.mp4", 10), tmp_path / "out"
    jobs = planned(film, out)
    finish(jobs, jobs.jobs[0].number, "model.npz")
    finish(jobs, jobs.jobs[2].number, "mask/1.png", "plate.png")
    jobs.close()
    jobs = planned(film, out.rename(tmp_path / "moved"), resume=True)
    assert [job.state.value for job in jobs.jobs] == ["done", "waiting", "done", "waiting", "waiting"]
    own = jobs.jobs[2].folder / "of somebody else.txt"
    own.write_bytes(b"mine")
    finish(jobs, jobs.jobs[-1].number, "plate.png")
    tidy(jobs)
    assert [job.folder.name for job in jobs.jobs] == ["film"]
    assert [p for p in (tmp_path / "moved" / "pieces").rglob("*") if p.is_file()] == [own]
    jobs.close()
    jobs = planned(film, tmp_path / "moved", resume=True)
    assert [job.state for job in jobs.jobs] == [JobState.DONE]
    jobs.close()


def test_a_list_that_names_what_lies_elsewhere_removes_nothing_there(tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "photo.png").write_bytes(b"mine")
    jobs = planned(write_film(tmp_path / "film.mp4", 10), tmp_path / "out")
    finish(jobs, jobs.jobs[0].number, "model.npz")
    up = "../" * (len(jobs.jobs[1].folder.relative_to(tmp_path).parts)) + "precious"
    assert (jobs.jobs[1].folder / up).resolve() == precious
    jobs.change(jobs.jobs[1].number, state=JobState.DONE, figures={"files": [up, str(precious), "..", "."]})
    finish(jobs, jobs.jobs[2].number, "plate.png")
    finish(jobs, jobs.jobs[-1].number, "plate.png")
    tidy(jobs)
    assert (precious / "photo.png").read_bytes() == b"mine"
    assert (tmp_path / "out" / "film" / "plate.png").exists()
    jobs.close()


def test_a_film_no_longer_than_a_piece_is_run_as_it_is(tmp_path):
    jobs = planned(write_film(tmp_path / "film.mp4", 4), tmp_path / "out")
    assert [job.options for job in jobs.jobs] == [("--grey",)]
    jobs.close()


def test_what_has_no_pieces_is_one_sentence(tmp_path, photos):
    job = Job(InputSpec(str(photos)), tmp_path / "out")
    with pytest.raises(CleanplateError, match="has no frame rate"):
        cut(job, MINUTES)
    assert cut(replace(job, fps=25.0), MINUTES)[:2] == [(1, 4), (5, 8)]
    with pytest.raises(CleanplateError, match="learns from all frames together"):
        check_in_pieces(replace(job, settings=Settings("bpgd")))
    with pytest.raises(CleanplateError, match="leave out --write"):
        check_in_pieces(replace(job, written=(2, 3)))
    for minutes in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(CleanplateError, match="Pieces cannot be"):
            check_length(minutes)
