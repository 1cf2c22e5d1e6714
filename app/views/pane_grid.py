"""Where the panes lie: three beside each other, or one that fills the view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from app.views.pane import ImagePane

ALL = -1
"""No pane is enlarged: all show."""


COLUMNS = 3
"""Panes beside each other."""


class PaneGrid(QGridLayout):
    """Lays panes out.

    Parameters
    ----------
    panes : sequence of ImagePane
    view : QWidget
        Gets this layout; the keyboard goes on to the pane that fills it, or to the first.
    """

    def __init__(self, panes: Sequence[ImagePane], view: QWidget) -> None:
        super().__init__(view)
        self._panes, self._view = panes, view
        self._enlarged = ALL
        self.setContentsMargins(8, 8, 8, 8)
        self.setSpacing(6)
        view.setFocusProxy(panes[0])
        self._arrange()

    @property
    def enlarged(self) -> int:
        """The pane that fills the view, or `ALL`."""
        return self._enlarged

    @property
    def visible(self) -> tuple[int, ...]:
        """The panes that are shown."""
        return tuple(range(len(self._panes))) if self._enlarged == ALL else (self._enlarged,)

    def enlarge(self, index: int) -> None:
        """Let one pane fill the view; `ALL` shows all of them."""
        had_focus = any(pane.hasFocus() for pane in self._panes)
        self._enlarged = index
        self._arrange()
        for place, pane in enumerate(self._panes):
            pane.header.set_enlarged(place == index)
        first = self._panes[max(index, 0)]
        self._view.setFocusProxy(first)
        if had_focus:
            first.setFocus()

    def _arrange(self) -> None:
        visible = self.visible
        for index, pane in enumerate(self._panes):
            self.removeWidget(pane)
            pane.setVisible(index in visible)
        for place, index in enumerate(visible):
            self.addWidget(self._panes[index], place // COLUMNS, place % COLUMNS)
        rows, columns = -(-len(visible) // COLUMNS), min(len(visible), COLUMNS)
        for line in range(COLUMNS):
            self.setRowStretch(line, int(line < rows))
            self.setColumnStretch(line, int(line < columns))
