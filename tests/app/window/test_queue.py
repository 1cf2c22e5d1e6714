"""The queue in the real window: every job a process of its own, whatever becomes of it and of the window."""

import importlib.util
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.cli.main import invoke
from app.engine.choice import Choice
from app.system import sleep
from app.window.settings_question import are_alike, settings_question
from core.batch.job_list import JobList
from core.export.job import run_job
from core.project.document import ExportChoice
from tests.app.window.test_projects import files_in, pushed, work_on
from tests.app.window.test_responsiveness import measured_stalls
from tests.app.windows import has_said, open_window, wait_for, write_clip
from tests.forked_jobs import fork_jobs
from tests.held_runs import HeldRuns

pytestmark = pytest.mark.usefixtures("qapp")

LONGEST_STALL_S = 5.0
"""Far less than for ever, which is how long a window that waits for a job that is held is late; what the machine holds
a window up is taken off."""


@contextmanager
def window_at_rest(tmp_path):
    """Open the window on a sample that it does not play: that would take half of the machine from the jobs."""
    with open_window("sample:faces", tmp_path) as window:
        window.worker.pause()
        yield window


def states(window):
    return {row.job.name: row.job.state.value for row in window.commands.queue.panel.table.jobs.rows}


def choose(window, *names):
    panel = window.commands.queue.panel
    panel.table.choose([row.job.number for row in panel.table.jobs.rows if row.job.name in names])
    return panel


def all_ended(window):
    found = states(window)
    return found if found and not {"waiting", "running"} & {*found.values()} else None


@pytest.fixture
def held(tmp_path):
    (tmp_path / "held").mkdir()
    return HeldRuns(tmp_path / "held")


@pytest.fixture(autouse=True)
def _jobs_are_forks(request, monkeypatch, held):
    """Only how the processes of jobs begin differs."""
    if "jobs_as_ever" not in request.fixturenames:
        fork_jobs(monkeypatch, held.begin)


@pytest.fixture
def jobs_as_ever():
    """Each job begins the program anew."""


@pytest.fixture
def clips(tmp_path):
    """Six small clips, one of which ends the process that opens it; results are masks alone, for speed."""
    folder = tmp_path / "clips"
    folder.mkdir()
    first = write_clip(folder / "clip1.mkv", 12)
    names = ["clip2", "aborts", "clip3", "unwanted", "clip4"]
    return [first, *(Path(shutil.copy(first, folder / f"{name}.mkv")) for name in names)]


def only_masks(window, folder):
    window.commands.export.open()
    form = window.commands.export.panel.form
    form.show_choice(ExportChoice(folder=str(folder), save=("mask",)))
    window.commands.export.panel.close()


def test_six_jobs_one_aborts_one_is_cancelled_and_the_window_starts_again_in_between(clips, tmp_path, held):
    out = tmp_path / "out"
    held.hold("clip1", "clip2", "clip3")
    with window_at_rest(tmp_path) as window:
        only_masks(window, out)
        with measured_stalls() as first:
            window.commands.opening.open_dropped([str(clip) for clip in clips])
            pushed(window.commands.queue.question, "As in this window")
            wait_for(lambda: len(states(window)) == 6, "the jobs")
            choose(window, "unwanted").cancel.click()
            panel = choose(window, "aborts")
            panel.up.click()
            wait_for(lambda: list(states(window))[1] == "aborts", "its place")
            assert [row.job.name for row in panel.table.chosen] == ["aborts"], "what is chosen stays so where it moved"
            held.let_go("clip1")
            wait_for(lambda: "done" in states(window).values(), "the first result")
        window.close()
        assert window.isVisible()
        pushed(window.closing.question, "Do not close")
        assert window.isVisible()
        window.close()
        pushed(window.closing.question, "Stop and close")
        assert not window.isVisible()
    kept = JobList(tmp_path / "queue" / "queue.jobs")
    left = [job.name for job in kept.jobs if job.state.value == "waiting"]
    kept.close()
    assert left, "it was restarted at the end, not in the middle"
    held.let_go("clip2")
    with window_at_rest(tmp_path) as window:
        wait_for(lambda: has_said(window, "goes on with"), "a word")
        window.commands.queue.open()
        with measured_stalls() as second:
            wait_for(lambda: states(window)["clip2"] == "done", "a result while another job is held")
            held.let_go("clip3")
            found = wait_for_end(window)
        done = {name for name, state in found.items() if state == "done"}
        assert done == {"clip1", "clip2", "clip3", "clip4"}
        assert (found["aborts"], found["unwanted"]) == ("failed", "cancelled")
        assert "SIGABRT" in choose(window, "aborts").message.text()
    assert max(first.late_s, second.late_s) < LONGEST_STALL_S
    one = files_in(out / "clip1")
    assert len(one) == 12
    assert all(files_in(out / name) == one for name in done)
    assert not [*out.glob("*/.cleanplate-*")]


