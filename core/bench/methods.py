"""Methods over the same input, one after the other: what each costs, and how good it is where the truth is known."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.bench.opencv_subtractors import picture_for_opencv
from core.bench.plates import score
from core.bench.scores import KEPT_TIMES
from core.errors import CleanplateError
from core.frames.decimated_history import DecimatedHistory
from core.frames.frame import Frame, frame_from_image
from core.frames.residual import residual_rms
from core.frames.running_median import twice_in_each_doubling
from core.io.sources.base import Source
from core.runtime.memory import resident_mib
from core.scene.clean_plate import CleanPlate
from core.session.report import Report
from core.session.session import Session
from core.session.settings import Settings

KEPT_POINTS = 2000
"""Points of a residual's curve, evenly spread over the run."""


@dataclass(frozen=True)
class Example:
    """What a method made of one frame, for a contact sheet.

    Attributes
    ----------
    index : int
    picture, background, mask
        (H, W) or (H, W, 3) RGB, 8 bits.
    """

    index: int
    picture: NDArray[np.uint8]
    background: NDArray[np.uint8]
    mask: NDArray[np.uint8]


@dataclass(frozen=True)
class MethodResult:
    """What one method gave.

    Attributes
    ----------
    key, title : str
    n_frames : int
        Of the last pass, which alone is scored.
    step_ms, mask_ms : float
        Medians over the last pass. A method of reference makes its mask within the step.
    seconds : float
        All passes, with decoding.
    mib : float
        Largest resident memory of the process after any frame; methods that ran before may have left some behind.
    figures : mapping
        Where the truth is known: ``psnr_db`` (mean over frames), ``relative_error``, ``f_measure``, ``precision``,
        ``recall`` over the pass; ``age`` and ``peps`` of the plate.
    residuals : list of (index, rms)
        Root mean square of the residual's luma, units of white, at frames spread over the last pass.
    example : Example
        A frame in the second half of the input, the same for all methods.
    """

    key: str
    title: str
    n_frames: int
    step_ms: float
    mask_ms: float
    seconds: float
    mib: float
    figures: Mapping[str, float]
    residuals: Sequence[tuple[int, float]] = field(repr=False)
    example: Example = field(repr=False)

    def as_data(self) -> dict[str, object]:
        """Return plain data, rounded."""
        return {
            "method": self.key, "frames": self.n_frames, "step_ms": round(self.step_ms, 4),
            "mask_ms": round(self.mask_ms, 4), "seconds": round(self.seconds, 3), "mib": round(self.mib, 1),
            **{key: round(value, 5) for key, value in self.figures.items()},
        }  # fmt: skip


def settings_for(methods: Sequence[str], values: Mapping[str, str], passes: int = 1, seed: int = 0) -> list[Settings]:
    """Return the settings of each method: ``values`` go to every method that has such a parameter.

    A name such as ``opgd.rank`` is meant for that method alone, and goes before the plain ``rank``.

    Raises
    ------
    CleanplateError
        An unknown method, a parameter that none of them has, or a value out of range.
    """
    if len(set(methods)) != len(methods) or not methods:
        raise CleanplateError("Name each method to compare once, such as --methods fast,opgd,mog2.")
    rows = [catalogue.row(key) for key in methods]
    known = {p for row in rows for name in catalogue.parameters(row) for p in (name, f"{row.key}.{name}")}
    unknown = [name for name in values if name not in known]
    if unknown:
        raise CleanplateError(f"None of {', '.join(methods)} has a parameter {unknown[0]!r}; see cleanplate methods.")
    found = []
    for row in rows:
        own = {name: values[name] for name in catalogue.parameters(row) if name in values}
        own |= {name.removeprefix(f"{row.key}."): v for name, v in values.items() if name.startswith(f"{row.key}.")}
        checked = catalogue.complete(row, own)
        found.append(Settings(row.key, {name: checked[name] for name in own}, passes, seed))
    return found


