"""Projects on disk: what is saved comes back, also elsewhere, and what strangers wrote is held against what may be."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError
from core.events.rules import Rules
from core.export.job import run_job
from core.io.corruption import Corruption
from core.io.input_spec import InputSpec
from core.io.sinks.images import png_bytes
from core.io.sources import open_source
from core.project import store
from core.project.document import (
    MOST_MARKERS,
    MOST_NAME,
    Document,
    ExportChoice,
    Marker,
    ProjectInput,
    WindowLayout,
    input_of,
)
from core.project.export import project_job
from core.project.naming import data_folder
from core.project.packing import MOST_BYTES, decode, encode
from core.project.places import MissingInputError, found, found_export
from core.project.store import Project, load_document, load_project, remove_project, save_project
from core.scene.areas import CODES, MOST_POINTS, Areas, Shape
from core.session.session import Session
from core.session.settings import Settings
from tests.app.windows import write_clip

AREAS = Areas((Shape("never", ((0, 0), (20, 0), (20, 12), (0, 12))), Shape("keep", ((40, 30), (50, 34)), 6)))

EVENTS = Rules(((0.0, 0.0), (60.0, 0.0), (60.0, 40.0)), 7, 30, (((30.5, 47.0), (30.5, 0.0)),))


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A folder with a clip, and a project of it that was learnt and painted."""
    folder = tmp_path_factory.mktemp("work")
    spec = InputSpec(str(write_clip(folder / "clip.mkv", 30)))
    source = open_source(spec)
    session = Session(source, Settings())
    reports = session.run()
    report = [next(reports) for _ in range(16)][-1]
    where = np.zeros(report.mask.shape, bool)
    where[20:30, 10:20] = True
    session.strokes.paint(report.frame, where, None)
    session.strokes.paint(report.frame, None, where[::-1], frames=(10, 20))
    next(reports)
    reports.close()
    document = Document(
        input=input_of(spec, (64, 48)), values={"sensitivity": 60.0, "mask_grow": 2, "mask_feather": 3}, passes=2,
        position=16, areas=AREAS, events=EVENTS,
        export=ExportChoice(
            save=("mask", "cleaned"), folder=str(folder / "usual"), quality="low", speed="slow", names="input"
        ),
        layout=WindowLayout(split=(400, 200), method_panel=False, enlarged=2),
    )  # fmt: skip
    project = Project(document, session.strokes.painted, session.model(), None, b"a picture")
    source.close()
    return folder, project


@pytest.fixture
def saved(work, tmp_path):
    folder = tmp_path / "here"
    shutil.copytree(work[0], folder)
    part = msgspec.structs.replace(work[1].document.input, path=str(folder / "clip.mkv"))
    project = replace(work[1], document=msgspec.structs.replace(work[1].document, input=part))
    save_project(project, folder / "day.cleanplate")
    return folder / "day.cleanplate", project


def test_everything_comes_back(saved):
    path, project = saved
    again = load_project(path)
    for name in ("method", "values", "passes", "areas", "events", "position", "layout"):
        assert getattr(again.document, name) == getattr(project.document, name)
    assert found_export(again.document.export, path) == project.document.export
    assert again.document.input.spec() == project.document.input.spec()
    assert again.document.input.original == (64, 48)
    assert again.picture == b"a picture"
    assert again.painted.keys() == project.painted.keys()
    for name, array in project.painted.items():
        np.testing.assert_array_equal(again.painted[name], array, strict=True)
    assert again.learnt.values == project.learnt.values
    for name, array in project.learnt.method_state.items():
        np.testing.assert_array_equal(again.learnt.method_state[name], array)


def test_what_counts_as_an_event_is_that_of_the_project_and_may_be_said_otherwise_one_by_one(saved, tmp_path):
    path, _ = saved
    assert project_job(path, tmp_path).rules == EVENTS
    wanted = project_job(path, tmp_path, events={"shortest": 3, "lines": ()}).rules
    assert wanted == msgspec.structs.replace(EVENTS, shortest=3, lines=())
    with pytest.raises(CleanplateError, match="shortest event"):
        project_job(path, tmp_path, events={"shortest": 0})


