"""A run whose input is lost while it is read gives no results, and one that a person ends early does."""

import os

import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError
from core.export.job import run_job
from core.export.job_spec import Job
from core.io.input_spec import InputSpec
from core.session.settings import Settings
from tests.small_inputs import save_png, scene

N_FRAMES = 40


@pytest.fixture
def stack(tmp_path):
    path = tmp_path / "cells.tif"
    tifffile.imwrite(path, np.stack([scene(i)[..., 1] for i in range(N_FRAMES)]), photometric="minisblack")
    return path


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for index in range(N_FRAMES):
        save_png(folder / f"{index:02}.png", scene(index)[..., 1])
    return folder


def job(path, passes=2, **more):
    settings = Settings(values={"smallest": 0}, passes=passes)
    return Job(InputSpec(str(path)), path.parent / "out", ("mask",), settings, **more)


def in_the_last_pass(act):
    """Return what tells of progress, and acts once where the last pass has begun."""
    done = []

    def tell(progress):
        if progress.pass_number == progress.n_passes and progress.frame == 5 and not done:
            done.append(True)
            act()

    return tell


@pytest.mark.parametrize("passes", [1, 2])
def test_a_folder_that_goes_away_gives_no_results(folder, passes):
    with pytest.raises(CleanplateError, match=r"^photos is gone"):
        run_job(job(folder, passes), in_the_last_pass(lambda: folder.rename(folder.parent / "away")))
    assert not (folder.parent / "out").exists()


def test_a_file_that_goes_away_gives_no_results(folder):
    with pytest.raises(CleanplateError, match=r"^39\.png in \S+ is gone"):
        run_job(job(folder), in_the_last_pass((folder / "39.png").unlink))
    assert not (folder.parent / "out").exists()


@pytest.mark.parametrize("passes", [1, 2])
def test_a_drive_that_fails_gives_no_results(stack, medium, passes):
    def fail():
        medium.fails_at = range(stack.stat().st_size // 2, stack.stat().st_size)

    with pytest.raises(CleanplateError, match=r"^cells\.tif cannot be read \(Input/output error\)"):
        run_job(job(stack, passes), in_the_last_pass(fail))
    assert not (stack.parent / "out").exists()


@pytest.mark.parametrize("method", ["fast", "b-kl"])
def test_an_input_that_becomes_shorter_between_two_passes_gives_no_results(stack, method):
    def cut():
        os.truncate(stack, stack.stat().st_size // 2)

    settings = Settings(method, values={"smallest": 0}, passes=2)
    with pytest.raises(CleanplateError, match=r"^cells\.tif gave 40 frames and then \d+: it was changed [^.]+\.$"):
        run_job(Job(InputSpec(str(stack)), stack.parent / "out", ("mask",), settings), in_the_last_pass(cut))
    assert not (stack.parent / "out").exists()


def test_a_damaged_image_is_left_out_of_both_passes_and_the_results_are_there(folder):
    (folder / "07.png").write_bytes(b"no image")
    summary = run_job(job(folder))
    assert summary.frames == N_FRAMES - 1
    assert any("07.png" in sentence for sentence in summary.warnings)


def test_what_a_person_ends_in_the_last_pass_has_its_results(folder):
    ended = []
    summary = run_job(job(folder), in_the_last_pass(lambda: ended.append(True)), enough=lambda: bool(ended))
    assert 5 <= summary.frames < N_FRAMES
    assert len(list((folder.parent / "out" / "mask").iterdir())) == summary.frames


def test_frames_of_a_range_alone_are_results(folder):
    assert run_job(job(folder, written=(3, 9))).frames == 7


def test_an_input_that_grows_between_two_passes_has_its_results(folder):
    (folder / "30.png").rename(folder / "later")
    (folder / "30.png").write_bytes(b"no image")
    summary = run_job(job(folder), in_the_last_pass(lambda: (folder / "later").replace(folder / "30.png")))
    assert summary.frames == N_FRAMES
