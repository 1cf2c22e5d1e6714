"""The command ``batch``: runs in processes of their own, and the very files that ``run`` writes."""

import glob
import json
import os
import re
import signal
import subprocess
import sys
import time
from io import BytesIO, TextIOWrapper
from pathlib import Path

import cv2
import numpy as np
import pytest

from app.cli.main import invoke
from app.own_command import own_command, own_environment
from core.batch.identity import key_of
from core.batch.job_list import JobList
from core.errors import CleanplateError
from tests.app.windows import poll, write_clip
from tests.forked_jobs import fork_jobs

FAST = ["--save", "mask", "--set", "warm_up=4"]

FOR_EVER = "1000"
"""Passes over a small clip: a job of so many has not ended when this looks, however long that takes."""


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def results(folder):
    """Return the files of all results, without what the batch keeps of itself."""
    return {name: packed for name, packed in tree(folder).items() if not name.startswith(("logs/", "batch.jobs"))}


def batch(*words):
    return invoke(["batch", *map(str, words)])


def begin(*words):
    """Begin a batch in a process of its own."""
    return subprocess.Popen([*own_command(), "batch", *map(str, words)], env={**os.environ, **own_environment()})


@pytest.fixture(autouse=True)
def _jobs_are_forks(request, monkeypatch):
    """Only how the processes of jobs begin differs; those of a batch that has a process of its own begin as ever."""
    if "jobs_as_ever" not in request.fixturenames:
        fork_jobs(monkeypatch)


@pytest.fixture
def jobs_as_ever():
    """Each job begins the program anew."""


