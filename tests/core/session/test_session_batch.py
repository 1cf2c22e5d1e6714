"""Batch methods in a session: gather, iterate, apply."""

import threading
from itertools import groupby, pairwise

import numpy as np
import pytest

from core.catalogue import METHODS
from core.frames import metrics
from core.frames.colour import STANDARDS
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.runtime.stopping import StoppedError, stops_when
from core.scene.areas import Areas, Shape
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_session import LAYOUT, SCENE, Unsure, clip, refused
from tests.core.session.test_session import frame as drawn
from tests.patience import PATIENCE_S, aside, ends

FEW = {"rank": 3, "iterations": 12, "tolerance": 1e-9}


def session(source=None, method="bpgd", passes=1, seed=0, **values):
    return Session(source or clip(20), Settings(method, {**FEW, **values}, passes, seed))


def stretches(reports):
    return [(phase, len(list(group))) for phase, group in groupby(reports, key=lambda r: r.phase)]


@pytest.mark.parametrize("method", ["bpgd", "badmm", "rnmf-mu"])
@pytest.mark.parametrize("passes", [1, 3])
def test_it_gathers_iterates_and_applies_whatever_the_number_of_passes(method, passes):
    reports = list(session(method=method, passes=passes).run())
    assert stretches(reports) == [(Phase.GATHERING, 20), (Phase.ITERATING, 12), (Phase.APPLYING, 20)]
    gathered, iterated, applied = reports[:20], reports[20:32], reports[32:]
    assert [r.frame.index for r in gathered] == [r.frame.index for r in applied] == list(range(20))
    assert {(r.pass_index, r.n_passes) for r in gathered + iterated} == {(0, 2)}
    assert {(r.pass_index, r.n_passes) for r in applied} == {(1, 2)}, "only what is applied is written"
    assert [r.iteration.number for r in iterated] == list(range(1, 13))
    assert {(r.iteration.at_most, r.iteration.n_kept) for r in iterated} == {(12, 20)}
    assert all(r.iteration is None and not r.figures for r in gathered)
    assert all(not r.mask.any() for r in gathered), "nothing is known yet"


def test_each_report_knows_what_its_samples_stand_for():
    source = SampleSource(SourceInfo("Clip", LAYOUT, 25.0, 6, standard=STANDARDS["bt2020"]), drawn)
    for run in (session(source), Session(source, Settings())):
        reports = [*run.run(), *run.browse(2)]
        assert all(report.standard == STANDARDS["bt2020"] for report in reports)
    again = Session(source, Settings(), run.model(), goes_on=True)
    assert again.go_on_at(run.standing(is_over=True)).standard == STANDARDS["bt2020"]
    assert all(report.standard is None for report in Session(clip(3), Settings()).run())


def test_iterations_show_one_frame_coming_apart():
    reports = [r for r in session(iterations=60).run() if r.phase is Phase.ITERATING]
    assert len({r.frame.index for r in reports}) == 1
    assert all(b.iteration.objective <= a.iteration.objective for a, b in pairwise(reports))
    first, last = reports[0], reports[-1]
    assert last.figures["f_measure"] > 0.5
    np.testing.assert_allclose(last.split.background + last.split.residual, last.frame.values / 255, atol=1e-5)
    assert last.split.objective < 0.5 * first.split.objective
    assert set(last.stages_ms) == {"decode", "step", "mask"}


def test_figures_of_iterations_are_those_of_the_mask_that_is_shown():
    run = session(iterations=2, mask_grow=4)
    report = next(r for r in run.run() if r.phase is Phase.ITERATING)
    score = metrics.RunningScore().update(report.frame, report.split, report.finished_mask)
    assert report.figures == score != metrics.RunningScore().update(report.frame, report.split, report.mask)


def test_what_was_learnt_separates_the_frames_that_follow():
    run = session(iterations=100)
    last = list(run.run())[-1]
    assert last.figures["f_measure"] > 0.7
    assert np.abs(last.split.background * 255 - SCENE).mean() < 3


