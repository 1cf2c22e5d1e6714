"""The share of the cores that a process has."""

import pytest

from core.runtime import bands, cores


@pytest.mark.parametrize(
    ("said", "expected"), [("", None), ("3", 3), ("0", 1), ("many", None), ("-2", None), ("99", 4)]
)
def test_a_share_is_a_whole_number_of_cores(monkeypatch, said, expected):
    monkeypatch.setenv(cores.SHARE, said)
    monkeypatch.setattr(cores, "all_cores", lambda: 4)
    assert cores.share() == expected
    assert cores.usable() == (expected or cores.all_cores())


def test_there_is_a_core():
    assert cores.all_cores() >= 1


@pytest.mark.parametrize(
    ("said", "allowed", "expected"), [("3", 4, 3), ("99", 64, bands.N_BANDS), ("99", 2, 2), ("", 2, 2)]
)
def test_bands_keep_to_the_share_or_else_to_the_cores_that_the_process_is_allowed(monkeypatch, said, allowed, expected):
    monkeypatch.setenv(cores.SHARE, said)
    monkeypatch.setattr(cores, "all_cores", lambda: allowed)
    bands._n_cores.cache_clear()
    n_cores = bands._n_cores()
    bands._n_cores.cache_clear()
    assert n_cores == expected