def wait_for_end(window):
    wait_for(lambda: all_ended(window), "the end of all")
    return states(window)


def test_what_could_not_be_added_is_said_where_it_was_asked_for(tmp_path):
    clip = write_clip(tmp_path / "clip.mkv", 30)
    (tmp_path / "queue").mkdir()
    (tmp_path / "queue" / "projects").write_text("in the way")
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        export = window.commands.export
        export.open()
        export.panel.queue.click()
        message = export.panel.message
        assert "Added to the queue" in message.text()
        wait_for(lambda: "could not be written" in message.text(), "why it was not added")
        export.panel.refresh()
        assert has_said(window, message.text()), "it stays while nothing else is chosen"
        export.panel.form.show_choice(msgspec.structs.replace(export.panel.form.choice, save=("mask",)))
        export.panel.refresh()
        assert "could not be written" not in message.text()
        assert window.commands.queue.panel is None


def test_the_key_that_the_export_panel_names_opens_the_queue_from_there(tmp_path):
    with window_at_rest(tmp_path) as window:
        window.commands.export.open()
        export = window.commands.export.panel
        wait_for(lambda: QApplication.activeWindow() is export, "the keys")
        export.setFocus()
        QTest.keyClick(export, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
        wait_for(lambda: window.commands.queue.panel is not None, "the queue")
        assert window.commands.queue.panel.isVisible()


def test_what_the_export_panel_shows_is_what_the_queue_writes_strokes_too(tmp_path, monkeypatch):
    (tmp_path / "films").mkdir()
    clip = write_clip(tmp_path / "films" / "clip.mkv", 30)
    wanted = ExportChoice(folder=str(tmp_path / "out"), save=("mask",), written=(3, 20))
    monkeypatch.chdir(clip.parent)
    told, slept = [], []
    monkeypatch.setattr(sleep, "can_sleep", lambda: True)
    monkeypatch.setattr(sleep, "sleep", lambda: slept.append(1))
    with open_window("clip.mkv", tmp_path) as window:
        monkeypatch.setattr(window.commands.queue._notifier, "tell", lambda *words: told.append(words))
        export = window.commands.export
        export.open()
        export.panel.form.show_choice(wanted)
        export.panel.refresh()
        export.panel.queue.click()
        plain = export.job(wanted)
        assert "Added to the queue" in export.panel.message.text()
        work_on(window)
        export.panel.refresh()
        export.panel.queue.click()
        painted = export.job(wanted)
        wait_for(lambda: len(states(window)) == 2, "both jobs")
        window.commands.queue.panel.sleep.setChecked(True)
        assert wait_for_end(window) == {"clip": "done", "clip-2": "done"}
        wait_for(lambda: slept, "the end of the day")
        assert told[-1][0] == "The queue is done"
        panel = choose(window, "clip-2")
        wait_for(panel.log.isEnabled, "what can be done with it")
        assert panel.message.text() == f"Wrote 18 frames to {tmp_path / 'out' / 'clip-2'}."
        assert panel.folder.isEnabled()
        panel.clear.click()
        wait_for(lambda: not states(window), "an empty list")
        assert sorted(files_in(tmp_path / "queue")) == ["queue.jobs", "queue.jobs.lock"]
    for name, job in (("clip", plain), ("clip-2", painted)):
        run_job(job)
        shutil.move(tmp_path / "out" / "mask", tmp_path / f"{name} mask")
        assert files_in(tmp_path / f"{name} mask") == files_in(tmp_path / "out" / name / "mask")
    assert files_in(tmp_path / "clip mask") != files_in(tmp_path / "clip-2 mask")


def test_files_and_folders_are_added_in_the_panel_by_choice_and_by_drop(tmp_path, monkeypatch):
    folder = tmp_path / "clips"
    folder.mkdir()
    names = [Path(shutil.copy(write_clip(tmp_path / "first.mkv", 12), folder / f"{n}.mkv")) for n in (1, 2)]
    dropped = Path(shutil.copy(names[0], tmp_path / "dropped.mkv"))
    asked = []
    chosen = {"getOpenFileNames": ([str(tmp_path / "first.mkv")], ""), "getExistingDirectory": str(folder)}
    for ask, answer in chosen.items():
        monkeypatch.setattr(QFileDialog, ask, lambda *words, answer=answer: asked.append(words[1]) or answer)
    with window_at_rest(tmp_path) as window:
        window.commands.queue.open()
        panel = window.commands.queue.panel
        for action in panel.add.menu().actions():
            action.trigger()
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(dropped))])
        place, button = QPointF(200, 200), Qt.MouseButton.LeftButton
        plain = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, data, button, plain)
        panel.dragEnterEvent(enter)
        assert enter.isAccepted()
        panel.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, button, plain))
        wait_for(lambda: set(states(window)) == {"first", "1", "2", "dropped"}, "the jobs")
        panel.cancel.click()
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
        panel.add.menu().actions()[0].trigger()
        (tmp_path / "empty").mkdir()
        window.commands.queue.add_dropped([str(tmp_path / "empty")])
        wait_for(lambda: "empty holds no images" in panel.message.text(), "what went wrong, where it was done")
        panel.table.choose([row.job.number for row in panel.table.jobs.rows])
        assert "holds no images" not in panel.message.text()
        panel.cancel.click()
        wait_for(lambda: all_ended(window), "the end")
    assert len(asked) == 2


