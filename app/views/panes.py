"""Six linked panes, each with a picture that people choose: input, background, foreground and more."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.command_words import LINE
from app.rendering.picture_kinds import KINDS, STANDARD
from app.rendering.report_images import Pictures
from app.rendering.viewport import Look
from app.views.area_mode import AreaMode
from app.views.linked import Linked
from app.views.measuring import MeasureMode
from app.views.painted_mode import PaintedMode
from app.views.pane import ImagePane
from app.views.pane_choice import PaneChoice
from app.views.pane_display import PaneDisplay
from app.views.pane_grid import ALL, PaneGrid
from app.views.pane_modes import BrushMode, RegionMode, say_elsewhere
from app.views.picture_actions import PictureActions
from app.views.tools.brush import Brush
from app.views.tools.event_marks import EventMarks
from app.views.wipe_mode import WipeMode
from core.session.report import Report

INPUT, BACKGROUND, FOREGROUND, MASK, MATTE, CLEANED = range(6)
"""The panes, by what they show until people choose."""

PAINTABLE = ("input", "foreground", "mask", "matte", "cleaned", "probability")
"""The kinds of picture that people paint on: those in which a mistake of the mask is seen."""

DRAWABLE = (INPUT, MASK)
"""The panes on which areas are drawn."""


class PanesView(QWidget):
    """Shows pictures of a report in six panes that zoom and pan together.

    Keys: 1 to 6 enlarge a pane and Esc returns; plus, minus and 0 zoom; arrows pan; ``[`` and ``]`` move the wipe.

    Parameters
    ----------
    parent : QWidget, optional
    event_marks : EventMarks, optional
        Line and area that it shows and draws, of panes that share them; its own when not given.
    """

    zoom_changed = Signal(float)
    """Screen pixels for each picture pixel, percent."""
    region_selected = Signal(int, int, int, int)
    """x, y, width and height of the region that was drawn, pixels of the original picture."""
    stroke_painted = Signal(object, object, bool)
    """The report that was painted on, (H, W) bool in pixels of the original picture, and whether it is background."""
    brush_left = Signal()
    brush_thickened = Signal(int)
    """By how many steps."""
    wipe_changed = Signal(bool)
    shown = Signal(object, object)
    """A report and the pictures of it, as `show_report` was given them."""
    confidence_shown = Signal(object)
    """What `show_confidence` was given."""
    kinds_changed = Signal()
    """Other pictures are needed: see `kinds` and `needed`. With ``confidence`` among these `show_confidence` is to be
    called as the plate grows."""
    measuring_left = Signal()
    """Esc: nothing is to be measured any more."""
    detail_changed = Signal(int)
    """How often the size of pictures may be halved before the screen shows less than now."""

    def __init__(self, parent: QWidget | None = None, event_marks: EventMarks | None = None) -> None:
        super().__init__(parent)
        self.panes = tuple(ImagePane(KINDS[key].title, KINDS[key].hint) for key in STANDARD)
        self.actions_on_pictures = tuple(PictureActions(pane) for pane in self.panes)
        self.choice = PaneChoice(self.panes, self)
        self._wiping = WipeMode(self.choice, lambda: self.enlarged, self.set_enlarged, self)
        self.setAccessibleName("Panes")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._grid = PaneGrid(self.panes, self)
        self.confidence_switch = self.panes[BACKGROUND].header.add_switch(
            "Confidence",
            "Plate confidence",
            "Show how often each pixel of the clean plate was seen: white always, dark rarely, magenta never",
        )
        self._linked = Linked(lambda: [self.panes[index] for index in self._grid.visible], self)
        self._region, self.measuring_mode = RegionMode(self.panes, self), MeasureMode(self.panes, self)
        self._painting = BrushMode(self.panes, lambda: self.report, self._paintable, self)
        self.display = PaneDisplay(self.panes, self._grid, self.choice, self._linked, self.measuring_mode)
        self.painted = PaintedMode(self.panes, self)
        self.areas = AreaMode([self.panes[index] for index in DRAWABLE], self)
        self.event_marks = event_marks or EventMarks(self)
        self._connect()

    def _connect(self) -> None:
        self.confidence_switch.clicked.connect(self._on_confidence)
        self._linked.detail_changed.connect(self.detail_changed)
        self._linked.zoom_changed.connect(self._on_zoomed)
        self._linked.pointed.connect(self.display.update_readouts)
        self._linked.contrast_changed.connect(self.display.feed)
        for index, pane in enumerate(self.panes):
            self._linked.add(pane)
            pane.event_marks.use(self.event_marks)
            pane.event_drag.use(self.event_marks)
            pane.brush.thickened.connect(self.brush_thickened)
            pane.enlarge_requested.connect(partial(self.toggle_enlarged, index))
            self.actions_on_pictures[index].set_data(partial(self.display.data_writer, index))
        self._region.changed.connect(self._name_panes)
        self._region.drawn.connect(lambda drawn: self.region_selected.emit(*drawn.getRect()))
        self._painting.painted.connect(self.stroke_painted)
        self.choice.changed.connect(self._on_choice)
        self._wiping.changed.connect(self._on_wipe)
        self.areas.board.changed.connect(self._say_elsewhere)
        self.event_marks.changed.connect(self._on_event_marks)

    # What is shown

    def show_report(self, report: Report, pictures: Pictures | None = None) -> None:
        """Show a report.

        ``pictures``, if given, were made of it on another thread, in the detail of which `detail_changed` told; where
        more is needed now, or none are given, they are made here, for the panes that are visible.
        """
        self.display.show(report, pictures)
        self._fit_grid()
        self.shown.emit(report, pictures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep pictures large in the new size."""
        super().resizeEvent(event)
        self._fit_grid()

    def _fit_grid(self) -> None:
        if self.report is not None:
            layout = self.report.frame.full.layout
            self._grid.fit(QSize(layout.width, layout.height), self.size())

    def say_of_input(self, sentence: str) -> None:
        """Say something in the panes of the input while there is no frame yet."""
        for index in self.choice.showing("input"):
            self.panes[index].set_hint(sentence)

    def clear(self) -> None:
        """Show nothing."""
        self.display.clear()
        self._painting.let_go_of_all()

    def show_confidence(self, picture: NDArray[np.uint8] | None) -> None:
        """Show in the background pane how often each pixel of the plate was seen, while the switch there is on.

        Parameters
        ----------
        picture : (H, W) uint8, or None
            255 always, 0 never; at the working size. None where it is not known yet.
        """
        self.display.set_confidence(picture)
        self.confidence_shown.emit(picture)

    def _on_confidence(self, on: bool) -> None:
        self.choice.show(BACKGROUND, "confidence" if on else "background")

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return self.display.report

    # Which pictures

    @property
    def kinds(self) -> tuple[str, ...]:
        """What the panes show: keys of `app.rendering.picture_kinds.KINDS`."""
        return self.choice.kinds

    @property
    def needed(self) -> frozenset[str]:
        """The pictures that are to be made of each report: of hidden panes too, so that they are there at once."""
        with_others = self.wipe or "confidence" in self.kinds
        return frozenset(self.kinds) | ({"background"} if with_others else frozenset())

    def set_kinds(self, keys: Collection[str]) -> None:
        """Show these in the panes; the standard in place of what there is not."""
        self.choice.show_all(keys)

    def _on_choice(self, index: int) -> None:
        """Show the other picture, and what goes with it."""
        switch, kind = self.confidence_switch, self.kinds[BACKGROUND]
        if index == BACKGROUND:
            switch.setChecked(kind == "confidence")
            self.panes[BACKGROUND].header.set_offered(switch, kind in {"background", "confidence"})
        if not self.choice.showing("confidence"):
            self.show_confidence(None)
        self.set_brush(self.brush)
        self._name_panes()
        self.display.feed()
        self.display.update_readouts()
        self.kinds_changed.emit()

    def _paintable(self) -> list[ImagePane]:
        return [self.panes[index] for index in self.choice.showing(*PAINTABLE)]

    # Arrangement

    @property
    def enlarged(self) -> int:
        """The pane that fills the view, 0 to 5, or -1."""
        return self._grid.enlarged

    def set_enlarged(self, index: int) -> None:
        """Let one pane fill the view; -1 shows all six."""
        if index != self.enlarged:
            self._linked.forget_point()
            self._grid.enlarge(index)
            self.display.feed()

    def toggle_enlarged(self, index: int) -> None:
        """Enlarge a pane, or return if it is enlarged."""
        self.set_enlarged(ALL if self.enlarged == index else index)

    def back(self) -> None:
        """Do what Esc does: give up drawing, put the brush away, or else show all panes."""
        if self.event_marks.drawing:
            self.event_marks.give_up()
        elif self._region.active:
            self._region.cancel()
        elif self.brush is not None:
            self.set_brush(None)
            self.brush_left.emit()
        elif self.measuring_mode.active:
            self.measuring_left.emit()
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
    def detail(self) -> int:
        """How often the size of pictures may be halved before the screen shows less than now."""
        return self._linked.halvings

    @property
    def look(self) -> Look | None:
        """The look that the panes share."""
        return self._linked.look

    def _on_zoomed(self, percent: float) -> None:
        self.display.refine()
        self.zoom_changed.emit(percent)

    # Wipe, region, brush

    @property
    def wipe(self) -> bool:
        """Whether the input is compared with the background."""
        return self._wiping.is_on

    def set_wipe(self, on: bool) -> None:
        """Compare input (left of a divider that can be dragged) and background (right of it) in the input pane."""
        self._wiping.set_on(on)

    def _on_wipe(self, on: bool) -> None:
        self._name_panes()
        self.display.feed()
        self.kinds_changed.emit()
        self.wipe_changed.emit(on)

    def start_region_selection(self) -> None:
        """Let a person draw a rectangle, where there is something to draw it on; `region_selected` tells of it."""
        if self.report is None:
            return
        self.event_marks.give_up()
        self._region.start()
        self.panes[self._grid.visible[0]].setFocus()

    @property
    def brush(self) -> Brush | None:
        """What people paint with; None: they do not."""
        return self._painting.brush

    def set_brush(self, brush: Brush | None) -> None:
        """Let people paint on the input and on the mask; None: no more."""
        self._painting.set_brush(brush)
        self._say_elsewhere()
        self.painted.refresh()

    def let_go_of_stroke(self) -> None:
        """Show the oldest stroke that waits for an answer no more: what came of it is shown."""
        self._painting.let_go()

    def _say_elsewhere(self) -> None:
        """Let panes that do not take what is drawn with say which do."""
        if self.brush is not None:
            say_elsewhere(self.panes, self._paintable(), "Paint")
        else:
            what = "Draw areas" if self.areas.is_active else ""
            say_elsewhere(self.panes, [self.panes[index] for index in DRAWABLE], what)

    def _on_event_marks(self) -> None:
        if self.event_marks.drawing:
            self._region.cancel()
        self._name_panes()

    def _name_panes(self) -> None:
        """Write on each pane what it shows, or what to do while something is drawn by one drag."""
        what = "Drag the line" if self.event_marks.drawing == LINE else "Drag a rectangle"
        is_drawn = self._region.active or bool(self.event_marks.drawing)
        for index, pane in enumerate(self.panes):
            title = self.choice.content(index).title
            pane.set_title(*((f"{what} · Esc cancels", what) if is_drawn else (title,)))

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge, return, cancel."""
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_6 and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier,
        ):  # fmt: skip
            self.toggle_enlarged(int(key) - int(Qt.Key.Key_1))
        elif key == Qt.Key.Key_Escape and (
            self._region.active or self.brush is not None or self.measuring_mode.active or self.enlarged != ALL
        ):
            self.back()
        elif self.brush is not None and key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.brush_thickened.emit(1 if key == Qt.Key.Key_BracketRight else -1)
        else:
            super().keyPressEvent(event)
