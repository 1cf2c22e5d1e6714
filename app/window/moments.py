"""What a person has set, read as one moment and set again by the commands that the controls use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.resume import Resume
from app.window.moment import MODEL, Moment, patched

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.window.choice import RunChoice
    from app.window.commands.areas import AreaCommands
    from app.window.commands.events import EventCommands
    from app.window.commands.export import ExportCommands
    from app.window.commands.input import InputCommands
    from app.window.commands.marks import MarkCommands
    from app.window.commands.method import MethodCommands
    from app.window.commands.playback import PlaybackCommands
    from app.window.commands.project_state import ProjectState
    from core.session.strokes import Strokes

SET_ALONE = frozenset({"input", "method", "values", "passes", "export", "markers", "areas", "events"})
"""Fields of the document that are set without the others; for one that is not here the whole document is shown."""

LEARNS_ANEW = (
    "Size, colour, region and what was painted are as they were then. What was learnt is not: learning begins anew, "
    "with the first frame."
)
"""Where another view of the input was undone, or done again."""


class Moments:
    """Reads and sets.

    Parameters
    ----------
    worker : Worker
    state : ProjectState
        Reads what a person has set as a document.
    choice : RunChoice
    input_, method, export, marks, areas, events, playback
        Commands by which it is set.
    """

    def __init__(
        self, worker: Worker, state: ProjectState, choice: RunChoice, input_: InputCommands, method: MethodCommands,
        export: ExportCommands, marks: MarkCommands, areas: AreaCommands, events: EventCommands,
        playback: PlaybackCommands,
    ) -> None:  # fmt: skip
        self._worker, self._state, self._choice, self._input = worker, state, choice, input_
        self._method, self._export, self._marks, self._playback = method, export, marks, playback
        self._areas, self._events = areas, events

    def now(self) -> Moment:
        """Return all that a person has set and painted."""
        return Moment(self._state.work(), self._choice.model, self._worker.strokes)

    def restore(self, known: Moment, places: Mapping[str, object], strokes: Strokes | None) -> Moment:
        """Set some of the settings anew, and what was painted.

        Parameters
        ----------
        known : Moment
            What is set; its input may be one that is still being opened.
        places : mapping
            What is set anew, by its place in the document (`app.window.moment.Changes`).
        strokes : Strokes or None
            What is painted from now on; None: nothing is known of it.

        Returns
        -------
        Moment
            What is set from now on; another input comes once it is open.
        """
        model = places.get(MODEL, known.model)
        assert model is None or isinstance(model, Path)
        shown = self._state.work()
        now = patched(shown, {"input": known.work.input})
        work = patched(now, {place: value for place, value in places.items() if place != MODEL})
        differs = {name for name in work.__struct_fields__ if getattr(work, name) != getattr(now, name)}
        painted = {} if strokes is None else strokes.arrays
        if differs - SET_ALONE:
            from core.project.store import Project  # noqa: PLC0415 - the engine is there by now

            self._state.show(Project(work, painted, model=model))
            return Moment(work, model, strokes)
        if "export" in differs:
            self._export.show_choice(work.export, work.input.path)
        self._marks.show(work.markers)  # After the in and out points, which it shows too.
        self._areas.set_areas(work.areas)
        self._events.set_rules(work.events)
        # What is being opened would begin with what was set when it was asked for.
        reopens = "input" in differs or shown.input != now.input
        self._method.restore(work.method, work.values, work.passes, model, restarts=not reopens)
        if reopens:
            spec = work.input.spec()
            choice = replace(self._choice.current, seed=spec.seed)
            resume = Resume(painted, plays=self._playback.is_playing, returns=True)
            begins_anew = choice.model is None and not self._worker.keeps_learnt(spec, choice)
            said = LEARNS_ANEW if self._worker.n_learnt and begins_anew else ""
            self._input.open_again(spec, work.input.original, choice, resume, said)
        elif strokes is not None and (known.strokes is None or not strokes.is_same(known.strokes)):
            self._worker.restore_strokes(strokes)
        return Moment(patched(self._state.work(), {"input": work.input}), model, strokes)
