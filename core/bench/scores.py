"""What measurements on labelled sequences share: how one is run over, and how scores become means and plain data."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Generic, TypeVar

import numpy as np

from core.bench import sequences
from core.io.input_spec import ALL_FRAMES, FrameRange
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings

KEPT_TIMES = 2000
"""Frames over which the median time is taken: the last ones, so that nothing grows."""


@dataclass(frozen=True)
class Score(ABC):
    """The figures of one method, each a field."""

    @abstractmethod
    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""


AnyScore = TypeVar("AnyScore", bound=Score)


@dataclass(frozen=True)
class Scored(Generic[AnyScore]):
    """What one sequence gave: its name, and the score of each method by its key."""

    name: str
    scores: Mapping[str, AnyScore]


@contextlib.contextmanager
def session_over(sequence: sequences.Sequence, passes: int, frames: FrameRange = ALL_FRAMES) -> Iterator[Session]:
    """Give a session with default settings over a sequence, or some of its frames; at the end its input is closed."""
    with contextlib.closing(open_source(InputSpec(str(sequence.folder), frames=frames))) as source:
        yield Session(source, Settings(passes=passes))


def mean(scores: Sequence[AnyScore]) -> AnyScore:
    """Return the mean of each figure: sequences all count the same."""
    return type(scores[0])(*(float(np.mean(figures)) for figures in zip(*map(astuple, scores), strict=True)))


def means(results: Sequence[Scored[AnyScore]]) -> dict[str, AnyScore]:
    """Return each method's mean over sequences."""
    return {key: mean([result.scores[key] for result in results]) for key in results[0].scores}


def as_data(results: Sequence[Scored[AnyScore]]) -> dict[str, object]:
    """Return plain data for JSON: of each sequence and of the mean, by method."""
    return {"sequences": {r.name: _plain(r.scores) for r in results}, "mean": _plain(means(results))}


def _plain(scores: Mapping[str, AnyScore]) -> dict[str, dict[str, float]]:
    return {key: score.as_data() for key, score in scores.items()}