def test_nothing_is_learnt_while_it_is_applied():
    run, states = session(), []
    for report in run.run():
        if report.phase is Phase.APPLYING:
            states.append(run.method.W.copy())
    assert all(np.array_equal(states[0], W) for W in states)


def test_the_same_seed_gives_the_same_reports():
    one, other = (list(session(seed=4).run()) for _ in range(2))
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a.split.background, b.split.background)
        assert np.array_equal(a.mask, b.mask)
    third = list(session(seed=5).run())
    assert not np.array_equal(one[-1].split.background, third[-1].split.background)


def test_a_long_input_is_thinned_and_the_frame_shown_is_one_of_those_kept():
    run = session(clip(70), frames=8)
    reports = list(run.run())
    assert stretches(reports) == [(Phase.GATHERING, 70), (Phase.ITERATING, 12), (Phase.APPLYING, 70)]
    for report in (r for r in reports if r.phase is Phase.ITERATING):
        assert report.frame.index in run.method.numbers
        total = report.split.background + report.split.residual
        np.testing.assert_allclose(total, report.frame.values / 255, atol=1e-5)


class Camera(Unsure):
    """Counts how often it is opened."""

    def __init__(self, n):
        super().__init__(clip(n), live=True, known=False)
        self.n_opened = 0

    def frames(self, first=0):
        self.n_opened += 1
        return super().frames(first)


def test_a_camera_is_learnt_from_until_there_is_enough_and_applied_to_what_follows():
    camera = Camera(40)
    reports = list(session(camera, frames=15).run())
    assert stretches(reports) == [(Phase.GATHERING, 15), (Phase.ITERATING, 12), (Phase.APPLYING, 25)]
    assert [r.frame.index for r in reports if r.phase is Phase.APPLYING] == list(range(15, 40))
    assert camera.n_opened == 1


def test_parameters_change_between_iterations():
    run, seen = session(), []
    for report in run.run():
        if report.phase is Phase.ITERATING:
            seen.append(report.iteration.at_most)
            if report.iteration.number == 3:
                run.control.set({"iterations": 5, "lam": 0.2})
    assert seen == [12, 12, 12, 5, 5]
    assert run.method.rule.loss.lam == run.control.values["lam"] == 0.2
    refused(run.control.set, {"frames": 5}, match="cannot change while")


BATCH = [key for key, row in METHODS.items() if row.kind == "batch"]


@pytest.mark.parametrize("method", BATCH)
def test_an_iteration_of_any_method_is_stopped_in_its_middle(method):
    run, iterated = Session(clip(20), Settings(method, {"rank": 3, "tolerance": 1e-9})), []

    def stop_in_the_second():
        if iterated:
            run.control.stop()
        return False

    with stops_when(stop_in_the_second):
        for report in run.run():
            if report.phase is Phase.ITERATING:
                iterated.append(run.method.W.copy())
            assert report.phase is not Phase.APPLYING
    assert len(iterated) == 1
    np.testing.assert_array_equal(run.method.W, iterated[0])


def test_what_was_stopped_in_an_iteration_begins_anew_from_what_it_had_learnt():
    method = session(method="badmm").method
    for frame in clip(20).frames():
        method.step(frame.values)
    first = [method.improve().objective for _ in range(5)][-1]
    with stops_when(lambda: True), pytest.raises(StoppedError):
        method.improve()
    again = method.improve()
    assert again.iteration == 1
    assert again.objective < 1.5 * first


def test_a_seek_between_iterations_shows_the_nearest_frame_that_was_kept():
    run, shown = session(), []
    for report in run.run():
        if report.phase is Phase.ITERATING:
            shown.append(report.frame.index)
            if report.iteration.number == 2:
                run.control.seek(3)
    assert len(shown) == 12
    assert abs(shown[2] - 3) <= 2
    assert set(shown[2:]) == {shown[2]} != {shown[0]}