@pytest.fixture
def clips(tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    for number in (1, 2, 3):
        write_clip(folder / f"clip{number}.mkv", 10 + number)
    return folder


def test_an_empty_folder_fails_alone(tmp_path, capfd):
    (tmp_path / "empty").mkdir()
    clip = write_clip(tmp_path / "clip.mkv", 8)
    assert batch(tmp_path / "empty", clip, "-o", tmp_path / "out", *FAST, "--json", "--quiet") == 2
    said = capfd.readouterr()
    assert [result["state"] for result in json.loads(said.out)["results"]] == ["failed", "done"]
    sentence = f"cleanplate: The folder {tmp_path / 'empty'} holds no images, videos or projects; choose another.\n"
    assert said.err == sentence
    assert batch(tmp_path / "empty", "-o", tmp_path / "other", *FAST) == 2
    assert capfd.readouterr().err == sentence, "alone it says the same"
    assert (tmp_path / "out" / "clip" / "mask").is_dir()


def test_events_of_each_job_are_told(tmp_path, capfd):
    (tmp_path / "clips").mkdir()
    for name, n_frames in (("a", 50), ("b", 12)):
        write_clip(tmp_path / "clips" / f"{name}.mkv", n_frames, 128, 96)
    words = ["--save", "events", "--event-length", "20", "--event-line", "40,95,40,0", "--json"]
    assert batch(tmp_path / "clips", "-o", tmp_path / "out", *words) == 0
    said = capfd.readouterr()
    results = {Path(one["input"]).name: one for one in json.loads(said.out)["results"]}
    assert (results["a.mkv"]["events"], results["b.mkv"]["events"]) == (1, 0)
    assert results["a.mkv"]["lines"] == [{"forward": 1, "backward": 0}]
    told = [line for line in said.err.splitlines() if "event" in line]
    assert sorted(told) == [
        "a.mkv: 1 event · over the line 1 forward, 0 backward", "b.mkv: 0 events · over the line 0 forward, 0 backward",
    ]  # fmt: skip


def test_notes_of_each_job_are_told(tmp_path, capfd):
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in range(8):
        picture = np.full((24, 32, 4), 90, np.uint8)
        (folder / f"{number}.png").write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    assert batch(folder, "-o", tmp_path / "out", *FAST, "--json", "--quiet") == 0
    said = capfd.readouterr()
    (note,) = json.loads(said.out)["results"][0]["notes"]
    assert "alpha channel" in note
    assert said.err == f"Note: shots: {note}\n"


def test_options_that_do_nothing_are_told_once_and_the_rate_that_pieces_are_cut_by_does_something(
    photos, tmp_path, capfd
):
    words = (photos, *FAST, "--quality", "low", "--fps", "12", "--quiet")
    for name, pieces, n_told in (("whole", (), 1), ("cut", ("--pieces", "0.05"), 0)):
        assert batch(*words, "-o", tmp_path / name, *pieces) == 0
        told = capfd.readouterr().err
        assert told.count("Note: --quality has no effect") == 1
        assert told.count("Note: --fps has no effect") == n_told


def test_the_last_line_says_how_many_failed(tmp_path, capfd):
    (tmp_path / "damaged.mp4").write_bytes(b"no film")
    assert batch(tmp_path / "damaged.mp4", "-o", tmp_path / "out", *FAST) == 2
    last = capfd.readouterr().out
    assert last.startswith("0 of 1 job done, 1 failed, in ")
    assert "results" not in last


def test_the_last_line_says_where_results_are_and_the_same_again_how_to_go_on(tmp_path, capfd):
    clips = [write_clip(tmp_path / f"clip{number}.mkv", 8) for number in (1, 2)]
    out = tmp_path / "out"
    assert batch(clips[0], "-o", tmp_path / "elsewhere" / ".." / "out", *FAST) == 0
    said = capfd.readouterr()
    assert said.out.endswith(f": results in {out / 'clip1'}\n")
    assert "--resume" not in said.err
    assert batch(*clips, "-o", out, *FAST, "--quiet") == 2
    said = f"{out}; do what is missing (--resume), replace all (--overwrite), or choose another folder.\n"
    assert capfd.readouterr().err == f"cleanplate: Output exists: 1 of 2 jobs were done before into {said}"
    for option in ("--resume", "--overwrite"):
        assert batch(*clips, "-o", out, *FAST, option) == 0
        said = capfd.readouterr()
        assert said.out.endswith(f": results in {out}\n")
    (out / "clip1" / "mask").rename(tmp_path / "taken away")
    assert batch(clips[0], "-o", out, *FAST, "--quiet") == 0, "nothing is in the way"


@pytest.mark.usefixtures("jobs_as_ever")
def test_a_batch_writes_what_run_writes_and_resumes_what_is_missing(clips, tmp_path, capfd, monkeypatch):
    (clips / "clip3.mkv").unlink()
    damaged = clips / "damaged.mp4"
    damaged.write_bytes((clips / "clip1.mkv").read_bytes()[:300])
    out = tmp_path / "out"
    assert batch(clips, "-o", out, *FAST, "--json", "--quiet") == 2
    said = capfd.readouterr()
    summary = json.loads(said.out)
    assert (summary["jobs"], summary["done"], summary["failed"], summary["frames"]) == (3, 2, 1, 23)
    assert [result["state"] for result in summary["results"]] == ["done", "done", "failed"]
    assert said.err.startswith("cleanplate: damaged.mp4 ")
    assert len(said.err.splitlines()) == 1
    for number in (1, 2):
        assert invoke(["run", str(clips / f"clip{number}.mkv"), "-o", str(tmp_path / "one"), *FAST, "--quiet"]) == 0
        assert tree(tmp_path / "one") == tree(out / f"clip{number}")
        (tmp_path / "one").rename(tmp_path / f"one{number}")
    fork_jobs(monkeypatch)
    before = results(out)
    (out / "clip2" / "mask").rename(tmp_path / "taken away")
    write_clip(damaged, 9)
    moved = out.rename(tmp_path / "moved")
    assert batch(clips, "-o", moved, "--resume", *FAST, "--json", "--quiet") == 0
    summary = json.loads(capfd.readouterr().out)
    assert (summary["jobs"], summary["done"], summary["done_before"]) == (2, 2, 1)
    assert before.items() <= results(moved).items()
    assert len(results(moved)) == 23 + 9
    assert batch(clips, "-o", moved, "--resume", *FAST, "--json", "--quiet") == 0
    assert json.loads(capfd.readouterr().out)["jobs"] == 0
    assert batch(clips / "clip1.mkv", "-o", moved, *FAST, "--quiet") == 2
    assert "Output exists" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sample:street"], "Missing option '--output'"),
        (["sample:street", "-o", "out", "--method", "nonsense"], "nonsense"),
        (["sample:street", "-o", "out", "--size", "big"], "--size big"),
        (["sample:street", "-o", "out", "--save", "nothing"], "There is no result 'nothing'"),
        (["sample:street", "-o", "out", "--frames"], "requires an argument"),
        (["sample:street", "-o", "out", "--input", "x"], "No such option"),
        (["camera:0", "-o", "out"], "never ends"),
        (["none.mkv", "-o", "out"], "Nothing is at none.mkv"),
        (["sample:street", "sample:stret", "-o", "out"], "There is no sample 'stret'"),
        (["none.jobs"], "There is no queue"),
        (["x" * 300 + ".jobs"], "There is no queue"),
        (["none.jobs", "-o", "out"], "give it alone"),
    ],
)
def test_what_is_wrong_with_the_words_is_told_before_anything_runs(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    assert batch(*words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_inputs_may_be_listed_on_standard_input(clips, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(clips)
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"clip1.mkv\n# clip2.mkv\n")))
    assert batch("-", "-o", tmp_path / "out", *FAST, "--quiet") == 0
    assert [path.name for path in (tmp_path / "out").iterdir() if path.is_dir()].count("clip1") == 1
    assert not (tmp_path / "out/clip2").exists()


def test_without_what_talks_to_a_scheduler_it_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in [name for name in sys.modules if name.startswith("core.batch.cluster.")]:
        monkeypatch.delitem(sys.modules, name)
    assert batch("sample:street", "-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1") == 2
    told = capsys.readouterr().err
    assert told.startswith("cleanplate: A scheduler needs dask, which is absent")
    assert "cleanplate[cluster]" in told


