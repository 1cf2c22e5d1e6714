"""The engine's thread, on real sources."""

import gc
import threading
import time
from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.compare.worker import CompareWorker
from app.engine import slot
from app.engine.choice import Choice
from app.engine.worker import Worker
from core.io.sources import InputSpec, open_source
from core.session.comparison import figures
from core.session.session import Session
from core.session.settings import Settings
from tests.app.windows import number_of, running_worker, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")
FAST = Choice()


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "walk.mkv"))


def test_the_sample_plays_and_its_basis_and_points_arrive():
    with running_worker() as seen:
        seen.worker.open(InputSpec("sample:street"), FAST)
        wait_for(lambda: seen.n_shown > 3 and seen.basis, "frames of the sample")
        assert seen.state == "LEARNING"
        assert len(seen.basis) == 3
        assert [p.n for p in seen.points] == list(range(1, len(seen.points) + 1))
        assert not seen.failures


def test_no_frame_is_left_out_between_the_first_and_the_last(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        seen.take()
        assert [p.n for p in seen.points] == list(range(1, 41))
        assert seen.indices[-1] == 39, "the last frame is shown whatever was shown before it"


def test_the_slot_keeps_one_report_and_a_bounded_list_of_points(clip, monkeypatch):
    monkeypatch.setattr(slot, "MAX_POINTS", 50)
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.set_loop(True)
        seen.worker.open(InputSpec(clip), FAST)
        # Nobody takes anything meanwhile.
        wait_for(lambda: seen.worker.n_learnt > 2 * slot.MAX_POINTS, "many more frames than points are kept")
        shown = seen.worker.slot.take()
        assert len(shown.points) == slot.MAX_POINTS
        assert shown.report is not None


def test_the_confidence_of_the_plate_is_shown_only_while_it_is_wanted(clip):
    """While it plays, and at once while it holds."""
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        time.sleep(0.1)
        seen.take()
        assert not seen.confidences
        seen.worker.set_confidence(True)
        wait_for(lambda: seen.take().confidences, "the confidence of a clip that has ended")
        assert seen.confidences[-1].shape == (48, 64)
        assert seen.confidences[-1][40:].mean() > 200
        seen.worker.seek(3)
        wait_for(lambda: len(seen.take().confidences) > 1, "the confidence with the next frame")
        seen.worker.set_confidence(False)
        shown = len(seen.confidences)
        seen.worker.seek(5)
        wait_for(lambda: seen.take().indices[-1] == 5, "frame 5")
        assert len(seen.confidences) == shown


def model_of(seen) -> bytes:
    """Return all that was learnt."""
    found = []
    seen.worker.with_session(lambda session: found.append(session.model()))
    wait_for(lambda: found, "the model")
    states = {**found[0].method_state, **found[0].mask_state}
    return b"".join(states[name].tobytes() for name in sorted(states))


def test_seeking_shows_exactly_that_frame_and_keeps_what_was_learnt(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        learnt, n_learnt = model_of(seen), seen.worker.n_learnt
        for index in (17, 3, 39, 0):
            seen.worker.seek(index)
            wait_for(lambda index=index: seen.indices[-1] == index, f"frame {index}")
            assert number_of(seen.reports[-1].input_image) == index
        assert (seen.worker.n_learnt, len(seen.points)) == (n_learnt, n_learnt)
        assert model_of(seen) == learnt, "looking teaches nothing"


def step_thrice(seen, clip):
    """Open a clip without playing it, and ask for the next frames one by one."""
    seen.worker.set_real_time(False)
    seen.worker.open(InputSpec(clip), FAST, play=False)
    wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
    for index in range(1, 4):
        seen.worker.step()
        wait_for(lambda index=index: seen.indices[-1] == index, f"frame {index}")


def test_no_speed_is_told_of_frames_that_a_person_asks_for_one_by_one(clip):
    with running_worker() as seen:
        step_thrice(seen, clip)
        assert [point.values["fps"] for point in seen.points[1:4]] == [0, 0, 0]
        seen.worker.play()
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert seen.points[-1].values["fps"] > 0


def test_behind_frames_that_were_looked_at_learning_goes_on_where_it_stopped(clip):
    with running_worker() as seen:
        step_thrice(seen, clip)
        seen.worker.seek(1)
        wait_for(lambda: seen.indices[-1] == 1, "frame 1")
        for index in (2, 3):
            seen.worker.step()
            wait_for(lambda index=index: seen.indices[-1] == index, f"frame {index} again")
        assert seen.worker.n_learnt == 4
        seen.worker.step()
        wait_for(lambda: seen.indices[-1] == 4, "the next frame")
        assert seen.worker.n_learnt == 5, "it was learnt from"
        seen.worker.seek(38)
        seen.worker.play()
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert {"LOOKING", "LEARNING"} <= {state.name for state in seen.states}
        assert [point.index for point in seen.points] == list(range(40)), "each was learnt from once, in order"
        n = len(seen.states)
        seen.worker.seek(30)
        seen.worker.play()
        wait_for(
            lambda: "LOOKING" in (state.name for state in seen.states[n:]) and seen.state == "FINISHED",
            "the last frames again, to the end",
        )
        seen.take()
        assert (seen.worker.n_learnt, len(seen.points)) == (40, 40)


def test_a_person_can_leave_what_is_looked_at(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), FAST, play=False)
        wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
        seen.worker.seek(20)
        wait_for(lambda: seen.indices[-1] == 20, "frame 20")
        assert seen.worker.n_learnt == 1
        seen.worker.learn_on()
        wait_for(lambda: len(seen.take().points) > 3, "learning goes on")
        assert [point.index for point in seen.points] == list(range(len(seen.points)))


def test_another_view_of_an_input_is_held_where_that_is_held_however_often_it_is_asked_for(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), FAST, play=False)
        wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
        for grey in (True, False, True):
            seen.worker.open(InputSpec(clip, grey=grey), FAST, play=None)
        wait_for(lambda: len(seen.opened) == 2 and seen.take() and seen.state == "PAUSED", "another view")
        assert seen.worker.n_learnt == 1
        seen.worker.play()
        wait_for(lambda: seen.state == "FINISHED", "the end")
        seen.worker.open(InputSpec(clip), FAST, play=None)
        wait_for(lambda: len(seen.opened) == 3 and seen.state == "FINISHED", "the end again: nobody held it")
        assert seen.worker.n_learnt == 40


