"""The head's weights, fitted to examples by gradient descent. Needs torch, which the program itself does not."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.kernels.cell_features import BLOCK, N
from core.scene.masks.head_weights import REACHES, Weights
from core.training.augment import SHADOWS, importance, varied
from core.training.examples import Example

CROP = 64
"""Side of what is cut out of an example, cells: more than the 31 that the network sees."""

BATCH = 16
RATE = 3e-3
DECAY = 5e-3
WARMING = 0.1
"""Share of the steps in which the rate rises."""

SHADOW_COUNTS = 0.5
"""The loss on shadows counts this much of that on the foreground: masks are what is asked for."""

LATE = 0.995
"""What is returned is the running mean of the weights, with this share of the mean before at each step: single steps
differ, in what the closed loop makes of them, by more than ten rounds improve."""

TELL_EVERY = 250

Arrays = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Features (B, N, h, w), active (B, 1, h, w), targets (B, 2, h, w) and their weight (B, 1, h, w)."""


@dataclass(frozen=True)
class CellScore:
    """How well cells are told apart, over all cells of some examples; each from 0 to 1.

    Attributes
    ----------
    precision, recall, f : float
        Of the cells at which the head looked.
    missed : float
        Mean share of the foreground at which it did not.
    """

    precision: float
    recall: float
    f: float
    missed: float


def torch_or_error() -> Any:
    """Return the torch module.

    Raises
    ------
    CleanplateError
        It is not installed.
    """
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise CleanplateError("Training needs torch, which is absent; pip install 'cleanplate[train]'.") from error


def fit(
    examples: Sequence[Example], steps: int, seed: int, start: Weights | None = None,
    tell: Callable[[int, float], None] = lambda step, loss: None, *, shadows: float = SHADOWS,
) -> Weights:  # fmt: skip
    """Return weights that tell the foreground of examples, the same for the same seed on the same machine.

    Parameters
    ----------
    examples : sequence of Example
    steps : int
        Batches that are looked at.
    seed : int
    start : Weights, optional
        To go on from; drawn otherwise.
    tell : callable
        Called now and then with the steps done and the mean loss of late.
    shadows : float
        How much a cell in shadow counts.

    Raises
    ------
    CleanplateError
        There is no example, or torch is not installed.
    """
    torch = torch_or_error()
    if not examples:
        raise CleanplateError("There is nothing to train on: the clips gave no example.")
    rng = np.random.default_rng((seed, 2))
    network = {k: torch.tensor(v, requires_grad=True) for k, v in (start or drawn_weights(rng))._asdict().items()}
    optimiser = torch.optim.AdamW(network.values(), lr=RATE, weight_decay=DECAY)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=WARMING)
    late, mean = 0.0, {name: value.detach().clone() for name, value in network.items()}
    for step, arrays in enumerate(draw_batches(examples, steps, rng, shadows)):
        features, active, target, weight = map(torch.from_numpy, arrays)
        loss = _loss(torch, logits(torch, network, features, active), target, weight * active)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.values(), 1.0)
        optimiser.step()
        rates.step()
        share = max(1 - LATE, 1 / (step + 1))
        for name, value in network.items():
            mean[name] += share * (value.detach() - mean[name])
        late += (float(loss.detach()) - late) / min(step + 1, TELL_EVERY)
        if (step + 1) % TELL_EVERY == 0 or step + 1 == steps:
            tell(step + 1, late)
    return Weights.of({name: value.numpy() for name, value in mean.items()})


def drawn_weights(rng: np.random.Generator) -> Weights:
    """Return weights to begin with: uniform by the number of inputs (He et al. 2015); layers add little at first."""

    def uniform(*shape: int, inputs: int, part: float = 1.0) -> NDArray[np.float32]:
        drawn: NDArray[np.float32] = (part * rng.uniform(-1, 1, shape) / np.sqrt(inputs)).astype(np.float32)
        return drawn

    n = len(REACHES)
    return Weights(
        uniform(N, N, inputs=N), uniform(N, inputs=N), uniform(n, N, 9, inputs=9), uniform(n, N, N, inputs=N, part=0.5),
        uniform(n, N, inputs=N), uniform(2, N, inputs=N), uniform(2, inputs=N),
    )  # fmt: skip