def test_a_seek_while_frames_are_gathered_or_applied_goes_on_from_there():
    run, came = session(), []
    for report in run.run():
        came.append((report.phase, report.frame.index))
        if came[-1] == (Phase.GATHERING, 4):
            run.control.seek(15)
        if came[-1] == (Phase.APPLYING, 2):
            run.control.seek(18)
    assert [i for phase, i in came if phase is Phase.GATHERING] == [0, 1, 2, 3, 4, *range(15, 20)]
    assert [i for phase, i in came if phase is Phase.APPLYING] == [0, 1, 2, 18, 19]


@pytest.mark.parametrize("phase", [Phase.GATHERING, Phase.ITERATING, Phase.APPLYING])
def test_stopping_ends_it_in_every_phase(phase):
    run, after = session(), 0
    for report in run.run():
        after += report.phase is phase
        if report.phase is phase:
            run.control.stop()
    assert after == 1


def test_a_pause_holds_between_iterations():
    run, came = session(iterations=500), []
    five = threading.Event()

    def work():
        for report in run.run():
            if report.phase is Phase.ITERATING:
                came.append(report.iteration.number)
                if len(came) == 5:
                    run.control.pause()
                    five.set()
                if len(came) == 9:
                    run.control.stop()

    with aside(work, run.control.stop) as thread:
        assert five.wait(PATIENCE_S)
        thread.join(0.2)
        assert thread.is_alive()
        assert came == [1, 2, 3, 4, 5]
        run.control.resume()
        ends(thread)
    assert came == list(range(1, 10))


def test_run_again_what_was_learnt_is_applied():
    run = session()
    list(run.run())
    W = run.method.W.copy()
    again = list(run.run())
    assert stretches(again) == [(Phase.APPLYING, 20)]
    assert np.array_equal(run.method.W, W)


def test_a_value_that_changes_while_it_is_applied_is_learnt_with_when_it_is_run_again():
    run, states = session(), []
    for report in run.run():
        if report.phase is Phase.APPLYING:
            states.append(run.method.W.copy())
            if report.frame.index == 5:
                run.control.set({"lam": 0.2, "iterations": 8})
    assert len(states) == 20
    assert all(np.array_equal(states[0], W) for W in states), "nothing is learnt meanwhile"
    again = list(run.run())
    assert stretches(again) == [(Phase.ITERATING, 8), (Phase.APPLYING, 20)]
    assert run.method.numbers == list(range(20)), "nothing is gathered twice"
    assert stretches(run.run()) == [(Phase.APPLYING, 20)]


def test_a_saved_model_is_applied_to_another_input(tmp_path):
    from core.session.model import Model

    run = session(iterations=60)
    last = list(run.run())[-1]
    run.model().save(tmp_path / "m.npz")
    model = Model.load(tmp_path / "m.npz")
    reports = list(Session(clip(20), Settings("bpgd"), model).run())
    assert stretches(reports) == [(Phase.APPLYING, 20)]
    assert np.array_equal(reports[-1].split.background, last.split.background)
    assert reports[-1].n_passes == 1


def test_basis_images_can_be_dropped_but_not_made_anew():
    run = session()
    for report in run.run():
        if report.iteration is not None and report.iteration.number == 4:
            refused(lambda: run.drop_basis(0, replace=True), match="makes no basis image anew")
            run.drop_basis(0)
            assert run.control.values["rank"] == 2
    assert run.method.W.shape == (LAYOUT.n_values, 2)
    assert report.split.h.shape == (2,)


def test_an_input_without_frames_gives_no_reports():
    assert list(session(clip(0)).run()) == []


def test_what_is_shown_between_iterations_heeds_areas_and_cleaning():
    everything = Areas((Shape("never", ((0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0))),))
    settings = Settings("bpgd", {**FEW, "grow": 5.0}, areas=everything)
    found = [report for report in Session(clip(20), settings).run() if report.phase is Phase.ITERATING]
    assert len(found) == 12
    assert not any(report.mask.any() for report in found)
    assert {report.cleaning.grow for report in found} == {0.05}
