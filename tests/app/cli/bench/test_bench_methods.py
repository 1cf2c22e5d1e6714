import json

import pytest

from app.cli.main import invoke
from core.bench import plots

STREET = ["bench", "methods", "sample:street", "--frames", "1:12", "--size", "96x72"]


def test_it_prints_a_table_and_json(capsys):
    assert invoke([*STREET, "--methods", "fast", "--methods", "median", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [m["method"] for m in found["methods"]] == ["fast", "median"]
    assert {"step_ms", "mask_ms", "seconds", "mib", "psnr_db", "relative_error", "precision", "recall", "f_measure",
            "age", "peps"} < set(found["methods"][0])  # fmt: skip
    assert "median" in err


def test_columns_are_there_for_what_is_known_only(capsys):
    assert invoke(["bench", "methods", "sample:faces", "--methods", "median,onmfo", "--frames", "1:5"]) == 0
    out = capsys.readouterr().out
    assert "PSNR" in out
    assert "recall" not in out
    assert "AGE" not in out


def test_it_draws(tmp_path, capsys):
    if not plots.available():
        pytest.skip("matplotlib is absent")
    target = tmp_path / "methods.png"
    assert invoke([*STREET, "--methods", "median,mog2", "--plot", str(target)]) == 0
    assert target.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--methods", "nonsense"], "There is no method 'nonsense'"),
        (["--methods", "fast", "--set", "foo=1"], "has a parameter 'foo'"),
        (["--plot", "absent/x.png"], "There is no folder"),
        (["--frames", "x"], "--frames x cannot be read"),
    ],
)
def test_mistakes_are_one_sentence(options, sentence, capsys):
    assert invoke([*STREET, *options]) == 2
    assert sentence in capsys.readouterr().err
