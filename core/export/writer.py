"""The results of a run: written out of sight, and all get their final names together at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from core.events.totals import EventTotals
from core.export.beside_notes import beside_notes
from core.export.event_writer import NEEDS_EVENTS, EventWriter
from core.export.frame_names import FrameNames
from core.export.frame_writer import FrameWriter
from core.export.full_disk import FullDisk
from core.export.job_spec import Job
from core.export.pictures import PICTURES
from core.export.plate_pictures import packed_plate
from core.export.product_sinks import scene_notes
from core.export.products import NUMBERS, SEQUENCES, place, places, possible_places
from core.export.run_files import ONCE, write_learnt
from core.export.scene_files import BEGAN_BEFORE, SceneFiles
from core.export.tables import Table
from core.frames.frame import Layout
from core.io.publishing.publication import Publication
from core.io.publishing.refusals import writing
from core.io.sources.base import SourceInfo
from core.session.report import Report
from core.session.scene_plate import ScenePlate
from core.session.session import Session


class ResultWriter:
    """Writes what a session gives. Make one, `write` every report that is asked for, then `finish` or `abort`.

    Where the disk gets full, results are given up: the input can be read again. A live input cannot: nothing more is
    written then, and `finish` completes what there is.

    Parameters
    ----------
    job : Job
        Says what is written, and where: that folder is made when it is not there.
    info : SourceInfo
        Of the input.
    hold_signals : callable, optional
        ``hold_signals(True)`` makes whatever would interrupt this thread wait, ``hold_signals(False)`` no longer. Once
        results have their names, it is not called again: what comes then comes too late.

    Attributes
    ----------
    saved : frozenset of str
        What is saved.

    Raises
    ------
    CleanplateError
        The folder cannot be written.
    """

    def __init__(self, job: Job, info: SourceInfo, hold_signals: Callable[[bool], None] | None) -> None:
        folder, save, form, is_piece = job.output, job.save, job.stored_as, job.run_in is not None
        self._job, self._info = job, info
        self._piece_from = job.n_skipped if is_piece else None
        self._files = [path for product in save for path in possible_places(product, folder, form)]
        self.saved, self._form = frozenset(save), form
        self._full: Layout | None = None
        with contextlib.ExitStack() as undo:
            self._results = Publication(folder, self._files, overwrite=job.overwrite, hold_signals=hold_signals)
            undo.callback(self._results.give_up)
            new = self._results.new
            self._plates = SceneFiles(new, folder, save, form, keeps_numbers=is_piece)
            self._disk = FullDisk(self._results, form, live=info.live)
            self._once = {product: place(product, folder, form) for product in save if product in ONCE}
            pictures = [product for product in save if product in PICTURES]
            of_frames = FrameNames(job.names, info)
            self._images = of_frames if pictures and form in SEQUENCES else None
            self._tables = {product: Table(product, info, self._images) for product in save if product in NUMBERS}
            self._events: EventWriter | None = None
            if not NEEDS_EVENTS.isdisjoint(save):
                files = new / "events" if "events" in save else None
                self._events = EventWriter(files, job.rules, info, of_frames)
            self._frames = FrameWriter(new, folder, pictures, form, info, job.coding, of_frames)
            undo.pop_all()

    @property
    def write_ms(self) -> list[float]:
        """Milliseconds of work that each of the last frames took, over all products."""
        return self._frames.write_ms

    @property
    def notes(self) -> list[str]:
        """Sentences about what results lack; complete after the last picture."""
        of_scenes = scene_notes(self.saved, self._form, self._info)
        notes = list(dict.fromkeys([*self._plates.notes, *of_scenes, *self._frames.notes]))
        n_changed = 0 if self._images is None else self._images.n_changed
        if n_changed:
            files = "A file has a name" if n_changed == 1 else f"{n_changed} files have names"
            where = "see times.csv" if "times" in self.saved else "--save times"
            notes.append(
                f"{files} that another has too, or that some system refuses; the times say which is whose ({where})."
            )
        notes += beside_notes(self._job.save, self._job.output, self._form)
        if self._disk.lost:
            is_older = any(path.exists() for path in self._disk.lost)
            older = "; what is there is of an earlier run" if is_older else ""
            notes.append(f"There was no more room for {', '.join(path.name for path in self._disk.lost)}{older}.")
        return notes

    @property
    def is_full(self) -> bool:
        """Whether the disk has no more room for results of a live input: nothing more is written, see `finish`."""
        return self._disk.is_full

    @property
    def scenes(self) -> list[int]:
        """The first frame of each scene whose plate is saved, by its number in the whole input, from 1."""
        return self._plates.scenes

    @property
    def events(self) -> EventTotals | None:
        """What was counted, once the files of events are complete; None where there are none."""
        return None if self._events is None else self._events.totals

    def write(self, report: Report) -> None:
        """Write the pictures of a report; returns before they are written, and waits when writing is behind.

        Raises
        ------
        CleanplateError
            An earlier picture could not be written, or the folder is gone: an open film is written on without it.
        """
        with writing(self._job.output):
            self._results.new.stat()
        self._disk.look()
        if self._disk.is_full:
            return
        self._full = report.frame.full.layout
        with self._disk.completed("events"):
            report = report if self._events is None else self._events.take(report)
        if self._disk.is_full:
            return
        with self._disk.completed():
            self._frames.write(report)
        if self._disk.is_full:  # It does not count as written, and so has no row.
            return
        for table in self._tables.values():
            table.add(report)

    def write_plate(self, scene: ScenePlate) -> None:
        """Write what is saved of the plate of a scene."""
        products = self._plates.products
        if not products or self._disk.has_lost(products):
            return
        with self._disk.completed(*products):
            is_begun = self._piece_from is not None and 0 < self._piece_from == scene.first
            number = BEGAN_BEFORE if is_begun else self._info.number_of(scene.first)
            self._plates.write(number, packed_plate(scene, products, self._info, self._form))

    def forget_plates(self) -> None:
        """Remove the plates so far: there are no scenes."""
        self._plates.forget()

    def finish(self, session: Session, last: ScenePlate | None, begin: Callable[[], object]) -> list[Path]:
        """Complete everything, give all results their final names, and return those.

        A report must have been written, and the plates of all scenes but the last.

        Parameters
        ----------
        session : Session
        last : ScenePlate or None
            The plate that is still to be written.
        begin : callable
            Called just before results get their names: the last moment to raise.
        """
        assert self._full is not None, "write a report first"
        try:
            self._complete(session, last, self._full)
            unused, lost = self._plates.unused, list[Path]()
            if self._disk.is_full:
                lost = self._disk.lost_of([path for path in self._files if path not in unused])
            self._results.publish(begin, unused, lost)
        except BaseException:
            self.abort()
            raise
        return [path for path in self._files if path not in unused and path not in lost]

    def _complete(self, session: Session, last: ScenePlate | None, full: Layout) -> None:
        disk = self._disk
        with disk.completed():
            self._frames.finish()
        if disk.is_full:
            self._frames.finish_what_fits()
        if last is not None:
            self.write_plate(last)
        if not disk.has_lost(self._plates.products):
            with disk.completed(*self._plates.products):
                self._plates.finish()
        for product, final in self._once.items():
            with disk.completed(product):
                write_learnt(product, session, final, self._results.new, full)
        for product, table in self._tables.items():
            with disk.completed(product):
                table.write(*places(product, self._results.new, ""))
        if self._events is not None:
            with disk.completed("events"):
                self._events.finish()

    def abort(self) -> None:
        """Stop, and remove what was written; what was there before is untouched."""
        self._frames.abort()
        if self._events is not None:
            self._events.release()
        self._results.give_up()
