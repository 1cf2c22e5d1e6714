"""Projects that are read and written beside the window."""

import pytest

from app.engine.project_files import ProjectFiles
from core.project.document import Document, ProjectInput
from core.project.naming import data_folder
from core.project.store import Project, load_project, save_project

pytestmark = pytest.mark.usefixtures("qapp")

TOKEN = object()
"""What a person asked to be saved has one."""

STREET = Document(input=ProjectInput(path="sample:street"))


def applied(folder, name):
    """Return a project with a model, which is written once: a thread may be copying it by the next call."""
    model = folder / name
    if not model.exists():
        model.write_bytes(name.encode())
    return Project(STREET, model=model)


def copies(path):
    return {file.read_bytes() for file in data_folder(path).glob("model-*")}


def test_a_recovery_file_keeps_the_model_that_is_applied_and_no_other(tmp_path):
    path, files = tmp_path / "work.cleanplate", ProjectFiles()
    for name in ("one.npz", "two.npz", "two.npz"):
        files.save(applied(tmp_path, name), path)
    files.save(applied(tmp_path, "one.npz"), tmp_path / "day.cleanplate", token=TOKEN)
    files.save(applied(tmp_path, "two.npz"), tmp_path / "day.cleanplate", token=TOKEN)
    files.shut()
    assert copies(path) == {b"two.npz"}
    assert copies(tmp_path / "day.cleanplate") == {b"one.npz", b"two.npz"}, "undo may bring it back"


def test_models_of_a_recovery_file_that_was_opened_stay_for_undoing(tmp_path):
    path, files = tmp_path / "work.cleanplate", ProjectFiles()
    save_project(applied(tmp_path, "one.npz"), path)
    files.load(path)
    files.save(applied(tmp_path, "two.npz"), path)
    files.shut()
    assert copies(path) == {b"one.npz", b"two.npz"}
    assert load_project(path).model.read_bytes() == b"two.npz"
