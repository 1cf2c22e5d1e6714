"""How sure the head has to be of foreground, found on clips to which it was not fitted.

In the fit some cells count more than others (`core.training.augment.importance`), which moves the point from which on
the head says foreground. All cells count the same here, and all clips.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.scene.masks.head_weights import Weights
from core.training.examples import Example
from core.training.fit import logits, torch_or_error

STEP = 0.1
"""From one bias that is tried to the next."""

FARTHEST = 30
"""Steps that are tried both ways."""

Judged = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Of the cells of a frame: logit, share that is foreground, and how much each counts."""


def calibrated(weights: Weights, clips: Iterable[Sequence[Example]]) -> tuple[Weights, float, float]:
    """Return weights with the bias of foreground that serves some clips best, what was added, and the F; see there.

    Torch is needed.
    """
    added, f = best_bias([[_judged(weights, example) for example in examples] for examples in clips])
    leave_bias = weights.leave_bias + np.array([added, 0], np.float32)
    return weights._replace(leave_bias=leave_bias), added, f


def best_bias(clips: Iterable[Sequence[Judged]]) -> tuple[float, float]:
    """Return what has to be added to logits for the mean F of the cells of clips to be best, and that F.

    Clips without foreground say nothing; where all are such, 0 is returned for both.
    """
    scores = [f for f in map(_f_of_biases, clips) if f is not None]
    if not scores:
        return 0.0, 0.0
    mean = np.mean(scores, axis=0)
    best = int(np.argmax(mean))
    return STEP * (best - FARTHEST), float(mean[best])


def _f_of_biases(judged: Sequence[Judged]) -> NDArray[np.float64] | None:
    """Return F of the cells of a clip for each bias, None where there is no foreground."""
    bars = -STEP * np.arange(-FARTHEST, FARTHEST + 1)  # That a logit has to exceed.
    hit, found, real = np.zeros(len(bars)), np.zeros(len(bars)), 0.0
    for logit, foreground, counts in judged:
        real += float((counts * foreground).sum())
        for k, bar in enumerate(bars):
            said = counts[logit > bar]
            hit[k] += float((said * foreground[logit > bar]).sum())
            found[k] += float(said.sum())
    return None if real == 0 else 2 * hit / (found + real)


def _judged(weights: Weights, example: Example) -> Judged:
    torch = torch_or_error()
    network = {name: torch.from_numpy(value) for name, value in weights._asdict().items()}
    active, features = example.active.astype(np.float32), example.features.astype(np.float32)
    with torch.no_grad():
        found = logits(torch, network, torch.from_numpy(features[None]), torch.from_numpy(active[None, None]))
    return found[0, 0].numpy(), example.foreground.astype(np.float32), active * example.weight
