"""The disk gets full: what a camera gave is completed, what can be read again is given up."""

import errno
import json
import os
import subprocess
import time

import av
import cv2
import numpy as np
import pytest

from app.cli.main import invoke
from core.errors import CleanplateError, FullError
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.scene_files import SceneFiles
from core.export.tables import Table
from core.io.publishing import spare_room
from core.io.publishing.spare_room import SpareRoom
from core.io.sinks.images import ImageSequence, PngSequence
from core.io.sinks.video import Film
from core.io.sources import InputSpec, camera
from core.session.settings import Settings
from tests.plugged import Plugged, PluggedDevice

SAVE = ("mask", "cleaned", "plate", "events", "times")
N_FRAMES = 12
"""Frames for which there is room."""


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(spare_room, "BALLAST", 1000)
    monkeypatch.setattr(camera.cv2, "VideoCapture", Plugged().capture)


@pytest.fixture
def noise(monkeypatch):
    """What the camera shows: films of it grow quickly."""
    shown, read = np.random.default_rng(0).integers(0, 256, (48, 64, 3), np.uint8), PluggedDevice.read

    def noisy(device):
        is_read, picture = read(device)
        return is_read, None if picture is None else np.roll(shown, 7 * int(picture[0, 0, 0]))

    monkeypatch.setattr(PluggedDevice, "read", noisy)


def full(*_args, **_more):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fill_after(monkeypatch, kind, name, n):
    """Let a method of a class be refused from the n-th call on."""
    method, calls = getattr(kind, name), []

    def limited(self, *args, **more):
        calls.append(None)
        return method(self, *args, **more) if len(calls) <= n else full()

    monkeypatch.setattr(kind, name, limited)


def run(where, output, form="png", save=SAVE, **more):
    """Run a job, of a camera for 30 s after its first frame at most."""
    asked = []

    def enough():
        asked.append(time.monotonic())
        return asked[-1] > asked[0] + 30

    job = Job(InputSpec(str(where)), output, save, Settings(), format=form, **more)
    return run_job(job, enough=enough)


def frames_of(path):
    if path.is_dir():
        return [cv2.imread(str(image)) is not None for image in sorted(path.iterdir())].count(True)
    with av.open(str(path)) as film:
        return sum(1 for _ in film.decode(video=0))


def said_until_now(summary):
    assert summary.cut_short.startswith("The disk is full: recorded until 0:00:")
    return summary.warnings


@pytest.mark.parametrize(("form", "suffix"), [("png", ""), ("mkv", ".mkv"), ("mp4", ".mp4"), ("prores", ".mov")])
def test_a_recording_ends_before_the_disk_is_full_and_is_complete(tmp_path, monkeypatch, form, suffix):
    looks = []
    monkeypatch.setattr(SpareRoom, "is_short", property(lambda _: looks.append(None) or len(looks) > N_FRAMES))
    summary = run("camera:0", tmp_path / "out", form)
    assert not any("room" in note for note in said_until_now(summary))
    assert summary.frames == N_FRAMES
    for product in ("mask", "cleaned"):
        assert frames_of(tmp_path / "out" / f"{product}{suffix}") == N_FRAMES
    assert cv2.imread(str(tmp_path / "out" / "plate.png")).shape == (48, 64, 3)
    assert np.load(tmp_path / "out" / "times.npz")["frame"].shape == (N_FRAMES,)
    assert json.loads((tmp_path / "out" / "events" / "events.json").read_text())["frames"] == N_FRAMES
    assert {path.name for path in summary.files} == {
        path.name for path in (tmp_path / "out").iterdir() if path.name != "cleanplate.json" and path.name[0] != "."
    }  # fmt: skip


def test_images_that_were_written_are_kept_where_one_finds_no_room(tmp_path, monkeypatch):
    fill_after(monkeypatch, PngSequence, "encode", 2 * N_FRAMES)
    summary = run("camera:0", tmp_path / "out")
    said_until_now(summary)
    assert np.load(tmp_path / "out" / "times.npz")["frame"].shape == (summary.frames,)
    for product in ("mask", "cleaned"):
        images = len(list((tmp_path / "out" / product).iterdir()))
        assert N_FRAMES - 1 <= frames_of(tmp_path / "out" / product) == images <= N_FRAMES + 1
    assert {"plate.png", "events", "times.npz", "times.csv"} <= {path.name for path in summary.files}


def test_of_an_image_that_finds_no_room_nothing_stays(tmp_path, monkeypatch):
    sink = ImageSequence(tmp_path / "mask")
    monkeypatch.setattr(ImageSequence, "encode", lambda *_: b"12345678")
    sink.open(tmp_path)
    sink.write(1, 0.0, np.zeros((2, 2), np.uint8))
    monkeypatch.setattr(ImageSequence, "encode", lambda *_: bytes(1 << 20))
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        with pytest.raises(FullError):
            sink.write(2, 0.0, np.zeros((2, 2), np.uint8))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(list((tmp_path / "mask").iterdir())) == 1
    assert sink.salvage()


