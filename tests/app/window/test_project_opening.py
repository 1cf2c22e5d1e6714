"""Projects whose inputs come late, or not at all, while a person goes on working."""

import os
import threading

import pytest
from PySide6.QtCore import QCoreApplication

from core.errors import CleanplateError
from core.project import store
from core.project.document import Document, ProjectInput
from core.project.naming import beside
from core.project.store import Project, load_document, save_project
from core.scene.areas import Areas, Shape
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")

CORNER = Areas((Shape("never", ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0)), 0.0),))


@pytest.fixture
def clips(tmp_path):
    return [write_clip(tmp_path / f"{name}.mkv", 60) for name in "xyz"]


def show(window, clip):
    window.commands.input.open_path(str(clip))
    wait_for(lambda: window.commands.input.request.path == str(clip), "the clip")


def save_as(window, path, areas=None):
    if areas is not None:
        window.commands.areas.set_areas(areas)
    window.commands.project.write(path)
    wait_for(lambda: window.commands.project.path == path and not window.commands.project.is_modified, "the saving")
    return path


def two(window, tmp_path, clips):
    """Save a project of the second clip with areas, and one of the first without, which is open then."""
    wait_for(lambda: window.commands.input.info, "the input")
    show(window, clips[1])
    other = save_as(window, tmp_path / "other.cleanplate", CORNER)
    show(window, clips[0])
    return save_as(window, tmp_path / "open.cleanplate", Areas()), other


def ask_for(window, path):
    """Open a project; what was learnt meanwhile of the one that is open need not be saved."""
    project = window.commands.project
    project.open(path)
    if project.question is not None and project.question.isVisible():
        next(button for button in project.question.buttons() if button.text() == "Discard").click()


def await_project(window, path):
    ask_for(window, path)
    wait_for(lambda: window.commands.input.awaits_view, "the project, without its input")


def test_no_view_is_chosen_while_a_project_is_awaited_and_the_project_comes(clips, tmp_path, held_openings):
    with open_window(str(clips[0]), tmp_path) as window:
        path, other = two(window, tmp_path, clips)
        held_openings[str(clips[1])] = threading.Event()
        await_project(window, other)
        assert not window.parts.source.scale.isEnabled()
        window.commands.input.set_region((8, 8, 32, 24))
        assert window.parts.banner.text == "Another input is being opened; change the view when it is there."
        held_openings[str(clips[1])].set()
        wait_for(lambda: window.commands.project.path == other, "the project")
        assert window.parts.source.scale.isEnabled()
        assert window.commands.choice.areas == CORNER
        assert window.commands.input.request.roi is None
        save_as(window, path)
    assert load_document(path).areas == CORNER


def test_an_input_that_takes_long_to_open_is_named_until_it_is_there_or_cannot_be(clips, tmp_path, held_openings):
    gone = tmp_path / "gone.mkv"
    with open_window(str(clips[0]), tmp_path, loop=True) as window:
        status, opening = window.parts.status, window.commands.opening
        wait_for(lambda: window.worker.n_learnt > 5, "some frames")
        for path in (clips[1], gone):
            held_openings[str(path)] = threading.Event()
            learnt = window.worker.n_learnt
            opening.open_path(str(path))
            wait_for(lambda path=path: status.state.text() == f"Opening {path.name}…", "what is waited for")
            wait_for(lambda learnt=learnt: window.worker.n_learnt > learnt + 5, "what plays meanwhile")
            assert status.state.text() == f"Opening {path.name}…"
            held_openings[str(path)].set()
            wait_for(lambda: not status.state.text().startswith("Opening"), "the end")
        assert window.commands.input.request.path == str(clips[1])


def test_a_project_that_takes_long_to_read_is_named_until_its_input_is_there_or_it_cannot_be(
    clips, tmp_path, monkeypatch
):
    damaged, read, may_read = tmp_path / "damaged.cleanplate", store.load_project, threading.Event()
    damaged.write_text("{")
    with open_window(str(clips[0]), tmp_path) as window:
        path, _other = two(window, tmp_path, clips)
        status, was = window.parts.status, window.commands.input.request
        monkeypatch.setattr(store, "load_project", lambda at: may_read.wait(60) and read(at))
        for project in (path, damaged):
            may_read.clear()
            ask_for(window, project)
            wait_for(lambda project=project: status.state.text() == f"Opening {project.name}…", "what is waited for")
            assert window.commands.input.request is was, "it was read before"
            may_read.set()
            wait_for(lambda: not status.state.text().startswith("Opening"), "the end")
            assert (window.commands.input.request is was) is (project == damaged)
            was = window.commands.input.request
        assert "damaged.cleanplate" in window.parts.banner.text


