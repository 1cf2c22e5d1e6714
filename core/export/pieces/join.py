"""Puts together what the pieces of a long run wrote: one set of results, complete or absent, as one run would write it.

Nothing is coded again: images get second names, packets of films and pages of stacks are copied, numbers are joined.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import tifffile
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.events.totals import EventTotals
from core.export.beside_notes import beside_notes
from core.export.frame_names import DEFAULT_NAMES, DIGITS
from core.export.job_spec import Job
from core.export.pictures import PICTURES, confidence_picture
from core.export.pieces.events import join_events
from core.export.pieces.part import Part, parts_below, saved_by_pieces
from core.export.pieces.plates import WeightedPlate, joined_plate
from core.export.pieces.scenes import ScenePart, WholeScene, whole_scenes
from core.export.plate_notes import SeenScenes, unseen
from core.export.plate_pictures import packed_picture
from core.export.product_sinks import scene_notes, sink_for
from core.export.products import NUMBERS, place, places, possible_places
from core.export.progress import Progress
from core.export.range_notes import range_notes
from core.export.scene_files import SceneFiles
from core.export.summary import Summary
from core.export.tables import Columns, joined_columns, read_columns, write_columns
from core.frames.frame import Values
from core.io.publishing.publication import Publication
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import recover
from core.io.sinks.joined_film import JoinedFilm
from core.io.sinks.stack import TiffStack
from core.io.sinks.video import Film
from core.io.sources import SourceInfo, open_source
from core.runtime import stopping
from core.runtime.memory import peak_mib
from core.scene.plate_consensus import ALIKE

OF_THE_LAST = frozenset({"model", "basis"})
"""Products that are what was learnt at the end: those of the last piece."""


def join_pieces(
    job: Job,
    folder: Path,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    hold_signals: Callable[[bool], None] | None = None,
) -> Summary:
    """Write the results of a job from those of its pieces, which stay as they are.

    Parameters
    ----------
    job : Job
        As it would be run in one piece.
    folder : Path
        Holds a folder for each piece, ``0001`` and so on.
    progress, cancelled, hold_signals
        As `core.export.job.run_job` calls them.

    Raises
    ------
    CleanplateError
        A piece is missing or does not fit the others; nothing is written.
    CancelledError
        ``cancelled`` returned True.
    """
    started = time.perf_counter()
    with writing(job.output):
        recover(job.output)
    job.check()
    source = open_source(job.input, cancelled)
    source.close()
    saved = saved_by_pieces(product for product in job.save if product not in OF_THE_LAST)
    parts = parts_below(folder, job.stored_as, saved)
    finals = [path for product in job.save for path in possible_places(product, job.output, job.stored_as)]
    results = Publication(job.output, finals, overwrite=job.overwrite, hold_signals=hold_signals)
    try:
        joining = _Joining(job, parts, source.info, results.new, progress)
        with stopping.stops_when(cancelled or stopping.never):
            joining.run()
            results.publish(stopping.check, joining.unused)
    except BaseException:
        results.give_up()
        raise
    seconds = time.perf_counter() - started
    layout = source.info.full
    return Summary(
        job.settings.method, joining.n_frames, layout.width, layout.height, seconds, joining.n_frames / seconds, {},
        peak_mib(), [*source.warnings, *joining.notes, *joining.range_notes],
        [path for path in finals if path not in joining.unused],
        events=joining.events, scenes=tuple(joining.scenes),
    )  # fmt: skip


class _Joining:
    """Writes each product, away from its final place."""

    def __init__(
        self, job: Job, parts: Sequence[Part], info: SourceInfo, new: Path, progress: Callable[[Progress], None] | None
    ) -> None:
        self._job, self._parts, self._info, self._new, self._tell = job, parts, info, new, progress
        self._form, self._numbers_images = job.stored_as, job.names == DEFAULT_NAMES
        self._scene_files = SceneFiles(new, job.output, job.save, self._form)
        self.n_frames = sum(part.n_frames for part in parts)
        self._notes: list[str] = []
        self.events: EventTotals | None = None

    @property
    def scenes(self) -> list[int]:
        """The first frame of each scene that has a plate, by its number in the whole input."""
        return self._scene_files.scenes

    @property
    def unused(self) -> list[Path]:
        """Final names that nothing has, of those that there may be."""
        return self._scene_files.unused

    @property
    def notes(self) -> list[str]:
        """Sentences about what results lack; complete when they have their names."""
        return [*dict.fromkeys(self._notes), *beside_notes(self._job.save, self._job.output, self._form)]

    @property
    def range_notes(self) -> list[str]:
        """What is said where frames were asked for that the input does not have."""
        place = int(self._parts[-1].times["frame"][-1]) - self._info.n_before
        return range_notes(self._job, self._info, place, self.n_frames)

    def run(self) -> None:
        """Write all that is asked for."""
        if self._scene_files.products:
            self._write_scenes()
        for done, product in enumerate(self._job.save):
            if self._tell:
                self._tell(Progress(1, 1, done, len(self._job.save), 0.0, None))
            stopping.check()
            if product in OF_THE_LAST:
                with writing(self._job.output):
                    _link(self._parts[-1].at(product), places(product, self._new, self._form)[0])
            elif product in NUMBERS:
                write_columns(product, self._columns(product), *places(product, self._new, self._form))
            elif product == "events":
                folders = [part.at(product) for part in self._parts]
                with writing(self._job.output):
                    self.events = join_events(folders, self._new / product, self._job.rules, check=stopping.check)
            elif product in PICTURES:
                self._write_pictures(product)

    def _columns(self, product: str) -> Columns:
        columns = joined_columns([read_columns(product, part.at(product)) for part in self._parts])
        if "image" in columns and self._numbers_images:  # As `_write_sequence` does.
            columns["image"] = np.array([f"{number:0{DIGITS}d}" for number in range(1, self.n_frames + 1)])
        return columns

    def _write_pictures(self, product: str) -> None:
        sink = sink_for(
            product, self._job.output, self._form, replace(self._info, n_frames=self.n_frames), self._job.coding
        )
        if isinstance(sink, TiffStack):
            self._write_stack(product, sink)
        elif isinstance(sink, Film):
            self._write_film(product, sink)
        else:
            self._write_sequence(product)
        self._notes += sink.notes

    def _write_sequence(self, product: str) -> None:
        number, folder = 0, places(product, self._new, self._form)[0]
        with writing(self._job.output):
            folder.mkdir()
            for part in self._parts:
                for image in part.images(product):
                    stopping.check()
                    number += 1
                    name = f"{number:0{DIGITS}d}{image.suffix}" if self._numbers_images else image.name
                    _link(image, folder / name)

    def _write_stack(self, product: str, stack: TiffStack) -> None:
        stack.open(self._new)
        try:
            for part in self._parts:
                with tifffile.TiffFile(part.at(product)) as file:
                    if len(file.pages) != part.n_frames:
                        raise CleanplateError(f"{part.at(product)} lacks pages; run what is missing again (--resume).")
                    for page in file.pages:
                        stopping.check()
                        stack.write_packed(page.aspage())
        finally:
            stack.close()

    def _write_film(self, product: str, film: Film) -> None:
        clock, number, stamps = film.clock(), 0, np.empty(self.n_frames, np.int64)
        film.set_before(0, float(self._parts[0].times["time_s"][0]))
        for part in self._parts:
            for time_s in part.times["time_s"].tolist():
                stamps[number] = clock.stamp(number + 1, time_s - film.before_s)
                number += 1
        films = [part.at(product) for part in self._parts]
        joined = JoinedFilm(films, stamps, film)
        with writing(film.final):
            joined.write(self._new / film.final.name, stopping.check)

    def _write_scenes(self) -> None:
        products, seen = self._scene_files.products, SeenScenes()
        for scene in whole_scenes(self._parts, sorted({*products, "confidence"})):
            stopping.check()
            confidence, packed = _confidence(scene), {}
            if "plate" in products:
                packed["plate"] = packed_picture("plate", self._plate(scene), self._info, self._form)
                # In how many of the frames that a piece has kept, its picture does not say.
                seen.add(unseen(confidence, None, scene.first))
            if "confidence" in products:
                packed["confidence"] = packed_picture(
                    "confidence", confidence_picture(confidence), self._info, self._form
                )
            self._scene_files.write(scene.first, packed)
        self._scene_files.finish()
        saved_as = place("confidence", Path(), self._form).name if "confidence" in products else ""
        has_model = self._job.model is not None
        self._notes += [
            *self._scene_files.notes, *scene_notes(products, self._form, self._info),
            *seen.notes(has_model=has_model, saved_as=saved_as),
        ]  # fmt: skip

    def _plate(self, scene: WholeScene) -> Values:
        layout, white = self._info.full, np.iinfo(scene.parts[0].picture("plate").dtype).max
        near = ALIKE * layout.contrast / layout.white * white
        return joined_plate([partial(_plate_of, part) for part in scene.parts], near).plate


def _confidence(scene: WholeScene) -> NDArray[np.float32]:
    """Return in what share of the frames each pixel (H, W) of a scene was seen, all pieces together."""
    total = sum(part.n_frames * part.picture("confidence").astype(np.float64) for part in scene.parts)
    return np.asarray(total / (255 * scene.n_frames), np.float32)


def _plate_of(part: ScenePart) -> WeightedPlate:
    seen = part.picture("confidence").astype(np.float32) * np.float32(part.n_frames / 255)
    return WeightedPlate(part.picture("plate"), seen)


def _link(path: Path, new: Path) -> None:
    """Give a file, or the files of a folder, a second name; where the file system has none, a copy."""
    if path.is_dir():
        new.mkdir()
        for inner in path.iterdir():
            _link(inner, new / inner.name)
        return
    try:
        os.link(path, new)
    except OSError:
        shutil.copy2(path, new)
