"""``run`` on a project: what the window would export, and what may be said otherwise."""

import cv2
import msgspec
import numpy as np
import pytest

from app.cli.main import command_line, invoke
from app.cli.project import OF_PROJECT, job_of_project
from app.cli.records import gathered, given_options
from app.cli.run_options import RunOptions
from core.events.rules import Rules
from core.io.input_spec import InputSpec
from core.project.document import Document, ExportChoice, input_of
from core.project.store import Project, load_document, save_project
from core.scene.areas import Areas, Shape
from tests.app.windows import write_clip


@pytest.fixture
def project(tmp_path):
    clip = write_clip(tmp_path / "clip.mkv", 12)
    export = ExportChoice(save=("mask",), folder=str(tmp_path / "usual"), written=(2, 5))
    document = Document(input=input_of(InputSpec(str(clip))), values={"sensitivity": 60.0}, export=export)
    save_project(Project(document), tmp_path / "day.cleanplate")
    return tmp_path / "day.cleanplate"


def job_said(project, *words):
    """Return the job of a project and of what is said beside it."""
    context = command_line().commands["run"].make_context("run", [str(project), *words])
    return job_of_project(project, gathered(RunOptions, context.params), given_options(context))


def names(folder) -> list[str]:
    return sorted(file.name for file in folder.rglob("*.png"))


def test_a_project_is_run_as_it_says(project, tmp_path):
    assert invoke(["run", str(project), "--quiet"]) == 0
    assert names(tmp_path / "usual" / "mask") == [f"{number:06}.png" for number in range(2, 6)]


