"""The comparison of input and background in one pane, with a divider."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.views.pane_choice import PaneChoice
from app.views.pane_contents import InputContent
from app.views.pane_grid import ALL

INPUT_PANE = 0
"""Where the input is shown for the comparison, if no pane shows it."""


class WipeMode(QObject):
    """Begins and ends the comparison.

    Parameters
    ----------
    choice : PaneChoice
        Knows which pane shows what, and the input's with the background beside it while they are compared.
    enlarged : callable
        Returns the pane that fills the view, or `ALL`.
    enlarge : callable
        Lets a pane fill it.
    parent : QObject
    """

    changed = Signal(bool)
    """Whether input and background are compared from now on."""

    def __init__(
        self,
        choice: PaneChoice,
        enlarged: Callable[[], int],
        enlarge: Callable[[int], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._choice, self._enlarged, self._enlarge = choice, enlarged, enlarge
        input_ = choice.contents["input"]
        assert isinstance(input_, InputContent)
        self._input = input_

    @property
    def is_on(self) -> bool:
        """Whether they are compared."""
        return self._input.wipes

    def set_on(self, on: bool) -> None:
        """Compare them, in a pane that can be seen, or no more."""
        if on == self.is_on:
            return
        self._input.wipes = on
        if on and not self._choice.showing("input"):
            self._choice.show(INPUT_PANE, "input")
        shown = self._choice.showing("input")
        if on and self._enlarged() not in (ALL, *shown):
            self._enlarge(shown[0])
        self.changed.emit(on)
