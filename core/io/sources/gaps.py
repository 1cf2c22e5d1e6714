"""Pictures that are missing within a film, as where it is damaged: containers go on behind them without a word."""

from __future__ import annotations

ALIKE = 0.25
"""Steps from picture to picture that differ by less than so much of one are the same; clocks round to milliseconds."""

FEWEST = 2
"""So many have to be missing at a place: recorders leave out one where they cannot keep up, and nothing is wrong."""

STEADY = 0.95
"""Share of the steps that have to be those of the rate: where it varies, a long step tells nothing."""


class Gaps:
    """Looks for places where a film of a constant rate lacks pictures.

    Parameters
    ----------
    step_s : float
        From picture to picture by its rate, s.
    """

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._n = self._n_usual = self._n_gaps = self._n_missing = self._first = 0

    def add(self, index: int, step_s: float) -> None:
        """Take note of how long after the picture before it the one of this index, from 0, is shown, s."""
        steps = step_s / self._step_s
        self._n += 1
        if abs(steps - 1) < ALIKE:
            self._n_usual += 1
        elif steps - 1 > FEWEST - ALIKE:
            self._first = self._first or index
            self._n_gaps, self._n_missing = self._n_gaps + 1, self._n_missing + round(steps) - 1

    def sentence(self, name: str) -> str:
        """Return what a person is told of the film of this name; empty where nothing lacks, or the rate varies."""
        if not self._n_gaps or self._n_usual < STEADY * self._n:
            return ""
        where = f"after frame {self._first}"
        if self._n_gaps > 1:
            where = f"at {self._n_gaps} places, first {where}"
        return f"{name} lacks some {self._n_missing} pictures {where}, as damaged films do; times go on behind them."
