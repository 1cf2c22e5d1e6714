"""``bench faces --jobs``: experiments in processes of their own have the figures that they have alone."""

import json

import pytest

from app.cli.main import invoke
from core.bench.experiments import registry


@pytest.fixture
def two(monkeypatch):
    """Leave two experiments: one that takes a second and hangs on no clock, one that misses its data."""
    monkeypatch.setattr(registry, "EXPERIMENTS", {n: registry.EXPERIMENTS[n] for n in ("line", "patches")})


def test_experiments_side_by_side_have_the_figures_that_they_have_alone(two, capsys, tmp_path):
    found, pages = [], []
    for jobs in ("1", "2"):
        page = tmp_path / f"{jobs}.md"
        words = ["--quick", "--json", "--jobs", jobs, "--data", str(tmp_path), "--markdown", str(page)]
        assert invoke(["bench", "faces", "--experiment", "all", *words]) == 0
        told = capsys.readouterr()
        assert "patches: " in told.err
        assert "Slope found" in told.err
        found.append(json.loads(told.out))
        for one in found[-1]["experiments"]:
            one.pop("seconds")
        pages.append([line for line in page.read_text().splitlines() if "processor" not in line])
    assert [one["experiment"] for one in found[0]["experiments"]] == ["line"]
    assert list(found[0]["missing"]) == ["patches"]
    assert found[0] == found[1]
    assert pages[0] == pages[1]
