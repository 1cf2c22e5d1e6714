"""The share of the cores that a process has."""

import pytest

from core.runtime import bands, cores


@pytest.mark.parametrize(("said", "expected"), [("", None), ("3", 3), ("0", 1), ("many", None), ("-2", None)])
def test_a_share_is_a_whole_number_of_cores(monkeypatch, said, expected):
    monkeypatch.setenv(cores.SHARE, said)
    assert cores.share() == expected
    bands._n_cores.cache_clear()
    assert 1 <= bands._n_cores() <= bands.N_BANDS
    assert expected is None or bands._n_cores() == expected
    bands._n_cores.cache_clear()


def test_there_is_a_core():
    assert cores.all_cores() >= 1