def logits(torch: Any, network: dict[str, Any], features: Any, active: Any) -> Any:
    """Return logits (B, 2, h, w) of foreground and shadow, as the kernels of `core.kernels.head` compute them.

    Activations are 0 where the head does not look, after each layer.
    """
    conv, relu = torch.nn.functional.conv2d, torch.nn.functional.relu
    x = relu(conv(features, network["enter"][:, :, None, None], network["enter_bias"])) * active
    for k, reach in enumerate(REACHES):
        kernel = network["spread"][k].reshape(N, 1, 3, 3)
        around = conv(x, kernel, padding=reach, dilation=reach, groups=N)
        x = relu(x + conv(around, network["mix"][k][:, :, None, None], network["mix_bias"][k])) * active
    return conv(x, network["leave"][:, :, None, None], network["leave_bias"])


def _loss(torch: Any, found: Any, target: Any, weight: Any) -> Any:
    """Return the mean cross entropy of scored cells."""
    parts = torch.nn.functional.binary_cross_entropy_with_logits(found, target, reduction="none") * weight
    n = weight.sum().clamp(min=1)
    return parts[:, 0].sum() / n + SHADOW_COUNTS * parts[:, 1].sum() / n


def draw_batches(
    examples: Sequence[Example], n: int, rng: np.random.Generator, shadows: float = SHADOWS
) -> Iterator[Arrays]:
    """Yield batches of crops: mirrored or not, and varied (`core.training.augment`)."""
    size = tuple(min(CROP, max(x.active.shape[axis] for x in examples)) for axis in (0, 1))
    for _ in range(n):
        features, rest = np.zeros((BATCH, N, *size), np.float32), np.zeros((4, BATCH, *size), np.float32)
        for k in range(BATCH):
            example, part = _draw_crop(examples, rng)
            seen = example.features[:, *part].astype(np.float32)
            maps = [x[part] for x in (example.active, example.foreground, example.shadow, example.weight)]
            maps[3] = maps[3] * importance(seen, maps[1].astype(np.float32), maps[2].astype(np.float32), shadows)
            seen = varied(seen, maps[0], rng)
            side = slice(None, None, -1 if rng.random() < 0.5 else 1)
            height, width = maps[0].shape
            features[k, :, :height, :width] = seen[..., side]
            for to, one in zip(rest, maps, strict=True):
                to[k, :height, :width] = one[:, side]
        yield features, rest[0][:, None], np.stack([rest[1], rest[2]], 1), rest[3][:, None]


def _draw_crop(examples: Sequence[Example], rng: np.random.Generator) -> tuple[Example, tuple[slice, slice]]:
    """Draw an example and a part of it in which the head looks at something."""
    while True:
        example = examples[int(rng.integers(len(examples)))]
        # In whole blocks, as those are what is looked at.
        top, left = (int(rng.integers(max(1, n - CROP + 1))) // BLOCK * BLOCK for n in example.active.shape)
        part = slice(top, top + CROP), slice(left, left + CROP)
        if example.active[part].any():
            return example, part


def score(weights: Weights, examples: Iterable[Example]) -> CellScore:
    """Return how well weights tell the cells of examples apart; torch is needed."""
    torch = torch_or_error()
    network = {name: torch.from_numpy(value) for name, value in weights._asdict().items()}
    hit = false = lost = 0.0
    missed = []
    with torch.no_grad():
        for example in examples:
            active = example.active.astype(np.float32)
            seen = torch.from_numpy(example.features.astype(np.float32))[None]
            found = logits(torch, network, seen, torch.from_numpy(active)[None, None])[0, 0].numpy() > 0
            counts, real = active * example.weight, example.foreground.astype(np.float32)
            hit += float((counts * found * real).sum())
            false += float((counts * found * (1 - real)).sum())
            lost += float((counts * ~found * real).sum())
            missed.append(example.missed)
    return CellScore(
        hit / max(hit + false, 1e-9), hit / max(hit + lost, 1e-9), 2 * hit / max(2 * hit + false + lost, 1e-9),
        float(np.mean(missed)) if missed else 0.0,
    )  # fmt: skip
