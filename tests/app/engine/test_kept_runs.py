"""What runs had learnt is kept within a bound, and found again by the settings that it was learnt with."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine import kept_runs
from app.engine.choice import Choice
from app.engine.kept_runs import KeptRun, KeptRuns
from app.engine.resume import Resume
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.session.model import Model
from core.session.settings import Settings
from core.session.standing import Standing
from tests.app.windows import running_worker, wait_for, write_clip

CLIP = InputSpec("/films/clip.mp4")


def run(request=CLIP, method="fast", lineage=1, **values):
    learnt = Model(method, values, Layout(8, 8, Planes.GREY), {"W": np.zeros((64, 2), np.float32)}, {})
    return KeptRun(request, Settings(method, values), learnt, Standing(5), (1,), lineage, 7)


def test_it_is_found_by_input_method_and_what_is_fixed_and_taken_once():
    kept = KeptRuns()
    kept.keep(run(rank=4))
    for request, settings in (
        (replace(CLIP, size=(4, 4)), Settings("fast", {"rank": 4})),
        (CLIP, Settings("opgd", {"rank": 4})),
        (CLIP, Settings("fast", {"rank": 4}, seed=3)),
        (CLIP, Settings("fast", {"rank": 4, "cell": 8})),
    ):
        assert kept.find(request, settings) is None
    live = Settings("fast", {"rank": 4, "memory": 90})
    found = kept.find(CLIP, live)
    resume = found.resumed(Resume(plays=True), live)
    assert (resume.standing, resume.unused, resume.lineage, resume.plays) == (Standing(5), (1,), 1, True)
    assert resume.n_before == 7
    assert kept.find(CLIP, live) is found
    kept.take(found)
    assert kept.find(CLIP, live) is None


def test_it_goes_on_with_the_live_values_that_are_asked_for_also_where_these_are_the_defaults():
    asked = Settings("fast", {"rank": 4})
    resume = run(rank=4, memory=90, sensitivity=80.0).resumed(Resume(), asked)
    assert resume.learnt.values == {"rank": 4}


def test_a_run_whose_rank_was_changed_in_its_middle_is_none_of_the_rank_that_it_began_with():
    kept, began = KeptRuns(), run(method="ol-wang", rank=5)
    kept.keep(replace(began, learnt=replace(began.learnt, values={"rank": 4})))
    assert kept.find(CLIP, Settings("ol-wang", {"rank": 5})) is None
    assert kept.find(CLIP, Settings("ol-wang", {"rank": 4})) is not None


@pytest.mark.usefixtures("qapp")
def test_what_was_learnt_from_a_file_is_not_that_of_another_also_where_it_took_its_name(tmp_path):
    path = write_clip(tmp_path / "a.mkv", 20)
    request, choice = InputSpec(str(path)), Choice()
    with running_worker() as running:
        worker, told = running.worker, []
        worker.restarted.connect(lambda *_: told.append(True))

        def begun(ask, *words):
            n = len(told)
            ask(*words)
            wait_for(lambda: len(told) > n, "another run")

        for other in (path, write_clip(tmp_path / "b.mkv", 20)):
            begun(worker.open, request, choice)
            wait_for(lambda: worker.n_learnt > 5, "some frames")
            begun(worker.restart, Choice("opgd"))
            assert worker.keeps_learnt(request, choice)
            if other == path:
                write_clip(path, 15)
            begun(worker.open, InputSpec(str(other)), choice)
            assert not worker.keeps_learnt(request, choice)


def test_of_runs_of_the_same_settings_the_newest_is_kept_and_of_all_no_more_than_a_bound(monkeypatch):
    kept = KeptRuns()
    for lineage in (1, 2):
        kept.keep(run(lineage=lineage))
    assert kept.find(CLIP, Settings()).lineage == 2
    kept.take(kept.find(CLIP, Settings()))
    assert kept.find(CLIP, Settings()) is None
    monkeypatch.setattr(kept_runs, "MOST_BYTES", 3 * 512)
    for n in range(4):
        kept.keep(run(replace(CLIP, seed=n)))
    assert [kept.find(replace(CLIP, seed=n), Settings()) is not None for n in range(4)] == [False, True, True, True]
    monkeypatch.setattr(kept_runs, "MOST_BYTES", 100)
    kept.keep(run())
    assert kept.find(CLIP, Settings()), "the newest in any case"
    assert kept.find(replace(CLIP, seed=3), Settings()) is None
