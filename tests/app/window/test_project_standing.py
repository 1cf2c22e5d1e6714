"""A project is opened as it was saved: at the same frame of the same pass, over or not, and nothing is learnt by it."""

import json

import numpy as np
import pytest
from PySide6.QtWidgets import QAbstractButton

from core.project.naming import data_folder
from core.project.packing import VERSION
from core.project.store import load_project
from core.session.phase import Phase
from tests.app.windows import hold_after, open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def clip(tmp_path):
    return write_clip(tmp_path / "clip.mkv", 24)


def save(window, path):
    wait_for(lambda: window.commands.project._changes.has_begun, "the input")
    saved = []
    window.commands.project.saved.connect(saved.append)
    window.commands.project.write(path)
    wait_for(lambda: saved, "the saving")


def learn(window, method: str, passes: int) -> None:
    """Learn anew, reading the clip so often; no longer than is needed where a method works on it as a whole."""
    wait_for(lambda: window.worker.n_learnt, "the clip")
    begun = []
    window.worker.run_started.connect(lambda *told: begun.append(told))
    window.commands.method.show_settings(method, {"iterations": 30} if method == "b-ab" else {}, passes)
    wait_for(lambda: begun, "the run")


def holds(window, n_learnt: int) -> None:
    """Wait until it holds after so many frames, as it was told to."""
    wait_for(lambda: window.commands.playback.state.name == "PAUSED", "a pause")
    assert window.worker.n_learnt == n_learnt
    wait_for(lambda: window.views.panes.report.frame.index == window.worker.index, "the frame that it stands at")


def stands(window) -> None:
    """Wait until what was opened is seen where it stood."""
    wait_for(lambda: window.views.panes.report, "the frame")
    wait_for(lambda: window.commands.playback.state.name == "PAUSED", "where it stood")


def learnt_in(path) -> bytes:
    (file,) = data_folder(path).glob("learnt-*.npz")
    return file.read_bytes()


def seen(window) -> dict[str, np.ndarray]:
    """Return what the panes show of the frame."""
    report = window.views.panes.report
    return {
        "mask": report.mask, "hidden": report.hidden, "background": report.background_image,
        "cleaned": report.cleaned.image, "matte": report.matte,
    }  # fmt: skip


def place(window) -> tuple[int, int, int, str]:
    report = window.views.panes.report
    return report.frame.index, report.pass_index, report.n_passes, window.commands.playback.state.name


def assert_same(window, was, there) -> None:
    assert place(window) == there
    for name, picture in seen(window).items():
        np.testing.assert_array_equal(picture, was[name], err_msg=name)


@pytest.mark.parametrize("method", ["fast", "b-ab", "median"])
def test_a_project_that_was_finished_is_finished_when_it_is_opened(clip, tmp_path, method):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        learn(window, method, 2)
        wait_for(lambda: window.commands.playback.state.name == "FINISHED" and place(window)[:2] == (23, 1), "the end")
        there, was = place(window), seen(window)
        assert there == (23, 1, 2, "FINISHED")
        save(window, path)
    kept = learnt_in(path)
    for _ in range(2 if method == "fast" else 1):  # What was saved after it was opened is opened again.
        with open_window(str(path), tmp_path) as window:
            wait_for(lambda window=window: window.commands.playback.state.name == "FINISHED", "the end, again")
            wait_for(lambda window=window: window.views.panes.report, "the frame")
            assert_same(window, was, there)
            assert window.worker.n_learnt == 0
            assert window.worker.learns_on_at is None, "there is nothing to learn on"
            assert not window.parts.status.learnt.text()
            save(window, path)
        assert learnt_in(path) == kept
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.commands.playback.state.name == "FINISHED", "the end, again")
        window.worker.learn_on()
        window.worker.step()
        window.worker.seek(5)
        wait_for(lambda: window.display.index == 5, "a frame that is looked at")
        assert window.worker.n_learnt == 0, "neither learns anything where all is learnt"
        window.worker.seek(23)
        wait_for(lambda: window.display.index == 23, "the last one")
        wait_for(lambda: window.worker.play() or window.worker.n_learnt > 3, "another run")
        wait_for(lambda: window.commands.playback.state.name == "FINISHED", "its end")
        n_runs = 1 if window.worker._player.session.has_own_passes else 2
        assert window.worker.n_learnt == n_runs * 24, "from the first frame, as after finishing"