def test_whose_settings_clips_are_exported_by_is_asked_where_those_of_the_window_are_not_the_defaults(tmp_path, held):
    clip = write_clip(tmp_path / "clip.mkv", 12)
    held.hold("clip", "clip-2", "clip-3")
    with open_window("sample:street", tmp_path) as window:
        window.worker.pause()
        queue, form = window.commands.queue, window.parts.source.mask_form
        queue.add_dropped([str(clip)])
        assert queue.question is None, "nothing was set"
        wait_for(lambda: len(states(window)) == 1, "the job")
        form.show_values({"sensitivity": 60.0})
        for push, name in (("Cancel", ""), ("Defaults", "clip-2"), ("As in this window", "clip-3")):
            queue.add_dropped([str(clip)])
            assert queue.question.informativeText().startswith(
                "Those of this window make: plate, mask, cleaned · PNG · fast · sensitivity = 60"
            )
            assert queue.question.defaultButton().text() == "Defaults", "a sample is open, not a file"
            pushed(queue.question, push)
            wait_for(lambda name=name: not name or name in states(window), "the job")
        options = {row.job.name: " ".join(row.job.options) for row in queue.panel.table.jobs.rows}
        assert options["clip"] == options["clip-2"] == "--save plate,mask,cleaned --method fast"
        assert options["clip-3"] == "--save plate,mask,cleaned --method fast --set sensitivity=60.0"
        assert len(options) == 3
        queue.panel.table.choose([row.job.number for row in queue.panel.table.jobs.rows])
        queue.panel.cancel.click()
        held.let_go("clip", "clip-2", "clip-3")
        wait_for(lambda: all_ended(window), "the end")


def test_the_question_says_what_is_kept_for_inputs_of_another_kind(tmp_path):
    with window_at_rest(tmp_path) as window:
        queue = window.commands.queue
        window.commands.export.on_content(True)
        window.parts.method.form.show_values({"rank": 49})
        window.commands.choice._kept["scene"] = Choice("mog2")
        queue.add_dropped([str(write_clip(tmp_path / "clip.mkv", 12))])
        said = queue.question.informativeText()
        assert said.startswith("Those of this window make: background · PNG · fast · rank = 49")
        assert "; of videos: background · PNG · mog2\n" in said
        pushed(queue.question, "Cancel")


