"""Places where a film lacks pictures."""

import pytest

from core.io.sources.gaps import Gaps

STEP_S = 0.04
ONE = "walk.mkv lacks some 2 pictures after frame 50, as damaged films do; times go on behind them."
TWO = "walk.mkv lacks some 12 pictures at 2 places, first after frame 50, as damaged films do; times go on behind them."
FIVE = (
    "walk.mkv lacks some 10 pictures at 5 places, first after frame 50, as damaged films do; times go on behind them."
)


def told(steps, step_s=STEP_S):
    """Return what is said of a film whose pictures follow each other after so many usual steps, by their number."""
    gaps = Gaps(step_s)
    for index in range(1, 101):
        gaps.add(index, STEP_S * steps.get(index, 1))
    return gaps.sentence("walk.mkv")


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ({}, ""), ({50: 2}, ""), ({50: 3}, ONE), ({50: 2.8}, ONE), ({50: 2.7}, ""), ({50: 3, 70: 11}, TWO),
        (dict.fromkeys(range(50, 55), 3), FIVE),
        (dict.fromkeys(range(50, 56), 3), ""), (dict.fromkeys(range(1, 100, 10), 0.5) | {50: 9}, ""),
    ],
)  # fmt: skip
def test_a_long_step_among_steady_ones_is_told(steps, sentence):
    assert told(steps) == sentence


@pytest.mark.parametrize(("rate", "is_told"), [(1.2, True), (0.85, True), (1.4, False), (0.7, False)])
def test_the_rate_need_not_be_exact(rate, is_told):
    assert bool(told({50: 30}, STEP_S * rate)) == is_told
