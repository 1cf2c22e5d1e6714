"""The pictures of every frame to files, by threads that run beside the loop."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from core.errors import FullError
from core.export.frame_names import DEFAULT_NAMES, FrameNames
from core.export.pictures import write_product
from core.export.product_sinks import sink_for
from core.io.sinks.video import PLAIN, Coding
from core.io.sinks.writer_pool import BoundedWriterPool
from core.io.sources.base import SourceInfo
from core.runtime import cores
from core.session.reader import LARGE
from core.session.report import Report

ENCODERS = 2
"""Threads that encode the images of sequences, and no more than a run has cores: each holds a picture or two, and what
they become. Films have one thread each, because their pictures have an order."""

SLOTS = 2
"""Reports that wait for a thread at most; none of `LARGE` frames: at 1080p in colour each holds 10 to 30 MB."""

KEPT_TIMES = 2000
"""Frames over which the median writing time is taken: the last ones, so that nothing grows."""


class FrameWriter:
    """Writes the pictures of reports, away from their final places. `write` each report, then `finish` or `abort`.

    Parameters
    ----------
    new : Path
        Where to write; must be there.
    folder : Path
        Of the final places.
    products : sequence of str
        Keys of `core.export.pictures.PICTURES`.
    form : str
        Key of `core.export.products.FORMATS`.
    info : SourceInfo
        Of the input.
    coding : Coding
        Of films.
    names : FrameNames, optional
        Of images; numbers without it.

    Raises
    ------
    CleanplateError
        The folder cannot be written.
    """

    def __init__(
        self,
        new: Path,
        folder: Path,
        products: Sequence[str],
        form: str,
        info: SourceInfo,
        coding: Coding = PLAIN,
        names: FrameNames | None = None,
    ) -> None:
        self._sinks = {product: sink_for(product, folder, form, info, coding) for product in products}
        self._pools: list[tuple[BoundedWriterPool, list[str]]] = []
        self._form, self._names = form, names or FrameNames(DEFAULT_NAMES, info)
        self._n_before, self._n_written = info.n_before, 0
        self._start_s: float | None = None
        try:
            for sink in self._sinks.values():
                sink.open(new)
        except BaseException:
            self.abort()
            raise
        slots = 0 if info.full.n_pixels >= LARGE else SLOTS
        ordered = [product for product, sink in self._sinks.items() if sink.ordered]
        loose = [product for product in self._sinks if product not in ordered]
        if loose:
            self._pools.append((BoundedWriterPool(min(ENCODERS, cores.usable()), slots), loose))
        self._pools.extend((BoundedWriterPool(1, slots), [product]) for product in ordered)
        self._times = _WriteTimes(len(self._pools))

    @property
    def write_ms(self) -> list[float]:
        """Milliseconds of work that each of the last frames took, over all products."""
        return self._times.last()

    @property
    def notes(self) -> list[str]:
        """Sentences about what results lack; complete after the last picture."""
        # What holds for a format is said by the sink of each product.
        return list(dict.fromkeys(note for sink in self._sinks.values() for note in sink.notes))

    def write(self, report: Report) -> None:
        """Write the pictures of a report; returns before they are written, and waits when writing is behind.

        Raises
        ------
        CleanplateError
            An earlier picture could not be written.
        """
        start_s = self._start_s
        if start_s is None:
            start_s = self._begin(report)
        self._n_written += 1
        time_s, stem = report.frame.time_s - start_s, self._names.of(report)
        for pool, products in self._pools:
            pool.put(partial(self._write, products, self._n_written, time_s, report, stem))

    def finish(self) -> None:
        """Complete all results; raises what a thread raised."""
        for pool, _ in self._pools:
            pool.finish()
        for sink in self._sinks.values():
            sink.close()

    def finish_what_fits(self) -> None:
        """Complete what was written before there was no more room, remove what is of no use; may follow `finish`."""
        for pool, _ in self._pools:
            with contextlib.suppress(FullError):
                pool.finish()
        for sink in self._sinks.values():
            if not sink.salvage():
                sink.abort()

    def abort(self) -> None:
        """Stop, and remove what was written."""
        for pool, _ in self._pools:
            pool.abandon()
        for sink in self._sinks.values():
            sink.abort()

    def _begin(self, first: Report) -> float:
        """Tell sinks which frame is the first; return its time, s."""
        for sink in self._sinks.values():
            sink.set_before(self._n_before + first.frame.index, first.frame.input_s)
        self._start_s = first.frame.time_s
        return self._start_s

    def _write(self, products: Sequence[str], number: int, time_s: float, report: Report, stem: str) -> None:
        started = time.perf_counter()
        for product in products:
            write_product(self._sinks[product], number, time_s, product, report, self._form, stem)
        self._times.add(number, 1e3 * (time.perf_counter() - started))


class _WriteTimes:
    """How long the last frames took to write, each in so many parts by different threads."""

    def __init__(self, n_parts: int) -> None:
        self._n_parts = n_parts
        self._lock = threading.Lock()
        self._pending: dict[int, list[float]] = {}
        self._last: deque[float] = deque(maxlen=KEPT_TIMES)

    def add(self, number: int, ms: float) -> None:
        """Take note of one part of frame ``number``."""
        with self._lock:
            parts = self._pending.setdefault(number, [])
            parts.append(ms)
            if len(parts) == self._n_parts:
                self._last.append(sum(self._pending.pop(number)))

    def last(self) -> list[float]:
        """Return the milliseconds of each of the last frames, all parts together."""
        with self._lock:
            return list(self._last)
