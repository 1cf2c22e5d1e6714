"""Which plates of a run are saved, and what is said of them: those of the scenes of which frames are written."""

from __future__ import annotations

from pathlib import Path

from core.export.job_spec import Job
from core.export.plate_notes import NEEDS_PLATE, NO_SCENE, SeenScenes, unseen
from core.export.products import place
from core.export.writer import ResultWriter
from core.methods.content import CONTENT
from core.session.scene_plate import ScenePlate
from core.session.session import Session


class RunPlates:
    """Takes the plate of each scene of a session as it ends.

    Parameters
    ----------
    session : Session
        Before it runs.
    writer : ResultWriter
        Where they go.
    job : Job
        Says which frames are written.
    """

    def __init__(self, session: Session, writer: ResultWriter, job: Job) -> None:
        self._session, self._writer, self._job = session, writer, job
        self._are_wanted, self._seen = not NEEDS_PLATE.isdisjoint(writer.saved), SeenScenes()
        if self._are_wanted:
            session.when_scene_ends(self._take)

    def last(self) -> ScenePlate | None:
        """Return the plate of the scene that is shown at the end, which is still to be written, where it is wanted."""
        if not self._are_wanted:
            return None
        last = self._session.scene_plate()
        if self._are_of_images:
            self._writer.forget_plates()
            self._seen = SeenScenes()
        elif self._seen.n and not (last.n_kept and self._is_written(last)):
            return None
        self._take_note(last)
        return last

    def notes(self) -> list[str]:
        """Return in sentences what of the scenes was not seen, or that there are none."""
        no_scene = [NO_SCENE] if self._are_of_images and not self._session.source.info.is_mixed else []
        has_model = bool(self._job.model or self._job.start)
        name = place("confidence", Path(), self._job.stored_as).name if "confidence" in self._writer.saved else ""
        return [*no_scene, *self._seen.notes(has_model=has_model, saved_as=name)]

    def _take(self, scene: ScenePlate) -> None:
        if self._is_written(scene) and not self._are_of_images:
            self._writer.write_plate(scene)
            self._take_note(scene)

    def _take_note(self, scene: ScenePlate) -> None:
        number = self._session.source.info.number_of(scene.first)
        self._seen.add(unseen(scene.confidence(), scene.n_kept, number))

    def _is_written(self, scene: ScenePlate) -> bool:
        """Whether a frame of it is among those that are written."""
        first, last = self._job.written
        begins_before = last is None or scene.first < last
        return begins_before and (scene.end is None or first is None or first <= scene.end)

    @property
    def _are_of_images(self) -> bool:
        """Whether the input turns out to be an image set: where its pictures differ no scene begins."""
        chosen = {**self._session.control.values, **self._session.decided}.get(CONTENT.name)
        return self._session.seen.are_images(chosen)
