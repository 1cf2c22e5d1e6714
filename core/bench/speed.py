"""How fast a session with the fast method is, beside OpenCV's background subtractors, in one process and in turns."""

from __future__ import annotations

import itertools
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench.clips import street_clip
from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.kernels import dictionary_pass
from core.runtime import bands
from core.runtime.memory import peak_mib
from core.session.report import Report
from core.session.session import Session
from core.session.settings import Settings

SIZES = ((320, 240), (640, 480), (1280, 720), (1920, 1080), (3840, 2160))
RANKS = (1, 3, 5, 10)
ROUND = 8
"""Frames a method works on before the next one's turn: as many as lie between two improvements of the basis, so that
every round holds the same work."""

N_CLIP = 16
"""Different frames in a clip; it is shown again and again."""

WARM_ROUNDS = 4

WARM_FRAMES = 192
"""Frames before the fast method is measured: the samples that a plate is repaired from are taken ever more seldom."""


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
        Background, outliers, learning, mask and what the plate is made of: what a session's reports tell of its time,
        but for the time it waits for frames.
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


def _copy(start: int, stop: int, source: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    np.copyto(target[start:stop], source[start:stop])


def _measure(case: Case, rounds: int, copied: float) -> Timing:
    clip = street_clip(case.layout, N_CLIP)
    pictures = [np.ascontiguousarray(f.image()[..., ::-1]) if case.colour else f.image() for f in clip]
    session = _session(case, clip)
    subtractors = {"mog2": cv2.createBackgroundSubtractorMOG2(), "knn": cv2.createBackgroundSubtractorKNN()}
    times: dict[str, list[float]] = {name: [] for name in ("step", "mask", "fast", *subtractors)}
    with closing(session.run()) as reports:
        _spend(reports, WARM_FRAMES)
        for turn in range(WARM_ROUNDS + rounds):
            step, mask = _spend(reports, ROUND)
            spent = {"step": step, "mask": mask, "fast": step + mask}
            at = [(turn * ROUND + i) % N_CLIP for i in range(ROUND)]
            for name, subtractor in subtractors.items():
                started = time.perf_counter()
                for i in at:
                    subtractor.apply(pictures[i])
                spent[name] = 1e3 * (time.perf_counter() - started)
            if turn >= WARM_ROUNDS:
                for name, milliseconds in spent.items():
                    times[name].append(milliseconds / ROUND)
    median = {name: float(np.median(values)) for name, values in times.items()}
    W = session.method.W.T
    fused = _median_seconds(lambda: _fused_pass(W, case.layout), 15)
    moved = W.nbytes + case.layout.n_values
    return Timing(
        case.width, case.height, case.colour, case.rank, median["fast"], median["step"], median["mask"],
        median["mog2"], median["knn"], 1e3 * fused, moved / fused / copied, _peak_alone(case),
    )  # fmt: skip


class Endless:
    """A source that shows a clip again and again, from memory.

    Parameters
    ----------
    clip : list of Frame
    """

    def __init__(self, clip: list[Frame]) -> None:
        self.info = SourceInfo("Clip", clip[0].layout, None, None)
        self.warnings: list[str] = []
        self._clip = clip

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Yield frames without end, from frame ``first`` on."""
        yield from itertools.islice(itertools.cycle(self._clip), first, None)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _session(case: Case, clip: list[Frame]) -> Session:
    return Session(Endless(clip), Settings(values={"rank": case.rank, "learn_every": ROUND, "warm_up": 2}))


def _spend(reports: Iterator[Report], n_frames: int) -> tuple[float, float]:
    """Let a session go on by some frames; return the milliseconds of step and mask, of all of them together."""
    stages = [report.stages_ms for report in itertools.islice(reports, n_frames)]
    return sum(ms["step"] for ms in stages), sum(ms["mask"] for ms in stages)


def _fused_pass(W: NDArray[np.float32], layout: Layout) -> None:
    out = np.empty(W.shape[1], layout.dtype)
    h, white, black = np.ones(W.shape[0], np.float32), np.float32(255), np.float32(0)
    bands.run(dictionary_pass.background_band, out.size, W, h, white, layout.signed_from, black, black, out)


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
    with closing(_session(case, clip).run()) as reports:
        _spend(reports, 3 * len(clip))
    return peak_mib()