def test_a_queue_is_worked_on_and_one_process_at_a_time_does(clips, tmp_path, capfd):
    out = tmp_path / "out"
    (clips / "clip3.mkv").unlink()
    missing = tmp_path / "list.txt"
    missing.write_text("clips/clip1.mkv\nclips/clip2.mkv\n")
    begun = begin(missing, "-o", out, *FAST, "--passes", FOR_EVER)
    while not (out / "batch.jobs").exists():
        assert begun.poll() is None
        time.sleep(0.01)
    assert batch(missing, "-o", out, *FAST) == 2
    assert "Another window or command" in capfd.readouterr().err
    begun.send_signal(signal.SIGTERM)
    assert begun.wait(60) == 130
    told = capfd.readouterr().err.splitlines()
    assert "2 of 2 jobs left" in told[-1]
    assert not any("nothing was written" in line for line in told)
    assert not results(out)
    jobs = JobList(out / "batch.jobs")
    assert {job.state.value for job in jobs.jobs} == {"waiting"}
    for job in jobs.jobs:
        jobs.change(job.number, options=tuple(FAST))
    jobs.close()
    assert batch(out / "batch.jobs", "--json", "--quiet") == 0
    assert json.loads(capfd.readouterr().out)["done"] == 2


def test_how_far_it_is_counts_what_is_done_of_jobs_that_run(clips, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("app.cli.batch_run.LINE_S", 0.1)
    assert batch(clips / "clip1.mkv", "-o", tmp_path / "out", "--save", "mask", "--passes", "40") == 0
    told = [line for line in capfd.readouterr().err.splitlines() if " ended" in line]
    assert told[0] == "0 of 1 job ended"
    shares = [int(found[1]) for line in told if (found := re.search(r" (\d+) % of the work", line))]
    assert shares == sorted(shares)
    assert len(set(shares)) > 2
    assert shares[-1] <= 100
    assert all("left" in line for line, share in zip(told[-len(shares) :], shares, strict=True) if share > 31)


def test_a_batch_that_was_killed_goes_on_and_what_it_began_ends(clips, tmp_path, capfd):
    out = tmp_path / "out"
    words = ["--save", "mask,plate", "--passes"]
    begun = begin(clips, "-o", out, *words, FOR_EVER)
    while not unfinished(out):
        assert begun.poll() is None
        time.sleep(0.01)
    begun.kill()
    begun.wait()
    poll(lambda: not unfinished(out), "the end of what it began", lambda: None)
    as_if_asked_for(out / "batch.jobs", (*words, "6"))
    assert batch(clips, "-o", out, "--resume", *words, "6", "--quiet") == 0
    assert len(results(out)) == 36 + 3
    assert not unfinished(out)


def as_if_asked_for(path, options):
    """Give the jobs of a list other options, as if it had been made with them."""
    jobs = JobList(path)
    for job in jobs.jobs:
        jobs.change(job.number, options=options, key=key_of(job.input, options))
    jobs.close()


def unfinished(out):
    return glob.glob(str(out / "*" / ".cleanplate-*"))  # Path.glob ends where a folder goes while it looks.


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_the_list_is_made_leaves_a_complete_one_that_nobody_holds(
    clips, tmp_path, capfd, monkeypatch, number
):
    begin_anew, out = JobList.begin_anew, tmp_path / "out"

    def interrupted(jobs, asked):
        os.kill(os.getpid(), number)
        begin_anew(jobs, asked)

    signal.signal(number, signal.default_int_handler)  # Where the program does not catch it, the suite goes on.
    with monkeypatch.context() as patched:
        patched.setattr(JobList, "begin_anew", interrupted)
        assert batch(clips / "clip1.mkv", "-o", out, *FAST, "--quiet") == 130
    sentence = f"Interrupted with 1 of 1 job left; cleanplate batch {out / 'batch.jobs'} does it.\n"
    assert capfd.readouterr().err.endswith(sentence)
    assert [*tree(out)] == ["batch.jobs"]
    assert batch(out / "batch.jobs", "--quiet") == 0
    assert len(results(out)) == 11


def test_a_queue_that_cannot_be_begun_is_let_go_of(tmp_path, capfd, monkeypatch):
    def fails(_jobs):
        raise CleanplateError("The address cannot be reached.")

    (tmp_path / "a.jobs").write_text('{"version":1}\n')
    monkeypatch.setattr("core.batch.plan.again", fails)
    assert batch(tmp_path / "a.jobs") == 2
    assert capfd.readouterr().err == "cleanplate: The address cannot be reached.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["a.jobs"]


def test_the_program_starts_itself_whatever_the_working_folder_holds(tmp_path):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise ImportError('not this one')")
    done = subprocess.run(
        [*own_command(), "--version"], cwd=tmp_path, env={**os.environ, **own_environment()}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("cleanplate "), done.stderr
    assert own_command()[0] == sys.executable