def test_a_project_from_before_events_were_kept_counts_as_usual(saved):
    path, _ = saved
    document = msgspec.json.decode(path.read_bytes())
    assert document["events"]["lines"] == [[[30.5, 47], [30.5, 0]]]
    del document["events"]
    path.write_bytes(msgspec.json.encode(document))
    assert load_project(path).document.events == Rules()


@pytest.mark.parametrize(
    "events",
    [{"shortest": 0}, {"lines": [[[1, 1], [1, 1]]]}, {"lines": [[[1, 1], [1e9, 1]]]}, {"wide": 1}, {"area": 3}],
)
def test_a_project_whose_events_could_never_count_is_refused_in_one_sentence(saved, events):
    path, _ = saved
    document = msgspec.json.decode(path.read_bytes()) | {"events": events}
    path.write_bytes(msgspec.json.encode(document))
    with pytest.raises(CleanplateError, match="is not a project that can be used"):
        load_project(path)


def test_learning_goes_on_from_what_was_learnt(saved):
    project = load_project(saved[0])
    source = open_source(project.document.input.spec())
    session = Session(source, project.document.settings(), project.learnt, goes_on=True)
    assert session.learning
    first = next(session.run())
    fresh = next(Session(source, project.document.settings()).run())
    assert (first.split.h.shape != fresh.split.h.shape) or not np.allclose(first.split.h, fresh.split.h)
    assert {*session.strokes.painted} == {*project.painted}
    source.close()


def test_an_export_is_the_same_elsewhere_and_a_range_is_a_part_of_it(saved, tmp_path):
    path, _ = saved
    run_job(project_job(path, tmp_path / "full"))
    whole = files_in(tmp_path / "full")
    moved = path.parent.rename(tmp_path / "elsewhere") / path.name
    run_job(project_job(moved, tmp_path / "moved"))
    assert files_in(tmp_path / "moved") == whole
    run_job(project_job(moved, tmp_path / "part", written=(18, 21)))
    part = files_in(tmp_path / "part")
    assert len(part) == 8
    assert part.items() <= whole.items()
    # Were nothing painted, it would not be the same.
    job = project_job(moved, tmp_path / "bare", written=(16, 16))
    run_job(replace(job, settings=replace(job.settings, painted={})))
    bare = files_in(tmp_path / "bare")
    assert bare.keys() < whole.keys()
    assert not bare.items() <= whole.items()


def test_what_there_is_once_a_run_is_of_all_frames_in_a_range_too(saved, tmp_path):
    path, _ = saved
    run_job(project_job(path, tmp_path / "full", save=("plate", "mask")))
    run_job(project_job(path, tmp_path / "part", save=("plate", "mask"), written=(2, 3)))
    assert files_in(tmp_path / "part").items() <= files_in(tmp_path / "full").items()
    assert len(files_in(tmp_path / "part")) == 3


def test_a_range_that_the_input_does_not_have_is_one_sentence(saved, tmp_path):
    with pytest.raises(CleanplateError, match=r"has 30 frames to read and no frame 40"):
        run_job(project_job(saved[0], tmp_path / "out", written=(40, 50)))
    assert not (tmp_path / "out").exists()


def test_an_input_that_is_gone_is_asked_for(saved, tmp_path):
    path, _ = saved
    (path.parent / "clip.mkv").rename(tmp_path / "other.mkv")
    with pytest.raises(MissingInputError, match=r"clip\.mkv .* is not there any more"):
        project_job(path, tmp_path / "out")
    assert project_job(path, tmp_path / "out", moved_to=str(tmp_path / "other.mkv")).input.path.endswith("other.mkv")


def test_what_lies_beside_the_project_goes_before_what_is_where_it_was(saved, tmp_path):
    path, _ = saved
    shutil.copytree(path.parent, tmp_path / "copy")
    part = load_document(tmp_path / "copy" / path.name).input
    assert found(part, tmp_path / "copy" / path.name).path == str(tmp_path / "copy" / "clip.mkv")


