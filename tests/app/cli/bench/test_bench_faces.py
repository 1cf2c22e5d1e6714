"""``bench faces``: JSON last, progress beside it, plots and pages checked before, one sentence on failure."""

import json
import sys

import numpy as np
import pytest

from app.cli.bench import faces
from app.cli.main import invoke
from core.bench.experiments import registry
from core.bench.experiments.base import Chart, Claim, Curve, Progress, Result, Table
from core.errors import CleanplateError


def charted(data, seed, quick):
    yield Progress(0, 1, "opgd")
    curve = Curve("opgd", (1.0, 2.0), (1.0, 2.0))
    return Result(
        "Small", "Paper 2017", f"Seed {seed}.", "Quick." if quick else "Whole.",
        (Table("PSNR, dB", ("method", "ours"), (("opgd [x]", "1.5"),)),), (Claim("It works.", True, "1.5 dB"),),
        {"opgd": 1.5}, charts=(Chart("c", "x", "y", (curve,)),),
    )  # fmt: skip


def pictured(data, seed, quick):
    yield Progress(0, 1)
    return Result("Sheet", "Paper", "Data.", "Setting.", (), (), {}, sheet=np.zeros((8, 8), np.uint8))


def failing(data, seed, quick):
    yield Progress(0, 1)
    raise CleanplateError("There are no faces here; put some.")


@pytest.fixture(autouse=True)
def experiments(monkeypatch):
    """Three small experiments in place of the real ones."""
    found = {"charted": charted, "pictured": pictured, "failing": failing}
    rows = {name: registry.Experiment(name, "", "", sheet=name == "pictured") for name in found}
    monkeypatch.setattr(registry, "EXPERIMENTS", rows)
    monkeypatch.setattr(
        registry.Experiment, "begin", lambda self, data, seed, quick: found[self.name](data, seed, quick)
    )


def bench(capsys, *words):
    status = invoke(["bench", "faces", "--experiment", *map(str, words)])
    return status, capsys.readouterr()


def test_one_experiment_prints_tables_and_what_holds(capsys):
    status, told = bench(capsys, "charted", "--seed", 3)
    assert status == 0
    assert "holds: It works. Here: 1.5 dB." in told.out
    assert "opgd [x]" in told.out
    assert "Measuring charted" in told.err


def test_json_is_one_line_on_standard_output(capsys):
    status, told = bench(capsys, "charted", "--json", "--quick", "--seed", 3)
    assert status == 0
    found = json.loads(told.out)
    assert (found["experiment"], found["seed"], found["quick"], found["data"]) == ("charted", 3, True, "Seed 3.")
    assert found["figures"] == {"opgd": 1.5}
    assert "It works." in told.err


def test_plots_and_sheets_are_saved(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    for name in ("charted", "pictured"):
        assert bench(capsys, name, "--plot", tmp_path / f"{name}.png")[0] == 0
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_all_goes_on_where_one_cannot_be_measured_and_writes_the_page(capsys, tmp_path):
    status, told = bench(capsys, "all", "--json", "--markdown", tmp_path / "page.md")
    assert status == 0
    found = json.loads(told.out)
    assert [e["experiment"] for e in found["experiments"]] == ["charted", "pictured"]
    assert found["missing"] == {"failing": "There are no faces here; put some."}
    text = (tmp_path / "page.md").read_text()
    assert "## Small" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["absent"], "There is no experiment 'absent'; choose one of charted, pictured, failing, or all."),
        (["charted", "--data", "nowhere"], "There is no folder nowhere"),
        (["failing"], "There are no faces here; put some."),
        (["all", "--plot", "a.png"], "do not fit in one plot"),
        (["pictured", "--plot", "a.svg"], "end its name in .png"),
        (["charted", "--plot", "a.doc"], "end its name in"),
        (["charted", "--markdown", "a.txt"], "name a .md file"),
        (["charted", "--seed", "-1"], "seed"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_status_2(capsys, words, sentence):
    status, told = bench(capsys, *words)
    assert status == 2
    assert told.out == ""
    last = told.err.splitlines()[-1]
    assert last.startswith("cleanplate: ")
    assert sentence in last


def test_progress_without_a_terminal_is_a_line_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(faces, "LINE_S", 0.0)
    _, told = bench(capsys, "charted")
    assert "charted: 0 of 1, opgd" in told.err


def test_a_bundle_says_that_it_goes_without_the_experiments(monkeypatch, capsys):
    monkeypatch.setattr(faces, "is_bundle", lambda: True)
    assert invoke(["bench", "faces", "--experiment", "charted"]) == 2
    assert "install Cleanplate's wheel" in capsys.readouterr().err


def test_matlab_files_are_refused_in_one_sentence_where_scipy_is_not_whole(monkeypatch, tmp_path):
    from core.bench.faces import cbcl

    monkeypatch.setitem(sys.modules, "scipy.io", None)
    with pytest.raises(CleanplateError, match="leave out --data"):
        cbcl(tmp_path)
