"""Which document lies at a path."""

import shutil
from dataclasses import replace

import msgspec
import pytest

from core.project import store
from core.project.document import Document, ProjectInput
from core.project.naming import data_folder
from core.project.revision import UNKNOWN, ChangedElsewhereError, revision_at, revision_of
from core.project.store import Project, save_project

MINE = Project(Document(input=ProjectInput(path="sample:street")), picture=b"mine")
THEIRS = replace(MINE, document=msgspec.structs.replace(MINE.document, passes=2), picture=b"theirs")


def everything(path):
    return {file: file.read_bytes() for file in (path, *data_folder(path).iterdir())}


def test_what_was_saved_is_known_by_its_revision(tmp_path):
    path = tmp_path / "day.cleanplate"
    assert revision_at(path) is None
    assert revision_at(path / "below") is None
    assert revision_at(tmp_path) == UNKNOWN
    first = revision_of(save_project(MINE, path))
    assert revision_at(path) == first
    assert revision_of(save_project(THEIRS, path)) == revision_at(path) != first


def test_only_the_document_that_is_known_is_saved_over(tmp_path):
    path = tmp_path / "day.cleanplate"
    known = revision_of(save_project(MINE, path))
    known = revision_of(save_project(MINE, path, known))
    save_project(THEIRS, path)
    there = everything(path)
    for other in (known, UNKNOWN):
        with pytest.raises(ChangedElsewhereError, match="changed elsewhere"):
            save_project(MINE, path, other)
    assert everything(path) == there
    path.unlink()
    save_project(MINE, path, known)


def test_one_that_comes_while_a_large_model_is_written_is_kept(tmp_path, monkeypatch):
    path, elsewhere, write = tmp_path / "day.cleanplate", tmp_path / "theirs.cleanplate", store.write_bytes
    known = revision_of(save_project(MINE, path))
    theirs = revision_of(save_project(THEIRS, elsewhere))
    there = set(data_folder(path).iterdir())

    def write_slowly(packed, beside):
        shutil.copy(elsewhere, path)  # By a program that keeps folders alike, and knows of no lock.
        write(packed, beside)

    monkeypatch.setattr(store, "write_bytes", write_slowly)
    with pytest.raises(ChangedElsewhereError):
        save_project(MINE, path, known)
    assert set(data_folder(path).iterdir()) == there
    assert revision_at(path) == theirs
