"""The bench commands: tables that fit 80 columns, and one sentence for what is absent."""

import io
import json
from functools import partial

import numpy as np
import pytest
from rich.console import Console
from scipy.io import savemat

from app.cli.bench import tables
from app.cli.main import invoke
from core.bench import convergence, plots
from core.bench.convergence import Race, Trace
from core.bench.speed import SIZES, Timing


def timing(width, height):
    return Timing(width, height, True, 10, 123.45, 118.0, 5.45, 224.56, 231.21, 12.0, 0.91, 1234.0)


def printed(table):
    console = Console(file=io.StringIO(), width=80)
    console.print(table)
    return console.file.getvalue()


def test_speed_fits_80_columns_and_tells_bandwidth_only_beyond_the_cache():
    text = printed(tables.speed([timing(*size) for size in SIZES]))
    assert "…" not in text
    assert "3840×2160 colour" in text
    shown = [line.split()[-2] == "91" for line in text.splitlines()[2:]]
    assert shown == [False, False, True, True, True]


def test_convergence_fits_80_columns():
    traces = [Trace("hyperspy RobustPGD", "own: outliers ≥ 0", [0, 240, 2420], [0, 22.13, 123.4], [4, 3, 2.1587])]
    text = printed(tables.convergence(traces))
    assert "…" not in text
    assert text.splitlines()[1].split()[-3:] == ["2420", "123", "2.1587"]


def test_race_is_told_in_one_sentence():
    assert tables.race(Race(2.1587, 0.171, 123.4)).endswith("0.171 s instead of 123 s, 722× as fast.")
    assert tables.race(Race(2.1587, None, 123.4)).endswith("not reached.")


@pytest.fixture
def small_faces(tmp_path):
    rng = np.random.default_rng(0)
    savemat(tmp_path / "cbcl.mat", {"X": 0.05 + rng.random((81, 6)) @ rng.random((6, 40))})
    return tmp_path


def test_convergence_ends_with_one_line_of_json(small_faces, capsys, monkeypatch):
    monkeypatch.setattr("core.bench.convergence.run", partial(convergence.run, samples=80, longest_s=0.2))
    assert invoke(["bench", "convergence", "--json", "--data", str(small_faces)]) == 0
    captured = capsys.readouterr()
    figures = json.loads(captured.out)
    assert [m["name"] for m in figures["methods"]][:4] == ["opgd", "oadmm", "onmfo", "fast"]
    assert (figures["samples"], figures["values"], figures["rank"]) == (40, 81, 49)
    assert "opgd" in captured.err


@pytest.mark.parametrize(
    "words", [["speed"], ["convergence"], ["methods", "sample:street"], ["faces", "--experiment", "laplace"]]
)
def test_where_matplotlib_is_missing_a_plot_is_refused_before_measuring(tmp_path, capsys, monkeypatch, words):
    monkeypatch.setattr(plots, "available", lambda: False)
    for module in ("speed.run", "convergence.run", "methods.measure", "experiments.side_by_side.measure"):
        monkeypatch.setattr(f"core.bench.{module}", lambda *_: pytest.fail("it was measured"))
    assert invoke(["bench", *words, "--plot", str(tmp_path / "plot.png")]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.startswith("cleanplate: A plot needs matplotlib, which is not installed; ")
    assert captured.err.count("\n") == 1


def test_a_plot_that_cannot_be_is_refused_before_measuring(small_faces, capsys):
    assert invoke(["bench", "speed", "--plot", str(small_faces / "plot.doc")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_speed_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    timings = [Timing(w, h, c, 3, 1.0, 0.8, 0.2, 2.0, 2.5, 0.5, 0.9, 300.0) for w, h in SIZES for c in (False, True)]
    plots.speed(tmp_path / "a.png", timings)
    assert (tmp_path / "a.png").stat().st_size > 5000


def test_bench_alone_lists_what_can_be_measured(capsys):
    assert invoke(["bench"]) == 0
    captured = capsys.readouterr()
    assert "convergence" in captured.out
    assert not captured.err
