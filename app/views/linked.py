"""What links panes: one look, one point under the pointer, one contrast for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.rendering.viewport import STEP, Look
from app.views.contrast import Contrast
from app.views.pane import ImagePane

MOST_HALVINGS = 4
"""Pictures are never asked for smaller than this; the screen's own reduction does the rest."""


class Linked(QObject):
    """Lets happen to all visible panes what a person does to one.

    Parameters
    ----------
    visible : callable
        Returns the panes that can be seen, the first one first; they show pictures of one size.
    parent : QObject

    Attributes
    ----------
    look : Look or None
        The look that the panes share.
    point : (x, y) or None
        The picture pixel under the pointer.
    halvings : int
        How often the size of pictures may be halved before the screen shows less than now.
    """

    zoom_changed = Signal(float)
    """Screen pixels for each picture pixel, percent."""
    detail_changed = Signal(int)
    """`halvings`, where it is another."""
    pointed = Signal()
    """`point` changed."""
    contrast_changed = Signal()
    """Pictures are to be shown anew: the levels may be others."""

    def __init__(self, visible: Callable[[], Sequence[ImagePane]], parent: QObject) -> None:
        super().__init__(parent)
        self._visible = visible
        self._panes: list[ImagePane] = []
        self._fitting = True
        self.look: Look | None = None
        self.point: tuple[int, int] | None = None
        self.halvings = 0

    def add(self, pane: ImagePane) -> None:
        """Link a pane."""
        self._panes.append(pane)
        pane.look_moved.connect(self._on_moved)
        pane.resized.connect(self._on_resized)
        pane.probe.pointed.connect(partial(self._on_pointed, pane))
        pane.contrast.chosen.connect(partial(self._on_contrast, pane))

    def remove(self, pane: ImagePane) -> None:
        """Forget a pane that goes away."""
        self._panes.remove(pane)

    def forget(self) -> None:
        """Look at whole pictures again: others will be shown."""
        self.look, self._fitting, self.point = None, True, None

    def forget_point(self) -> None:
        """Take the pointer as nowhere until it moves: the panes lie elsewhere."""
        self._on_pointed(None, None)

    def settle(self) -> None:
        """Give the visible panes the look, after their pictures were set."""
        if self.look is None or self._fitting:
            self.fit()
        else:
            for pane in self._visible():
                pane.set_look(self.look)

    def fit(self) -> None:
        """Show the whole picture."""
        self._fitting = True
        looks = [look for pane in self._visible() if (look := pane.fitted_look()) is not None]
        if looks:
            self._show_look(min(looks, key=lambda look: look.scale))

    def zoom_in(self) -> None:
        """Enlarge by a step."""
        self._visible()[0].zoom(STEP)

    def zoom_out(self) -> None:
        """Reduce by a step."""
        self._visible()[0].zoom(1 / STEP)

    def _show_look(self, look: Look) -> None:
        scale = None if self.look is None else self.look.scale
        self.look = look
        for pane in self._visible():
            pane.set_look(look)
        if scale != look.scale:
            halvings = min(max(0, math.floor(-math.log2(look.scale))), MOST_HALVINGS)
            if halvings != self.halvings:
                self.halvings = halvings
                self.detail_changed.emit(halvings)
            self.zoom_changed.emit(100.0 * look.scale * self._visible()[0].devicePixelRatioF())

    def _on_moved(self, look: Look | None) -> None:
        if look is None:
            self.fit()
        else:
            self._fitting = False
            self._show_look(look)

    def _on_resized(self) -> None:
        shown = [pane for pane in self._visible() if pane.size_of_picture is not None]
        if not shown:
            return
        if self._fitting:
            self.fit()
        elif self.look is not None and (view := shown[0].viewport) is not None:
            self._show_look(replace(view, look=self.look).kept())

    def _on_pointed(self, sender: ImagePane | None, point: tuple[int, int] | None) -> None:
        self.point = point
        for pane in self._panes:
            pane.probe.mark(None if pane is sender else point)
        self.pointed.emit()

    def _on_contrast(self, sender: ImagePane, _choice: Contrast, this_pane_only: bool) -> None:
        if not this_pane_only:
            for pane in self._panes:
                if pane is not sender and not pane.contrast.own:
                    pane.contrast.take(sender.contrast)
        self.contrast_changed.emit()