def test_another_film_than_the_projects_is_told_of_and_read(project, tmp_path, capsys):
    document = load_document(project)
    part = msgspec.structs.replace(document.input, original=(64, 48), n_frames=12, frames_per_s=25.0)
    save_project(Project(msgspec.structs.replace(document, input=part)), project)
    words = ["run", str(project), "-o", str(tmp_path / "out"), "--quiet", "--overwrite"]
    assert invoke(words) == 0
    assert not capsys.readouterr().err
    other = write_clip(tmp_path / "other.mkv", 9, fps=50)
    assert invoke([*words, "--input", str(other)]) == 0
    said = "Note: other.mkv is another film than the project's: 9 frames instead of 12, 50 a second instead of 25.\n"
    assert capsys.readouterr().err == said
    (tmp_path / "none.mkv").write_bytes(b"no film")
    assert invoke([*words, "--input", str(tmp_path / "none.mkv")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1, "it is the run that says why it cannot be read"


@pytest.mark.parametrize("option", ["--write", "--frames"])
def test_what_is_written_may_be_said_otherwise(project, tmp_path, capsys, option):
    words = ["run", str(project), "-o", str(tmp_path / "out"), option, "4:", "--save", "cleaned", "--quiet"]
    assert invoke(words) == 0
    assert names(tmp_path / "out") == [f"{number:06}.png" for number in range(4, 13)]
    assert not (tmp_path / "out" / "mask").exists()
    meaning = "Note: --frames means --write for a project: all frames are read, and these are written.\n"
    assert capsys.readouterr().err == (meaning if option == "--frames" else "")


def test_how_films_are_coded_may_be_said_otherwise(project, tmp_path):
    words = ["--format", "mp4", "--quality", "low", "--speed", "slow", "--fps", "12.5", "--names", "input"]
    job = job_said(project, "-o", str(tmp_path / "out"), *words)
    assert (job.format, job.quality, job.speed, job.fps, job.names) == ("mp4", "low", "slow", 12.5, "input")


def test_what_is_said_goes_before_the_project_though_it_is_as_usual(project):
    assert job_said(project).save == ("mask",)
    assert job_said(project, "--save", ",".join(RunOptions().products)).save == ("plate", "mask", "cleaned")


def test_options_that_a_project_decides_are_options_of_run():
    assert set(OF_PROJECT) <= {name for option in command_line().commands["run"].params for name in option.opts}


def test_what_counts_as_an_event_may_be_said(project, tmp_path, capsys):
    words = ["-o", str(tmp_path / "out"), "--event-length", "3", "--event-line", "0,0,9,9"]
    rules = job_said(project, *words, "--save", "mask,events").rules
    assert (rules.shortest, len(rules.lines)) == (3, 1)
    assert not capsys.readouterr().err
    job_said(project, *words, "--save", "mask")
    assert "--event-length has no effect unless --save has events or boxes." in capsys.readouterr().err


def test_a_project_says_what_counts_as_an_event_where_no_option_does(project, capsys):
    rules = Rules(((0.0, 0.0), (60.0, 0.0), (60.0, 40.0)), 7, 30, (((30.0, 47.0), (30.0, 0.0)),))
    document = msgspec.structs.replace(load_document(project), events=rules)
    save_project(Project(document), project)
    assert job_said(project).rules == rules
    others = {
        "shortest": (("--event-length", "5"), 5), "smallest": (("--event-size", "0"), 0),
        "lines": (("--event-line", "1,2,3,4", "--event-line", "5,6,7,8"), (((1, 2), (3, 4)), ((5, 6), (7, 8)))),
        "area": (("--event-area", "0,0,9,0,9,9"), ((0, 0), (9, 0), (9, 9))),
    }  # fmt: skip
    for name, (words, value) in others.items():
        said = job_said(project, "--save", "events", *words).rules
        assert said == msgspec.structs.replace(rules, **{name: value}), "the rest is the project's"
    assert not capsys.readouterr().err


def test_the_frames_that_are_written_are_said_once(project, tmp_path, capsys):
    words = ["run", str(project), "-o", str(tmp_path / "out"), "--frames", "1:5", "--write", "8:9"]
    assert invoke(words) == 2
    assert "--frames and --write mean the same for a project; leave one out." in capsys.readouterr().err


@pytest.mark.parametrize(
    "words", [["--method", "opgd"], ["--set", "sensitivity=4"], ["--seed", "1"], ["--grey"], ["--areas", "a.png"]]
)
def test_what_a_project_decides_is_not_said_again(project, tmp_path, capsys, words):
    assert invoke(["run", str(project), "-o", str(tmp_path / "out"), *words]) == 2
    assert f"decides that itself; leave out {words[0]}." in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_without_a_folder_or_an_input_one_sentence_says_so(project, tmp_path, capsys):
    assert invoke(["run", str(tmp_path / "clip.mkv")]) == 2
    assert "Missing option '--output'" in capsys.readouterr().err
    assert invoke(["run", str(tmp_path / "clip.mkv"), "-o", str(tmp_path / "out"), "--input", "x"]) == 2
    assert "is no project" in capsys.readouterr().err
    (tmp_path / "clip.mkv").rename(tmp_path / "there.mkv")
    assert invoke(["run", str(project), "--quiet"]) == 2
    assert "--input" in capsys.readouterr().err
    assert invoke(["run", str(project), "--quiet", "--input", str(tmp_path / "there.mkv")]) == 0


def test_a_range_of_a_plain_run_is_that_of_the_full_one(tmp_path):
    clip = str(write_clip(tmp_path / "clip.mkv", 12))
    usual = ["--save", "mask,cleaned", "--quiet"]
    assert invoke(["run", clip, "-o", str(tmp_path / "full"), *usual]) == 0
    assert invoke(["run", clip, "-o", str(tmp_path / "part"), "--write", "9:10", *usual]) == 0
    for name in ("mask/000009.png", "cleaned/000010.png"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "full" / name).read_bytes()
    assert len(names(tmp_path / "part")) == 4


def test_areas_of_a_project_of_json_and_of_a_picture_give_the_same_bytes(project, tmp_path):
    clip, points = tmp_path / "clip.mkv", ((0, 0), (63, 0), (63, 24), (0, 24))
    areas = Areas((Shape("never", tuple((x + 0.5, y + 0.5) for x, y in points)),))
    (tmp_path / "areas.json").write_bytes(msgspec.json.encode(areas))
    picture = np.zeros((48, 64), np.uint8)
    picture[:25] = 255
    cv2.imwrite(str(tmp_path / "areas.png"), picture)
    document = msgspec.structs.replace(load_document(project), areas=areas)
    save_project(Project(document), project)
    words = ["--save", "mask,cleaned,plate,foreground", "--quiet"]
    assert invoke(["run", str(project), "-o", str(tmp_path / "project"), "--write", ":", *words]) == 0
    said = ["--set", "sensitivity=60", *words]
    for name in ("areas.json", "areas.png"):
        assert invoke(["run", str(clip), "-o", str(tmp_path / name[6:]), "--areas", str(tmp_path / name), *said]) == 0
    assert invoke(["run", str(clip), "-o", str(tmp_path / "bare"), *said]) == 0
    results = [
        {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.png")}
        for folder in (tmp_path / "project", tmp_path / "json", tmp_path / "png", tmp_path / "bare")
    ]
    assert results[0] == results[1] == results[2]
    assert results[0].keys() == results[3].keys()
    assert results[0] != results[3]
    for name in results[0]:
        if name.startswith("mask"):
            assert not cv2.imread(str(tmp_path / "project" / name), cv2.IMREAD_GRAYSCALE)[:25].any()


def test_areas_that_cannot_be_used_are_one_sentence(tmp_path, capsys):
    clip = write_clip(tmp_path / "clip.mkv", 4)
    cv2.imwrite(str(tmp_path / "small.png"), np.zeros((9, 9), np.uint8))
    outside = Areas((Shape("never", ((70, 10), (90, 10), (90, 30))),))
    (tmp_path / "outside.json").write_bytes(msgspec.json.encode(outside))
    faults = {
        "none.json": "There is no file", "small.png": "pictures of 9×9, and the input has 64×48",
        "outside.json": "None of the areas lies in the picture of 64×48 pixels",
    }  # fmt: skip
    for name, part in faults.items():
        words = ["run", str(clip), "-o", str(tmp_path / "out"), "--areas", str(tmp_path / name), "--quiet"]
        assert invoke(words) == 2
        assert part in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
