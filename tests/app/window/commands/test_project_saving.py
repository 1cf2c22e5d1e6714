"""A project on its way to its file."""

from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

from app.engine.project_files import ProjectFiles
from app.window.commands.project_changes import Work
from app.window.commands.project_saving import Saving, save_with_learnt
from core.frames.frame import Layout, Planes
from core.project.document import Document, ProjectInput
from core.project.store import Project
from core.session.strokes import Strokes

PATH = Path("/films/day.cleanplate")


def session_of(**given):
    """Return a session that learns, on whose frames nothing was painted, but for what is given."""
    usual = {
        "learning": True,
        "has_own_passes": False,
        "begins_anew": True,
        "strokes": SimpleNamespace(now=Strokes(Layout(48, 64, Planes.GREY))),
    }
    return SimpleNamespace(**{**usual, **given})


def test_each_of_two_savings_in_a_row_knows_how_much_was_learnt_when_it_was_made(worker):
    session = session_of(model=lambda: "a model")
    worker.with_session.side_effect = lambda action, _: action(session)
    worker.standing, worker.index, worker.looked_at = None, 4, None
    files, document = Mock(spec=ProjectFiles), Document(input=ProjectInput(path="/films/clip.mp4"))
    for n_learnt in (5, 9):
        worker.n_of_lineage = n_learnt
        save_with_learnt(worker, files, PATH, Project(document), None, Saving(Work(document, 0), 1, 0))
    project, path, _, _ = files.save.call_args_list[0].args
    assert (project.learnt, project.document.position, path) == ("a model", 4, PATH)
    assert [call.args[3].n_learnt for call in files.save.call_args_list] == [5, 9]


def test_nobody_is_told_of_a_recovery_file(worker):
    session = session_of(learning=False)
    worker.with_session.side_effect = lambda action, _: action(session)
    worker.standing, worker.index, worker.looked_at = None, 0, None
    files = Mock(spec=ProjectFiles)
    save_with_learnt(worker, files, PATH, Project(Document(input=ProjectInput(path="/a.mp4"))), None, None)
    project, _, _, saving = files.save.call_args.args
    assert (project.learnt, saving) == (None, None)


def saving():
    return Saving(Work(Document(input=ProjectInput(path="/films/clip.mp4")), 0), 1, 0)


def unreadable():
    raise MemoryError


def test_a_saving_that_fails_before_there_is_anything_to_write_has_an_end(worker):
    files = Mock(spec=ProjectFiles)
    session = session_of(model=unreadable)
    worker.standing, worker.n_of_lineage = None, 5
    worker.with_session.side_effect = lambda action, _: action(session)
    save_with_learnt(worker, files, PATH, Project(saving().work.document), None, saving())
    files.save.assert_not_called()
    path, sentence = files.fail.call_args.args
    assert path == PATH
    assert "while saving day.cleanplate" in sentence


def test_a_saving_without_an_input_has_an_end_and_a_recovery_file_waits(worker):
    files = Mock(spec=ProjectFiles)
    worker.with_session.side_effect = lambda _, otherwise: otherwise()
    save_with_learnt(worker, files, PATH, Project(saving().work.document), None, None)
    files.fail.assert_not_called()
    save_with_learnt(worker, files, PATH, Project(saving().work.document), None, saving())
    assert "open it again" in files.fail.call_args.args[1]
