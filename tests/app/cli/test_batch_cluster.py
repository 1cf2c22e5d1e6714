"""The command ``batch`` on a cluster: workers with other working folders, files at ``s3://``, and whoever dies."""

import json
import os
import threading
from collections import Counter

import pytest

from app.cli.main import invoke
from tests.app.windows import write_clip
from tests.cluster.processes import Cluster, ObjectStore, Processes, until

pytest.importorskip("distributed", reason="the extra cluster is absent")
fsspec = pytest.importorskip("fsspec", reason="the extra cluster is absent")
pytest.importorskip("s3fs", reason="the extra cluster is absent")
pytest.importorskip("moto.server", reason="the server of S3 for tests is absent")

# Of dask's own, on sockets of a scheduler that was killed.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")

FAST = ["--save", "mask,plate", "--set", "warm_up=4"]
SLOW = ["--save", "mask", "--passes", "8"]
N_CLIPS = 2


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def results(folder):
    """Return the files of all results, without what the batch keeps of itself."""
    return {name: packed for name, packed in tree(folder).items() if not name.startswith(("logs/", "batch.jobs"))}


def batch(*words):
    return invoke(["batch", *map(str, words)])


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    started = Processes(tmp_path_factory.mktemp("processes"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def store(processes):
    return ObjectStore(processes)


@pytest.fixture
def cluster(processes, store):
    """A cluster of two workers; one test's leaves it to the next, as far as it still lives."""
    found = getattr(processes, "cluster", None)
    if found is None or found.scheduler.poll() is not None:
        found = processes.cluster = Cluster(processes, **store.environment)
        found.start()
    found.workers = [worker if worker.poll() is None else found.add_worker() for worker in found.workers]
    return found


@pytest.fixture
def environment(store, tmp_path, monkeypatch):
    for name, value in {**store.environment, "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def clips(tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    for number in range(1, N_CLIPS + 1):
        write_clip(folder / f"clip{number}.mkv", 10 + number)
    return folder


@pytest.mark.usefixtures("environment")
def test_clips_at_an_address_give_the_bytes_of_clips_here_and_are_resumed_from_anywhere(
    processes, cluster, clips, tmp_path, capfd, monkeypatch
):
    files = fsspec.filesystem("s3", skip_instance_cache=True, use_listings_cache=False)
    files.mkdir("clips")
    for clip in clips.iterdir():
        files.put(str(clip), f"clips/in/{clip.name}")
    words = ["s3://clips/in", "-o", "s3://clips/out", *FAST, "--scheduler", cluster.address, "--json", "--quiet"]
    assert batch(*words) == 0
    summary = json.loads(capfd.readouterr().out)
    assert (summary["done"], summary["frames"]) == (N_CLIPS, 23)
    for number in range(1, N_CLIPS + 1):
        assert invoke(["run", str(clips / f"clip{number}.mkv"), "-o", str(tmp_path / f"clip{number}"), *FAST]) == 0
        there = {
            path.removeprefix(f"clips/out/clip{number}/"): files.cat_file(path)
            for path in files.find(f"clips/out/clip{number}")
        }
        manifest = there.pop("cleanplate.json")
        assert there == tree(tmp_path / f"clip{number}")
        assert b"secret" not in manifest
    logs = tree(tmp_path / "state")
    assert sum(name.endswith(".log") for name in logs) == N_CLIPS
    assert not any(b"secret-of-a-test" in said for said in logs.values())
    # Of what a worker fetched nothing stays.
    assert not [*processes.folder.rglob("*.mkv")]
    # Another machine knows nothing of the list.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    files.rm_file("clips/out/clip2/plate.png")
    capfd.readouterr()
    assert batch(*words, "--resume") == 0
    summary = json.loads(capfd.readouterr().out)
    assert (summary["done"], summary["done_before"]) == (1, N_CLIPS - 1)
    assert files.exists("clips/out/clip2/plate.png")


@pytest.mark.usefixtures("environment")
def test_a_job_of_a_killed_worker_runs_elsewhere_and_what_a_killed_scheduler_had_is_resumed(
    cluster, clips, tmp_path, capfd
):
    for number in range(N_CLIPS, 4):
        write_clip(clips / f"more{number}.mkv", 12)
    out, n_before = tmp_path / "out", len(cluster.counted("begun"))

    def kill_one_then_the_other():
        until(lambda: [*out.glob("*/.cleanplate-*")], "a run")
        cluster.kill(cluster.workers[0])
        until(lambda: out.is_dir() and states(out).count("done"), "a result")
        cluster.kill(cluster.scheduler)

    killer = threading.Thread(target=kill_one_then_the_other)
    with cluster.holding("more3"):  # Else all might be done before the scheduler is killed.
        killer.start()
        status = batch(clips, "-o", out, *SLOW, "--scheduler", cluster.address, "--quiet")
        killer.join()
    said = capfd.readouterr().err.splitlines()
    assert (status, len(said)) == (2, 1), said
    assert said[0].startswith(f"cleanplate: The scheduler at {cluster.address} is gone, with ")
    done = {line["name"] for line in lines(out) if line["state"] == "done"}
    again = Counter(cluster.counted("begun")[n_before:])
    assert sum(again[name] - 1 for name in done) <= 1, "a job was run again that nobody had lost"
    stamps = {name: os.stat(out / name).st_mtime_ns for name in results(out) if name.split("/")[0] in done}
    assert batch(clips, "-o", out, *SLOW, "--resume", "--json", "--quiet") == 0
    summary = json.loads(capfd.readouterr().out)
    assert (summary["done"], summary["done_before"]) == (4 - len(done), len(done))
    assert stamps == {name: os.stat(out / name).st_mtime_ns for name in stamps}


def lines(folder):
    return [json.loads(line) for line in (folder / "batch.jobs").read_text().splitlines()[1:]]


def states(folder):
    return [line["state"] for line in lines(folder)]


def test_who_answers_at_no_address_is_told_of(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("core.batch.cluster.launcher.CONNECT_S", 0.3)
    assert batch("sample:street", "-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1") == 2
    said = capsys.readouterr().err
    assert said.startswith("cleanplate: No scheduler answers at tcp://127.0.0.1:1 (")
    assert len(said.splitlines()) == 1
