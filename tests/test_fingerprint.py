"""The script that tells whether results have changed: what counts as a difference, and what a hash depends on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import fingerprint  # noqa: E402
import fingerprint_inputs  # noqa: E402

BEFORE = {"still/mask": "0" * 16, "still/plate.png": "1" * 16, "street/model.npz": "2" * 16}


@pytest.fixture
def sequence(tmp_path):
    folder = tmp_path / "mask"
    (folder / "inner").mkdir(parents=True)
    (folder / "000001.png").write_bytes(b"first")
    (folder / "inner" / "000002.png").write_bytes(b"second")
    return folder


@pytest.fixture
def measured(monkeypatch):
    """Return a dictionary that stands for what the runs gave."""
    lines = dict(BEFORE)
    monkeypatch.setattr(fingerprint, "fingerprint", lambda names, data: lines)
    return lines


def test_a_changed_a_missing_and_an_extra_result_are_each_named():
    after = {"still/mask": "0" * 16, "still/plate.png": "f" * 16, "street/basis": "3" * 16}
    assert fingerprint.differences(BEFORE, BEFORE) == []
    assert fingerprint.differences(BEFORE, after) == [
        f"changed  still/plate.png  {'1' * 16} -> {'f' * 16}",
        "extra    street/basis",
        "missing  street/model.npz",
    ]


def test_runs_that_were_left_out_are_not_missing_but_those_that_no_longer_exist_are():
    after = {"still/mask": "0" * 16, "still/plate.png": "1" * 16}
    assert fingerprint.differences(BEFORE, after, {"street"}) == []
    assert fingerprint.differences(BEFORE, after, {"other"}) == ["missing  street/model.npz"]


def test_the_status_is_1_only_where_something_differs(measured, tmp_path, capsys):
    saved = tmp_path / "before.txt"
    assert fingerprint.main(["--save", str(saved)]) == 0
    assert capsys.readouterr().out == saved.read_text() == fingerprint.as_text(BEFORE)
    assert fingerprint.main(["--against", str(saved)]) == 0
    measured["still/mask"] = "e" * 16
    assert fingerprint.main(["--against", str(saved)]) == 1
    assert "changed  still/mask" in capsys.readouterr().out


def test_a_file_that_is_none_of_its_own_is_an_error_before_anything_runs(tmp_path, capsys):
    other = tmp_path / "notes.txt"
    other.write_text("still/mask 12\n")
    assert fingerprint.main(["--against", str(other)]) == 2
    assert fingerprint.main(["--against", str(tmp_path / "none.txt")]) == 2
    assert capsys.readouterr().err.count("fingerprint: ") == 2


def test_the_hash_of_a_folder_knows_every_byte_and_every_name(sequence):
    told = [fingerprint.digest(sequence)]
    assert fingerprint.digest(sequence) == told[0]
    (sequence / "inner" / "000002.png").write_bytes(b"sedond")
    told.append(fingerprint.digest(sequence))
    (sequence / "000001.png").rename(sequence / "000003.png")
    told.append(fingerprint.digest(sequence))
    (sequence / "000004.png").write_bytes(b"")
    told.append(fingerprint.digest(sequence))
    assert len(set(told)) == 4


def test_inputs_are_the_same_bytes_each_time(tmp_path):
    first, second = (fingerprint_inputs.make_inputs(tmp_path / name) for name in ("one", "two"))
    assert {n: fingerprint.digest(p) for n, p in first.items()} == {n: fingerprint.digest(p) for n, p in second.items()}


def test_each_run_stands_behind_the_one_that_it_needs_and_reads_inputs_that_exist():
    names = list(fingerprint.RUNS)
    needs = {name: fingerprint.needed(name) for name in names}
    assert needs["still-applied"] == "still"
    assert all(names.index(other) < names.index(name) for name, other in needs.items() if other)
    places = dict.fromkeys(fingerprint_inputs.MAKERS, Path("input")) | {"out": Path("out"), "data": Path("data")}
    assert all(fingerprint.command(name, places) for name in names)


def test_every_method_has_a_run():
    words = [sys.executable, "-m", "app", "methods", "--json"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    keys = {method["key"] for method in json.loads(listed)}
    used = {word for run in fingerprint.RUNS.values() for word in run.split()}
    assert keys - used == {"fast"}  # which is the default


def test_runs_on_real_data_are_skipped_by_name_where_it_is_absent(tmp_path, capsys):
    assert fingerprint.chosen("data-highway", None) == []
    assert fingerprint.chosen("data-highway", tmp_path) == []
    assert capsys.readouterr().err.count("data-highway") == 2
    assert fingerprint.chosen("still-applied", None) == ["still", "still-applied"]


def test_a_run_that_fails_is_told_with_the_programs_sentence(monkeypatch, capsys):
    monkeypatch.setitem(fingerprint.RUNS, "still", "{still} --method none-such")
    assert fingerprint.main(["--only", "still-applied"]) == 2
    told = capsys.readouterr().err
    assert "still: cleanplate: " in told
    assert "still-applied: " in told