def test_what_is_set_while_an_input_is_being_opened_holds_for_it_too(clip, tmp_path, held_openings):
    other = str(write_clip(tmp_path / "other.mkv"))
    held_openings[other] = threading.Event()
    with running_worker() as seen:
        values = []

        def note_sensitivity():
            seen.worker.with_session(lambda session: values.append(session.control.values["sensitivity"]))
            wait_for(lambda: values, "the values")
            return values.pop()

        seen.worker.open(InputSpec(clip), FAST, play=False)
        wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
        seen.worker.open(InputSpec(other), FAST, play=False)
        seen.worker.set_values({"sensitivity": 3.0})
        assert note_sensitivity() == 3.0
        held_openings[other].set()
        wait_for(lambda: len(seen.opened) == 2 and seen.take() and seen.state == "PAUSED", "the other clip")
        assert note_sensitivity() == 3.0


def test_the_residual_is_that_of_a_comparison():
    with running_worker() as seen:
        seen.worker.open(InputSpec("sample:street"), FAST, play=False)
        wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
        for index in range(1, 6):
            seen.worker.step()
            wait_for(lambda index=index: seen.indices[-1] == index, f"frame {index}")
        assert seen.points[-1].values["residual"] == figures(seen.reports[-1])["residual"] > 0


def test_play_after_a_seek_goes_on_from_there(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), FAST, play=False)
        wait_for(lambda: seen.indices and seen.state == "PAUSED", "the first frame")
        seen.worker.seek(30)
        wait_for(lambda: seen.indices[-1] == 30, "frame 30")
        seen.worker.step()
        wait_for(lambda: seen.indices[-1] == 31, "frame 31")
        time.sleep(0.1)
        assert seen.indices[-1] == 31, "a step is one frame"


def test_a_pause_holds_and_play_goes_on(clip):
    with running_worker() as seen:
        seen.worker.set_loop(True)  # It shall not end before it is held.
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.n_shown > 2, "some frames")
        seen.worker.pause()
        wait_for(lambda: seen.state == "PAUSED", "the pause")
        at, n = seen.indices[-1], seen.worker.n_learnt
        time.sleep(0.2)
        assert (seen.indices[-1], seen.worker.n_learnt) == (at, n)
        seen.worker.play()
        wait_for(lambda: len(seen.take().points) > n, "going on")
        assert seen.points[n].index == (at + 1) % 40, "it goes on where it was held"


def test_real_time_keeps_the_rate_of_the_input(clip):
    changed = {}
    with running_worker() as seen:
        # Noted by the engine's thread, which says that it learns after the first frame.
        seen.worker.state_changed.connect(
            lambda state: changed.setdefault(state.name, time.perf_counter()), Qt.ConnectionType.DirectConnection
        )
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert changed["FINISHED"] - changed["LEARNING"] > 0.8 * 39 / 25


def test_a_parameter_reaches_the_method_before_the_next_frame(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), FAST, play=False)
        wait_for(lambda: seen.indices, "the first frame")
        found = []
        seen.worker.set_values({"sensitivity": 3.0, "memory": 50})
        seen.worker.step()
        wait_for(lambda: seen.indices[-1] == 1, "the second frame")
        seen.worker.with_session(lambda session: found.append((session.control.values, dict(session.method.values))))
        wait_for(lambda: found, "the values")
        assert found[0][0]["sensitivity"] == 3.0
        assert found[0][1]["memory"] == 50


