"""Weights of the head: those that training starts from, and the file that holds the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.io.publishing.single_file import replacing
from core.kernels.cell_features import N
from core.scene.masks.head_weights import FEATURES, REACHES, Weights, load_weights


def first_weights() -> Weights:
    """Return a head made by hand, with which the first examples are recorded.

    Foreground is where a neighbourhood differs by over some four noise scales in luma or one of chroma. What is
    learnt is not built on it: it only keeps the loop going, as any rough mask would.
    """
    made = Weights(
        np.zeros((N, N), np.float32), np.zeros(N, np.float32), np.zeros((len(REACHES), N, 9), np.float32),
        np.zeros((len(REACHES), N, N), np.float32), np.zeros((len(REACHES), N), np.float32),
        np.zeros((2, N), np.float32), np.array([-2.5, -12], np.float32),
    )  # fmt: skip
    # Feature 2 is the root mean square of luma, 3 and 4 are chroma; x / (4 + x) squashes all of them.
    for channel, (feature, sign, bar) in enumerate(
        [(2, 1, 0.5), (3, 1, 0.55), (3, -1, 0.55), (4, 1, 0.55), (4, -1, 0.55)]
    ):
        made.enter[channel, feature], made.enter_bias[channel] = sign, -bar
        made.spread[0, channel] = 1 / 9
        made.mix[0, 5, channel] = 1
    made.leave[0, 5] = 60
    return made


def start_from(path: Path | None) -> tuple[Weights, int, int, int]:
    """Return the weights of a file, and of how many rounds, clips and examples they came about; without one, the first.

    Raises
    ------
    CleanplateError
        It cannot be read, or holds none.
    """
    if path is None:
        return first_weights(), 0, 0, 0
    weights = load_weights(path)
    with np.load(path) as file:
        return weights, int(file["rounds"]), int(file["clips"]), int(file["examples"])


def save_weights(path: Path, weights: Weights, *, seed: int, rounds: int, clips: int, examples: int) -> None:
    """Write weights to a file (.npz), which is complete or not there, and how they came about.

    Parameters
    ----------
    path : Path
    weights : Weights
    seed, rounds : int
        What training was started with.
    clips, examples : int
        How many were recorded, over all rounds.
    """
    header = {"features": FEATURES, "seed": seed, "rounds": rounds, "clips": clips, "examples": examples}
    arrays = {
        **weights._asdict(),
        **{name: np.array(value, np.int64) for name, value in header.items()},
    }
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(file, **arrays)
