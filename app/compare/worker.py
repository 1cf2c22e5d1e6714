"""The engine of a window that compares methods: one thread runs all of them in turn, frame by frame."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.compare.presenter import ComparePresenter
from app.compare.snapshot import Compared
from app.engine.loop import Engine
from app.engine.mailbox import NewestSlot
from app.engine.player import State
from core.io.sources import InputSpec, open_source
from core.session.comparison import Comparison

if TYPE_CHECKING:
    from core.session.session import Settings


class CompareWorker(Engine):
    """Move it to a QThread and connect ``started`` to `run`.

    Signals
    -------
    opened(SourceInfo) : the input is open for all methods
    and those of `Engine`
    """

    opened = Signal(object)

    _presenter: ComparePresenter

    def __init__(self) -> None:
        self.slot: NewestSlot[Compared] = NewestSlot(Compared)
        super().__init__(ComparePresenter(self.slot))
        self._numbers = itertools.count(1)
        self._newest = 0

    def compare(self, request: InputSpec, settings: Sequence[Settings]) -> int:
        """Run these methods over an input from its beginning; what runs goes on until they are ready.

        Returns the number of the run, by which what it shows can be told from what others have shown.
        """
        self._newest = next(self._numbers)
        self._mail.post(partial(self._compare, self._newest, request, list(settings)))
        return self._newest

    def _compare(self, number: int, request: InputSpec, settings: Sequence[Settings]) -> None:
        if number != self._newest or self._quitting.is_set():
            return  # Something else was asked for meanwhile.
        self._player.set_state(State.OPENING)
        try:
            comparison = Comparison(partial(open_source, request), settings)
        except BaseException:
            self._player.tell_state()
            raise
        self._warnings = []
        self.warned.emit([])
        self._presenter.run = number
        self._player.take_up(comparison, comparison)
        self.opened.emit(comparison.info)
        self.restarted.emit(self.slot.run)
