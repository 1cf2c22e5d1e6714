"""Whole runs of batch methods: their progress in each phase, and files of the last pass only."""

from itertools import groupby

import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.job import run_job
from core.runtime.stopping import StoppedError
from core.session.phase import Phase
from core.session.settings import Settings
from tests.core.export.test_job import job, read, tree

SETTINGS = Settings("bpgd", {"rank": 3, "iterations": 25, "tolerance": 1e-9})


def test_progress_tells_the_phases_and_only_what_is_applied_is_written(photos, tmp_path):
    steps = []
    summary = run_job(job(photos, tmp_path / "out", "background", "mask", "model", settings=SETTINGS), steps.append)
    told = [(phase, [s.frame for s in group]) for phase, group in groupby(steps, key=lambda s: s.phase)]
    assert told == [
        (Phase.GATHERING, list(range(1, 17))),
        (Phase.ITERATING, list(range(1, 26))),
        (Phase.APPLYING, list(range(1, 17))),
    ]
    assert {s.total for s in steps if s.phase is Phase.ITERATING} == {25}
    assert steps[-1].seconds_left == 0
    assert all(s.seconds_left is None for s in steps if s.phase is Phase.GATHERING)
    assert summary.frames == 16
    assert len(list((tmp_path / "out" / "mask").iterdir())) == 16


def test_the_same_seed_gives_the_same_bytes_and_a_saved_model_the_same_backgrounds(photos, tmp_path):
    for name in ("a", "b"):
        run_job(job(photos, tmp_path / name, "background", "mask", "model", settings=SETTINGS))
    assert tree(tmp_path / "a") == tree(tmp_path / "b")
    run_job(job(photos, tmp_path / "c", "background", model=tmp_path / "a" / "model.npz", settings=Settings("bpgd")))
    for path in (tmp_path / "a" / "background").iterdir():
        assert np.array_equal(read(path), read(tmp_path / "c" / "background" / path.name))


def test_ending_it_before_anything_is_applied_says_so_and_leaves_nothing(photos, tmp_path):
    with pytest.raises(CleanplateError, match="ended before anything was applied"):
        run_job(job(photos, tmp_path / "out", settings=SETTINGS), enough=lambda: True)
    assert not (tmp_path / "out").exists()


def test_cancelling_is_heard_in_the_middle_of_an_iteration(photos, tmp_path):
    steps = []

    def cancelled():
        return steps and steps[-1].phase is Phase.ITERATING

    with pytest.raises(StoppedError, match="nothing was written"):
        run_job(job(photos, tmp_path / "out", settings=SETTINGS), steps.append, cancelled)
    assert steps[-1].frame == 1
    assert not (tmp_path / "out").exists()