@pytest.mark.usefixtures("noise")
def test_a_film_that_finds_no_room_is_kept_as_far_as_it_can_be_read(tmp_path):
    """Real refusals in the midst of a file: none may grow beyond a size that the larger film reaches."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
    try:
        summaries = [run("camera:0", tmp_path / form, form, ("cleaned", "mask", "times")) for form in ("mkv", "mp4")]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    for summary in summaries:
        said_until_now(summary)
        kept = {path.name for path in summary.files}
        assert {"times.npz", "times.csv"} <= kept
        for film in ("mask", "cleaned"):
            assert any(path.stem == film and frames_of(path) > 1 for path in summary.files) or any(
                film in note for note in summary.warnings if note.startswith("There was no more room for")
            )
    assert frames_of(tmp_path / "mkv" / "cleaned.mkv") > 1


@pytest.mark.parametrize(
    ("kind", "method", "lost"),
    [
        (SceneFiles, "finish", ["plate.png"]), (Table, "write", ["times.npz", "times.csv"]),
        ("core.events.files.EventFiles", "close", ["events"]),
        ("core.events.files.EventFiles", "add_frame", ["events"]),
    ],
)  # fmt: skip
def test_what_cannot_be_completed_is_left_out(tmp_path, monkeypatch, kind, method, lost):
    looks = []
    monkeypatch.setattr(SpareRoom, "is_short", property(lambda _: looks.append(None) or len(looks) > N_FRAMES))
    run("camera:0", tmp_path / "out")
    before = {name: contents(tmp_path / "out" / name) for name in lost}
    looks.clear()
    if isinstance(kind, str):
        from core.events.files import EventFiles as kind  # noqa: N813
    if method == "add_frame":
        fill_after(monkeypatch, kind, method, 5)
    elif kind is Table:
        monkeypatch.setattr("core.export.tables.np.savez", full)
    else:
        monkeypatch.setattr(kind, method, _refused if kind is SceneFiles else full)
    summary = run("camera:0", tmp_path / "out", overwrite=True)
    assert f"There was no more room for {', '.join(lost)}; what is there is of an earlier run." in said_until_now(
        summary
    )
    assert {path.name for path in summary.files} == {
        "mask",
        "cleaned",
        "plate.png",
        "events",
        "times.npz",
        "times.csv",
    } - {*lost}
    assert {name: contents(tmp_path / "out" / name) for name in lost} == before, "what is older stays"
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".cleanplate-")]


def contents(path):
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files if file.is_file()}


def _refused(*_):
    raise FullError("The disk is full.")


def test_where_nothing_fits_nothing_is_left(tmp_path, monkeypatch):
    fill_after(monkeypatch, Film, "_encode", 0)
    with pytest.raises(FullError, match="disk is full"):
        run("camera:0", tmp_path / "out", "mkv", ("mask",))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["png", "mkv"])
def test_an_input_that_can_be_read_again_leaves_nothing(tmp_path, photos, monkeypatch, form):
    fill_after(monkeypatch, *((PngSequence, "encode") if form == "png" else (Film, "_encode")), 9)
    with pytest.raises(CleanplateError, match="disk is full"):
        run(photos, tmp_path / "out", form)
    assert not (tmp_path / "out").exists()


def test_the_command_line_says_until_when_and_does_not_end_as_if_all_were_well(tmp_path, monkeypatch, capsys):
    looks = []
    monkeypatch.setattr(SpareRoom, "is_short", property(lambda _: looks.append(None) or len(looks) > N_FRAMES))
    out = tmp_path / "out"
    assert invoke(["run", "camera:0", "-o", str(out), "--save", "mask,times", "--format", "mkv"]) == 2
    told = capsys.readouterr()
    assert f"{N_FRAMES} frames of 64×48" in told.out
    assert "cleanplate: The disk is full: recorded until 0:00:00; free some space or" in told.err
    assert frames_of(out / "mask.mkv") == N_FRAMES


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting is allowed to root alone")
@pytest.mark.usefixtures("noise")
@pytest.mark.parametrize("form", ["png", "mkv"])
def test_on_a_small_disk_a_recording_is_complete(tmp_path, form):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        summary = run("camera:0", small / "out", form, ("mask", "cleaned", "times"))
        said_until_now(summary)
        found = {path.name: frames_of(path) for path in summary.files if path.stem in {"mask", "cleaned"}}
        assert len(found) == 2
        assert min(found.values()) >= summary.frames - 2
    finally:
        subprocess.run(["umount", small], check=True)
