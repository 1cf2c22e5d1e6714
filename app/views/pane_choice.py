"""Which picture each pane shows: chosen in a menu that its title opens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from app.rendering.picture_kinds import KINDS, STANDARD, known
from app.views.kind_menu import kind_menu, open_below_title
from app.views.pane import ImagePane
from app.views.pane_contents import PaneContent, contents


class PaneChoice(QObject):
    """Gives panes their contents.

    Parameters
    ----------
    panes : sequence of ImagePane
        As many as `app.rendering.picture_kinds.STANDARD` has.
    parent : QObject

    Attributes
    ----------
    contents : mapping of str to PaneContent
        All that can be shown, by key; panes that show the same share them.

    Signals
    -------
    changed(int) : another picture is to be shown in this pane
    window_requested(int) : this pane is wanted in a window of its own
    """

    changed = Signal(int)
    window_requested = Signal(int)

    def __init__(self, panes: Sequence[ImagePane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes, self.contents = panes, contents()
        self._kinds = list(STANDARD)
        for index, pane in enumerate(panes):
            chip = pane.header.title_chip
            chip.offer(f"Picture of pane {index + 1}", "Choose what this pane shows, or show it in a window of its own")
            chip.clicked.connect(partial(self._open_menu, index))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Keys of what the panes show."""
        return tuple(self._kinds)

    def content(self, index: int) -> PaneContent:
        """Return what a pane shows."""
        return self.contents[self._kinds[index]]

    def showing(self, *keys: str) -> list[int]:
        """Return the panes that show one of these."""
        return [index for index, key in enumerate(self._kinds) if key in keys]

    def show(self, index: int, key: str) -> None:
        """Show another kind of picture in a pane."""
        if key == self._kinds[index]:
            return
        self._kinds[index] = key
        pane, kind = self._panes[index], KINDS[key]
        pane.rename(kind.title, kind.hint)
        pane.show_other(None)
        self.changed.emit(index)

    def show_all(self, keys: Collection[str]) -> None:
        """Show these, as they were kept; the standard in place of what there is not."""
        for index, key in enumerate(known(keys)):
            self.show(index, key)

    def _open_menu(self, index: int, _checked: bool = False) -> None:
        open_below_title(self.menu(index), self._panes[index])

    def menu(self, index: int) -> QMenu:
        """Return a menu of what a pane can show, in which the one that holds is checked."""
        shown, name = self._kinds[index], f"Picture of pane {index + 1}"
        menu = kind_menu(self._panes[index], name, KINDS, shown, partial(self.show, index))
        menu.addAction("In a window of its own", partial(self.window_requested.emit, index))
        return menu
