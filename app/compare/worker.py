"""The engine of a window that compares methods: one thread runs all of them in turn, frame by frame."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.compare.presenter import ComparePresenter
from app.compare.snapshot import Compared
from app.engine.loop import Engine
from app.engine.player import Player
from app.engine.slot import NewestSlot
from app.engine.state import State
from app.engine.threads import on_own_thread
from core.io.sources import InputSpec, open_source
from core.session.comparison import Comparison, Turn

if TYPE_CHECKING:
    from core.session.settings import Settings


class CompareWorker(Engine[Player[Comparison, Comparison, Turn]]):
    """Runs a comparison; see `Engine`.

    Parameters
    ----------
    kinds : frozenset of str
        Keys of the pictures that are shown, to begin with.

    Attributes
    ----------
    slot : NewestSlot of Compared
        What there is to show.

    Signals
    -------
    opened(SourceInfo) : the input is open for all methods
    and those of `Engine`
    """

    opened = Signal(object)

    def __init__(self, kinds: frozenset[str]) -> None:
        self.slot: NewestSlot[Compared] = NewestSlot()
        self._presenter = ComparePresenter(self.slot, kinds)
        super().__init__(Player(self._presenter))
        self._counting = threading.Lock()
        self._n_asked_for = 0

    def compare(self, request: InputSpec, settings: Sequence[Settings]) -> int:
        """Run these methods over an input from its beginning; what runs goes on until they are ready.

        Returns the number that the run will have in the slot.
        """
        with self._counting:
            self._n_asked_for += 1
            run = self._n_asked_for
            self._post(partial(self._compare, run, request, list(settings)), topic="compare")
        return run

    def set_kinds(self, kinds: frozenset[str]) -> None:
        """Make pictures of these kinds from now on."""
        self._post(partial(self._presenter.set_kinds, kinds), topic="kinds")

    def _is_newest(self, run: int) -> bool:
        with self._counting:
            return run == self._n_asked_for

    @on_own_thread
    def _compare(self, run: int, request: InputSpec, settings: Sequence[Settings]) -> None:
        if not self._is_newest(run) or self._mail.is_closed:
            return  # Something else was asked for meanwhile.
        self._player.set_state(State.OPENING)
        try:
            comparison = Comparison(partial(open_source, request), settings)
        except BaseException:
            self._player.tell_state()
            raise
        self._warn([])
        self._player.begin_with(comparison, comparison)
        self.slot.begin(run)
        self._n_frames = comparison.info.n_frames
        self.opened.emit(comparison.info)