def test_nothing_is_saved_or_exported_while_a_project_is_awaited(clips, tmp_path, held_openings):
    with open_window(str(clips[0]), tmp_path) as window:
        path, other = two(window, tmp_path, clips)
        held_openings[str(clips[1])] = threading.Event()
        before = path.read_bytes()
        window.action("export").trigger()
        panel = window.commands.export.panel
        await_project(window, other)
        for begins in (panel.run.start, panel.queue):
            panel.say("")
            begins.setEnabled(True)
            begins.click()
            assert panel.message.text() == "A project is being opened; export when it is there."
        assert not panel.run.is_running
        assert window.commands.queue.panel is None
        window.commands.areas._on_removed(0)
        window.action("mark_in").trigger()
        window.action("marker").trigger()
        for key in ("save_project", "export"):
            window.parts.banner.clear()
            window.action(key).trigger()
            assert "A project is being opened" in window.parts.banner.text
        held_openings[str(clips[1])].set()
        wait_for(lambda: window.commands.project.path == other, "the project")
        assert window.commands.choice.areas == CORNER
        assert window.commands.export.written == (None, None)
        assert not window.commands.marks.markers
    assert path.read_bytes() == before


def begin_late(window, path, monkeypatch):
    """Open an input that has just not begun yet; return what lets it."""
    began, goes_on, start = threading.Event(), threading.Event(), window.worker._player.start

    def start_late(*what, **named):
        began.set()
        start(*what, **named)
        assert goes_on.wait(60)

    monkeypatch.setattr(window.worker._player, "start", start_late)
    window.commands.input.open_path(str(path))
    wait_for(began.is_set, "the other input, being begun")
    return goes_on


def test_an_input_that_comes_late_takes_nothing_from_the_project_that_follows_it(clips, tmp_path, monkeypatch):
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        window.commands.marks.rename(5, "here")
        window.commands.marks.set_range(3, 20)
        path = save_as(window, tmp_path / "day.cleanplate", CORNER)
        written = window.commands.export.written
        goes_on = begin_late(window, clips[1], monkeypatch)
        came = []
        window.commands.project.opened.connect(lambda: came.append(True))
        await_project(window, path)
        goes_on.set()
        wait_for(lambda: came, "the project")
        commands = window.commands
        assert (commands.choice.areas, commands.export.written) == (CORNER, written)
        assert [mark.name for mark in commands.marks.markers] == ["here"]
        assert not commands.project.is_modified


def test_images_that_come_late_bring_no_settings_of_theirs_to_the_project_that_follows(
    clips, photos, tmp_path, monkeypatch
):
    with open_window(str(photos), tmp_path) as window:
        method, project = window.parts.method, window.commands.project
        wait_for(lambda: window.commands.input.info, "the images")
        method.preset_chosen.emit("Faces, denoise")
        assert method.key == "opgd"
        show(window, clips[0])
        wait_for(lambda: method.key == "fast", "what videos had")
        path = save_as(window, tmp_path / "day.cleanplate")
        goes_on = begin_late(window, photos, monkeypatch)
        came = []
        project.opened.connect(lambda: came.append(True))
        await_project(window, path)
        goes_on.set()
        wait_for(lambda: came, "the project")
        assert method.key == "fast"
        assert not project.is_modified


def test_nothing_of_a_project_that_does_not_come_is_a_step_of_the_input_that_came_before(clips, tmp_path, monkeypatch):
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        broken = tmp_path / "broken.mkv"
        broken.write_bytes(b"no film")
        path = tmp_path / "day.cleanplate"
        save_project(Project(Document(input=ProjectInput(path=str(broken)), areas=CORNER)), path)
        goes_on = begin_late(window, clips[1], monkeypatch)
        await_project(window, path)
        goes_on.set()
        wait_for(lambda: window.commands.input.request.path == str(clips[1]), "the input that came before")
        window.commands.marks.rename(5, "here")
        steps = window.commands.history.steps.stack
        assert [tuple(steps.command(i).changed) for i in range(steps.count())] == [("markers",)]


def test_the_range_of_a_project_is_kept_where_a_shorter_clip_was_open(tmp_path):
    short, long = (write_clip(tmp_path / f"{n}.mkv", n) for n in (20, 60))
    with open_window(str(long), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        window.commands.marks.set_range(30, 50)
        path = save_as(window, tmp_path / "day.cleanplate")
        written = window.commands.export.written
        for is_shown in (False, True):
            show(window, short)
            window.commands.export.open()
            window.commands.export.panel.setVisible(is_shown)
            ask_for(window, path)
            wait_for(lambda: window.commands.project.path == path, "the project")
            assert window.commands.export.written == written


def test_what_was_to_follow_a_saving_does_not_come_over_other_work(clips, tmp_path, monkeypatch):
    may_save, saved = threading.Event(), store.save_project
    monkeypatch.setattr(store, "save_project", lambda *what: may_save.wait(60) and saved(*what))
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.worker.n_learnt > 2, "some frames")
        project, told = window.commands.project, []
        project.saved.connect(told.append)
        monkeypatch.setattr(project._dialogs, "save", lambda *_: tmp_path / "day.cleanplate")
        window.commands.areas.set_areas(CORNER)
        for clip, words in ((clips[1], "Save"), (clips[2], "Discard")):
            wait_for(lambda: project.is_modified, "the mark of a change")
            window.commands.opening.open_path(str(clip))
            next(button for button in project.question.buttons() if button.text() == words).click()
        wait_for(lambda: window.commands.input.request.path == str(clips[2]), "the third")
        may_save.set()
        wait_for(lambda: told, "the saving")
        for _ in range(50):
            QCoreApplication.processEvents()
        assert window.commands.input.asked.path == str(clips[2])