def test_rank_changes_while_it_runs_and_the_run_goes_on(clip):
    with running_worker() as seen:
        seen.worker.set_loop(True)
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: len(seen.take().basis) == 3, "three basis images")
        seen.worker.set_values({"rank": 5})
        wait_for(lambda: len(seen.take().basis) == 5, "five")
        n = seen.points[-1].n
        seen.worker.set_values({"rank": 2})
        wait_for(lambda: len(seen.take().basis) == 2, "two")
        assert seen.points[-1].n > n


def test_a_basis_image_can_be_dropped_or_renewed(clip):
    with running_worker() as seen:
        seen.worker.set_loop(True)
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: len(seen.take().basis) == 3, "three basis images")
        seen.worker.with_session(lambda session: session.drop_basis(1))
        wait_for(lambda: len(seen.take().basis) == 2, "two")
        seen.worker.with_session(lambda session: session.drop_basis(1, replace=True))
        n = seen.points[-1].n
        wait_for(lambda: seen.take().points[-1].n > n + 2, "frames with the new one")
        wait_for(lambda: len(seen.take().basis) == 2, "the new one among the pictures")
        seen.worker.with_session(lambda session: session.drop_basis(0))
        wait_for(lambda: len(seen.take().basis) == 1, "one")
        seen.worker.with_session(lambda session: session.drop_basis(0))
        wait_for(lambda: seen.failures, "the refusal")
        assert "has to stay" in seen.failures[0]


def test_an_input_that_cannot_be_opened_is_one_sentence_and_what_plays_goes_on(clip, tmp_path):
    (tmp_path / "empty.mp4").write_bytes(b"")
    with running_worker() as seen:
        seen.worker.set_loop(True)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.indices, "the first frame")
        for path in (str(tmp_path / "empty.mp4"), str(tmp_path / "absent.mp4"), "sample:nothing", "camera:99"):
            before = len(seen.failures)
            seen.worker.open(InputSpec(path), FAST)
            wait_for(lambda before=before: len(seen.failures) > before, path)
            assert seen.failures[-1].endswith(".")
            assert "Traceback" not in seen.failures[-1]
        n = seen.take().points[-1].n
        wait_for(lambda: seen.take().points[-1].n > n, "the clip going on")


def test_settings_that_do_not_fit_leave_the_worker_alive(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip), Choice(method="nonsense"))
        wait_for(lambda: seen.failures, "the sentence")
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.indices, "a frame")
        seen.worker.set_values({"sensitivity": -3})
        wait_for(lambda: len(seen.failures) == 2, "the second sentence")


def test_the_loop_begins_again_with_what_was_learnt(clip):
    with running_worker() as seen:
        seen.worker.set_loop(True)
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take().points and seen.points[-1].n > 60, "a second round")
        assert seen.state == "LEARNING"


def test_passes_count_in_the_reports(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), Choice(passes=2))
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert seen.take().reports[-1].n_passes == 2
        assert seen.points[-1].n == 80


def test_what_is_done_between_two_passes_is_told_of(clip):
    with running_worker() as seen:
        said = []
        seen.worker.working.connect(said.append)
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), Choice(passes=2))
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert said == ["Working out the plate from 40 frames…", ""]


def test_what_the_worker_shows_is_what_a_session_gives(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), FAST)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        last = seen.take().reports[-1]
    source = open_source(InputSpec(clip))
    *_, plain = Session(source, Settings()).run()
    source.close()
    assert np.array_equal(last.mask, plain.mask)
    assert np.array_equal(last.split.background, plain.split.background)


def test_a_view_of_the_input_is_what_the_method_works_on(clip):
    with running_worker() as seen:
        seen.worker.open(InputSpec(clip, size=(20, 16), roi=(10, 8, 40, 32)), FAST, play=False)
        wait_for(lambda: seen.indices, "a frame")
        report = seen.reports[-1]
        assert report.mask.shape == (16, 20)
        assert report.input_image.shape == (32, 40)


def test_quitting_in_the_midst_of_anything_ends_the_thread(clip):
    for wait in (0.0, 0.01, 0.05, 0.2):
        with running_worker() as seen:
            seen.worker.open(InputSpec(clip), FAST)
            time.sleep(wait)


@pytest.mark.parametrize(("make", "n_frozen"), [(Worker, 1), (partial(CompareWorker, frozenset()), 0)])
def test_what_a_passing_engine_leaves_is_no_more_spared_than_other_garbage(monkeypatch, make, n_frozen):
    frozen = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(1))
    engine = make()
    engine._player = Mock(warnings=[], n_frames=None)
    for _ in range(2):
        engine._advance()
    assert len(frozen) == n_frozen
