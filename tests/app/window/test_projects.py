"""A project in the real window: saved, opened again, exported, and restored after the program was killed."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import cv2
import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QMessageBox

from app.cli.main import invoke
from app.window import autosave, dialogs
from app.window.project_picture import ProjectPictures
from core.errors import CleanplateError
from core.export.job import run_job
from core.project import store
from core.project.document import ExportChoice
from core.project.naming import data_folder
from core.project.store import load_project
from core.session.session import Session
from tests.app.windows import at_home, has_said, in_session, open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def work_on(window) -> None:
    """Set and paint something, once some frames are learnt, and hold."""
    wait_for(lambda: window.worker.n_learnt > 12, "some frames")
    window.worker.pause()
    wait_for(lambda: window.commands.playback.state.name in {"PAUSED", "FINISHED"}, "a pause")
    control = window.parts.source.mask_form.controls["sensitivity"]
    control.show_value(61.0)
    control.changed.emit("sensitivity", 61.0)
    where = np.zeros((48, 64), bool)
    where[20:30, 10:20] = True
    window.worker.correct(window.views.panes.report, where, True)
    wait_for(lambda: window.worker.painted, "a stroke")
    wait_for(lambda: window.commands.project.is_modified, "the mark of a change")


def used(window) -> list[str]:
    """Return what the cards of basis images say of their use."""
    return [card.changed for card in window.views.basis.cards]


def unused(window) -> list[int]:
    """Return which cards say that their images were not used so far."""
    return [number for number, said in enumerate(used(window)) if said == "not used yet"]


def save(window, path: Path) -> None:
    window.commands.project.write(path)
    wait_for(lambda: window.commands.project.path == path and not window.commands.project.is_modified, "the saving")


def save_now(window, path: Path) -> None:
    wait_for(lambda: window.commands.input.info, "the input")
    save(window, path)


def pushed(question: QMessageBox, text: str) -> None:
    next(button for button in question.buttons() if button.text() == text).click()
    QCoreApplication.processEvents()


@pytest.fixture
def clip(tmp_path):
    (tmp_path / "films").mkdir()
    return write_clip(tmp_path / "films" / "clip.mkv", 60)


def test_a_project_is_restored_as_it_was_and_exports_the_same_everywhere(clip, tmp_path):
    path = clip.parent / "day.cleanplate"
    wanted = ExportChoice(folder=str(tmp_path / "window"), save=("mask", "cleaned"))
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        window.action("method_panel").setChecked(False)
        window.views.panes.set_enlarged(1)
        window.commands.export.open()
        window.commands.export.panel.form.show_choice(wanted)
        save(window, path)
        assert "day.cleanplate" in window.windowTitle()
        assert not window.isWindowModified()
        told = window.commands.export.panel.command.toPlainText()
        assert told == f"cleanplate run {path} -o {wanted.folder}"
        painted, index = window.worker.painted, window.worker.index
        assert index > 0
        run_job(window.commands.export.job(wanted))
        part = ExportChoice(folder=str(tmp_path / "part"), save=("mask", "cleaned"), written=(18, 21))
        run_job(window.commands.export.job(part))
    whole = files_in(tmp_path / "window")
    assert len(whole) == 120
    assert files_in(tmp_path / "part").items() <= whole.items()
    assert len(files_in(tmp_path / "part")) == 8
    assert invoke(["run", str(path), "-o", str(tmp_path / "line"), "--quiet"]) == 0
    assert files_in(tmp_path / "line") == whole
    moved = clip.parent.rename(tmp_path / "elsewhere") / path.name
    with open_window(str(moved), tmp_path) as window:
        wait_for(lambda: window.display.index == index, "the frame that was shown")
        assert window.commands.choice.current.values == {"sensitivity": 61.0}
        for name, array in painted.items():
            np.testing.assert_array_equal(window.worker.painted[name], array)
        assert not window.action("method_panel").isChecked()
        assert window.views.panes.enlarged == 1
        assert window.views.panes.report.split.h.size > 1, "what was learnt is there at once"
        assert not window.commands.project.is_modified
        window.commands.export.open()
        again = window.commands.export.panel.form.choice
        assert (again.save, again.format, again.folder) == (wanted.save, wanted.format, wanted.folder)
        other = ExportChoice(folder=str(tmp_path / "again"), save=wanted.save)
        run_job(window.commands.export.job(other))
    assert files_in(tmp_path / "again") == whole


def test_closing_asks_where_changes_are_not_saved(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        save(window, path)
        window.action("loop").trigger()
        window.parts.source.mask_form.controls["sensitivity"].show_value(70.0)
        window.commands.method.changed.emit()
        assert window.isWindowModified()
        window.close()
        assert window.isVisible()
        pushed(window.closing.question, "Stay")
        assert window.isVisible()
        window.close()
        pushed(window.closing.question, "Save")
        wait_for(lambda: not window.isVisible(), "the end, once it is saved")
    assert load_project(path).document.values == {"sensitivity": 70.0}
    assert not [*(tmp_path / "recovery").glob("*/*.cleanplate")]


def test_a_saving_that_the_engine_cannot_make_closes_nothing_later(clip, tmp_path, monkeypatch):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        save(window, path)
        control = window.parts.source.mask_form.controls["sensitivity"]
        control.show_value(70.0)
        control.changed.emit("sensitivity", 70.0)
        wait_for(lambda: window.commands.project.is_modified, "the mark of a change")
        with monkeypatch.context() as patched:
            patched.setattr(Session, "model", Mock(side_effect=MemoryError))
            window.close()
            pushed(window.closing.question, "Save")
            wait_for(lambda: has_said(window, "while saving day.cleanplate"), "why it was not saved")
        window.commands.project.save()
        wait_for(lambda: not window.commands.project.is_modified, "the saving")
        assert window.isVisible()


def test_what_was_painted_on_a_clip_that_no_project_holds_is_not_lost_unasked(clip, tmp_path, monkeypatch):
    path, other = tmp_path / "day.cleanplate", write_clip(tmp_path / "other.mkv", 20)
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        dialogs, asked = project._dialogs, []
        monkeypatch.setattr(type(dialogs), "save", lambda *told: asked.append(told))
        work_on(window)
        wait_for(lambda: project.unsaved, "the stroke")
        window.close()
        assert "clip.mkv" in window.closing.question.text()
        pushed(window.closing.question, "Save")
        assert asked, "for a name"
        assert window.isVisible(), "none was given"
        window.commands.opening.open_path(str(other))
        pushed(project.question, "Stay")
        assert window.commands.input.request.path == str(clip)
        window.commands.opening.open_path(str(other))
        pushed(project.question, "Save")
        monkeypatch.setattr(type(dialogs), "save", lambda *told: path)
        project.save()
        wait_for(lambda: project.path == path, "the saving")
        assert window.commands.input.request.path == str(clip), "nothing follows what was given up"
        assert window.isVisible()
        painted = window.worker.painted
        window.commands.opening.open_path(str(other))
        wait_for(lambda: window.commands.input.request.path == str(other), "the other, unasked")
    assert load_project(path).painted.keys() == painted.keys()


@contextmanager
def stroke_on_its_way(window):
    """Paint, once what was set and painted before is saved, and let the engine take it after the block only."""
    let_go = threading.Event()
    window.let_go = let_go.set
    window.worker.with_session(lambda _: let_go.wait(600))
    where = np.zeros((48, 64), bool)
    where[4:12, 40:50] = True
    window.views.panes.stroke_painted.emit(window.views.panes.report, where, True)
    assert window.commands.history.steps.awaits_painted
    try:
        yield
    finally:
        let_go.set()


@pytest.mark.parametrize("leaves", ["closes", "opens another"])
def test_a_stroke_that_the_engine_has_not_taken_is_asked_for_and_saved(clip, tmp_path, leaves):
    path, other = tmp_path / "day.cleanplate", str(write_clip(tmp_path / "other.mkv", 20))
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        work_on(window)
        save(window, path)
        n_before = len(window.worker.strokes.strokes)
        with stroke_on_its_way(window):
            assert project.unsaved == "day.cleanplate has changes that are not saved."
            if leaves == "closes":
                window.close()
                assert window.isVisible()
                pushed(window.closing.question, "Save")
            else:
                window.commands.opening.open_path(other)
                pushed(project.question, "Save")
            assert window.isVisible()
        if leaves == "closes":
            wait_for(lambda: not window.isVisible(), "the end, once it is saved")
        else:
            wait_for(lambda: window.commands.input.request.path == other, "the other, once it is saved")
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.worker.strokes, "the project")
        assert len(window.worker.strokes.strokes) == n_before + 1


def test_questions_that_were_answered_go(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        wait_for(lambda: window.commands.project.unsaved, "the stroke")
        for _ in range(3):
            window.commands.opening.open_path(str(tmp_path / "other.mkv"))
            pushed(window.commands.project.question, "Stay")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert window.findChildren(QMessageBox) == []
        assert window.commands.project.question is None


def test_a_stroke_that_is_left_out_is_no_change(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        work_on(window)
        save(window, tmp_path / "day.cleanplate")
        with stroke_on_its_way(window):
            window.worker._presenter.has_shown = lambda _: False
            assert project.is_modified
        wait_for(lambda: not project.is_modified, "the answer")
        assert project.unsaved == ""


def test_settings_alone_are_no_work_to_ask_about(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        window.parts.source.mask_form.controls["sensitivity"].show_value(70.0)
        window.commands.method.changed.emit()
        wait_for(lambda: window.commands.project.is_modified, "the mark of a change")
        window.close()
        assert not window.isVisible()


def test_an_input_that_has_moved_is_asked_for(clip, tmp_path, monkeypatch):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        save(window, path)
        there = clip.rename(tmp_path / "there.mkv")
        asked = []
        dialogs = window.commands.project._dialogs
        monkeypatch.setattr(type(dialogs), "open", lambda _self, title, _kinds, begun: asked.append((title, begun)))
        window.commands.opening.open_path(str(path))
        wait_for(window.parts.banner.isVisible, "a sentence")
        assert "clip.mkv" in window.parts.banner.text
        assert "--input" not in window.parts.banner.text
        window.parts.banner.show_warning("Something else.")
        assert window.parts.banner.text == "Something else.", "leaving the question is no error"
        window.parts.banner.withdraw("Something else.")
        monkeypatch.setattr(type(dialogs), "open", lambda *_told: there)
        assert window.parts.banner.offer.text() == "Find it…"
        window.parts.banner.offer.click()
        wait_for(lambda: window.commands.input.request.path == str(there), "the input where it is now")
        assert asked == [("Where is clip.mkv now?", clip.parent)]
        assert window.commands.project.is_modified, "else it is asked for each time"
        save(window, path)
    assert load_project(path).document.input.path == str(there)


@pytest.fixture(scope="module")
def made_projects(tmp_path_factory, qapp):
    """A folder with projects of two clips, the first with strokes and other settings; it was moved since."""
    folder = tmp_path_factory.mktemp("made") / "before"
    (folder / "films").mkdir(parents=True)
    with at_home(folder):
        with open_window(str(write_clip(folder / "films" / "clip.mkv", 60)), folder) as window:
            work_on(window)
            save(window, folder / "day.cleanplate")
        with open_window(str(write_clip(folder / "films" / "other.mkv", 60)), folder) as window:
            save_now(window, folder / "other.cleanplate")
    (folder / "window.json").unlink()
    return folder.rename(folder.with_name("after"))


@pytest.fixture
def projects(clip, made_projects, tmp_path):
    """Those projects, where a test may change them."""
    shutil.copytree(made_projects, tmp_path, dirs_exist_ok=True)


@pytest.fixture
def moved_project(projects, clip, tmp_path):
    """A project of a clip that is not where it was any more."""
    clip.rename(tmp_path / "there.mkv")
    return tmp_path / "day.cleanplate"


def answer(monkeypatch, window, *files: Path) -> None:
    """Let a person choose these files, one at each question."""
    left = iter(files)
    monkeypatch.setattr(type(window.commands.project._dialogs), "open", lambda *_told: next(left))


def test_a_project_says_that_its_input_is_another_film_and_takes_it_all_the_same(moved_project, tmp_path, monkeypatch):
    other = write_clip(tmp_path / "other.mkv", 30, fps=50)
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        answer(monkeypatch, window, other, tmp_path / "there.mkv")
        window.commands.opening.open_path(str(moved_project))
        wait_for(lambda: window.commands.input.request.path == str(other), "the other film")
        said = "other.mkv is another film than the project's: 30 frames instead of 60, 50 a second instead of 25."
        assert window.parts.banner.text == said
        assert window.parts.banner.offer.text() == "Choose again…"
        window.parts.banner.offer.click()
        pushed(window.commands.project.question, "Discard")
        wait_for(lambda: window.commands.input.request.path == str(tmp_path / "there.mkv"), "its own film")
        assert not window.parts.banner.text
        save(window, moved_project)
        window.commands.opening.open_path(str(moved_project))
        wait_for(lambda: window.commands.input.awaits_view, "the opening")
        wait_for(lambda: not window.commands.input.awaits_view, "the same again")
        assert not window.parts.banner.text


def test_a_film_of_another_size_is_not_the_projects_and_another_can_be_chosen(moved_project, tmp_path, monkeypatch):
    other = write_clip(tmp_path / "large.mkv", 60, 128, 96)
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        answer(monkeypatch, window, other, tmp_path / "there.mkv")
        window.commands.opening.open_path(str(moved_project))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert "large.mkv is not the film of the project: it is 128×96, and that is 64×48" in window.parts.banner.text
        assert window.commands.project.path is None
        window.parts.banner.offer.click()
        wait_for(lambda: window.commands.project.path == moved_project, "the project")
        assert window.commands.input.request.path == str(tmp_path / "there.mkv")
        assert not window.parts.banner.text


def test_a_film_that_was_replaced_where_it_lies_can_be_chosen_again(projects, clip, tmp_path, monkeypatch):
    kept = clip.rename(tmp_path / "there.mkv")
    write_clip(clip, 60, 128, 96)
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        answer(monkeypatch, window, None, kept)
        window.commands.opening.open_path(str(tmp_path / "day.cleanplate"))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        window.parts.banner.offer.click()
        wait_for(lambda: has_said(window, "day.cleanplate is not open"), "a question that was left")
        window.parts.banner.offer.click()
        wait_for(lambda: window.commands.input.request.path == str(kept), "the film")


def test_results_go_beside_a_project_that_was_moved_with_their_folder(tmp_path):
    (tmp_path / "a" / "out").mkdir(parents=True)
    clip = write_clip(tmp_path / "a" / "clip.mkv")
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        window.commands.export._choose(folder=str(clip.parent / "out"))
        save(window, clip.parent / "day.cleanplate")
    moved = clip.parent.rename(tmp_path / "b")
    with open_window(str(moved / "day.cleanplate"), tmp_path) as window:
        wait_for(lambda: window.commands.input.request.path == str(moved / "clip.mkv"), "the input")
        assert window.commands.export.choice.folder == str(moved / "out")
        window.action("export").trigger()
        assert window.commands.export.panel.form.choice.folder == str(moved / "out")
        window.commands.project.look()
        assert not window.commands.project.is_modified


def test_a_project_that_cannot_be_read_is_one_sentence_and_the_work_goes_on(clip, tmp_path):
    (tmp_path / "bad.cleanplate").write_text("{}")
    with open_window(str(clip), tmp_path) as window:
        window.commands.opening.open_path(str(tmp_path / "bad.cleanplate"))
        wait_for(window.parts.banner.isVisible, "a sentence")
        assert "is not a project" in window.parts.banner.text
        assert window.commands.input.request.path == str(clip)
        assert window.commands.project.path is None


def test_opening_another_project_asks_where_changes_are_not_saved(clip, tmp_path):
    first, second = tmp_path / "first.cleanplate", tmp_path / "second.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        save_now(window, first)
        work_on(window)
        save(window, second)
        window.commands.method.reset()
        assert project.is_modified
        window.commands.opening.open_path(str(first))
        pushed(project.question, "Stay")
        assert project.path == second
        window.commands.opening.open_path(str(first))
        pushed(project.question, "Save")
        wait_for(lambda: project.path == first and not project.is_modified, "the other project")
        assert not window.worker.painted
    assert load_project(second).document.values == {}


def test_another_input_is_no_part_of_the_project_which_is_saved_first(clip, tmp_path, monkeypatch):
    path, other = tmp_path / "day.cleanplate", write_clip(tmp_path / "other.mkv", 20)
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        save_now(window, path)
        work_on(window)
        window.commands.opening.open_path(str(other))
        assert window.commands.input.request.path == str(clip), "asked first"
        pushed(project.question, "Save")
        wait_for(lambda: window.commands.input.info and window.commands.input.request.path == str(other), "the other")
        wait_for(lambda: project.path is None, "work that has no project")
        assert "day" not in window.windowTitle()
        saved = files_in(data_folder(path)) | {path.name: path.read_bytes()}
        assert load_project(path).document.values == {"sensitivity": 61.0}
        asked = []
        monkeypatch.setattr(project._dialogs, "save", lambda *words: asked.append(words))
        window.action("save_project").trigger()
        assert "other" in asked[0][1], "a new name is asked for"
    assert files_in(data_folder(path)) | {path.name: path.read_bytes()} == saved


def test_the_frame_that_someone_looks_at_is_shown_again(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        learnt = window.worker.index
        looked_at = 3 if learnt > 30 else 50
        window.worker.seek(looked_at)
        wait_for(lambda: window.display.index == looked_at, "the frame")
        save(window, path)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.display.index == looked_at, "the frame that was looked at")
        assert window.worker.index == learnt


def test_what_is_learnt_in_a_project_that_was_opened_again_comes_beside_what_was_learnt_before(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path, hold_at=20) as window:
        work_on(window)
        assert window.parts.status.learnt.text().startswith("learnt ")
        assert not window.parts.status.learnt.text().endswith(" more")
        wait_for(lambda: unused(window), "what was not used")
        before = unused(window)
        save(window, path)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: unused(window) == before, "what was not used before, though nothing was learnt since")
        save(window, path)
    with open_window(str(path), tmp_path) as window:
        said, plots = window.parts.status.learnt, window.views.plots
        wait_for(lambda: window.views.panes.report, "the frame")
        assert not said.text(), "nothing was learnt since"
        window.worker.step()
        wait_for(lambda: said.text().endswith(" more"), "what it has learnt since")
        wait_for(lambda: plots.plot is not None, "the plotting library")
        assert not plots.plot.isVisible(), "a single point is no curve"
        assert "learning goes on" in plots.hint.text()
        wait_for(lambda: window.views.basis.cards, "the basis")
        assert unused(window) == before, "and nothing that was learnt since has used them"
        window.commands.method.restart()
        wait_for(lambda: said.text().startswith("learnt ") and not said.text().endswith(" more"), "a run from nothing")
        assert plots.hint.text().startswith("Curves appear")
        wait_for(lambda: "not used yet" in used(window), "what is known from the first frame on")


def test_of_a_project_that_does_not_know_it_nothing_is_said_to_be_unused(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path, hold_at=20) as window:
        work_on(window)
        wait_for(lambda: unused(window), "what was not used")
        save(window, path)
    document = msgspec.json.decode(path.read_bytes())
    del document["progress"]["unused"]
    path.write_bytes(msgspec.json.encode(document))
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.views.basis.cards, "the basis")
        assert not unused(window), "nothing is known of the frames before"
        save(window, path)
    assert load_project(path).document.progress.unused is None


def test_a_project_whose_input_is_damaged_is_not_open(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        save_now(window, tmp_path / "day.cleanplate")
        window.commands.opening.open_path("sample:faces")
        wait_for(lambda: window.commands.input.request.path == "sample:faces", "another input")
        window.worker.pause()
        wait_for(lambda: window.commands.playback.state.name in {"PAUSED", "FINISHED"}, "a pause")
        save(window, tmp_path / "faces.cleanplate")
        clip.write_bytes(b"no film")
        window.commands.opening.open_path(str(tmp_path / "day.cleanplate"))
        wait_for(window.parts.banner.isVisible, "a sentence")
        assert window.commands.project.path == tmp_path / "faces.cleanplate", "the next saving would overwrite it"


@pytest.fixture
def two_projects(projects, clip):
    """Projects of two clips, the first with strokes and other settings, and the bytes of its clip, which is damaged."""
    film = clip.read_bytes()
    clip.write_bytes(b"no film")
    return film


def test_a_project_that_is_not_opened_leaves_nothing_in_the_one_that_is(two_projects, tmp_path):
    with open_window(str(tmp_path / "other.cleanplate"), tmp_path) as window:
        wait_for(lambda: window.commands.project.path == tmp_path / "other.cleanplate", "the project")
        window.commands.opening.open_path(str(tmp_path / "day.cleanplate"))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert window.commands.choice.current.values == {}
        assert not window.commands.project.is_modified
        save(window, tmp_path / "other.cleanplate")
    document = load_project(tmp_path / "other.cleanplate").document
    assert (document.values, Path(document.input.path).name) == ({}, "other.mkv")


def test_a_clip_is_no_project_whose_opening_failed_before(clip, two_projects, tmp_path):
    with open_window(str(tmp_path / "films" / "other.mkv"), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        window.commands.opening.open_path(str(tmp_path / "day.cleanplate"))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        clip.write_bytes(two_projects)
        window.commands.opening.open_path(str(clip))
        wait_for(lambda: window.commands.input.request.path == str(clip), "the clip")
        assert window.commands.project.path is None, "the next saving would take the strokes out of the project"


def test_an_input_that_fails_after_a_project_was_asked_for_gives_up_both(
    clip, two_projects, tmp_path, monkeypatch, held_openings
):
    clip.write_bytes(two_projects)
    (tmp_path / "broken.mkv").write_bytes(b"no film")
    with open_window(str(tmp_path / "other.cleanplate"), tmp_path) as window:
        project = window.commands.project
        wait_for(lambda: project.path == tmp_path / "other.cleanplate", "the project")
        show = project._state.show
        held_openings[str(clip)] = threading.Event()

        def show_and_ask_for_another(work):
            request = show(work)
            window.commands.input.open_path(str(tmp_path / "broken.mkv"))
            held_openings[str(clip)].set()
            return request

        monkeypatch.setattr(project._state, "show", show_and_ask_for_another)
        window.commands.opening.open_path(str(tmp_path / "day.cleanplate"))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert window.commands.choice.current.values == {}
        save(window, tmp_path / "other.cleanplate")


def test_what_is_saved_late_is_not_the_project_of_another_input(clip, tmp_path, monkeypatch):
    other = write_clip(tmp_path / "films" / "other.mkv", 60)
    may_save, saved = threading.Event(), store.save_project
    monkeypatch.setattr(store, "save_project", lambda *what: may_save.wait(60) and saved(*what))
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        wait_for(lambda: window.worker.n_learnt > 2, "some frames")
        project, told = window.commands.project, []
        project.saved.connect(told.append)
        project.write(path)
        wait_for(lambda: project.files.is_busy(path), "the saving")
        window.commands.opening.open_path(str(other))
        wait_for(lambda: window.commands.input.request.path == str(other), "the other")
        may_save.set()
        wait_for(lambda: told, "the saving")
        assert (told, project.path) == (["day.cleanplate"], None)
    assert Path(load_project(path).document.input.path).name == "clip.mkv"


def left_behind(clip, tmp_path) -> Path:
    """Work on a clip; return where it is kept by itself, as after a crash."""
    left = tmp_path / "recovery" / "123-abc" / "work.cleanplate"
    left.parent.mkdir(parents=True)
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        window.commands.project.keep(left)
        wait_for(lambda: left.exists() and not window.commands.project.files.is_busy(left), "the work")
    return left


def test_recovered_work_stays_until_it_is_restored(clip, tmp_path, monkeypatch):
    left = left_behind(clip, tmp_path)
    away = clip.rename(tmp_path / "away.mkv")
    for is_there in (False, True):
        with open_window("sample:street", tmp_path) as window:
            wait_for(lambda: window.autosave.question, "the question")
            monkeypatch.setattr(window.commands.project._dialogs, "open", lambda *_: None)
            if is_there:
                away.rename(clip)
            pushed(window.autosave.question, "Restore")
            assert window.autosave._timer.isActive()
            assert window.autosave._timer.interval() == autosave.AUTOSAVE_MS
            if is_there:
                wait_for(lambda: window.worker.painted, "the work")
            else:
                wait_for(lambda: window.parts.banner.text, "a sentence")
                assert f"The input {clip} of the project that was not saved" in window.parts.banner.text
                assert "is offered at the next start" in window.parts.banner.text
                window.commands.project.worked.emit()
                window.autosave.keep()
                assert window.worker.painted == {}
            assert left.exists()


def test_why_recovered_work_is_not_open_is_still_said_when_the_input_in_its_place_is(clip, tmp_path, monkeypatch):
    left = left_behind(clip, tmp_path)
    clip.rename(tmp_path / "away.mkv")
    large = write_clip(tmp_path / "large.mkv", 20, width=128, height=96)
    monkeypatch.setattr(dialogs.FileDialogs, "open", lambda *_: large)
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.autosave.question, "the question")
        pushed(window.autosave.question, "Restore")
        wait_for(lambda: window.views.panes.report, "the sample")
        banner = window.parts.banner
        assert "large.mkv is not the film of the project" in banner.text
        assert banner.text.endswith("Your work is kept, and is offered at the next start.")
        assert not banner.more.isVisible()
    assert left.exists()


@pytest.mark.parametrize("answer", ["Restore", "Discard", "Ask again next time"])
def test_nothing_is_opened_until_it_is_answered_whether_earlier_work_is_wanted(clip, tmp_path, answer):
    left_behind(clip, tmp_path)
    other = write_clip(tmp_path / "other.mkv", 20)
    with open_window(str(other), tmp_path) as window:
        wait_for(lambda: window.autosave.question, "the question")
        opened = []
        window.worker.opened.connect(lambda _info, request: opened.append(request.path))
        for _ in range(30):
            QCoreApplication.processEvents()
            time.sleep(0.01)
        assert (opened, window.worker.n_learnt, window.commands.input.info) == ([], 0, None)
        pushed(window.autosave.question, answer)
        wait_for(lambda: window.views.panes.report, "a frame")
        assert opened == [str(clip if answer == "Restore" else other)]


def test_once_another_input_is_open_restored_work_is_no_more_what_is_not_saved(clip, tmp_path):
    left_behind(clip, tmp_path)
    others = [str(write_clip(tmp_path / name, 20)) for name in ("a.mkv", "b.mkv")]
    with open_window("sample:street", tmp_path) as window:
        project, input_ = window.commands.project, window.commands.input
        wait_for(lambda: window.autosave.question, "the question")
        pushed(window.autosave.question, "Restore")
        wait_for(lambda: window.worker.painted and project.unsaved, "the work")
        assert project.unsaved == "What was drawn on clip.mkv is not saved."
        for other in others:
            window.commands.opening.open_path(other)
            if other == others[0]:
                pushed(project.question, "Discard")
            wait_for(lambda other=other: input_.request.path == other, "the other clip")
            assert (project.unsaved, project.is_modified) == ("", False)


def test_recent_projects_are_listed_with_a_picture(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        save_now(window, tmp_path / "day.cleanplate")

        def pictures():
            window.menus.fill_recent()
            return {entry.text(): not entry.icon().isNull() for entry in window.menus.recent.actions()}

        window.menus.by_title["File"].aboutToShow.emit()
        wait_for(lambda: pictures()["day.cleanplate"], "the picture")
        shutil.rmtree(data_folder(tmp_path / "day.cleanplate"))
        window.menus.opening.aboutToShow.emit()
        wait_for(lambda: pictures() == {"day.cleanplate": False, str(clip): False}, "the line without it")


def test_a_picture_that_cannot_be_read_is_none_and_those_of_other_projects_are_forgotten(tmp_path, monkeypatch):
    pictures, bad = ProjectPictures(), Mock(side_effect=MemoryError)
    monkeypatch.setattr(store, "load_document", Mock())
    monkeypatch.setattr(store, "load_picture", bad)
    pictures.read(["a.cleanplate"])
    pictures.wait()
    assert pictures._read.keys() == {"a.cleanplate"}
    assert pictures.icon("a.cleanplate").isNull()
    pictures.read(["b.cleanplate"])
    pictures.wait()
    assert pictures._read.keys() == {"b.cleanplate"}
    assert bad.call_count == 2


def test_the_menu_of_recent_projects_waits_for_no_drive(clip, tmp_path, monkeypatch):
    answers, asked = threading.Event(), []

    def hang(path):
        asked.append(path)
        answers.wait(60)
        raise CleanplateError("It does not answer.")

    monkeypatch.setattr(store, "load_document", hang)
    with open_window(str(clip), tmp_path) as window:
        window.remembered.recent = ["/far/day.cleanplate"]
        for _ in range(3):
            window.menus.by_title["File"].aboutToShow.emit()
            window.menus.fill_recent()
            assert [entry.text() for entry in window.menus.recent.actions()] == ["day.cleanplate"]
        answers.set()
    assert asked == [Path("/far/day.cleanplate")], "once, while it does not answer"


KILLED = """
import sys, time
from pathlib import Path
from unittest.mock import Mock
from PySide6.QtWidgets import QApplication
from app.window import autosave, dialogs
from app.window.startup import application
from tests.app.window.test_projects import save, work_on
from tests.app.windows import open_window, wait_for
autosave.AUTOSAVE_MS = 300
app, folder = application(), Path(sys.argv[1])
with open_window(str(folder / "films" / "clip.mkv"), folder) as window:
    wait_for(lambda: window.worker.n_learnt > 3, "frames")
    save(window, folder / "day.cleanplate")
    work_on(window)
    print("worked", window.worker.index, flush=True)
    while True:
        app.processEvents()
        time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_the_work_is_restored_after_the_program_was_killed(clip, tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "QT_QPA_PLATFORM": "offscreen"}
    words = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            worked = process.stdout.readline().split()
            assert worked[0] == "worked"

            def is_kept() -> bool:
                kept = [*(tmp_path / "recovery").glob("*/work.cleanplate")]
                return bool(kept) and '"sensitivity": 61' in kept[0].read_text() and '"strokes-' in kept[0].read_text()

            wait_for(is_kept, "what is kept by itself")
        finally:
            process.send_signal(signal.SIGKILL)
    assert load_project(tmp_path / "day.cleanplate").document.values == {}, "the project itself is as it was saved"
    with open_window(str(clip), tmp_path) as window:
        wait_for(lambda: window.autosave.question, "the question")
        assert "day.cleanplate" in window.autosave.question.text()
        pushed(window.autosave.question, "Restore")
        project = window.commands.project
        wait_for(lambda: project.path == tmp_path / "day.cleanplate" and project.is_modified, "the work")
        wait_for(lambda: window.display.index == int(worked[1]), "the frame")
        assert window.commands.choice.current.values == {"sensitivity": 61.0}
        assert window.worker.painted
        project.save()
        wait_for(lambda: not project.is_modified, "the saving")
    assert load_project(tmp_path / "day.cleanplate").document.values == {"sensitivity": 61.0}
    assert not [*(tmp_path / "recovery").glob("*/*.cleanplate")]
    with open_window(str(clip), tmp_path) as window:
        assert window.autosave.question is None


