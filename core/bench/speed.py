"""How fast the fast method is, beside OpenCV's background subtractors, in one process and in turns."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass

import cv2
import numpy as np

from core import catalogue
from core.bench.clips import street_clip
from core.frames.frame import Frame, Layout, Planes, Values
from core.kernels import dictionary_pass
from core.runtime import bands
from core.runtime.memory import peak_mib
from core.scene.masks.foreground import Foreground
from core.scene.stabiliser import STEADY, Steady
from core.session.feedback import Guide

SIZES = ((320, 240), (640, 480), (1280, 720), (1920, 1080), (3840, 2160))
RANKS = (1, 3, 5, 10)
ROUND = 8
"""Frames a method works on before the next one's turn: as many as lie between two improvements of the basis, so that
every round holds the same work."""

N_CLIP = 16
"""Different frames in a clip; it is shown again and again."""

WARM_ROUNDS = 4

WARM_FRAMES = 192
"""Frames before the fast method is measured: the looks that a plate is repaired from are taken ever more seldom."""


@dataclass(frozen=True)
class Case:
    """One size, kind and rank to measure."""

    width: int
    height: int
    colour: bool
    rank: int

    @property
    def layout(self) -> Layout:
        """Of the frames: as video decodes."""
        return Layout(self.height, self.width, Planes.YCC420 if self.colour else Planes.GREY)


@dataclass(frozen=True)
class Timing:
    """What one case gave: medians over rounds, milliseconds a frame.

    Attributes
    ----------
    fast_ms : float
        Background, outliers, learning, mask and what the plate is made of.
    step_ms, mask_ms : float
        The same in two parts; what the plate is made of is in the second.
    mog2_ms, knn_ms : float
        OpenCV's ``apply`` on the same picture in grey or BGR, which gives a mask only.
    background_ms : float
        The fused pass alone: one read of the dictionary, background written.
    bandwidth_share : float
        Bytes that pass moves in a second, over those that copying moves.
    peak_mib : float
        Memory of a process that runs this case alone with the fast method.
    """

    width: int
    height: int
    colour: bool
    rank: int
    fast_ms: float
    step_ms: float
    mask_ms: float
    mog2_ms: float
    knn_ms: float
    background_ms: float
    bandwidth_share: float
    peak_mib: float

    def as_data(self) -> dict[str, object]:
        """Return plain data, with the ratios."""
        return {**asdict(self), "mog2_ratio": self.mog2_ms / self.fast_ms, "knn_ratio": self.knn_ms / self.fast_ms}


def cases(sizes: tuple[tuple[int, int], ...] = SIZES) -> list[Case]:
    """Return every size at rank 3, and every rank at full HD (or the largest size, where that is smaller)."""
    kinds = (False, True)
    chosen = [Case(w, h, colour, 3) for w, h in sizes for colour in kinds]
    w, h = (1920, 1080) if (1920, 1080) in sizes else max(sizes)
    return chosen + [Case(w, h, colour, rank) for rank in RANKS if rank != 3 for colour in kinds]


def run(chosen: list[Case], rounds: int = 12) -> Iterator[Timing]:
    """Measure one case after another."""
    copied = copy_bandwidth()
    for case in chosen:
        yield _measure(case, rounds, copied)


def copy_bandwidth() -> float:
    """Return the bytes, read and written, that copying on all cores moves in a second."""
    n = 1 << 26
    source, target = np.ones(n, np.uint8), np.empty(n, np.uint8)
    return 2 * n / _median_seconds(lambda: bands.run(_copy, n, source, target), 11)


def fitted_exponent(sizes: list[float], times: list[float]) -> float:
    """Return p of the best fit ``time ∝ size^p``."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def _copy(start: int, stop: int, source: np.ndarray, target: np.ndarray) -> None:
    np.copyto(target[start:stop], source[start:stop])


def _measure(case: Case, rounds: int, copied: float) -> Timing:
    clip = street_clip(case.layout, N_CLIP)
    pictures = [np.ascontiguousarray(f.image()[..., ::-1]) if case.colour else f.image() for f in clip]
    engine = _Engine(case)
    mog2, knn = cv2.createBackgroundSubtractorMOG2(), cv2.createBackgroundSubtractorKNN()
    times: dict[str, list[float]] = {name: [] for name in ("step", "mask", "fast", "mog2", "knn")}
    for i in range(WARM_FRAMES):
        engine.frame(clip[i % N_CLIP])
    for turn in range(WARM_ROUNDS + rounds):
        at = [(turn * ROUND + i) % N_CLIP for i in range(ROUND)]
        parts = np.sum([engine.frame(clip[i]) for i in at], axis=0)
        spent = {**dict(zip(("step", "mask"), parts, strict=True)), "fast": parts.sum()}
        for name, method in (("mog2", mog2), ("knn", knn)):
            started = time.perf_counter()
            for i in at:
                method.apply(pictures[i])
            spent[name] = time.perf_counter() - started
        if turn >= WARM_ROUNDS:
            for name, seconds in spent.items():
                times[name].append(1e3 * seconds / ROUND)
    median = {name: float(np.median(values)) for name, values in times.items()}
    fused = _median_seconds(engine.fused_pass, 15)
    moved = engine.dictionary_bytes + case.layout.n_values
    return Timing(
        case.width, case.height, case.colour, case.rank, median["fast"], median["step"], median["mask"],
        median["mog2"], median["knn"], 1e3 * fused, moved / fused / copied, _peak_alone(case),
    )  # fmt: skip


class _Engine:
    """What a session does with each frame between reading it and giving its report."""

    def __init__(self, case: Case) -> None:
        row = catalogue.row("fast")
        values = catalogue.complete(row, {"rank": case.rank, "learn_every": ROUND, "warm_up": 2})
        self._layout = case.layout
        self._method = row.build(case.layout, {p.name: values[p.name] for p in row.parameters}, 0)
        foreground = Foreground(case.layout, {p.name: values[p.name] for p in catalogue.MASK_PARAMETERS})
        self._guide = Guide(case.layout, self._method, foreground, learning=True, makes_masks=False)
        self._steady = Steady(case.layout, float(values[STEADY.name] or 0))
        self._known: Values | None = None

    @property
    def dictionary_bytes(self) -> int:
        return self._method.W.nbytes

    def frame(self, frame: Frame) -> tuple[float, float]:
        """Return the seconds of step and mask."""
        started = time.perf_counter()
        if self._known is not None:
            self._steady.find(frame.values, self._known)
        split = self._method.step(frame.values)
        self._known = split.samples(self._layout)
        stepped = time.perf_counter()
        self._guide.mask(frame, split, learns=True)
        return stepped - started, time.perf_counter() - stepped

    def fused_pass(self) -> None:
        W = self._method.W.T
        out = np.empty(W.shape[1], self._layout.dtype)
        h, white, black = np.ones(W.shape[0], np.float32), np.float32(255), np.float32(0)
        bands.run(dictionary_pass.background_band, out.size, W, h, white, self._layout.signed_from, black, black, out)


def _median_seconds(work: Callable[[], object], times: int) -> float:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return float(np.median(spent))


def _peak_alone(case: Case) -> float:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_run_alone, case).result()


def _run_alone(case: Case) -> float:
    clip = street_clip(case.layout, 3)  # Before the method: what drawing takes is free again by then.
    engine = _Engine(case)
    for frame in clip * 3:
        engine.frame(frame)
    return peak_mib()