def test_a_project_goes_on_in_the_middle_of_its_pass(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        hold_after(window.worker, 30)
        learn(window, "fast", 2)
        holds(window, 30)
        there, was = place(window), seen(window)
        assert there[1:] == (1, 2, "PAUSED")
        save(window, path)
    kept = learnt_in(path)
    with open_window(str(path), tmp_path) as window:
        stands(window)
        assert_same(window, was, there)
        save(window, path)
        assert learnt_in(path) == kept
        window.worker.step()
        wait_for(lambda: window.worker.n_learnt == 1, "the next frame")
        wait_for(lambda: window.display.index == there[0] + 1, "the next frame")
        assert window.parts.status.learnt.text() == "learnt 1 frame more"
        window.worker.play()
        wait_for(lambda: window.commands.playback.state.name == "FINISHED", "the end")
        assert window.worker.n_learnt == 23 - there[0], "the rest of this pass, and no other"


def test_a_project_of_an_earlier_version_is_shown_and_nothing_is_learnt(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path, hold_at=16) as window:
        holds(window, 16)
        index = window.worker.index
        save(window, path)
    document = json.loads(path.read_text())
    document["version"] = 1
    del document["progress"], document["data"]["frame"]
    path.write_text(json.dumps(document))
    kept = learnt_in(path)
    with open_window(str(path), tmp_path) as window:
        stands(window)
        assert (window.views.panes.report.frame.index, window.worker.n_learnt) == (index, 0)
        assert window.views.panes.report.mask.any(), "found by what was learnt"
        save(window, path)
    assert learnt_in(path) == kept
    assert load_project(path).document.version == VERSION


def test_what_was_kept_of_the_frame_may_be_damaged_or_of_another_input(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path, hold_at=16) as window:
        holds(window, 16)
        index = window.worker.index
        save(window, path)
    (file,) = data_folder(path).glob("frame-*.npz")
    file.write_bytes(file.read_bytes()[:-40])
    with open_window(str(path), tmp_path) as window:
        stands(window)
        assert (window.views.panes.report.frame.index, window.worker.n_learnt) == (index, 0)
        assert not window.parts.banner.text
    write_clip(clip, index - 1)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.views.panes.report, "a frame")
        assert window.views.panes.report.frame.index == index - 2, "the last that there is"


def test_a_model_is_shown_where_it_was_applied_to(clip, tmp_path):
    path, model = tmp_path / "day.cleanplate", tmp_path / "street.npz"
    with open_window(str(clip), tmp_path) as window:
        wait_for(lambda: window.commands.playback.state.name == "FINISHED", "the end")
        done = []
        window.worker.with_session(lambda session: done.append(session.model().save(model)))
        wait_for(lambda: done, "the model")
        window.commands.method.apply_model(model)
        wait_for(lambda: window.views.panes.report.phase is Phase.APPLYING, "its run")
        wait_for(lambda: window.commands.playback.state.name == "FINISHED" and place(window)[0] == 23, "the end")
        there, was = place(window), seen(window)
        save(window, path)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.commands.playback.state.name == "FINISHED", "the end, again")
        wait_for(lambda: window.views.panes.report, "the frame")
        assert_same(window, was, there)


def change_method(window) -> None:
    window.commands.method.show_settings("opgd", {}, 1, "Use")


def halve(window) -> None:
    window.parts.source.scale.findChildren(QAbstractButton)[1].click()


@pytest.mark.parametrize("change", [change_method, halve])
def test_undoing_what_began_learning_anew_brings_back_what_was_learnt(clip, tmp_path, change):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path, hold_at=12) as window:
        holds(window, 12)
        where = np.zeros((48, 64), bool)
        where[10:20, 10:30] = True
        window.worker.correct(window.views.panes.report, where, is_background=True)
        wait_for(lambda: window.worker.painted, "the stroke")
        save(window, path)
    saved = learnt_in(path)
    with open_window(str(path), tmp_path) as window:
        stands(window)
        was, there, title, strokes = seen(window), place(window), window.windowTitle(), window.worker.painted
        project, steps = window.commands.project, window.commands.history.steps
        runs = []
        window.worker.restarted.connect(lambda *told: runs.append(told))
        for _ in range(2):
            n_runs = len(runs)
            change(window)
            wait_for(lambda n=n_runs: len(runs) > n and project.is_modified, "the other run")
            assert runs[-1][1] is False
            wait_for(lambda: window.views.panes.report, "a frame of it")
            steps.undo()
            wait_for(lambda n=n_runs: len(runs) > n + 1, "the run of before")
            assert runs[-1][1] is True
            wait_for(lambda: window.views.panes.report and place(window) == there, "where it stood")
            wait_for(lambda: not project.is_modified, "what the project holds")
            assert window.windowTitle() == title
            assert "anew" not in window.parts.banner.text
            painted = window.worker.painted
            assert painted.keys() == strokes.keys()
            assert all(np.array_equal(painted[name], strokes[name]) for name in strokes)
            assert_same(window, was, there)
        save(window, path)
        assert learnt_in(path) == saved
        window.commands.method.restart()
        wait_for(lambda: project.is_modified, "a run that lacks what the project holds")
        assert "not saved" in project.unsaved
