"""Spoil faces, let a method find what was spoiled, and count: the trials of the experiment `detection`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.bench.experiments.data import FaceSet
from core.bench.experiments.runs import Contestant, fit

PASSES = 20
"""How often an online method sees each face."""


@dataclass(frozen=True)
class Found:
    """What a method made of one set: precision and recall in percent, error, seconds of learning."""

    precision: float
    recall: float
    error: float
    seconds: float


def spoil(
    faces: FaceSet, n_faces: int, n_spoiled: int, rng: np.random.Generator
) -> tuple[FaceSet, NDArray[np.float32], NDArray[np.bool_]]:
    """Return some of the faces, the same with ``n_spoiled`` pixels of each turned white, and which, (n, F)."""
    clean = faces.take(rng.choice(len(faces.V), min(n_faces, len(faces.V)), replace=False))
    hit = np.zeros(clean.V.shape, bool)
    for row in hit:
        row[rng.choice(row.size, n_spoiled, replace=False)] = True
    return clean, np.where(hit, np.float32(1), clean.V), hit


def measure(
    who: Contestant, faces: FaceSet, n_faces: int, n_spoiled: int, seed: int, chosen: Mapping[str, object]
) -> Found:
    """Return how well a method finds what was spoiled, and what it makes of the faces.

    What is detected is what is not 0 of the outliers (paper: of ``E``). The error is the paper's mean squared
    reconstruction error: squares summed over an image, mean over the images, units of white.
    """
    clean, V, hit = spoil(faces, n_faces, n_spoiled, np.random.default_rng((seed, n_faces, n_spoiled)))
    fitted = fit(who.key, clean.layout, V, {**who.chosen, **chosen}, seed, PASSES)
    detected = fitted.outliers != 0
    hits = float((detected & hit).sum())
    error = float(np.square(fitted.background - clean.V, dtype=np.float64).sum() / len(V))
    return Found(100 * hits / max(detected.sum(), 1), 100 * hits / hit.sum(), error, fitted.seconds)


@dataclass
class Plan:
    """Settings to be measured, and what came of each."""

    faces: FaceSet
    seed: int
    found: dict[tuple[str, int, int, float | None], list[Found]] = field(default_factory=dict)
    todo: list[tuple[Contestant, int, int, float | None, int]] = field(default_factory=list)

    def want(self, who: Contestant, n_faces: int, n_spoiled: int, repeats: int, lam: float | None = None) -> None:
        """Plan so many runs of a setting, counting those that are planned already."""
        have = sum(job[:4] == (who, n_faces, n_spoiled, lam) for job in self.todo)
        self.todo += [(who, n_faces, n_spoiled, lam, repeat) for repeat in range(have, repeats)]

    def run(self, who: Contestant, n_faces: int, n_spoiled: int, lam: float | None, repeat: int) -> None:
        """Do one run that was planned."""
        chosen = {} if lam is None else {"lam_squared": lam}
        found = measure(who, self.faces, n_faces, n_spoiled, self.seed + repeat, chosen)
        self.found.setdefault((who.name, n_faces, n_spoiled, lam), []).append(found)

    def of(
        self, what: Callable[[Found], float], who: Contestant, n_faces: int, n_spoiled: int, lam: float | None = None
    ) -> list[float]:
        """Return a figure of each run of a setting."""
        return [what(one) for one in self.found[who.name, n_faces, n_spoiled, lam]]
