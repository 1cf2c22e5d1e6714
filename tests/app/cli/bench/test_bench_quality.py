"""``bench masks`` and ``bench plates``: JSON last, progress beside it, a table that fits, one sentence on failure."""

import json

import cv2
import pytest

from app.cli.main import invoke
from tests.labelled import empty_sequence, make_sequence

MASKS = ["ours", "mog2", "mog2_median", "knn", "knn_median"]
PLATES = ["ours", "median", "mog2", "knn"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in ("street", "a-sequence-with-a-long-name"):
        make_sequence(folder / name)
    return folder


def bench(capsys, *words):
    status = invoke(["bench", *map(str, words)])
    return status, capsys.readouterr()


def test_masks_end_with_json_and_save_a_sheet(folder, tmp_path, capsys):
    status, told = bench(capsys, "masks", "--data", folder, "--json", "--only", "street", "--sheet", tmp_path / "s.png")
    assert status == 0
    data = json.loads(told.out)
    assert list(data["sequences"]) == ["street"]
    assert list(data["sequences"]["street"]) == list(data["mean"]) == MASKS
    assert data["mean"] == data["sequences"]["street"]
    assert data["left_out"] == {}
    assert set(data["mean"]["ours"]) == {"precision", "recall", "f", "ms"}
    assert data["mean"]["ours"]["f"] > 0.5
    assert "Measuring street (1 of 1)" in told.err
    assert cv2.imread(str(tmp_path / "s.png")).shape[1] > 4 * 320


def test_plates_end_with_json(folder, capsys):
    status, told = bench(capsys, "plates", "--data", folder, "--json", "--passes", 1)
    assert status == 0
    data = json.loads(told.out)
    assert data["passes"] == 1
    assert set(data["sequences"]) == {"street", "a-sequence-with-a-long-name"}
    assert list(data["mean"]) == PLATES
    assert set(data["mean"]["ours"]) == {"age", "peps"}


def test_cleaned_ends_with_json_and_its_table_fits(folder, capsys):
    status, told = bench(capsys, "cleaned", "--data", folder, "--json", "--only", "street")
    assert status == 0
    data = json.loads(told.out)
    assert data["passes"] == 2
    assert set(data["mean"]) == {"left", "age"}
    assert data["sequences"]["street"]["left"] == data["mean"]["left"] < 8
    assert "street" in told.err


def test_a_sequence_in_which_nothing_is_hidden_is_left_out_with_a_note_and_alone_it_is_an_error(tmp_path, capsys):
    empty_sequence(tmp_path / "empty")
    status, told = bench(capsys, "cleaned", "--data", tmp_path, "--json")
    assert status == 2
    assert "No labelled frame of empty hides what others show: nothing to score." in told.err
    make_sequence(tmp_path / "street")
    status, told = bench(capsys, "cleaned", "--data", tmp_path, "--json", "--passes", 1)
    assert status == 0
    data = json.loads(told.out)
    assert list(data["sequences"]) == ["street"]
    assert data["left_out"] == {"empty": "No labelled frame of empty hides what others show: nothing to score."}
    assert "Note: No labelled frame of empty hides what others show: nothing to score. It is left out." in told.err


def test_strokes_end_with_json(folder, capsys):
    status, told = bench(capsys, "strokes", "--data", folder, "--only", "street", "--json")
    assert status == 0
    street = json.loads(told.out.splitlines()[-1])["sequences"]["street"]
    assert set(street) == {"frame", "painted", "pixels", "before", "after"}
    assert street["painted"] in {"background", "foreground"}
    assert "street" in told.err


@pytest.mark.parametrize("what", ["masks", "plates"])
def test_the_table_fits_a_hundred_columns(folder, capsys, monkeypatch, what):
    monkeypatch.setenv("COLUMNS", "100")
    status, told = bench(capsys, what, "--data", folder, *(["--passes", 1] if what == "plates" else []))
    assert status == 0
    lines = told.out.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 100
    assert "…" not in told.out
    for word in ("street", "a-sequence-with-a-long-name", "mean", "Cleanplate", "MOG2", "KNN"):
        assert word in told.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["masks", "--data", "nowhere"], "There is no folder nowhere"),
        (["plates", "--data", "nowhere"], "There is no folder nowhere"),
        (["masks", "--data", "FOLDER", "--only", "beach"], "There is no sequence beach"),
        (["masks", "--data", "FOLDER", "--sheet", "s.jpg"], "The sheet cannot be saved as s.jpg"),
        (["plates", "--data", "FOLDER", "--passes", "0"], "passes"),
        (["masks"], "--data"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_status_2(folder, capsys, words, sentence):
    status, told = bench(capsys, *(str(folder) if word == "FOLDER" else word for word in words))
    assert status == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert sentence in told.err
