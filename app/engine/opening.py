"""An input that is being opened: what a person asks meanwhile is for the run that begins then, too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.engine.choice import kind_of

if TYPE_CHECKING:
    from app.engine.choice import Choice, InputKind
    from app.engine.kept_runs import KeptRuns
    from app.engine.resume import Resume
    from app.engine.session_player import SessionPlayer
    from core.io.input_spec import InputSpec
    from core.io.sources.base import Source, SourceInfo


@dataclass(frozen=True)
class Asked:
    """What is to be opened, and how it begins.

    Attributes
    ----------
    request : InputSpec
    choice : Choice
    play : bool or None
        It goes on behind its first frame; None: unless what is open is held.
    resume : Resume or None
        It goes on as this says, which also says whether it plays.
    kept : mapping of InputKind to Choice
        An input of such a kind begins with this, and not with ``choice``.
    """

    request: InputSpec
    choice: Choice
    play: bool | None = True
    resume: Resume | None = None
    kept: Mapping[InputKind, Choice] = field(default_factory=dict)


class Opening:
    """Remembers what has been asked since it was asked to open something; on the engine's thread alone.

    Parameters
    ----------
    asked : Asked
    was_held : bool
        What is open is held, or was when something was to take its place.

    Attributes
    ----------
    asked : Asked
    was_held : bool
    missed : mapping
        Parameters that were changed meanwhile: the input has not heard of them.
    instead : Choice or None
        What was begun meanwhile with what is open, and holds for the input, too.
    """

    def __init__(self, asked: Asked, *, was_held: bool) -> None:
        self.asked, self.was_held = asked, was_held
        self.missed: Mapping[str, object] = {}
        self.instead: Choice | None = None

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Take note that parameters were changed."""
        self.missed = {**self.missed, **changes}

    def restart(self, choice: Choice) -> None:
        """Take note that what is open begins anew: this one begins with the same."""
        self.missed, self.instead = {}, choice

    def begin(self, player: SessionPlayer, source: Source, kept: KeptRuns) -> None:
        """Let a player begin with the input, which is open now and the player's then; ``missed`` is not told yet.

        Where it returns to what was learnt before, that is taken out of what is ``kept``: unless it was begun anew
        meanwhile.

        Raises
        ------
        CleanplateError
            The settings or the model do not fit, or it is not the input of the project; what played before goes on,
            and the source stays the caller's.
        """
        choice, resume = self._choice_for(source.info), self.asked.resume
        if resume is not None and resume.part is not None:
            from core.project.another_input import check_size  # noqa: PLC0415 - the engine is there by now

            check_size(resume.part, source.info)
        if resume is None:
            play = not self.was_held if self.asked.play is None else self.asked.play
            player.start(source, choice.settings(), choice.load_model(), play=play)
            return
        settings, run = choice.settings(), None
        if resume.returns and choice.model is None and self.instead is None:
            run = kept.find(self.asked.request, settings)
            resume = resume if run is None else run.resumed(resume, settings)
        if resume.learnt is not None and resume.learnt.method != choice.method:
            resume = replace(resume, learnt=None)
        player.resume(source, settings, resume, choice.load_model())
        kept.take(run)

    def _choice_for(self, info: SourceInfo) -> Choice:
        choice = self.asked.choice
        if self.instead is not None:  # What belongs to the input that was open is not taken along.
            choice = replace(self.instead, areas=choice.areas, seed=choice.seed)
        return self.asked.kept.get(kind_of(info), choice)
