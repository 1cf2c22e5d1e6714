"""Six linked panes: input, background, foreground, the mask over the input, the matte, and the cleaned frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.rendering.report_images import Pictures
from app.rendering.viewport import Look
from app.views.area_mode import AreaMode
from app.views.linked import Linked
from app.views.pane import ImagePane
from app.views.pane_contents import (
    BackgroundContent,
    InputContent,
    MaskContent,
    MatteContent,
    PaneContent,
    SharedLevels,
    cleaned_content,
    foreground_content,
)
from app.views.pane_grid import ALL, PaneGrid
from app.views.pane_modes import BrushMode, RegionMode
from app.views.tools.brush import Brush
from core.session.report import Report

INPUT, BACKGROUND, FOREGROUND, MASK, MATTE, CLEANED = range(6)

PAINTABLE = (INPUT, MASK)
"""The panes that people paint on."""

HINTS = (
    "Open a file, a folder, a stack or a camera, or choose a sample",
    "What stays still will appear here",
    "What moves will appear here",
    "Where something moves will be marked here",
    "How much of each pixel moves will appear here",
    "The frame without what moves will appear here",
)
"""What each pane says while it shows nothing."""


class PanesView(QWidget):
    """Shows a report in six panes that zoom and pan together.

    Keys: 1 to 6 enlarge a pane and Esc returns; plus, minus and 0 zoom; arrows pan; ``[`` and ``]`` move the wipe.
    """

    zoom_changed = Signal(float)
    """Screen pixels for each picture pixel, percent."""
    region_selected = Signal(int, int, int, int)
    """x, y, width and height of the region that was drawn, pixels of the original picture."""
    region_cancelled = Signal()
    stroke_painted = Signal(object, object, bool)
    """The report that was painted on, (H, W) bool in pixels of the original picture, and whether it is background."""
    brush_left = Signal()
    brush_thickened = Signal(int)
    """By how many steps."""
    enlarged_changed = Signal(int)
    """The pane that fills the view, or -1."""
    wipe_changed = Signal(bool)
    confidence_changed = Signal(bool)
    """Whether `show_confidence` is to be called as the plate grows."""
    detail_changed = Signal(int)
    """How often the size of pictures may be halved before the screen shows less than now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._input, self._background = InputContent(), BackgroundContent()
        self._contents: tuple[PaneContent, ...] = (
            self._input, self._background, foreground_content(), MaskContent(), MatteContent(), cleaned_content(),
        )  # fmt: skip
        self.panes = tuple(ImagePane(self._contents[i].title, hint) for i, hint in enumerate(HINTS))
        self._pictures: Pictures | None = None
        self._size: tuple[int, int] | None = None
        self._levels = SharedLevels()
        self.setAccessibleName("Panes: input, background, foreground, mask over input, matte, cleaned")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._grid = PaneGrid(self.panes, self)
        self.confidence_switch = self.panes[BACKGROUND].header.add_switch(
            "Confidence",
            "Plate confidence",
            "Show how often each pixel of the clean plate was seen: white always, dark rarely, magenta never",
        )
        self._linked = Linked(lambda: [self.panes[index] for index in self._grid.visible], self)
        self._region = RegionMode(self.panes, self)
        paintable = [self.panes[index] for index in PAINTABLE]
        self._painting = BrushMode(paintable, lambda: self.report, self)
        self.areas = AreaMode(paintable, self)
        self._connect()

    def _connect(self) -> None:
        self.confidence_switch.toggled.connect(self._on_confidence)
        self._linked.detail_changed.connect(self.detail_changed)
        self._linked.zoom_changed.connect(self._on_zoomed)
        self._linked.pointed.connect(self._update_readouts)
        self._linked.contrast_changed.connect(self._feed)
        for index, pane in enumerate(self.panes):
            self._linked.add(pane)
            pane.enlarge_requested.connect(lambda index=index: self.toggle_enlarged(index))
        self._region.changed.connect(self._name_panes)
        self._region.drawn.connect(lambda drawn: self.region_selected.emit(*drawn.getRect()))
        self._region.cancelled.connect(self.region_cancelled)
        self._painting.painted.connect(self.stroke_painted)

    # What is shown

    def show_report(self, report: Report, pictures: Pictures | None = None) -> None:
        """Show a report.

        ``pictures``, if given, were made of it on another thread, in the detail of which `detail_changed` told; where
        more is needed now, or none are given, they are made here, for the panes that are visible.
        """
        self._pictures = pictures or Pictures(report, self._linked.halvings)
        if self._size != self._pictures.size:
            self._size = self._pictures.size
            self._linked.forget()
            self.show_confidence(None)
        self._levels.follow(self._pictures)
        self._feed()
        self._update_readouts()

    def clear(self) -> None:
        """Show nothing."""
        self._pictures, self._size = None, None
        self._linked.forget()
        self.show_confidence(None)
        for pane in self.panes:
            pane.show_image(None)
            pane.set_look(None)
            pane.set_readout("")
            pane.probe.mark(None)

    def show_confidence(self, picture: NDArray[np.uint8] | None) -> None:
        """Show in the background pane how often each pixel of the plate was seen, while the switch there is on.

        Parameters
        ----------
        picture : (H, W) uint8, or None
            255 always, 0 never; at the working size. None where it is not known yet.
        """
        self._background.confidence = picture if self.confidence_switch.isChecked() else None
        self._name_panes()
        if self._pictures is not None and BACKGROUND in self._grid.visible:
            self._background.fill(self.panes[BACKGROUND], self._pictures, self._levels)
            self._update_readouts()

    def _on_confidence(self, on: bool) -> None:
        if not on:
            self.show_confidence(None)
        self.confidence_changed.emit(on)

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return None if self._pictures is None else self._pictures.report

    def _feed(self) -> None:
        if self._pictures is not None:
            self._fill(self._pictures)
            self._linked.settle()

    def _fill(self, pictures: Pictures) -> None:
        # Visible ones only: each picture is made when it is first asked for.
        for index in self._grid.visible:
            self._contents[index].fill(self.panes[index], pictures, self._levels)

    # Arrangement

    @property
    def enlarged(self) -> int:
        """The pane that fills the view, 0 to 5, or -1."""
        return self._grid.enlarged

    def set_enlarged(self, index: int) -> None:
        """Let one pane fill the view; -1 shows all six."""
        if index != self.enlarged:
            self._grid.enlarge(index)
            self._feed()
            self.enlarged_changed.emit(index)

    def toggle_enlarged(self, index: int) -> None:
        """Enlarge a pane, or return if it is enlarged."""
        self.set_enlarged(ALL if self.enlarged == index else index)

    def back(self) -> None:
        """Do what Esc does: give up drawing a region, put the brush away, or else show all panes."""
        if self._region.active:
            self._region.cancel()
        elif self.brush is not None:
            self.set_brush(None)
            self.brush_left.emit()
        elif self.areas.is_active:
            self.areas.board.give_up()
        else:
            self.set_enlarged(ALL)

    # The look

    def fit(self) -> None:
        """Show the whole picture."""
        self._linked.fit()

    def zoom_in(self) -> None:
        """Enlarge by a step."""
        self._linked.zoom_in()

    def zoom_out(self) -> None:
        """Reduce by a step."""
        self._linked.zoom_out()

    @property
    def look(self) -> Look | None:
        """The look that the panes share."""
        return self._linked.look

    def _on_zoomed(self, percent: float) -> None:
        """Where the pictures show too little now, make them here."""
        if self._pictures is not None and self._pictures.halvings > self._linked.halvings:
            self._pictures = Pictures(self._pictures.report, self._linked.halvings)
            self._fill(self._pictures)
        self.zoom_changed.emit(percent)

    # Pixels

    def _update_readouts(self) -> None:
        point = self._linked.point if self._pictures is not None else None
        for index in self._grid.visible:
            self.panes[index].set_readout("" if point is None else self.readout_text(index, *point))

    def readout_text(self, index: int, x: int, y: int) -> str:
        """Return what a pane says of a pixel of the original picture; nothing while there is no picture."""
        if self._pictures is None:
            return ""
        text = self._contents[index].pixel_text(self._pictures, x, y)
        return f"x {x} y {y} · {text}".rstrip(" ·") if index in {INPUT, self.enlarged} else text

    # Wipe, region, brush

    @property
    def wipe(self) -> bool:
        """Whether the input is compared with the background."""
        return self._input.wipes

    def set_wipe(self, on: bool) -> None:
        """Compare input (left of a divider that can be dragged) and background (right of it) in the input pane."""
        if on == self.wipe:
            return
        self._input.wipes = on
        self._name_panes()
        if on and self.enlarged not in (ALL, INPUT):
            self.set_enlarged(INPUT)
        if not on:
            self.panes[INPUT].show_other(None)
        self._feed()
        self.wipe_changed.emit(on)

    def start_region_selection(self) -> None:
        """Let a person draw a rectangle; `region_selected` or `region_cancelled` follows."""
        if self._pictures is None:
            self.region_cancelled.emit()
            return
        self._region.start()
        self.panes[self._grid.visible[0]].setFocus()

    @property
    def brush(self) -> Brush | None:
        """What people paint with; None: they do not."""
        return self._painting.brush

    def set_brush(self, brush: Brush | None) -> None:
        """Let people paint on the input and on the mask; None: no more."""
        self._painting.set_brush(brush)

    def _name_panes(self) -> None:
        """Write on each pane what it shows, or what to do while a region is drawn."""
        for index, pane in enumerate(self.panes):
            pane.set_title("Drag a rectangle · Esc cancels" if self._region.active else self._contents[index].title)

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge, return, cancel."""
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_6 and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier,
        ):  # fmt: skip
            self.toggle_enlarged(int(key) - int(Qt.Key.Key_1))
        elif key == Qt.Key.Key_Escape and (self._region.active or self.brush is not None or self.enlarged != ALL):
            self.back()
        elif self.brush is not None and key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.brush_thickened.emit(1 if key == Qt.Key.Key_BracketRight else -1)
        else:
            super().keyPressEvent(event)
