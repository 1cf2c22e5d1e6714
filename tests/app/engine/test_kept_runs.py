"""What runs had learnt is kept within a bound, and found again by the settings that it was learnt with."""

from dataclasses import replace

import numpy as np

from app.engine import kept_runs
from app.engine.kept_runs import KeptRun, KeptRuns
from app.engine.resume import Resume
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.session.model import Model
from core.session.settings import Settings
from core.session.standing import Standing

CLIP = InputSpec("/films/clip.mp4")


def run(request=CLIP, method="fast", lineage=1, **values):
    learnt = Model(method, values, Layout(8, 8, Planes.GREY), {"W": np.zeros((64, 2), np.float32)}, {})
    return KeptRun(request, Settings(method, values), learnt, Standing(5), (1,), lineage)


def test_it_is_found_by_input_method_and_what_is_fixed_and_taken_once():
    kept = KeptRuns()
    kept.keep(run(rank=4))
    for request, settings in (
        (replace(CLIP, size=(4, 4)), Settings("fast", {"rank": 4})),
        (CLIP, Settings("opgd", {"rank": 4})),
        (CLIP, Settings("fast", {"rank": 4}, seed=3)),
        (CLIP, Settings("fast", {"rank": 4, "cell": 8})),
    ):
        assert not kept.has(request, settings)
        assert kept.resumed(Resume(), request, settings) == Resume()
    live = Settings("fast", {"rank": 4, "memory": 90})
    assert kept.has(CLIP, live)
    resume = kept.resumed(Resume(plays=True), CLIP, live)
    assert (resume.standing, resume.unused, resume.lineage, resume.plays) == (Standing(5), (1,), 1, True)
    assert not kept.has(CLIP, live)


def test_of_runs_of_the_same_settings_the_newest_is_kept_and_of_all_no_more_than_a_bound(monkeypatch):
    kept = KeptRuns()
    for lineage in (1, 2):
        kept.keep(run(lineage=lineage))
    assert kept.resumed(Resume(), CLIP, Settings()).lineage == 2
    assert not kept.has(CLIP, Settings())
    monkeypatch.setattr(kept_runs, "MOST_BYTES", 3 * 512)
    for n in range(4):
        kept.keep(run(replace(CLIP, seed=n)))
    assert [kept.has(replace(CLIP, seed=n), Settings()) for n in range(4)] == [False, True, True, True]
    monkeypatch.setattr(kept_runs, "MOST_BYTES", 100)
    kept.keep(run())
    assert kept.has(CLIP, Settings()), "the newest in any case"
    assert not kept.has(replace(CLIP, seed=3), Settings())
    kept.keep(run(InputSpec("/films/other.mp4")))
    kept.forget()
    assert not kept.has(InputSpec("/films/other.mp4"), Settings())
