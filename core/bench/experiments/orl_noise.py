"""Faces under Laplace noise, salt and pepper, and blocks: Guan et al. (2019), section 5.2, tables 2 to 4."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from core.bench.experiments.base import Progress, Run
from core.bench.experiments.clusters import accuracy, k_means, normalized_mutual_information
from core.bench.experiments.data import FaceSet, drawn_faces, load_orl
from core.bench.experiments.laplace_readings import READINGS, Spoil
from core.bench.experiments.multiplicative import correntropy
from core.bench.experiments.orl_noise_report import result_of
from core.bench.experiments.orl_noise_setting import (
    CLUSTERINGS,
    COMPARED,
    COMPARED_LEVELS,
    ITERATIONS,
    LAPLACE,
    MULTIPLICATIVE,
    NAMES,
    NOISES,
    RANK,
    SIDE,
    UPDATES,
    VARIANTS,
    Figures,
    Matrix,
    Noise,
)
from core.bench.experiments.runs import batch_learner, build, warm_up
from core.frames.frame import Layout, Planes
from core.io.sources.samples.faces import N_FACES

CROP = (30, 94, 14, 78)
"""Rows and columns of an ORL face that hold brows to chin: least squares then has the paper's errors, within 4 %."""

QUICK = 30
"""Faces of a first look."""


def run(data: Path | None, seed: int, quick: bool, noise: str) -> Run:
    """Run the experiment of one of `NOISES`; see `core.bench.experiments.base`."""
    return _run(NOISES[noise], data, seed, quick)


def _run(noise: Noise, data: Path | None, seed: int, quick: bool) -> Run:
    n = QUICK if quick else N_FACES
    faces = drawn_faces(n, size=(SIDE, SIDE)) if data is None else faces_from(data)
    faces = faces.first(QUICK) if quick else faces
    noise = replace(noise, levels=noise.levels[:2]) if quick else noise
    chosen: dict[str, int] = {"rank": 10 if quick else RANK, "iterations": 3 if quick else ITERATIONS}
    keys = list(NAMES)
    measured: Figures = {name: {key: [] for key in keys} for name in ("error", "accuracy", "nmi", "seconds")}
    bound = _bound(faces.V, chosen["rank"])
    others = READINGS if noise.title == LAPLACE.title else {}
    total = len(noise.levels) * len(keys) + len(others)
    for place, level in enumerate(noise.levels):
        V = noise.spoil(faces.V, level, np.random.default_rng((seed, place)))
        for step, key in enumerate(keys):
            yield Progress(place * len(keys) + step, total, f"{NAMES[key]}, {level:g} ({noise.unit})")
            if key == "k-means":
                _cluster(measured, key, V, faces, seed)
                continue
            background, H, seconds = _factorize(key, faces.layout, V, chosen, seed)
            measured["error"][key].append(100 * _relative(background, faces.V))
            measured["seconds"][key].append(seconds)
            _cluster(measured, key, H, faces, seed)
    readings: dict[str, list[list[float]]] = {}
    for step, (name, spoil) in enumerate(others.items()):
        yield Progress(total - len(others) + step, total, f"Laplace noise, {name}")
        readings[name] = _with_reading(spoil, faces, chosen, seed, COMPARED_LEVELS[:1] if quick else COMPARED_LEVELS)
    return result_of(noise, faces, measured, bound, seed, readings)


def _with_reading(
    spoil: Spoil, faces: FaceSet, chosen: Mapping[str, int], seed: int, levels: tuple[float, ...]
) -> list[list[float]]:
    """Return the relative error, %, at each level of each method that readings are compared with."""
    spoiled = [spoil(faces.V, level, np.random.default_rng((seed, i))) for i, level in enumerate(levels)]
    return [
        [100 * _relative(_factorize(key, faces.layout, V, chosen, seed)[0], faces.V) for key in COMPARED]
        for V in spoiled
    ]


def faces_from(data: Path) -> FaceSet:
    """Return the ORL faces, cropped to brows and chin, 32×32 pixels."""
    whole = load_orl(data)
    top, bottom, left, right = CROP
    images = whole.V.reshape(-1, whole.layout.height, whole.layout.width)[:, top:bottom, left:right]
    small = [cv2.resize(np.ascontiguousarray(i), (SIDE, SIDE), interpolation=cv2.INTER_AREA).ravel() for i in images]
    return FaceSet("ORL faces, cropped,", Layout(SIDE, SIDE, Planes.GREY), np.stack(small), whole.labels)


def _factorize(
    key: str, layout: Layout, V: Matrix, chosen: Mapping[str, int], seed: int
) -> tuple[Matrix, Matrix, float]:
    """Return background (n, F) and coefficients (n, K) of the factors as they were learnt, and seconds of processor."""
    if key == MULTIPLICATIVE:
        started = time.process_time()
        updates = min(UPDATES, UPDATES * int(chosen["iterations"]) // ITERATIONS)
        background, H = correntropy(V, int(chosen["rank"]), updates, seed)
        return background, H, time.process_time() - started
    row, values = VARIANTS.get(key, (key, {}))
    warm_up(row, layout, V, {**chosen, **values}, seed)
    started = time.process_time()
    method = batch_learner(build(row, layout, {**chosen, **values}, seed))
    method.gather(V)
    method.fit()
    encoding = method.encoding()
    seconds = time.process_time() - started
    return np.asarray(encoding.background, np.float32), np.asarray(encoding.H, np.float32), seconds


def _relative(found: Matrix, clean: Matrix) -> float:
    return float(np.linalg.norm(found - clean) / np.linalg.norm(clean))


def _bound(clean: Matrix, rank: int) -> float:
    """Return the relative error, %, of the best approximation of that rank, signs free."""
    energy = np.linalg.svd(clean, compute_uv=False).astype(np.float64) ** 2
    return float(100 * np.sqrt(energy[rank:].sum() / energy.sum()))


def _cluster(measured: Figures, key: str, X: Matrix, faces: FaceSet, seed: int) -> None:
    """Add what k-means makes of coefficients, where it is known whose faces they are."""
    if faces.labels is None:
        return
    n_persons = int(faces.labels.max()) + 1
    runs = [k_means(X, n_persons, np.random.default_rng((seed, run))) for run in range(CLUSTERINGS)]
    measured["accuracy"][key].append(100 * float(np.mean([accuracy(found, faces.labels) for found in runs])))
    mean = np.mean([normalized_mutual_information(found, faces.labels) for found in runs])
    measured["nmi"][key].append(100 * float(mean))
