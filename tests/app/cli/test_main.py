"""The command line: its contract, and one sentence with status 2 for whatever goes wrong."""

import json
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numba import njit
from rich.console import Console

from app.cli.counting import note_counting
from app.cli.main import invoke
from app.cli.progress import duration, shown
from app.command_words import parse_corruption, parse_frames
from app.equivalent_command import command_line
from core.catalogue import GROUPS, METHODS
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.preset import Preset, save_preset
from core.export.progress import Progress
from core.io.corruption import Corruption
from core.io.input_spec import InputSpec
from core.session.settings import Settings
from tests.app.windows import write_clip
from tests.cut_film import NAMES, write_cut_film
from tests.small_inputs import save_png, scene

QUICK = ["--set", "warm_up=8", "--set", "smallest=0"]


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def run(*words):
    return invoke(["run", *map(str, words), *QUICK])


def refused(capsys, *words, status=2):
    """Return the one sentence with which the program refuses these words."""
    assert invoke([str(word) for word in words]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert captured.err.startswith("cleanplate: ")
    return captured.err


def python(code):
    """Run code in a program of its own, with `invoke` at hand."""
    words = [sys.executable, "-c", f"import sys; from app.cli.main import invoke; {code}"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_the_rate_that_is_told_at_the_end_is_of_all_frames_that_were_read(photos, tmp_path, capsys, monkeypatch):
    summaries = []

    def kept(*asked):
        summaries.append(replace(run_job(*asked), seconds=100.0))
        return summaries[-1]

    monkeypatch.setattr("app.cli.run.run_job", kept)
    assert invoke(["run", str(photos), "-o", str(tmp_path / "out"), "--save", "mask", "--write", "15:16"]) == 0
    last = capsys.readouterr().out
    assert last.startswith(f"2 frames of 64×48 in 1:40 ({summaries[0].fps:.1f} processed a second): ")
    assert summaries[0].fps > 1, "not 2 frames in 100 s"


def test_run_writes_the_default_results_and_one_line_of_figures(photos, tmp_path, capsys):
    assert run(photos, "-o", tmp_path / "out", "--json") == 0
    captured = capsys.readouterr()
    figures = json.loads(captured.out.splitlines()[-1])
    assert list(figures) == ["method", "frames", "width", "height", "seconds", "fps", "stages_ms", "peak_mib"]
    assert list(figures["stages_ms"]) == ["decode", "step", "mask", "write"]
    assert (figures["method"], figures["frames"], figures["width"], figures["height"]) == ("fast", 16, 64, 48)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["cleaned", "mask", "plate.png"]
    assert (tmp_path / "out" / "mask" / "000016.png").is_file()
    assert captured.err == "", "all of the scene was seen at some time"


def test_the_end_of_a_run_says_how_many_events_there_are_and_how_many_cross_each_line(tmp_path, capsys):
    clip = write_clip(tmp_path / "clip.mkv", 50, 128, 96)
    words = ["run", str(clip), "--save", "events", "--event-length", "20"]
    lines = ["--event-line", "40,95,40,0", "--event-line", "30,0,30,95"]
    assert invoke([*words, "-o", str(tmp_path / "plain")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["1 event"]
    assert invoke([*words, *lines, "-o", str(tmp_path / "lines")]) == 0
    over = "over line 1: 1 forward, 0 backward · over line 2: 0 forward, 1 backward"
    assert capsys.readouterr().out.splitlines()[1:] == [f"1 event · {over}"]
    assert invoke([*words, *lines, "-o", str(tmp_path / "json"), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["events"] == 1
    assert figures["lines"] == [{"forward": 1, "backward": 0}, {"forward": 0, "backward": 1}]
    assert invoke([*words, "-o", str(tmp_path / "quiet"), "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_the_end_of_a_run_says_which_plates_of_a_film_with_cuts_it_wrote(tmp_path, capsys):
    film = write_cut_film(tmp_path / "cut.mkv", 2)
    words = ["run", str(film), "--save", "plate", "--passes", "1"]
    assert invoke([*words, "-o", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "plate-by-scene/ holds a picture for each of 2 scenes" in told.err.replace("\n", " ")
    assert told.out.endswith(f": {tmp_path / 'out' / 'plate-by-scene'}\n")
    assert sorted(tree(tmp_path / "out")) == [f"plate-by-scene/{name}" for name in NAMES[:2]]
    assert invoke([*words, "-o", str(tmp_path / "json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scenes"] == [1, 61]


def test_what_of_the_plate_was_never_seen_is_said(photos, tmp_path, capsys):
    assert run(photos, "-o", tmp_path / "learnt", "--save", "model", "--passes", 2, "--quiet") == 0
    standing = tmp_path / "standing"
    standing.mkdir()
    for name in "abcde":
        save_png(standing / f"{name}.png", scene(6))
    words = ["--model", tmp_path / "learnt" / "model.npz", "--save", "plate", "--quiet"]
    assert run(standing, "-o", tmp_path / "out", *words) == 0
    note, share, what = capsys.readouterr().err.split(maxsplit=2)
    assert note == "Note:"
    assert 4 < float(share) < 9, "of which the square is 5.5"
    known = "plate and cleaned frames show what the model knows there (--save confidence).\n"
    assert what == f"% of the scene was not seen here: {known}"


def test_a_program_of_its_own_gives_the_same_bytes_and_never_loads_qt(photos, tmp_path):
    assert run(photos, "-o", tmp_path / "here") == 0
    words = ["run", str(photos), "-o", str(tmp_path / "there"), "--quiet", *QUICK]
    done = python(f"status = invoke({words!r}); print(any('PySide6' in m for m in sys.modules), status)")
    assert (done.stdout, done.stderr) == ("False 0\n", "")
    assert tree(tmp_path / "here") == tree(tmp_path / "there")


def test_help_starts_without_the_engine():
    done = python("invoke(['--help']); print(sorted({'numba', 'cv2', 'numpy'} & set(sys.modules)))")
    assert done.stdout.splitlines()[-1] == "[]"
    assert "cleanplate run film.mp4 -o out" in done.stdout


def test_the_real_program_keeps_to_one_sentence(tmp_path):
    bad = tmp_path / "film.mp4"
    bad.write_bytes(bytes(range(256)) * 40)
    done = subprocess.run(
        [sys.executable, "-m", "app", "run", str(bad), "-o", str(tmp_path / "out")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("cleanplate: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_defaults_give_way_to_a_preset_and_that_to_what_is_set(photos, tmp_path, capsys):
    save_preset(Preset(name="x", method="fast", values={"rank": 2}, passes=2), tmp_path / "x.json")
    assert run(photos, "-o", tmp_path / "a", "--save", "basis", "--preset", tmp_path / "x.json") == 0
    assert len(list((tmp_path / "a" / "basis").iterdir())) == 2
    assert run(photos, "-o", tmp_path / "b", "--save", "basis", "--preset", tmp_path / "x.json", "--set", "rank=4") == 0
    assert len(list((tmp_path / "b" / "basis").iterdir())) == 4
    assert run(photos, "-o", tmp_path / "c", "--save", "mask", "--preset", "trees", "--passes", "1") == 0
    assert "16 frames of 64×48" in capsys.readouterr().out


@pytest.mark.parametrize(("written", "passes"), [(1, 1), (2, 2), (None, 2), (3, 3)])
def test_a_preset_is_read_as_often_as_it_says(photos, tmp_path, capsys, written, passes):
    save_preset(Preset(name="x", method="fast", passes=written), tmp_path / "x.json")
    assert run(photos, "-o", tmp_path / "a", "--save", "mask", "--preset", tmp_path / "x.json", "--json-progress") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["progress"]["total"] for line in told if "progress" in line} == {16 * passes}


def test_a_model_is_applied_by_its_own_method(photos, tmp_path):
    assert run(photos, "-o", tmp_path / "a", "--save", "model,mask") == 0
    model = tmp_path / "a" / "model.npz"
    assert invoke(["run", str(photos), "-o", str(tmp_path / "b"), "--save", "model", "--model", str(model)]) == 0
    with np.load(model) as before, np.load(tmp_path / "b" / "model.npz") as after:
        np.testing.assert_array_equal(before["method.W"], after["method.W"])


def test_options_reach_the_input(photos, tmp_path, capsys):
    out = tmp_path / "out"
    words = ("--grey", "--size", "32x24", "--roi", "0,8,40,40", "--frames", "3:10", "--corrupt", "salt-and-pepper:0.05")
    assert run(photos, "-o", out, *words, "--save", "cleaned", "--json", "--quiet") == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["frames"], figures["width"], figures["height"]) == (8, 40, 40)
    picture = cv2.imdecode(np.fromfile(out / "cleaned" / "000001.png", np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture.shape == (40, 40)


@pytest.mark.parametrize(
    "corruption",
    [
        Corruption(),
        Corruption("occlusion", 0.25),
        Corruption("laplace", 0.5, scale=40.5),
        Corruption("uniform", 0.3, 7, low=-20.0),
        Corruption("uniform", 0.3, high=200.0),
    ],
)
def test_the_command_says_every_corruption(corruption):
    spec = InputSpec("in", frames=(None, 9), corruption=corruption, seed=corruption.seed)
    words = shlex.split(command_line(Job(spec, Path("out"), settings=Settings(seed=corruption.seed))))
    assert parse_corruption(words[words.index("--corrupt") + 1], corruption.seed) == corruption
    assert parse_frames(words[words.index("--frames") + 1]) == (None, 9)


def test_several_films_are_not_said_to_be_images_of_one_folder(tmp_path, capsys):
    films = [tmp_path / "a.mp4", tmp_path / "b.MKV"]
    for film in films:
        film.write_bytes(b"")
    assert "reads one: use cleanplate batch to read each input by itself" in refused(capsys, "run", *films)
    image = tmp_path / "a.PNG"
    image.write_bytes(b"")
    assert f"reads one: name the folder ({tmp_path}) to read" in refused(capsys, "run", films[0], image)


def test_a_bad_image_among_good_ones_is_skipped_and_counted(tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(8):
        save_png(folder / f"{i}.png", scene(i))
    (folder / "4.png").write_bytes(b"not an image")
    assert run(folder, "-o", tmp_path / "out", "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["frames"] == 7
    assert captured.err.startswith("Note: ")
    assert "1" in captured.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--nonsense"], "nonsense"),
        (["run"], "INPUT"),
        (["run", "-", "-o", "{out}"], "Standard input"),
        (["run", "{in}"], "--output"),
        (["run", "{in}", "-o"], "-o"),
        (["run", "{in}", "-o", "{out}", "--nonsense"], "nonsense"),
        (["run", "{in}", "more", "-o", "{out}"], "more"),
        (
            ["run", "{in}", "more", "-o", "{out}"],
            "One input is read, and 2 were given: more is one too many; see clean",
        ),
        (
            ["run", "{in}/shot0.png", "-o", "{out}", "{in}/shot1.png", "{in}/shot2.png"],
            "3 inputs were given, and cleanplate run reads one: name the folder ({in}) to read its images together, or "
            "use cleanplate batch",
        ),
        (
            ["{in}/shot0.png", "{in}/shot1.png", "{in}/shot2.png"],
            "3 inputs were given, and cleanplate reads one: name the folder ({in}) to read its images together, or use "
            "cleanplate batch",
        ),
        (["{in}/shot0.png", "nothing"], "There is no command '{in}/shot0.png'"),
        (["run", "{in}", "{in}/shot1.png", "-o", "{out}"], "reads one: name the folder to read its images together"),
        (["doctor", "{in}/nothing"], "There is no folder {in}/nothing; name the one of a run's results."),
        (["doctor", "{in}/shot1.png"], "There is no folder {in}/shot1.png; name"),
        (["run", "{in}", "-o", "{out}", "--passes", "x"], "passes"),
        (["run", "{in}", "-o", "{out}", "--passes", "0"], "at least 1"),
        (["run", "{in}", "-o", "{out}", "--seed", "-1"], "seed"),
        (["run", "{in}", "-o", "{out}", "--set", "rank"], "NAME=VALUE"),
        (["run", "{in}", "-o", "{out}", "--set", "rank=many"], "rank cannot be many"),
        (["run", "{in}", "-o", "{out}", "--set", "rank=0"], "rank cannot be 0"),
        (["run", "{in}", "-o", "{out}", "--set", "magic=1"], "no parameter 'magic'"),
        (
            ["run", "{in}", "-o", "{out}", "--set", "h_group=4"],
            "h_group belongs to the methods opgd, oadmm, bpgd, badmm",
        ),
        (["run", "{in}", "-o", "{out}", "--set", "lone_pixels=on"], "belongs to the method robust-nmf+wnmf"),
        (
            ["run", "{in}", "-o", "{out}", "--method", "mog2", "--set", "rank=4"],
            "fast, opgd, oadmm, onmfo, bpgd, badmm and ",
        ),
        (["run", "{in}", "-o", "{out}", "--method", "magic"], "no method 'magic'"),
        (["run", "{in}", "-o", "{out}", "--preset", "magic"], "no preset"),
        (["run", "{in}", "-o", "{out}", "--model", "/nowhere.npz"], "no model"),
        (["run", "{in}", "-o", "{out}", "--save", "plates"], "no result 'plates'"),
        (["run", "{in}", "-o", "{out}", "--save", ","], "Nothing would be saved"),
        (["run", "{in}", "-o", "{out}", "--format", "gif"], "no format 'gif'"),
        (["run", "{in}", "-o", "{out}", "--quality", "superb"], "no quality 'superb'"),
        (["run", "{in}", "-o", "{out}", "--size", "big"], "WIDTHxHEIGHT"),
        (["run", "{in}", "-o", "{out}", "--size", "0x9"], "WIDTHxHEIGHT"),
        (["run", "{in}", "-o", "{out}", "--size", "5x5"], "width and height are at least 8 pixels (--size)"),
        (["run", "{in}", "-o", "{out}", "--size", "64x7"], "working size of 64×7"),
        (
            ["run", "{in}", "-o", "{out}", "--roi", "0,8,4,40"],
            "region of 4×40; width and height are at least 8 pixels (--roi)",
        ),
        (["run", "{in}", "-o", "{out}", "--roi", "1,2,3"], "X,Y,WIDTH,HEIGHT"),
        (["run", "{in}", "-o", "{out}", "--roi", "0,0,999,999"], "region"),
        (["run", "{in}", "-o", "{out}", "--frames", "3"], "FIRST:LAST"),
        (["run", "{in}", "-o", "{out}", "--frames", "9:3"], "FIRST is at most LAST"),
        (["run", "{in}", "-o", "{out}", "--frames", f"{'9' * 23}:"], "names frames that no input has"),
        (["run", "{in}", "-o", "{in}"], "plate.png would be taken for one of them the next time"),
        (["run", "{in}", "-o", "{out}", "--corrupt", "rust"], "rust"),
        (
            ["run", "{in}", "-o", "{out}", "--corrupt", "snow:0.5"],
            "--corrupt snow:0.5 names no kind of noise; choose one of salt-and-pepper, occlusion, laplace, uniform.",
        ),
        (["run", "{in}", "-o", "{out}", "--event-line", "1,2,3"], "write it as X,Y,X,Y in pixels."),
        (["run", "{in}", "-o", "{out}", "--event-area", "1,2,3"], "write it as X,Y,X,Y… in pixels."),
        (["run", "{in}", "-o", "{out}", "--corrupt", "laplace:x"], "laplace:DENSITY:SCALE"),
        (["run", "{in}/nothing", "-o", "{out}"], "no file or folder"),
        (["run", "sample:nothing", "-o", "{out}"], "nothing"),
        (["run", "camera:x", "-o", "{out}"], "camera"),
        (["run", "camera:97", "-o", "{out}"], "Camera 97"),
        (["rum", "{in}", "-o", "{out}"], "no command 'rum'"),
        (["rum"], "There is no command and no file or folder 'rum'; see cleanplate --help."),
        (["run", "{in}", "-o", "{out}", "--passes", "two"], "--passes should be a whole number; see cleanplate run"),
        (["run", "{in}", "-o", "{out}", "--seed", "-1"], "--seed should be greater than or equal to 0; see"),
        (["run", "{in}", "-o", "{out}", "--seed", "99999999999"], "--seed should be less than or equal to 2147483647"),
        (["bench", "nosuch"], "see cleanplate bench --help."),
        (["run", "{in}", "-o", "{out}", "--preset", "trees", "--method", "knn"], "leave out --method or --preset"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(photos, tmp_path, capsys, words, sentence):
    out = tmp_path / "out"
    said = refused(capsys, *(word.replace("{in}", str(photos)).replace("{out}", str(out)) for word in words))
    assert sentence.replace("{in}", str(photos)) in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (["{in}/nothing"], "There is no file or folder {in}/nothing; check the path."),
        (["{in}/nothing", "--follow"], "There is no file or folder {in}/nothing; check the path."),
        (["sample:stret"], "There is no sample 'stret'; choose one of"),
        (["camera:x"], "camera:x is no camera"),
    ],
)
def test_that_there_is_no_such_input_is_told_before_that_results_exist(photos, tmp_path, capsys, source, sentence):
    out = tmp_path / "out"
    out.mkdir()
    (out / "plate.png").write_bytes(b"of another run")
    said = refused(capsys, "run", *(word.replace("{in}", str(photos)) for word in source), "-o", out)
    assert sentence.replace("{in}", str(photos)) in said
    assert "Output exists" in refused(capsys, "run", photos, "-o", out)


@pytest.mark.parametrize("name", ["", " "])
def test_results_without_a_folder_are_not_written_into_the_current_one(photos, tmp_path, capsys, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert "No folder for the results" in refused(capsys, "run", photos, "-o", name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"\x00" * 5000, b"RIFF\x00\x00\x00\x00AVI LIST"])
@pytest.mark.parametrize("name", ["film.mp4", "film.avi", "stack.tif", "photo.png", "film"])
def test_files_that_are_not_what_they_say_are_one_sentence(tmp_path, capsys, name, content):
    (tmp_path / name).write_bytes(content)
    refused(capsys, "run", tmp_path / name, "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_a_model_decides_is_refused_or_said_to_have_no_effect(photos, tmp_path, capsys):
    assert run(photos, "-o", tmp_path / "a", "--save", "model", "--quiet") == 0
    words = [photos, "-o", tmp_path / "b", "--model", tmp_path / "a" / "model.npz"]
    assert "was learnt by fast" in refused(capsys, "run", *words, "--method", "opgd")
    assert not (tmp_path / "b").exists()
    assert run(*words, "--method", "fast", "--set", "rank=5", "--quiet") == 0
    assert "rank has no effect: model.npz has the basis images" in capsys.readouterr().err


def test_options_that_do_nothing_are_said_to_have_no_effect(photos, tmp_path, capsys):
    words = ["--quality", "low", "--event-length", "3"]
    idle = ["--fps", "12", "--run-in", "2"]
    assert run(photos, "-o", tmp_path / "a", "--save", "mask", *words, *idle, "--quiet") == 0
    told = capsys.readouterr().err
    assert "--quality has no effect unless --format is av1 or hevc or mp4." in told
    assert "--event-length has no effect unless --save has events or boxes." in told
    assert "--fps has no effect unless --format is one of films, such as mp4." in told
    assert "--run-in has no effect unless --write says which frames." in told
    words += ["--fps", "12", "--format", "mp4"]
    assert run(photos, "-o", tmp_path / "b", "--save", "mask,events", *words, "--quiet") == 0
    assert "no effect" not in capsys.readouterr().err


def test_what_frames_were_taken_for_is_said_where_they_decided(photos, tmp_path, capsys):
    words = ("--save", "background", "--passes", 1, "--quiet")
    for name, more, said in (
        ("decided", ("--method", "opgd"), "Note: Taken for one scene, as its frames are alike; "),
        ("told", ("--method", "opgd", "--set", "content=scene"), ""),
        ("preset", ("--preset", "faces", "--set", "rank=4"), ""),
        ("not asked for", (), ""),
        ("one picture", ("--method", "opgd", "--frames", "1:1"), ""),
    ):
        assert run(photos, "-o", tmp_path / name, *more, *words) == 0
        told = capsys.readouterr().err
        assert told.startswith(said), name
        assert told.count("\n") == bool(said), name
    assert run("sample:faces", "-o", tmp_path / "set", "--method", "opgd", "--frames", "1:12", *words) == 0
    assert "Taken for an image set, as its frames differ; if it is one scene, say so: --set content=scene." in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("frames", "written", "means"),
    [
        ("5:14", "3:4", "3:4 means 7 to 8 of"), ("5:14", "9:", "9: means 13 and all after it of"),
        ("5:", ":1", ":1 means 5 of"), (":14", "3:4", None), ("5:14", ":", None),
    ],
)  # fmt: skip
def test_which_frames_of_the_input_are_written_is_said_where_a_part_is_read(capsys, frames, written, means):
    note_counting(Job(InputSpec("in", frames=parse_frames(frames)), Path("out"), written=parse_frames(written)))
    told = capsys.readouterr().err
    assert bool(told) == (means is not None)
    if means is not None:
        assert told.endswith(f"counted from the first one that is read: {means} the input.\n")


def test_frames_to_write_are_those_that_the_note_names(photos, tmp_path, capsys):
    words = ("--frames", "5:14", "--write", "3:4", "--save", "mask,times")
    assert run(photos, "-o", tmp_path / "out", *words, "--quiet") == 0
    assert "3:4 means 7 to 8 of the input" in capsys.readouterr().err
    assert sorted(image.name for image in (tmp_path / "out" / "mask").iterdir()) == ["000003.png", "000004.png"]
    assert np.load(tmp_path / "out" / "times.npz")["frame"].tolist() == [7, 8]


def test_a_model_of_another_kind_is_one_sentence(photos, deep_photos, tmp_path, capsys):
    assert run(photos, "-o", tmp_path / "a", "--save", "model", "--quiet") == 0
    model = tmp_path / "a" / "model.npz"
    assert "learnt in RGB, the input is in grey" in refused(
        capsys, "run", deep_photos, "-o", tmp_path / "b", "--model", model
    )
    assert not (tmp_path / "b").exists()


def test_existing_results_are_kept_unless_overwriting_is_allowed(photos, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(photos, "-o", out, "--save", "mask,plate", "--quiet") == 0
    before = tree(out)
    assert "--overwrite" in refused(capsys, "run", photos, "-o", out, "--save", "mask", "--set", "sensitivity=90")
    assert tree(out) == before
    assert run(photos, "-o", out, "--save", "mask", "--set", "sensitivity=90", "--overwrite", "--quiet") == 0
    after = tree(out)
    assert after["plate.png"] == before["plate.png"]
    assert after != before


def test_a_full_disk_is_one_sentence_and_keeps_what_was_there(photos, tmp_path, capsys):
    resource = pytest.importorskip("resource")
    assert run(photos, "-o", tmp_path / "out", "--save", "mask", "--quiet") == 0
    before = tree(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, hard))
    try:
        said = refused(capsys, "run", photos, "-o", tmp_path / "out", "--save", "mask,plate", "--overwrite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "disk is full" in said
    assert tree(tmp_path) == before


def test_interrupting_completes_nothing_and_leaves_nothing(photos, tmp_path):
    """A real signal to a real run that would take minutes."""
    import time

    if sys.platform == "win32":
        pytest.skip("signals to other processes are another thing on Windows")
    words = ["run", str(photos), "-o", str(tmp_path / "out"), "--passes", "1000", "--quiet"]
    process = subprocess.Popen([sys.executable, "-m", "app", *words], stdout=-1, stderr=-1, text=True)
    deadline = time.monotonic() + 300
    while not (tmp_path / "out").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == ""
    assert err.split("\n") == [
        "", "cleanplate: Giving up after this frame; once more ends at once.",
        "cleanplate: Interrupted; nothing was written.", "",
    ]  # fmt: skip
    assert not (tmp_path / "out").exists()


def test_methods_are_listed_for_people_and_programs(capsys):
    assert invoke(["methods"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {row.key} " in listed for row in METHODS.values())
    assert all(f"{group.title}\n" in listed for group in GROUPS)
    assert len(listed.splitlines()) < 160, "an overview; parameters are asked for by key"
    assert invoke(["methods", "knn"]) == 0
    told = capsys.readouterr().out
    assert "dist2_threshold" in told
    assert "sensitivity" in told
    assert "learn_every" not in told
    assert invoke(["methods", "nosuch"]) == 2
    assert capsys.readouterr().err.startswith("cleanplate: There is no method 'nosuch'")
    assert invoke(["methods", "knn", "--json"]) == 0
    assert [m["key"] for m in json.loads(capsys.readouterr().out)] == ["knn"]
    assert invoke(["methods", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    fast = next(m for m in listed if m["key"] == "fast")
    names = {p["name"]: p for p in fast["parameters"]}
    assert names["rank"]["low"] == 1
    assert "sensitivity" in names


def test_version_is_printed(capsys):
    assert invoke(["--version"]) == 0
    assert capsys.readouterr().out.startswith("cleanplate ")


def test_without_a_display_the_window_is_one_sentence(monkeypatch, capsys):
    if sys.platform != "linux":
        pytest.skip("a display can be absent only on Linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert "no display" in refused(capsys)
    assert "no display" in refused(capsys, "sample:street")


def test_a_display_that_does_not_answer_is_one_sentence(monkeypatch, capsys):
    if sys.platform != "linux":
        pytest.skip("only X11 has displays by name")
    for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":98765")
    said = refused(capsys)
    assert "does not answer" in said or "install" in said


def test_what_nobody_expected_is_one_sentence_and_a_log(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    words = ["run", "\0", "-o", str(tmp_path / "out")]
    assert invoke(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_end_of_file_in_the_midst_of_a_run_is_no_interruption(photos, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("app.system.log.log_path", lambda: tmp_path / "log")
    monkeypatch.setattr("app.cli.job.job_of", lambda *_, **__: open_empty())
    sentence = refused(capsys, "run", photos, "-o", tmp_path / "out")
    assert "went wrong" in sentence
    assert "EOFError" in (tmp_path / "log").read_text()


def open_empty():
    raise EOFError("Ran out of input")


def test_the_bar_says_how_far_and_how_long(tmp_path):
    console = Console(file=(tmp_path / "err").open("w"), force_terminal=True, width=100)
    with shown(console, quiet=False) as show:
        show(Progress(1, 2, 50, 100, 25.0, 6.0))
        show(Progress(1, 2, 100, 100, 25.0, 4.0))
    console.file.close()
    text = (tmp_path / "err").read_text()
    assert "Pass 1 of 2" in text
    assert "frame 100 of 100, 25.0 a second, 4 s left" in text
    with shown(console, quiet=True) as show:
        assert show is None


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("compiled_s", [0.0, 1e6])
def test_why_a_first_start_takes_so_long_is_said_between_frames_too(tmp_path, monkeypatch, is_terminal, compiled_s):
    """Where it is written to a file, once, and only of what takes a while."""
    monkeypatch.setattr("app.cli.progress.COMPILED_S", compiled_s)
    console = Console(file=(tmp_path / "err").open("w"), force_terminal=is_terminal, width=100)
    with shown(console, quiet=False) as show:
        show(Progress(1, 2, 1, 60, 0.0, None))
        assert "Compiling" not in (tmp_path / "err").read_text(), "nothing is compiled"
        for _ in range(2):
            njit(lambda x: x + 1)(1)
            console.file.flush()
            is_said = is_terminal or not compiled_s
            assert ("Compiling for this machine, once" in (tmp_path / "err").read_text()) == is_said
        show(Progress(1, 2, 60, 60, 25.0, 4.0))
    console.file.close()
    said = (tmp_path / "err").read_text()
    assert is_terminal or said.count("may take a minute") == is_said
    assert not is_terminal or said.rindex("frame 60 of 60") > said.rindex("Compiling")


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("is_long", [True, False])
def test_long_work_between_two_frames_is_said_at_once(tmp_path, monkeypatch, is_terminal, is_long):
    """Where it is written to a file, only of runs that are so long that there was a line before."""
    console = Console(file=(tmp_path / "err").open("w"), force_terminal=is_terminal, width=100)
    work = "Working out the plate from 99 frames…"
    with shown(console, quiet=False) as show:
        monkeypatch.setattr("app.cli.progress.LINE_S", 0.0 if is_long else 1e6)
        show(Progress(1, 2, 99, 100, 25.0, 6.0))
        monkeypatch.setattr("app.cli.progress.LINE_S", 1e6)
        show(Progress(1, 2, 99, 100, 25.0, 6.0, work=work))
    console.file.close()
    assert (work in (tmp_path / "err").read_text()) == (is_terminal or is_long)


def test_durations_are_as_people_read_them():
    assert [duration(s) for s in (0.4, 42, 187, 3725)] == ["0 s", "42 s", "3:07", "1:02:05"]


@pytest.mark.parametrize("name", ["empty.mp4", "noise.avi", "truncated.mp4", "declares_1392_has_695.avi"])
def test_broken_files_give_a_sentence_or_what_they_hold(data, tmp_path, capsys, name):
    path, quick = data / "broken" / name, ["--method", "median", "--roi", "0,0,64,48"]
    words = ["run", str(path), "-o", str(tmp_path / "out"), "--save", "plate", "--json", "--frames", "1:700", *quick]
    status = invoke(words)
    captured = capsys.readouterr()
    if status == 0:
        assert json.loads(captured.out)["frames"] > 0
        assert (tmp_path / "out" / "plate.png").stat().st_size
    else:
        assert status == 2
        assert captured.err.count("\n") == 1
        assert not Path(tmp_path / "out").exists()


def test_a_library_that_finds_no_room_is_told_as_too_little_memory(capsys, monkeypatch):
    def load(*_words):
        try:
            raise OSError("lib.so: failed to map segment from shared object")
        except OSError:
            raise ImportError("could not find lib.so")  # noqa: B904 - as the library does

    monkeypatch.setattr("app.cli.methods.print_methods", load)
    assert "not enough memory" in refused(capsys, "methods")


def test_what_a_run_begins_with_does_not_load_what_only_events_need():
    told = subprocess.run(
        [sys.executable, "-c", "import app.cli.run, sys; print({'scipy.optimize', 'torch'} & set(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout == "set()\n"


@pytest.mark.parametrize("command", ["run", "batch"])
def test_a_name_that_begins_as_options_do_is_told_how_to_be_written(photos, tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    Path("-dash").symlink_to(photos)
    assert "-dash begins as an option does; write it as ./-dash." in refused(capsys, command, "-dash", "-o", "out")
    assert "No such option: -e" in refused(capsys, command, "-else", "-o", "out")
    assert run("./-dash", "-o", "out", "--save", "mask") == 0
