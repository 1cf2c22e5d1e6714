"""How long ago files were changed, by a clock of which nothing is known but times of change."""

import pytest

from core.io.sources import folder_clock
from core.io.sources.folder_clock import FolderClock


@pytest.mark.parametrize("ahead_s", [-1e9, -90.0, 0.0, 90.0])
def test_ages_are_those_by_the_clock_of_the_folder_and_never_too_large(monkeypatch, ahead_s):
    now_s = 1000.0
    monkeypatch.setattr(folder_clock.time, "monotonic", lambda: now_s)
    clock = FolderClock()
    assert clock.age_s(500.0 + ahead_s) == 0.0  # It may be of this moment.
    assert clock.age_s(700.0 + ahead_s) == 0.0
    assert clock.age_s(500.0 + ahead_s) == pytest.approx(200.0)
    now_s = 1003.0
    assert clock.age_s(700.0 + ahead_s) == pytest.approx(3.0)
    assert clock.age_s(702.0 + ahead_s) == pytest.approx(1.0)
    assert clock.age_s(500.0 + ahead_s) == pytest.approx(203.0)