def test_a_project_that_is_reached_by_a_link_finds_its_own_input(saved, tmp_path):
    path, project = saved
    part = msgspec.structs.replace(project.document.input, path=str(tmp_path / "films" / "clip.mkv"))
    (tmp_path / "films").mkdir()
    shutil.copy(path.parent / "clip.mkv", part.path)
    save_project(replace(project, document=msgspec.structs.replace(project.document, input=part)), path)
    elsewhere = tmp_path / "desk"
    (elsewhere / "films").mkdir(parents=True)
    (elsewhere / "films" / "clip.mkv").write_bytes(b"another film, as seen from the link")
    (elsewhere / "link").symlink_to(path.parent)
    linked = elsewhere / "link" / path.name
    assert found(load_document(linked).input, linked).path == part.path
    save_project(load_project(linked), linked)
    assert found(load_document(path).input, path).path == part.path


def test_a_project_that_is_a_link_is_saved_where_the_link_leads(saved, tmp_path):
    path, project = saved
    linked = tmp_path / "desk" / "linked.cleanplate"
    linked.parent.mkdir()
    linked.symlink_to(path)
    assert load_project(linked).painted.keys() == project.painted.keys()
    assert found(load_document(linked).input, linked).path == str(path.parent / "clip.mkv")
    document = save_project(replace(project, painted={}), linked)
    assert linked.is_symlink()
    assert list(linked.parent.iterdir()) == [linked], "what belongs to it lies where the link leads"
    assert load_document(path) == document
    assert load_project(path).painted == {}


def test_results_go_beside_a_project_that_was_moved_with_its_folder(saved, tmp_path):
    path, project = saved
    export = msgspec.structs.replace(project.document.export, folder=str(path.parent / "out" / "film"))
    save_project(replace(project, document=msgspec.structs.replace(project.document, export=export)), path)
    assert project_job(path).output == path.parent / "out" / "film", "neither is there yet"
    (path.parent / "out").mkdir()
    moved = path.parent.rename(tmp_path / "b ü") / path.name
    here = moved.parent / "out" / "film"
    assert project_job(moved).output == here, "the folder around it is there"
    here.mkdir()
    assert project_job(moved).output == here
    assert project_job(moved, folder=str(tmp_path / "said")).output == tmp_path / "said"
    save_project(load_project(moved), moved)
    assert not path.parent.exists()


def test_results_of_a_project_that_was_moved_alone_go_where_they_went(saved, tmp_path):
    path, project = saved
    there = tmp_path / "results" / "film"
    export = msgspec.structs.replace(project.document.export, folder=str(there))
    save_project(replace(project, document=msgspec.structs.replace(project.document, export=export)), path)
    there.parent.mkdir()
    alone = tmp_path / "far" / "away" / path.name
    alone.parent.mkdir(parents=True)
    alone.write_bytes(path.read_bytes())
    shutil.copytree(data_folder(path), data_folder(alone))
    assert project_job(alone).output == there, "the folder around it is there"
    there.mkdir()
    assert project_job(alone).output == there
    shutil.rmtree(there.parent)
    assert project_job(alone).output == there, "nothing tells that it is another"


def test_a_folder_elsewhere_and_none_stay_as_they_are(saved):
    path, project = saved
    for folder in ("", "s3://results/film"):
        export = msgspec.structs.replace(project.document.export, folder=folder)
        save_project(replace(project, document=msgspec.structs.replace(project.document, export=export)), path)
        there = load_document(path).export
        assert (there.folder, there.beside) == (folder, "")


@pytest.mark.parametrize("version", [1, 2])
def test_projects_of_earlier_versions_are_opened(saved, version):
    path, project = saved
    old = json.loads(path.read_bytes())
    old["version"] = version
    del old["export"]["beside"]
    if version == 1:
        del old["progress"]
    path.write_text(json.dumps(old))
    assert load_document(path).version == version
    assert project_job(path).output == Path(project.document.export.folder)
    save_project(load_project(path), path)
    assert load_document(path).version == 3


