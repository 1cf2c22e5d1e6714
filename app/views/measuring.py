"""Measuring over several panes: one region, marked in all of them, and what each picture holds there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.rendering.measuring import clipped
from app.views.pane import ImagePane

if TYPE_CHECKING:
    from core.io.input_spec import Region


class MeasureMode(QObject):
    """Lets a person mark a pixel or a rectangle in any of the panes; the mark stays until it is put away.

    Parameters
    ----------
    panes : sequence of ImagePane
    parent : QObject
    """

    chosen = Signal(object)
    """The `Region` that was marked; None: nothing is measured any more."""

    def __init__(self, panes: Sequence[ImagePane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._active = False
        self._region: Region | None = None
        for pane in panes:
            pane.measure.chosen.connect(self._on_chosen)

    @property
    def active(self) -> bool:
        """Whether clicks and drags mark what is measured."""
        return self._active

    @property
    def region(self) -> Region | None:
        """What is measured."""
        return self._region

    def set_active(self, on: bool) -> None:
        """Let people mark what is measured, or measure nothing any more."""
        self._active = on
        for pane in self._panes:
            pane.measure.set_active(on)
        if not on:
            self._on_chosen(None)

    def mark(self, region: Region | None) -> None:
        """Mark what is measured, without telling."""
        self._region = region
        for pane in self._panes:
            pane.measure.mark(region)
            if region is None:
                pane.set_measured(())

    def keep_within(self, size: tuple[int, int]) -> None:
        """Measure nothing any more where the region does not lie in pictures of a size (width, height)."""
        if self._region is not None and clipped(self._region, size) is None:
            self._on_chosen(None)

    def _on_chosen(self, region: Region | None) -> None:
        if region is not None or self._region is not None:
            self.mark(region)
            self.chosen.emit(region)
