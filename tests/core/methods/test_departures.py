"""Where a default differs from the method's paper, the method's help says so."""

import re

import pytest

from app.cli.methods import as_data, print_parameters
from core.catalogue import METHODS

OF_PAPERS = [row for row in METHODS.values() if row.key != "fast" and row.kind != "reference"]

ONLINE = {
    "content": None, "auto_rank": False, "bound": 1, "brighter_only": False, "dictionary_set": "ball", "gamma_1": 1,
    "gamma_2": 1, "h_penalty": "none", "h_weight": 0.01, "h_group": "2", "h_growth": 0, "r_penalty": "lasso",
    "r_block": 4, "r_ridge": 0.1, "group_share": 0.5,
}  # fmt: skip
SECTION_6 = {name: value for name, value in ONLINE.items() if name != "auto_rank"}
CONTENT = {"content": None}
PAPERS = {
    "opgd": {**ONLINE, "kappa": 1},
    "oadmm": ONLINE,
    "onmfo": {**CONTENT, "lam": None},
    "bpgd": {**SECTION_6, "kappa": 1},
    "badmm": SECTION_6,
    "rnmf-mu": {**CONTENT, "lam": None},
    **{
        f"ol-{d}": {**CONTENT, "batch": 20}
        for d in ("is", "kl", "l2sq", "huber", "l1", "l2", "alpha", "beta", "ab", "gamma")
    },
    "orpca": {**CONTENT, "lam": None, "lam_low_rank": None},
    "ol-wang2": {**CONTENT, "steps": "second order"},
    **{
        key: {**CONTENT, "inner_tolerance": 1e-3}
        for key in ("l2", "l1", "l21", "capped", "hypersurface", "huber", "cim", "cauchy", "truncated-cauchy")
    },
    "robust-nmf+wnmf": {**CONTENT, "lone_pixels": False, "lone_threshold": 4.5},
    "wnmf": {**CONTENT, "missing": "black and white", "margin": 0},
}
"""What the papers set, or what does nothing by default, by method; of all else the help has to speak."""

BY_DIVERGENCE = {"is": {"floor": 1 / 510}, "huber": {"delta": 10 / 255}}


def of_paper(key):
    start, _, divergence = key.partition("-")
    more = BY_DIVERGENCE.get(divergence, {}) if start in {"ol", "b"} else {}
    return {**PAPERS.get(key, CONTENT), **more}


def named(row):
    """Return the parameters that sentences begin with."""
    names = [re.match(r"([a-z0-9_]+(?:, [a-z0-9_]+)*):", sentence) for sentence in row.departures]
    return {name for match in names if match for name in match[1].split(", ")}


@pytest.mark.parametrize("row", OF_PAPERS, ids=lambda row: row.key)
def test_every_default_is_the_papers_or_the_help_says_that_it_is_not(row):
    defaults, paper = row.defaults(), of_paper(row.key)
    differ = {name for name, value in defaults.items() if name not in paper or value != paper[name]}
    assert named(row) >= differ, "these differ, and nobody says so"
    assert named(row) <= set(defaults)


def test_what_differs_beside_defaults_is_said():
    said = {key: " ".join(METHODS[key].departures) for key in METHODS}
    assert "twice" in said["bpgd"]
    assert "up to 50" in said["bpgd"]
    assert "tr(A)/K" in said["oadmm"]
    assert "tr(A)/K" in said["badmm"]
    assert "least squares" in said["l21"]
    assert "least squares" in said["cim"]
    assert "Γ" in said["truncated-cauchy"]
    assert METHODS["fast"].departures == ()


def test_the_command_prints_it(capsys):
    print_parameters([METHODS["truncated-cauchy"]])
    printed = " ".join(capsys.readouterr().out.split())
    assert "Differs from the paper" in printed
    for sentence in METHODS["truncated-cauchy"].departures:
        assert sentence in printed
    assert as_data([METHODS["bpgd"]])[0]["differs_from_the_paper"] == list(METHODS["bpgd"].departures)