def test_a_home_that_there_is_not_is_a_folder_like_any_other(saved, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert project_job(saved[0], folder="~nobody-is-called-so/out").output == Path("~nobody-is-called-so/out")


def test_a_folder_that_is_not_there_is_made_also_for_what_needs_no_files_beside_it(saved, tmp_path):
    path = tmp_path / "queue" / "projects" / "areas.cleanplate"
    save_project(replace(saved[1], painted={}, learnt=None, picture=None), path)
    assert load_project(path).document.areas == AREAS
    assert not data_folder(path).exists()


def test_saving_again_leaves_nothing_of_before_and_nothing_of_others_goes(saved):
    path, project = saved
    theirs = data_folder(path) / "notes.txt"
    theirs.write_text("mine")
    before = set(data_folder(path).iterdir())
    save_project(project, path)
    after = set(data_folder(path).iterdir())
    assert len(after) == len(before) == 4
    assert before & after == {theirs}
    remove_project(path)
    assert list(data_folder(path).iterdir()) == [theirs]


@pytest.mark.parametrize("fails_at", range(1, 5))
def test_a_saving_that_fails_leaves_the_project_as_it_was(saved, monkeypatch, fails_at):
    path, project = saved
    before = files_in(path.parent)
    real, count = store.replacing, iter(range(1, 10))

    def full(place):
        if next(count) == fails_at:
            raise CleanplateError("The disk is full.")
        return real(place)

    monkeypatch.setattr(store, "replacing", full)
    with pytest.raises(CleanplateError, match="full"):
        save_project(replace(project, picture=b"another"), path)
    assert files_in(path.parent) == before


def test_a_model_that_is_applied_goes_with_the_project(saved, tmp_path):
    path, project = saved
    project.learnt.save(tmp_path / "model.npz")
    applied = replace(project, model=tmp_path / "model.npz", learnt=None)
    save_project(applied, path)
    (tmp_path / "model.npz").unlink()
    again = load_project(path)
    assert again.model.parent == data_folder(path)
    save_project(again, path)
    assert load_project(path).model == again.model, "it is applied from there while it is saved"
    run_job(project_job(path, tmp_path / "out", save=("mask",)))
    with pytest.raises(CleanplateError, match=r"model\.npz that is applied is gone"):
        save_project(applied, tmp_path / "new.cleanplate")


def test_a_model_that_is_applied_is_copied_once(saved, tmp_path):
    path, project = saved
    model = tmp_path / "model.npz"
    project.learnt.save(model)
    applied = replace(project, model=model, learnt=None)
    for _ in range(3):
        save_project(applied, path)
    assert len([*data_folder(path).glob("model-*")]) == 1
    first = load_project(path).model
    model.write_bytes(b"another")
    save_project(applied, path)
    second = load_project(path).model
    assert second.read_bytes() == b"another"
    assert first.read_bytes() != b"another"
    first.unlink()
    second.unlink()
    save_project(applied, path)
    assert load_project(path).model.read_bytes() == b"another"


def test_a_picture_of_areas_lies_beside_the_document(saved):
    path, project = saved
    codes = np.zeros((1080, 1920), np.uint8)
    codes[:300], codes[500:600, 100:900] = CODES["never"], CODES["keep"]
    areas = Areas(AREAS.shapes, (1920, 1080), codes.tobytes())
    painted = replace(project, document=msgspec.structs.replace(project.document, areas=areas))
    save_project(painted, path)
    assert path.stat().st_size < 10_000
    assert load_project(path).document.areas == areas
    save_project(load_project(path), path)
    assert load_project(path).document.areas == areas
    (picture,) = data_folder(path).glob("areas-*.png")
    picture.write_bytes(png_bytes(np.zeros((10, 20), np.uint8)))
    with pytest.raises(CleanplateError, match="not as large as its project says"):
        load_project(path)
    picture.unlink()
    with pytest.raises(CleanplateError, match=r"picture of the areas .* is not in"):
        load_project(path)
    save_project(project, path)
    assert not [*data_folder(path).glob("areas-*")]


def test_a_picture_of_areas_within_the_document_is_read_as_before(saved):
    path, project = saved
    areas = Areas((), (30, 20), bytes([1]) * 600)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(project.document, areas=areas)))
    assert load_project(path).document.areas == areas


def test_as_much_as_a_person_can_set_can_be_opened_again(saved):
    path, project = saved
    points = tuple((-12345.678901234567 - i / 3, 98765.432109876543 + i / 7) for i in range(MOST_POINTS))
    markers = tuple(Marker(frame=10**12 - i, name="\N{GRINNING FACE}" * MOST_NAME) for i in range(MOST_MARKERS))
    document = msgspec.structs.replace(project.document, areas=Areas((Shape("never", points, 5),)), markers=markers)
    save_project(replace(project, document=document), path)
    assert load_project(path).document.areas == document.areas


