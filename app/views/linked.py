"""What links panes: one look, one point under the pointer, one contrast for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.rendering.viewport import STEP, Camera
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
    camera : Camera or None
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
        self.camera: Camera | None = None
        self.point: tuple[int, int] | None = None
        self.halvings = 0

    def add(self, pane: ImagePane) -> None:
        """Link a pane."""
        self._panes.append(pane)
        pane.camera_moved.connect(self._on_moved)
        pane.resized.connect(self._on_resized)
        pane.probe.pointed.connect(partial(self._on_pointed, pane))
        pane.contrast.chosen.connect(self._on_contrast)

    def remove(self, pane: ImagePane) -> None:
        """Forget a pane that goes away."""
        self._panes.remove(pane)

    def forget(self) -> None:
        """Look at whole pictures again: others will be shown."""
        self.camera, self._fitting, self.point = None, True, None

    def settle(self) -> None:
        """Give the visible panes the look, after their pictures were set."""
        if self.camera is None or self._fitting:
            self.fit()
        else:
            for pane in self._visible():
                pane.set_camera(self.camera)

    def fit(self) -> None:
        """Show the whole picture."""
        self._fitting = True
        cameras = [camera for pane in self._visible() if (camera := pane.fitted_camera()) is not None]
        if cameras:
            self._look(min(cameras, key=lambda camera: camera.scale))

    def zoom_in(self) -> None:
        """Enlarge by a step."""
        self._visible()[0].zoom(STEP)

    def zoom_out(self) -> None:
        """Reduce by a step."""
        self._visible()[0].zoom(1 / STEP)

    def _look(self, camera: Camera) -> None:
        scale = None if self.camera is None else self.camera.scale
        self.camera = camera
        for pane in self._visible():
            pane.set_camera(camera)
        if scale != camera.scale:
            halvings = min(max(0, math.floor(-math.log2(camera.scale))), MOST_HALVINGS)
            if halvings != self.halvings:
                self.halvings = halvings
                self.detail_changed.emit(halvings)
            self.zoom_changed.emit(100.0 * camera.scale)

    def _on_moved(self, camera: Camera | None) -> None:
        if camera is None:
            self.fit()
        else:
            self._fitting = False
            self._look(camera)

    def _on_resized(self) -> None:
        shown = [(pane, size) for pane in self._visible() if (size := pane.size_of_picture) is not None]
        if not shown:
            return
        if self._fitting:
            self.fit()
        elif self.camera is not None:
            pane, size = shown[0]
            self._look(self.camera.kept_on(size, pane.screen_size()))

    def _on_pointed(self, sender: ImagePane, point: tuple[int, int] | None) -> None:
        self.point = point
        for pane in self._panes:
            pane.probe.mark(None if pane is sender else point)
        self.pointed.emit()

    def _on_contrast(self, choice: Contrast, this_pane_only: bool) -> None:
        if not this_pane_only:
            for pane in self._panes:
                if not pane.contrast.own:
                    pane.contrast.choose(choice)
        self.contrast_changed.emit()