def test_work_that_was_left_stays_where_nobody_answers(clips, tmp_path):
    left = tmp_path / "recovery" / "999-abc" / "work.cleanplate"
    left.parent.mkdir(parents=True)
    save_project(Project(Document(input=ProjectInput(path=str(clips[0])), areas=CORNER)), left)
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.autosave.question, "the question")
        window.closing.close_unasked()
    assert left.exists()


def test_areas_are_of_the_input_that_they_were_drawn_on(clips, tmp_path, held_openings):
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        window.commands.areas.set_areas(CORNER)
        held_openings[str(clips[1])] = threading.Event()
        window.commands.input.open_path(str(clips[1]))
        window.commands.method.on_method("mog2")
        wait_for(lambda: window.worker._opening and window.worker._opening.instead, "the other method")
        held_openings[str(clips[1])].set()
        wait_for(lambda: window.commands.input.request.path == str(clips[1]), "the other clip")
        session = window.worker._player.session
        assert session.row.key == "mog2"
        assert session.settings.areas == Areas()


def test_the_panel_shows_the_view_that_is_in_force(clips, tmp_path):
    away = tmp_path / "away.mkv"
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        input_ = window.commands.input
        clips[0].rename(away)
        input_.set_region((8, 8, 32, 24))
        wait_for(lambda: window.parts.banner.text, "a sentence")
        away.rename(clips[0])
        for index in range(2):  # The whole picture is shown: after a failure, and after it was opened anew.
            input_.on_region_drawn(4, 4, 16, 16)
            wait_for(lambda: input_.request.roi is not None, "the region")
            assert input_.request.roi == (4, 4, 16, 16), index
            input_.open_path(str(clips[0]))
            wait_for(lambda: input_.request.roi is None, "the whole")


@pytest.mark.parametrize("source", [".", "/", "..", "photos", "/films/a.mkv", "sample:street", "rtsp://host/a"])
def test_every_input_has_a_name_for_its_project(source):
    path = beside(source)
    assert path.suffix == ".cleanplate"
    assert len(path.stem) > 0


def test_a_model_that_nobody_names_any_more_stays_until_the_project_is_opened_again(tmp_path):
    path, model = tmp_path / "day.cleanplate", tmp_path / "model.npz"
    model.write_bytes(b"a model")
    project = Project(Document(input=ProjectInput(path="sample:street")), model=model)
    own = store.data_folder(path) / save_project(project, path).data.model
    learns = Project(project.document)
    save_project(learns, path)
    assert own.exists(), "undo brings it back"
    save_project(Project(project.document, model=own), path)
    assert load_document(path).data.model == own.name
    save_project(learns, path)
    store.tidy_project(path, load_document(path))
    assert not own.exists()
    with pytest.raises(CleanplateError, match="is gone"):
        save_project(Project(project.document, model=own), path)
    assert load_document(path).data.model is None


def test_a_stream_that_a_person_did_not_connect_to_is_offered_again(clips, tmp_path, monkeypatch):
    path = tmp_path / "yard.cleanplate"
    save_project(Project(Document(input=ProjectInput(path="rtsp://yard/1"))), path)
    with open_window(str(clips[0]), tmp_path) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        answers = [None, None]
        dialogs = type(window.commands.project._dialogs)
        monkeypatch.setattr(dialogs, "line", lambda *_told: answers.pop())
        ask_for(window, path)
        for n_left in (1, 0):
            wait_for(lambda n_left=n_left: len(answers) == n_left and window.parts.banner.text, "the offer")
            assert "rtsp://yard/1" in window.parts.banner.text
            assert window.parts.banner.offer.text() == "Connect…"
            if n_left:
                window.parts.banner.offer.click()
        assert window.commands.input.request.path == str(clips[0])


def test_a_drive_that_does_not_answer_holds_no_window_up(clips, tmp_path, monkeypatch):
    gate, asked, exists = threading.Event(), [], os.path.exists

    def hangs(path):
        if str(path) == str(clips[1]):
            asked.append(threading.current_thread())
            gate.wait(60)
        return exists(path)

    with open_window(str(clips[0]), tmp_path) as window:
        path, other = two(window, tmp_path, clips)
        monkeypatch.setattr(os.path, "exists", hangs)
        try:
            ask_for(window, other)
            wait_for(lambda: asked, "the drive")
            assert window.commands.project.path == path
        finally:
            gate.set()
        wait_for(lambda: window.commands.project.path == other, "the project")
        assert threading.main_thread() not in asked[:1]