def test_return_takes_the_settings_of_the_window_for_what_is_of_its_kind(qtbot, tmp_path):
    for paths, opened, alike in (
        (["/a/1.mp4", "/b/2.mkv"], "/films/clip.avi", True), (["/a/1.mp4", "/b/2.tif"], "/films/clip.avi", False),
        (["/a/1.mp4"], "/stacks/cells.tif", False), (["/a/cells"], "/stacks/cells.tif", False),
        (["/a/faces"], "/photos", True), (["/a/faces"], "sample:faces", False), (["/a/1.mp4"], "camera:0", False),
    ):  # fmt: skip
        assert are_alike(paths, opened) is alike
    parent = QWidget()
    qtbot.addWidget(parent)
    for alike, pushed_by_return in ((True, "As in this window"), (False, "Defaults")):
        question = settings_question(parent, 2, "mask · PNG", Mock(), Mock(), alike=alike)
        assert question.defaultButton().text() == pushed_by_return
        assert ("Not all are of the kind" in question.informativeText()) is not alike


@pytest.mark.usefixtures("jobs_as_ever")
def test_jobs_get_another_folder_where_theirs_cannot_be_written_to(tmp_path, monkeypatch):
    clip, there = write_clip(tmp_path / "walk.mkv", 12), tmp_path / "there"
    (tmp_path / "file").touch()
    there.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(there))
    with window_at_rest(tmp_path) as window:
        only_masks(window, tmp_path / "file" / "out")
        window.commands.queue.open()
        window.commands.queue.add_dropped([str(clip)])
        pushed(window.commands.queue.question, "As in this window")
        wait_for(lambda: states(window) == {"walk": "failed"}, "the failure")
        panel = choose(window, "walk")
        panel.results_in.click()
        wait_for(lambda: panel.table.jobs.rows[0].job.output == str(there / "walk"), "the other folder")
        assert str(there) in panel.message.text()
        assert "Retry" in panel.message.text()
        panel.retry.click()
        wait_for(lambda: states(window) == {"walk": "done"}, "the end")
    assert list((there / "walk" / "mask").iterdir())


def test_a_scheduler_is_remembered_and_one_that_is_not_there_is_told_of(tmp_path, monkeypatch):
    clip = write_clip(tmp_path / "clip.mkv", 12)
    monkeypatch.setenv("HOME", str(tmp_path))
    if importlib.util.find_spec("distributed"):
        monkeypatch.setattr("core.batch.cluster.launcher.CONNECT_S", 0.3)
    with window_at_rest(tmp_path) as window:
        window.commands.queue.open()
        panel = window.commands.queue.panel
        panel.scheduler.setText(" tcp://127.0.0.1:1 ")
        panel.scheduler.editingFinished.emit()
        window.commands.queue.add_dropped([str(clip)])
        assert wait_for_end(window) == {"clip": "failed"}
        told = "tcp://127.0.0.1:1" if importlib.util.find_spec("distributed") else "A scheduler needs dask"
        assert told in choose(window, "clip").message.text()
        assert window.remembered.scheduler == "tcp://127.0.0.1:1"
        panel.scheduler.setText("")
        panel.scheduler.editingFinished.emit()
        panel.retry.click()
        wait_for(lambda: states(window)["clip"] == "done", "the job on this machine")
    with window_at_rest(tmp_path) as window:
        window.commands.queue.open()
        assert window.commands.queue.panel.scheduler.text() == ""