def measure(
    open_input: Callable[[], Source],
    settings: Settings,
    truth: TruePlate,
    tell: Callable[[int, int | None], None] = lambda done, total: None,
) -> MethodResult:
    """Run one method over an input.

    Parameters
    ----------
    open_input : callable
        Opens the input.
    settings : Settings
    truth : TruePlate
        Shared by all methods: the first that runs fills it.
    tell : callable
        Called with the frames done in this pass and their number, where known.

    Raises
    ------
    CleanplateError
        The input cannot be read, or holds no frames.
    """
    source = open_input()
    try:
        if source.info.live:
            raise CleanplateError("A camera never shows the same twice; record it to a file, and compare on that.")
        session = Session(source, settings)
        run = _Run()
        started = time.perf_counter()
        for report in session.run():
            run.take(report)
            if report.pass_index == report.n_passes - 1:
                truth.offer(report.frame)
            tell(report.n_done, report.n_frames)
        seconds = time.perf_counter() - started
        if run.example is None:
            raise CleanplateError(f"{source.info.title} holds no frames to read; choose another input.")
        truth.complete()
        plate = frame_from_image(0, 0.0, session.plate(), bit_depth=session.layout.bit_depth)
        return MethodResult(
            settings.method, session.row.title, run.n_frames, statistics.median(run.step_ms),
            statistics.median(run.mask_ms), seconds, run.mib, {**run.figures, **truth.score(plate)},
            run.residuals.items, run.example,
        )  # fmt: skip
    finally:
        source.close()


class TruePlate:
    """What lies behind everything: the median of what each pixel showed while it was labelled as background.

    Where the samples are known without corruption, those count. The first run over an input fills it.
    """

    def __init__(self) -> None:
        self._plate: CleanPlate | None = None
        self._last: Frame | None = None
        self._complete = False
        self._known: tuple[NDArray[np.uint8], NDArray[np.bool_]] | None = None

    def offer(self, frame: Frame) -> None:
        """Take note of a frame that carries its labels."""
        truth = frame.truth
        if self._complete or truth is None or truth.mask is None:
            return
        if self._plate is None:
            self._plate = CleanPlate(frame.layout)
        self._last = frame
        values = frame.values if truth.clean is None else truth.clean
        # Shadows and what is not scored show no plain background either.
        self._plate.offer(values, truth.mask, None)

    def complete(self) -> None:
        """Take no more frames."""
        self._complete = True
        if self._plate is None or self._last is None or self._known is not None:
            return
        seen = self._plate.confidence() > 0
        layout = self._last.layout
        image = layout.image(self._plate.median_of_visible(self._last.values))
        self._known = picture_for_opencv(frame_from_image(0, 0.0, image, bit_depth=layout.bit_depth)), seen
        self._plate = None

    def score(self, plate: Frame) -> dict[str, float]:
        """Return ``age`` and ``peps`` of a plate (see `core.bench.plates`); nothing where no labels are known."""
        if self._known is None or not self._known[1].any():
            return {}
        return score(picture_for_opencv(plate), *self._known).as_data()


class _Run:
    """What is kept of a run, in bounded memory."""

    def __init__(self) -> None:
        self._psnr = 0.0
        self.n_frames = 0
        self.step_ms: deque[float] = deque(maxlen=KEPT_TIMES)
        self.mask_ms: deque[float] = deque(maxlen=KEPT_TIMES)
        self.residuals: DecimatedHistory[tuple[int, float]] = DecimatedHistory(KEPT_POINTS)
        self.mib = 0.0
        self.figures: dict[str, float] = {}
        self.example: Example | None = None

    def take(self, report: Report) -> None:
        self.mib = max(self.mib, resident_mib())
        if report.pass_index < report.n_passes - 1:
            return
        self.n_frames += 1
        self.step_ms.append(report.stages_ms["step"])
        self.mask_ms.append(report.stages_ms["mask"])
        self.residuals.offer((report.frame.index, residual_rms(report.frame, report.split)))
        self.figures = {key: value for key, value in report.figures.items() if key != "psnr_noisy_db"}
        if "psnr_db" in self.figures:
            self._psnr += self.figures["psnr_db"]
            self.figures["psnr_db"] = self._psnr / self.n_frames
        if twice_in_each_doubling(self.n_frames):
            self.example = _example(report)


def _example(report: Report) -> Example:
    shift = report.frame.full.layout.bit_depth - 8
    picture, background = ((p >> shift).astype(np.uint8) for p in (report.input_image, report.background_image))
    return Example(report.frame.index, picture, background, report.full_mask)
