"""Reports to files: every product of a run is written beside its place, and all get their final names at the end."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import cv2

from core.errors import CleanplateError
from core.export.products import PICTURES, basis_pictures, confidence_picture, full_depth, picture_of, place, sink_for
from core.frames.frame import Frame
from core.io.sinks.base import Partial, publish_all, writing
from core.io.sinks.images import PngSequence, png_bytes
from core.io.sinks.lanes import Lane
from core.session.report import Report, to_size
from core.session.session import Session

ENCODERS = 2
"""Threads that encode the images of sequences; films have one thread each, because their pictures have an order."""

KEPT_TIMES = 2000
"""Frames over which the median writing time is taken: the last ones, so that nothing grows."""


class Export:
    """Writes what a session gives. Make one, `take` every report to be written, then `finish` or `abort`.

    Parameters
    ----------
    folder : Path
        Made when it is not there.
    save : sequence of str
        Keys of `core.export.products.PRODUCTS`.
    form : str
        Key of `core.export.products.FORMATS`.
    fps : float or None
        Rate of the input; None where its frames have no time.
    overwrite : bool
        Replace what has the names of the results when they are complete.

    Raises
    ------
    CleanplateError
        The folder cannot be written.
    """

    def __init__(
        self, folder: Path, save: Sequence[str], form: str, fps: float | None, *, overwrite: bool = False
    ) -> None:
        self._folder, self._save, self._form, self._overwrite = folder, tuple(save), form, overwrite
        self._n_written = 0
        self._start_s = 0.0
        self._full: Frame | None = None
        self._write_ms: deque[float] = deque(maxlen=KEPT_TIMES)
        self._open_frames: dict[int, list[float]] = {}
        self._lock = threading.Lock()
        self._partials: list[Partial] = []
        self._made = _make(folder)
        self._sinks = {p: sink_for(p, folder, form, fps) for p in self._save if p in PICTURES}
        self._lanes: list[tuple[Lane, list[str]]] = []
        try:
            for sink in self._sinks.values():
                sink.open()
        except BaseException:
            self.abort()
            raise
        loose = [p for p, sink in self._sinks.items() if not sink.ordered]
        if loose:
            self._lanes.append((Lane(ENCODERS), loose))
        self._lanes.extend((Lane(), [p]) for p, sink in self._sinks.items() if sink.ordered)

    @property
    def write_ms(self) -> list[float]:
        """Milliseconds of work that each of the last frames took, over all products."""
        with self._lock:
            return list(self._write_ms)

    def take(self, report: Report) -> None:
        """Write the pictures of a report; returns before they are written, and waits when writing is behind.

        Raises
        ------
        CleanplateError
            An earlier picture could not be written.
        """
        self._full = report.frame.full
        self._n_written += 1
        if self._n_written == 1:
            self._start_s = report.frame.time_s
        number, time_s = self._n_written, report.frame.time_s - self._start_s
        with self._lock:
            self._open_frames[number] = [float(len(self._lanes)), 0.0]
        for lane, products in self._lanes:
            lane.put(partial(self._write, products, number, time_s, report))

    def finish(self, session: Session) -> list[Path]:
        """Complete everything, give all results their final names, and return those."""
        try:
            for lane, _ in self._lanes:
                lane.finish()
            for sink in self._sinks.values():
                sink.close()
            self._write_learnt(session)
            files = [place(p, self._folder, self._form) for p in self._save]
            # Looked at again: another run may have finished here meanwhile.
            if not self._overwrite and (present := [path for path in files if path.exists()]):
                raise CleanplateError(
                    f"{present[0]} came to be during the run and is not replaced; use another folder."
                )
            publish_all([*(sink.partial for sink in self._sinks.values()), *self._partials])
        except BaseException:
            self.abort()
            raise
        return files

    def abort(self) -> None:
        """Stop, and remove what was written; what was there before is untouched."""
        for lane, _ in self._lanes:
            lane.abandon()
        for sink in self._sinks.values():
            sink.abort()
        for written in self._partials:
            written.discard()
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _write(self, products: list[str], number: int, time_s: float, report: Report) -> None:
        started = time.perf_counter()
        for product in products:
            self._sinks[product].write(number, time_s, picture_of(product, report))
        spent = 1e3 * (time.perf_counter() - started)
        with self._lock:
            entry = self._open_frames[number]
            entry[0] -= 1
            entry[1] += spent
            if not entry[0]:
                self._write_ms.append(self._open_frames.pop(number)[1])

    def _write_learnt(self, session: Session) -> None:
        """Write what there is once a run, not once a frame."""
        full = self._full
        assert full is not None
        if "plate" in self._save:
            plate = to_size(full_depth(session.plate(), session.layout.bit_depth), full)
            with writing(place("plate", self._folder, self._form)):
                self._beside("plate").write_bytes(png_bytes(plate))
        if "confidence" in self._save:
            size = (full.layout.width, full.layout.height)
            # Never seen and hardly ever seen are different things: sizes change without mixing them.
            picture = cv2.resize(confidence_picture(session.confidence()), size, interpolation=cv2.INTER_NEAREST)
            with writing(place("confidence", self._folder, self._form)):
                self._beside("confidence").write_bytes(png_bytes(picture))
        if "basis" in self._save:
            sink = PngSequence(place("basis", self._folder, self._form), digits=2)
            self._partials.append(sink.partial)
            sink.open()
            for k, picture in enumerate(basis_pictures(session.basis(), session.layout)):
                sink.write(k + 1, 0.0, to_size(picture, full))
            sink.close()
        if "model" in self._save:
            with writing(place("model", self._folder, self._form)):
                session.model().write(self._beside("model"))

    def _beside(self, product: str) -> Path:
        """Return the temporary name under which a single file is to be written."""
        written = Partial(place(product, self._folder, self._form))
        self._partials.append(written)
        return written.path


def _make(folder: Path) -> list[Path]:
    """Make a folder and its parents; return those that were not there, innermost first."""
    missing = []
    step = folder
    while not step.exists():
        missing.append(step)
        step = step.parent
    if not step.is_dir():
        raise CleanplateError(f"{step} is a file, so results cannot be written below it; choose a folder.")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return missing