def test_jobs_are_paused_retried_and_worked_on_by_the_command_line(clips, tmp_path, held, monkeypatch):
    out = tmp_path / "out"
    held.hold("clip1")
    with window_at_rest(tmp_path) as window:
        only_masks(window, out)
        window.commands.queue.open()
        panel = window.commands.queue.panel
        assert not panel.up.isEnabled()
        panel.workers.setValue(1)
        window.commands.opening.open_dropped([str(clip) for clip in clips if clip.stem in {"clip1", "aborts"}])
        pushed(window.commands.queue.question, "As in this window")
        wait_for(lambda: len(states(window)) == 2, "the jobs")
        choose(window, "aborts").pause.click()
        wait_for(lambda: states(window)["aborts"] == "paused", "the other job held before it begins")
        held.let_go("clip1")
        wait_for(lambda: states(window) == {"clip1": "done", "aborts": "paused"}, "one of two")
        panel.resume.click()
        wait_for(lambda: states(window)["aborts"] == "failed", "its failure")
        wait_for(panel.retry.isEnabled, "the offer to try again")
        write_clip(tmp_path / "clips" / "fine.mkv", 12)
        os.replace(tmp_path / "clips" / "fine.mkv", tmp_path / "clips" / "aborts.mkv")
    # The command line takes the queue once no window has it; and here nothing aborts any more.
    fork_jobs(monkeypatch)
    assert invoke(["batch", str(tmp_path / "queue" / "queue.jobs"), "--quiet"]) == 0
    assert files_in(out / "aborts") == files_in(out / "clip1")


def test_two_windows_do_not_work_on_one_queue(clips, tmp_path):
    (tmp_path / "queue").mkdir()
    other = JobList(tmp_path / "queue" / "queue.jobs")
    other.save()
    with window_at_rest(tmp_path) as window:
        assert not has_said(window, "Another window")
        queue = window.commands.queue
        wait_for(lambda: queue._background is None, "that it gives way")
        queue.open()
        wait_for(lambda: has_said(window, "Another window or command"), "a sentence")
        assert queue.panel is None
        other.close()
        queue.open()
        wait_for(lambda: queue.panel is not None and queue.panel.isVisible(), "the panel")
        assert not queue.is_busy


def test_jobs_keep_running_when_the_window_has_gone_and_the_next_one_shows_them_or_takes_them_over(
    clips, tmp_path, held
):
    held.hold("clip1", "clip3")
    out, chosen = tmp_path / "out", [str(clip) for clip in clips if clip.stem in {"clip1", "clip2", "clip3"}]
    with window_at_rest(tmp_path) as first:
        only_masks(first, out)
        first.worker.pause()
        first.commands.queue.open()
        first.commands.queue.panel.workers.setValue(1)
        first.commands.opening.open_dropped(chosen)
        pushed(first.commands.queue.question, "As in this window")
        wait_for(lambda: "running" in states(first).values(), "a job that runs")
        choose(first, "clip2").pause.click()
        wait_for(lambda: states(first)["clip2"] == "paused", "a job that is held")
        first.close()
        pushed(first.closing.question, "Keep running")
        assert not first.isVisible()
    gone = first.commands.queue
    assert gone.goes_on
    with window_at_rest(tmp_path) as window:
        wait_for(lambda: has_said(window, "without a window"), "a word")
        window.worker.pause()
        queue = window.commands.queue
        queue.open()
        held.let_go("clip1")
        wait_for(lambda: "done" in states(window).values(), "a job that went on without a window")
        panel = choose(window, "clip3")
        assert not panel.cancel.isEnabled()
        assert not queue.is_busy, "closing this window ends nothing"
        window.commands.opening.open_dropped(chosen[:2])
        assert has_said(window, "take them over")
        assert len(states(window)) == 3
        panel.take_over.click()
        gone.outlive()
        held.let_go("clip3")
        wait_for(lambda: not panel.take_over.isVisible(), "the list")
        assert states(window)["clip2"] == "paused"
        choose(window, "clip2").resume.click()
        wait_for(lambda: states(window)["clip2"] != "paused", "the job that was held")
        window.close()
        pushed(window.closing.question, "Keep running")
    window.commands.queue.outlive()
    kept = JobList(tmp_path / "queue" / "queue.jobs")
    assert {job.name: job.state.value for job in kept.jobs} == dict.fromkeys(("clip1", "clip2", "clip3"), "done")
    kept.close()
    one = files_in(out / "clip1")
    assert len(one) == 12
    assert {path.name for path in out.iterdir()} == {"clip1", "clip2", "clip3"}, "a job ran twice"
    assert all(files_in(path) == one for path in out.iterdir())
    assert not [*(tmp_path / "queue").glob("queue.jobs.*")]