@pytest.mark.parametrize(
    "change",
    [
        {"export": ExportChoice(folder="/" + "x" * 5000)}, {"markers": (Marker(frame=1, name="x" * 201),)},
        {"markers": tuple(Marker(frame=i + 1) for i in range(1001))}, {"input": ProjectInput(path="a", seed=10**13)},
        {"export": ExportChoice(written=(5, 2))}, {"saved_as": "x" * (MOST_BYTES + 1)},
    ],
)  # fmt: skip
def test_what_could_not_be_opened_again_replaces_nothing(saved, change):
    path, project = saved
    before = files_in(path.parent)
    with pytest.raises(CleanplateError, match=r"could not be opened again") as told:
        save_project(replace(project, document=msgspec.structs.replace(project.document, **change)), path)
    assert "\n" not in str(told.value)
    assert files_in(path.parent) == before


def test_a_corruption_comes_back():
    document = Document(input=input_of(InputSpec("sample:faces", corruption=Corruption("laplace", seed=3), seed=3)))
    assert decode(encode(document), "x") == document


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0}, {"more": 1}, {"method": "none"}, {"values": {"sensitivity": 1e9}}, {"values": {"nothing": 1}},
        {"passes": 0}, {"position": -1}, {"input": {"path": ""}}, {"input": {"path": "a\0b"}},
        {"input": {"path": "a", "roi": [0, 0, -1, 5]}}, {"input": {"path": "a", "frames": [5, 2]}},
        {"input": {"path": "a", "size": [0, 5]}}, {"input": {"path": "a", "corruption": {"kind": "none"}}},
        {"data": {"strokes": "../../etc/passwd"}}, {"data": {"learnt": "learnt-0123456789ab.npz/x"}},
        {"export": {"save": ["everything"]}}, {"export": {"format": "exe"}}, {"export": {"speed": "warp"}},
        {"export": {"names": "mine"}},
        {"export": {"fps": 0}}, {"export": {"written": [0, 4]}},
        {"layout": {"geometry": "zz"}}, {"layout": {"split": [1, 10**9]}}, {"input": None},
    ],
)  # fmt: skip
def test_a_document_of_strangers_is_refused_in_one_sentence(saved, change):
    path, _ = saved
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(CleanplateError, match=r"is not a project that can be used \(") as told:
        load_project(path)
    assert str(told.value).count("\n") == 0


@pytest.mark.parametrize("contents", [b"", b"\xff\xfe", b"[" * 100_000, b"{}", b"null", b"1" * 5000])
def test_what_is_no_document_is_refused(saved, contents):
    path, _ = saved
    path.write_bytes(contents)
    with pytest.raises(CleanplateError, match="is not a project that can be used"):
        load_project(path)


def test_a_newer_project_and_one_that_is_not_there_are_told_of(saved):
    path, _ = saved
    path.write_text('{"version": 4, "future": true}')
    with pytest.raises(CleanplateError, match="newer Cleanplate"):
        load_project(path)
    with pytest.raises(CleanplateError, match="There is no project"):
        load_project(path.with_name("none.cleanplate"))
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(CleanplateError, match="larger than"):
        load_project(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("painted_strokes", lambda a: a + 10_000), ("painted_where", lambda a: a[:1]),
        ("painted_look", lambda a: a.astype(np.float32)), ("painted_white", lambda a: a * 0),
        ("painted_shapes", lambda a: a * 0), ("painted_light", lambda a: a * np.nan), ("other", lambda _: np.zeros(3)),
    ],
)  # fmt: skip
def test_strokes_of_strangers_are_held_against_what_can_be_painted(saved, name, value):
    path, project = saved
    changed = {**project.painted, name: value(project.painted.get(name))}
    (file,) = data_folder(path).glob("strokes-*.npz")
    np.savez(file, **changed)
    with pytest.raises(CleanplateError, match="What was painted by hand"):
        load_project(path)


@pytest.mark.parametrize("kind", ["strokes", "learnt"])
def test_what_is_missing_or_cut_off_is_told_of(saved, kind):
    path, _ = saved
    (file,) = data_folder(path).glob(f"{kind}-*.npz")
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(CleanplateError, match="damaged"):
        load_project(path)
    file.unlink()
    with pytest.raises(CleanplateError, match=r"cannot be read|There is no model"):
        load_project(path)
