"""The loop: frames go down the path once, and a report comes out for each.

::

    idle ──run()──▶ running ⇄ paused
                      │  └── the mailbox (set) and the flags (pause, stop) are read between frames
                      └──▶ finished (input ended, or stop())

A batch method runs in three phases: it gathers frames in a first pass, iterates over what it kept with a report for
each iteration, and is applied to all frames in a second pass. From a camera, which is read once, it gathers until it
has enough, and is applied to what follows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.errors import CleanplateError
from core.frames import metrics
from core.frames.frame import NO_SHIFT, Frame, Layout, Planes, Shift, Values
from core.frames.split import MaskedSplit, Split
from core.io.sources.base import Source
from core.io.sources.views import Rgb
from core.methods.base import Method
from core.methods.batch import BatchNmf
from core.parameter import Value
from core.scene.masks.corrections import Corrections, Marks
from core.scene.masks.foreground import Foreground
from core.scene.stabiliser import STEADY, Stabiliser
from core.session import alignment
from core.session.batch_set import Gathered
from core.session.feedback import MaskFeedback
from core.session.model import Model
from core.session.phase import Phase
from core.session.reader import Reader
from core.session.report import Report
from core.session.stroke_history import ByHand


@dataclass(frozen=True)
class Settings:
    """What to run and how: the same in the window, on the command line and in a preset.

    Attributes
    ----------
    method : str
        Key of a row of the catalogue.
    values : dict
        Parameters of the method and of the mask that differ from their defaults, by name.
    passes : int
        How often the input is read. Earlier passes learn; the last one gives the results. A batch method reads it
        twice whatever this says, and a camera once.
    seed : int
        Of everything random.
    painted : mapping of arrays
        What was painted by hand on an earlier run of the same input, as `Session.painted` gave it.
    """

    method: str = "fast"
    values: Mapping[str, Value] = field(default_factory=dict)
    passes: int = 1
    seed: int = 0
    painted: Mapping[str, NDArray] = field(default_factory=dict, compare=False)


class Session:
    """Runs one method over one source, as a generator of reports.

    `run` is iterated by one thread; `set`, `pause`, `resume` and `stop` may be called from any other.

    Parameters
    ----------
    source : Source
    settings : Settings
    model : Model, optional
        Apply this model instead of learning: one pass, nothing learnt. Its method and rank hold, whatever
        ``settings`` say.
    """

    def __init__(self, source: Source, settings: Settings, model: Model | None = None) -> None:
        if settings.passes < 1:
            raise CleanplateError(f"The number of passes cannot be {settings.passes}; it is at least 1.")
        if source.info.live and settings.passes > 1:
            raise CleanplateError("A camera can be read only once; use one pass.")
        row = catalogue.row(model.method if model else settings.method)
        if source.info.layout.planes is Planes.YCC420 and not row.for_video:
            source = Rgb(source)
        self.source = source
        self.settings = settings
        self.layout: Layout = source.info.layout
        self._learning = model is None
        chosen = catalogue.complete(row, {**(model.values if model else {}), **settings.values})
        self.method: Method = row.build(self.layout, {p.name: chosen[p.name] for p in row.parameters}, settings.seed)
        self.foreground = Foreground(self.layout, {p.name: chosen[p.name] for p in catalogue.MASK_PARAMETERS})
        self.row = row
        if model:
            model.check_layout(self.layout)
            self.method.load(model.method_state)
            self.foreground.load(model.mask_state)
            # A model has the basis images that it has.
            chosen.update((name, value) for name, value in self.method.values.items() if name == "rank")
        self._values = chosen
        self._mail: dict[str, Value] = {}
        self._lock = threading.Lock()
        self._going = threading.Event()
        self._going.set()
        self._stopped = threading.Event()
        self._last: Split | None = None
        self._latest: Report | None = None
        self._reader = Reader(source)
        self._gathered = Gathered(self.method) if isinstance(self.method, BatchNmf) and self._learning else None
        self._steady = Stabiliser(self.layout, float(chosen.get(STEADY.name) or 0))
        self._given: Frame | None = None
        corrections = Corrections(self.layout)
        corrections.load(settings.painted or (model.mask_state if model else {}))
        self._guide = MaskFeedback(
            self.layout, self.method, self.foreground, corrections,
            learning=self._learning, makes_masks=self._makes_masks,
        )  # fmt: skip
        self._by_hand = ByHand(self.layout, self.method, self._guide, corrections)

    @property
    def values(self) -> dict[str, Value]:
        """Every parameter in force, by name."""
        with self._lock:
            return {**self._values, **self._mail}

    def set(self, changes: Mapping[str, object]) -> None:
        """Change parameters from the next frame on.

        Raises
        ------
        CleanplateError
            An unknown name, a value out of range, a parameter that cannot change while the method runs, or another
            rank for a model that is applied.
        """
        checked = catalogue.check_live(self.row, changes)
        with self._lock:
            if not self._learning and "rank" in checked and checked["rank"] != self._values["rank"]:
                raise CleanplateError("A model that is applied keeps its basis images; learn again to change the rank.")
            self._mail.update(checked)

    def pause(self) -> None:
        """Hold before the next frame."""
        self._going.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._going.set()

    def stop(self) -> None:
        """End after the current frame; `run` returns."""
        self._stopped.set()
        self._going.set()

    def seek(self, index: int) -> None:
        """Go on from frame ``index`` of the source, within the same pass and with what was learnt so far."""
        if self.source.info.live:
            raise CleanplateError("A camera cannot be wound back; only files and samples can be searched.")
        self._reader.seek(index)

    def drop_basis(self, k: int, *, replace: bool = False) -> None:
        """Go on without basis image ``k``; called between frames by the thread that iterates `run`.

        With ``replace`` a new one takes its place, made of what the others do not explain.

        Raises
        ------
        CleanplateError
            A model is applied, it is the last basis image, or none can be made anew while the method runs; then
            nothing is dropped.
        """
        rank = self.method.W.shape[1]
        if not self._learning:
            raise CleanplateError("A model that is applied does not change; learn again to change its basis images.")
        if rank == 1 or not 0 <= k < rank:
            raise CleanplateError(f"Basis image {k + 1} of {rank} has to stay; start over to learn anew.")
        is_live = catalogue.parameters(self.row)["rank"].live
        if replace and not is_live:
            raise CleanplateError(f"{self.row.key} makes no basis image anew; drop it, or start over.")
        self.method.drop(k)
        if is_live:
            self.set({"rank": rank if replace else rank - 1})
        else:
            with self._lock:
                self._values["rank"] = rank - 1

    def correct(
        self, frame: Frame, background: NDArray[np.bool_] | None = None, foreground: NDArray[np.bool_] | None = None
    ) -> Report | None:
        """Take what a person painted on a frame for true, and remember it (`core.scene.masks.corrections`).

        Called between frames by the thread that iterates `run`.

        Parameters
        ----------
        frame : Frame
            As a report had it.
        background, foreground : (H, W) bool, optional
            What was painted as either, at the working size.

        Returns
        -------
        Report or None
            The last report corrected, where it is of this frame.
        """
        seen = alignment.aligned(frame, self._known)
        report = self._by_hand.paint(seen, *(alignment.in_line(where, frame) for where in (background, foreground)))
        self._latest = report or self._latest
        if foreground is not None:
            self._guide.hide_painted()
        return self._as_it_came(report)

    def undo_correction(self) -> Report | None:
        """Forget what was painted last; called as `correct` is.

        Returns
        -------
        Report or None
            As it was, where its frame is still the last one; else the last one, looked at again. None where there was
            nothing to take back, or nothing to show.
        """
        if not self._by_hand.can_undo:
            return None
        report = self._by_hand.undo()
        if report is None:
            return self._look_again(split_anew=True)
        self._latest = report
        return self._as_it_came(report)

    def preview(self) -> Report | None:
        """Show on the last frame what parameters do that were set since; nothing is learnt. Called as `correct` is.

        Returns
        -------
        Report or None
            The last report with another mask; None where no parameter of the mask was set, or it has no mask of ours.
        """
        has_changed = self._read_mail()
        return self._look_again() if has_changed and not self._makes_masks else None

    def forget_painted(self) -> Report | None:
        """Remember nothing of what was painted any more; what was learnt from it stays. Called as `correct` is.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._by_hand.forget()
        return self._look_again()

    def _look_again(self, *, split_anew: bool = False) -> Report | None:
        """Return the last report with the mask that parameters and strokes make of it now; nothing is learnt."""
        report = self._latest
        if report is None or report.phase is Phase.GATHERING:
            return None
        split = report.split
        if isinstance(split, MaskedSplit):
            mask = split.mask
        else:
            split = self.method.transform(report.frame.values) if split_anew and report.iteration is None else split
            mask = self.foreground.detect(report.frame, split).mask
        if report.iteration is None:
            mask = self._by_hand.corrections.preview(report.frame, Marks(mask, mask, None), self.foreground.noise).mask
        self._latest = replace(report, split=split, mask=mask)
        if self._by_hand.report is report:
            self._by_hand.report = self._latest
        return self._as_it_came(self._latest)

    @property
    def painted(self) -> dict[str, NDArray]:
        """What was painted by hand and is remembered; may be read from any thread."""
        return self._by_hand.corrections.state()

    def run(self, first: int = 0) -> Generator[Report, None, None]:
        """Yield a report for each frame, from frame ``first`` of the source on, and for each iteration."""
        try:
            if self._gathered is not None:
                yield from self._run_batch(self._gathered, first)
            else:
                yield from self._run_passes(first)
        finally:
            self._reader.close()

    def _run_passes(self, first: int) -> Iterator[Report]:
        passes = self.settings.passes if self._learning else 1
        for pass_index in range(passes):
            if pass_index and self._last is not None and self._learning:
                self._guide.take_stillest_samples(self._last.samples(self.layout))
                self.foreground.forget_noise()
            phase = Phase.LEARNING if self._learns_in(pass_index) else Phase.APPLYING
            self._reader.start(first)
            yield from self._read(phase, pass_index, passes, first, mask_learns=phase is Phase.LEARNING)

    def _run_batch(self, gathered: Gathered, first: int) -> Iterator[Report]:
        """Gather, iterate, apply; what was learnt before is only applied."""
        self._reader.start(first)
        if not gathered.finished:
            yield from self._read(Phase.GATHERING, 0, 2, first, mask_learns=False)
            yield from self._iterate(gathered)
            if not self.source.info.live:
                self._reader.start(first)
        yield from self._read(Phase.APPLYING, 1, 2, first, mask_learns=True)

    def _read(self, phase: Phase, pass_index: int, passes: int, first: int, *, mask_learns: bool) -> Iterator[Report]:
        """Yield a report for each frame of one pass."""
        score = metrics.RunningScore()
        self._guide.begin_pass()
        learns = phase in (Phase.LEARNING, Phase.GATHERING)
        n_done = 0
        while not self._stopped.is_set() and not (phase is Phase.GATHERING and self._has_enough):
            self._going.wait()
            started = time.perf_counter()
            frame = self._reader.next_frame()
            if frame is None or self._stopped.is_set():
                break
            self._read_mail()
            decoded = time.perf_counter()
            frame, seen = self._in_line(frame, learns)
            lost = self._steady.is_lost
            split = self.method.step(seen.values) if learns and not lost else self.method.transform(seen.values)
            stepped = time.perf_counter()
            gathers = phase is Phase.GATHERING
            if gathers:
                mask = self._gather(frame)
            else:
                unseen = alignment.unseen(frame, all_of_it=lost)
                mask = self._guide.mask(seen, split, unseen, learns=mask_learns and not lost)
            masked = time.perf_counter()
            self._last = split
            n_done += 1
            total = self.source.info.n_frames
            report = Report(
                seen, split, mask, pass_index, passes, n_done,
                None if total is None else max(n_done, total - first), self.foreground.noise,
                {"decode": 1e3 * (decoded - started), "step": 1e3 * (stepped - decoded),
                 "mask": 1e3 * (masked - stepped)},
                phase=phase, warming=self.method.warming if learns else None,
            )  # fmt: skip
            if not gathers and frame.truth is not None:
                shown = alignment.put_back(report, frame)
                report = replace(report, figures=score.update(frame, shown.split, shown.mask))
            self._latest = self._by_hand.report = report
            yield alignment.put_back(report, frame)

    def _iterate(self, gathered: Gathered) -> Iterator[Report]:
        """Yield a report for each iteration of a batch method, until it has finished: one of its frames, as it is."""
        index: int | None = None
        while not gathered.finished:
            self._going.wait()
            if self._stopped.is_set():
                return
            self._read_mail()
            sought = self._reader.taken_seek()
            index = index if sought is None else sought
            report = gathered.improve(index, self.foreground)
            if report is None:
                return  # There was no frame.
            self._last, self._given, self._latest = report.split, report.frame, report
            yield report

    @property
    def _known(self) -> Values | None:
        """The background as it was last recovered, for methods whose frames are brought into line with it."""
        return None if self._last is None or not self._steady.largest else self._last.samples(self.layout)

    def _in_line(self, frame: Frame, learns: bool) -> tuple[Frame, Frame]:
        """Return the next frame as it came, with its shift, and as it would be had the camera not moved."""
        known = self._known
        if known is not None:
            frame = replace(frame, shift=self._steady.find(frame.values, known))
            by = self._steady.drift() if learns else NO_SHIFT
            if by != NO_SHIFT:
                frame = replace(frame, shift=Shift(frame.shift.down - by.down, frame.shift.right - by.right))
                known = alignment.told_anew(known, frame, by)
                self._guide.rebase(known, by)
                self._by_hand.move(round(by.down), round(by.right))
        self._given = frame
        return frame, alignment.aligned(frame, known)

    def _as_it_came(self, report: Report | None) -> Report | None:
        """Return a report of the last frame as one of that frame as it came."""
        return None if report is None or self._given is None else alignment.put_back(report, self._given)

    def _gather(self, frame: Frame) -> NDArray[np.uint8]:
        """Keep a frame to be shown while a batch method iterates; return a mask of nothing, as nothing is known yet."""
        if self._gathered is not None:
            self._gathered.offer(frame)
        return np.zeros((self.layout.height, self.layout.width), np.uint8)

    @property
    def _has_enough(self) -> bool:
        """True where a batch method that reads a camera has as many frames as it keeps."""
        return self.source.info.live and self._gathered is not None and self._gathered.is_full

    def plate(self) -> Values:
        """Return the clean plate as a picture of the working size: each pixel's median while nothing hid it.

        Pixels that were never seen show the background as it was last recovered, and those whose looks do not agree
        what they show when all is still. The plate of a method of reference is its own background.
        """
        if self._last is None:
            raise CleanplateError("There is no plate yet: no frame has been read.")
        return self.layout.image(self._guide.plate(self._last.samples(self.layout)))

    def confidence(self) -> NDArray[np.float32]:
        """Return how often each pixel (H, W) of the plate was seen, 0 (never) to 1 (always), in this pass."""
        return self._guide.confidence()

    def basis(self) -> list[NDArray[np.float32]]:
        """Return the basis as vectors (F,), each of norm 1 at most, in the order of the coefficients."""
        return [self.method.W[:, k].copy() for k in range(self.method.W.shape[1])]

    def model(self) -> Model:
        """Return a copy of what was learnt, to be saved or applied elsewhere."""
        return Model(
            self.row.key, self.values, self.layout, self.method.state(),
            {**self.foreground.state(), **self._by_hand.corrections.state()},
        )  # fmt: skip

    @property
    def _makes_masks(self) -> bool:
        """True where the method makes its own masks: nothing of ours then touches what it learns."""
        return self.row.kind == "reference"

    def _learns_in(self, pass_index: int) -> bool:
        """Return whether a pass learns: all do but the last of several, where the method is not for video."""
        is_last_of_several = 0 < pass_index == self.settings.passes - 1
        return self._learning and (self.row.for_video or not is_last_of_several)

    def _read_mail(self) -> bool:
        """Set what was asked for; return whether a parameter of the mask was among it."""
        with self._lock:
            mail, self._mail = self._mail, {}
            self._values.update(mail)
        mask_names = {p.name for p in catalogue.MASK_PARAMETERS}
        for name, value in mail.items():
            (self.foreground if name in mask_names else self.method).set(name, value)
            if name == STEADY.name:
                self._steady.largest = float(value or 0)
        return not mask_names.isdisjoint(mail)
