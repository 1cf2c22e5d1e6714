"""``run`` on a project: what the window would export, and what may be said otherwise."""

import pytest

from app.cli.main import invoke
from app.cli.project import job_of_project
from core.io.input_spec import InputSpec
from core.project.document import Document, ExportChoice, input_of
from core.project.store import Project, save_project
from tests.app.windows import write_clip


@pytest.fixture
def project(tmp_path):
    clip = write_clip(tmp_path / "clip.mkv", 12)
    export = ExportChoice(save=("mask",), folder=str(tmp_path / "usual"), written=(2, 5))
    document = Document(input=input_of(InputSpec(str(clip))), values={"sensitivity": 60.0}, export=export)
    save_project(Project(document), tmp_path / "day.cleanplate")
    return tmp_path / "day.cleanplate"


def names(folder) -> list[str]:
    return sorted(file.name for file in folder.rglob("*.png"))


def test_a_project_is_run_as_it_says(project, tmp_path):
    assert invoke(["run", str(project), "--quiet"]) == 0
    assert names(tmp_path / "usual" / "mask") == [f"{number:06}.png" for number in range(2, 6)]


@pytest.mark.parametrize("option", ["--write", "--frames"])
def test_what_is_written_may_be_said_otherwise(project, tmp_path, option):
    words = ["run", str(project), "-o", str(tmp_path / "out"), option, "4:", "--save", "cleaned", "--quiet"]
    assert invoke(words) == 0
    assert names(tmp_path / "out") == [f"{number:06}.png" for number in range(4, 13)]
    assert not (tmp_path / "out" / "mask").exists()


def test_how_films_are_coded_may_be_said_otherwise(project, tmp_path):
    said = {"output": str(tmp_path / "out"), "form": "mp4", "quality": "low", "speed": "slow", "fps": 12.5}
    job = job_of_project(project, said)
    assert (job.format, job.quality, job.speed, job.fps) == ("mp4", "low", "slow", 12.5)


@pytest.mark.parametrize("words", [["--method", "opgd"], ["--set", "sensitivity=4"], ["--seed", "1"], ["--grey"]])
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