def test_nothing_is_kept_of_a_window_in_which_nothing_was_done(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        wait_for(lambda: window.worker.n_learnt > 5, "frames")
        window.autosave.keep()
        assert not (tmp_path / "recovery").exists()
        assert autosave.AUTOSAVE_MS < 10_000


def test_a_recovery_file_is_not_written_twice_at_a_time_and_its_failure_stops_nobody(clip, tmp_path, monkeypatch):
    kept, written, gate = tmp_path / "kept.cleanplate", [], threading.Event()

    def slow(project, path, *_):
        written.append(path)
        gate.wait(600)
        raise CleanplateError("The disk is full.")

    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        work_on(window)
        monkeypatch.setattr("core.project.store.save_project", slow)
        assert project.keep(kept)
        try:
            wait_for(lambda: written, "the writing")
            assert not project.keep(kept)
            settled, followed = [], []
            project.settled.connect(lambda: settled.append(1))
            project._next = lambda: followed.append(1)
        finally:
            gate.set()
        wait_for(lambda: not project.files.is_busy(kept) and has_said(window, "full"), "the failure")
        assert not settled
        assert project._next is not None
        monkeypatch.undo()
        project.write(tmp_path / "day.cleanplate")
        wait_for(lambda: followed, "what a person asked for")
        assert settled


def kept_files(tmp_path):
    return [*(tmp_path / "recovery").glob("*/work.cleanplate")]


def kept_in(tmp_path):
    return [load_project(file) for file in kept_files(tmp_path)]


@pytest.mark.parametrize("is_kept_before", [False, True])
def test_what_ends_the_program_keeps_the_work_as_it_was_last(clip, tmp_path, is_kept_before):
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        if is_kept_before:
            window.autosave.keep()
            wait_for(lambda: kept_in(tmp_path), "what is kept")
        before = window.worker.strokes
        with stroke_on_its_way(window):
            threading.Timer(0.5, window.let_go).start()
            window.closing.close_unasked()
        assert not window.isVisible()
        (kept,) = kept_in(tmp_path)
        assert kept.document.values == {"sensitivity": 61.0}
        assert kept.painted.keys() == before.arrays.keys()
        assert any(not np.array_equal(kept.painted[name], array) for name, array in before.arrays.items())


def test_work_that_could_not_be_kept_is_kept_the_next_time(clip, tmp_path, monkeypatch):
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        in_session(window, lambda _: None)
        QCoreApplication.processEvents()  # It has heard of all: what is kept below is as new as the work.
        with monkeypatch.context() as patched:
            patched.setattr(store, "save_project", Mock(side_effect=CleanplateError("The disk is full.")))
            window.autosave.keep()
            wait_for(lambda: has_said(window, "full"), "the failure")
        window.autosave.keep()
        wait_for(lambda: kept_in(tmp_path), "what is kept")
        wait_for(lambda: not has_said(window, "full"), "the end of the sentence, which is so no longer")


def test_why_work_is_not_kept_is_said_once_until_it_is_another_reason(clip, tmp_path, monkeypatch):
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        banner, failures = window.parts.banner, []
        window.commands.project.kept.connect(lambda well: failures.append(not well))

        def fails(why):
            n_before = len(failures)
            monkeypatch.setattr(store, "save_project", Mock(side_effect=CleanplateError(why)))
            window.autosave.keep()
            wait_for(lambda: len(failures) > n_before, "the failure")

        fails("The disk is full.")
        assert has_said(window, "full")
        banner.clear()
        fails("The disk is full.")
        assert not has_said(window, "full"), "a person has dismissed it"
        fails("The disk is gone.")
        assert has_said(window, "gone")
        fails("The disk is full.")
        assert has_said(window, "full")
        assert not has_said(window, "gone")
        assert all(failures)
        monkeypatch.undo()


def kept_by_itself(window, tmp_path):
    window.autosave.keep()
    wait_for(lambda: kept_in(tmp_path), "what is kept")


def test_what_is_saved_is_not_kept_for_after_a_crash(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        kept_by_itself(window, tmp_path)
        save(window, path)
        wait_for(lambda: not kept_files(tmp_path), "the end of what is saved now")
        n_learnt = window.worker.n_learnt
        window.worker.play()
        wait_for(lambda: window.worker.n_learnt != n_learnt, "a frame that nobody has set anything for")
        window.autosave.keep()
        in_session(window, lambda _: None)
        assert not window.commands.project.files.is_busy(window.autosave._recovery.claim())
        set_sensitivity(window, 64.0)
        kept_by_itself(window, tmp_path)
        assert kept_in(tmp_path)[0].document.values == {"sensitivity": 64.0}


def test_what_was_discarded_is_not_kept_for_after_a_crash(clip, tmp_path):
    other = str(write_clip(tmp_path / "other.mkv", 20))
    with open_window(str(clip), tmp_path) as window:
        work_on(window)
        kept_by_itself(window, tmp_path)
        window.commands.opening.open_path(other)
        pushed(window.commands.project.question, "Discard")
        wait_for(lambda: not kept_files(tmp_path), "the end of what was discarded")
        assert window.commands.input.request.path == other


def test_what_was_restored_and_saved_is_not_offered_again_after_a_crash(clip, tmp_path):
    left = left_behind(clip, tmp_path)
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.autosave.question, "the question")
        pushed(window.autosave.question, "Restore")
        wait_for(lambda: window.worker.painted and window.commands.project.is_modified, "the work")
        assert left.exists()
        save(window, tmp_path / "day.cleanplate")
        wait_for(lambda: not left.exists(), "the end of what is saved now")


def test_what_is_left_of_a_folder_called_input_has_the_title_that_the_window_gave_it(tmp_path):
    images = tmp_path / "walk" / "input"
    images.mkdir(parents=True)
    for i in range(30):
        cv2.imwrite(str(images / f"{i}.png"), np.full((48, 64), 100 + i, np.uint8))
    with open_window(str(images), tmp_path) as window:
        work_on(window)
        assert window.windowTitle() == "walk — Cleanplate"
        wait_for(lambda: window.commands.project.unsaved, "the stroke")
        assert window.commands.project.unsaved == "What was drawn on walk is not saved."
        kept = tmp_path / "work.cleanplate"
        window.commands.project.keep(kept)
        wait_for(kept.exists, "what is kept")
        assert "your work on walk was saved" in window.autosave._make_question(kept).text()


def test_opening_a_project_asks_where_more_was_learnt_than_the_open_one_holds(clip, tmp_path):
    path = tmp_path / "day.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        project, worker = window.commands.project, window.worker
        work_on(window)
        save(window, path)
        opened = []
        project.opened.connect(lambda: opened.append(1))
        window.commands.opening.open_path(str(path))
        wait_for(lambda: opened and worker.n_learnt == 0, "the project again, unasked")
        window.commands.opening.open_path(str(path))
        wait_for(lambda: len(opened) == 2 and worker.n_learnt == 0, "and again, as nothing was learnt")
        assert project.question is None
        # Asked again until the run that was just opened hears it: the one before may have been told.
        wait_for(lambda: worker.play() or worker.n_learnt > 4, "frames")
        worker.pause()
        wait_for(lambda: window.commands.playback.state.name in {"PAUSED", "FINISHED"}, "a pause")
        window.commands.opening.open_path(str(path))
        assert "day.cleanplate has learnt" in project.question.text()
        pushed(project.question, "Save")
        wait_for(lambda: len(opened) == 3 and worker.n_learnt == 0, "the project, once it is saved")


def saved_elsewhere(path: Path) -> bytes:
    """Save a project as another window would that has learnt another rank; return its document."""
    project = load_project(path)
    store.save_project(replace(project, document=msgspec.structs.replace(project.document, values={"rank": 9})), path)
    return path.read_bytes()


def set_sensitivity(window, value: float) -> None:
    control = window.parts.source.mask_form.controls["sensitivity"]
    control.show_value(value)
    control.changed.emit("sensitivity", value)
    wait_for(lambda: window.commands.project.is_modified, "the mark of a change")


def asked(window, text: str) -> QMessageBox:
    """Wait for a question of saving."""
    project = window.commands.project
    wait_for(lambda: project.question is not None and project.question.isVisible(), "the question")
    assert text in project.question.text()
    return project.question


def test_work_that_another_window_saved_is_replaced_only_if_a_person_says_so(clip, tmp_path, monkeypatch):
    path, other = tmp_path / "day.cleanplate", tmp_path / "other.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        save_now(window, path)
        set_sensitivity(window, 61.0)
        window.commands.project.save()
        wait_for(lambda: not window.commands.project.is_modified, "the saving over what was saved here")
    with open_window(str(path), tmp_path) as window:
        project = window.commands.project
        set_sensitivity(window, 62.0)
        project.save()
        wait_for(lambda: not project.is_modified, "the saving over what was opened")
        theirs, settled = saved_elsewhere(path), []
        project.settled.connect(lambda: settled.append(1))
        set_sensitivity(window, 63.0)
        project.save()
        pushed(asked(window, "changed elsewhere"), "Cancel")
        assert settled
        assert path.read_bytes() == theirs
        assert project.is_modified
        window.close()
        pushed(window.closing.question, "Save")
        monkeypatch.setattr(type(project._dialogs), "save", lambda *_: other)
        pushed(asked(window, "changed elsewhere"), "Save as…")
        wait_for(lambda: not window.isVisible(), "the end, once it is saved")
    assert path.read_bytes() == theirs
    assert load_project(path).learnt is not None, "what belongs to it is there too"
    assert load_project(other).document.values == {"sensitivity": 63.0}
    with open_window(str(path), tmp_path) as window:
        saved_elsewhere(path)
        set_sensitivity(window, 64.0)
        window.commands.project.save()
        pushed(asked(window, "changed elsewhere"), "Replace")
        wait_for(lambda: not window.commands.project.is_modified, "the saving")
    assert load_project(path).document.values["sensitivity"] == 64.0


@pytest.mark.parametrize("is_newer", [False, True])
def test_recovered_work_takes_the_place_of_its_project_unless_that_was_saved_since(clip, tmp_path, is_newer):
    path, left = tmp_path / "day.cleanplate", tmp_path / "left" / "work.cleanplate"
    with open_window(str(clip), tmp_path) as window:
        save_now(window, path)
        set_sensitivity(window, 61.0)
        assert window.commands.project.keep(left)
        wait_for(lambda: not window.commands.project.files.is_busy(left), "the recovery file")
    os.utime(left, ns=(path.stat().st_mtime_ns + 10**9,) * 2)
    before = path.read_bytes()
    if is_newer:
        before = saved_elsewhere(path)
        os.utime(path, ns=(left.stat().st_mtime_ns + 10**9,) * 2)
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        project.open(left, recovered=True)
        wait_for(lambda: project.path == path, "the work")
        project.save()
        if is_newer:
            pushed(asked(window, "changed elsewhere"), "Cancel")
            assert path.read_bytes() == before
        else:
            wait_for(lambda: not project.is_modified, "the saving")
            assert path.read_bytes() != before


def test_a_project_whose_folder_was_moved_is_not_saved_to_the_old_place_unasked(clip, tmp_path, monkeypatch):
    path, moved = clip.parent / "day.cleanplate", tmp_path / "moved"
    with open_window(str(clip), tmp_path) as window:
        project = window.commands.project
        save_now(window, path)
        clip.parent.rename(moved)
        set_sensitivity(window, 61.0)
        project.save()
        pushed(asked(window, "The folder of day.cleanplate is gone."), "Cancel")
        assert project.is_modified
        project.save()
        monkeypatch.setattr(type(project._dialogs), "save", lambda *_: moved / "night.cleanplate")
        pushed(asked(window, "is gone"), "Save as…")
        wait_for(lambda: not project.is_modified, "the saving")
        assert not clip.parent.exists()
        save_now(window, tmp_path / "new" / "name.cleanplate")


def test_a_saving_that_goes_well_takes_away_why_one_did_not(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        banner, project = window.parts.banner, window.commands.project
        wait_for(lambda: window.commands.input.info, "the input")
        for write in (window.commands.presets.write, project.write, window.commands.models.write):
            write(tmp_path)  # A folder, which nothing replaces.
            wait_for(lambda: banner.text, "why not")
            assert str(tmp_path) in banner.text
            window.commands.presets.write(tmp_path / "preset.json")
            assert not banner.text
