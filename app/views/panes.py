"""Four linked panes: input, background, foreground, and the mask over the input."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.rendering import tone_mapping
from app.rendering.report_images import Pictures
from app.rendering.tone_mapping import Levels
from app.rendering.viewport import Camera
from app.theme import UNSEEN_TINT
from app.views.brush import Brush
from app.views.linked import Linked
from app.views.pane import Contrast, ImagePane
from core.session.report import Report

INPUT, BACKGROUND, FOREGROUND, MASK = range(4)

ROOM_FOR_SWITCH = 300
"""A pane narrower than this has no room for a switch beside its title, pixels."""


class PanesView(QWidget):
    """Shows a report in four panes that zoom and pan together.

    Keys: 1 to 4 enlarge a pane and Esc returns; plus, minus and 0 zoom; arrows pan; ``[`` and ``]`` move the wipe.
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
        self.panes = (
            ImagePane("Input", "Open a file, a folder, a stack or a camera, or choose a sample"),
            ImagePane("Background", "What stays still will appear here"),
            ImagePane("Foreground", "What moves will appear here"),
            ImagePane("Mask over input", "Where something moves will be marked here"),
        )
        self.confidence_switch = self.panes[BACKGROUND].add_switch(
            "Confidence",
            "Plate confidence",
            "Show how often each pixel of the clean plate was seen: white always, dark rarely, magenta never",
        )
        self.confidence_switch.toggled.connect(self._on_confidence)
        self.panes[BACKGROUND].resized.connect(self._on_background_resized)
        self._confidence: NDArray[np.uint8] | None = None
        self._pictures: Pictures | None = None
        self._size: tuple[int, int] | None = None
        self._enlarged = -1
        self._wipe = False
        self._selecting = False
        self._brush: Brush | None = None
        self._painted_on: Report | None = None
        self._linked = Linked(lambda: [self.panes[index] for index in self._visible()], self)
        self._levels = Levels(0, 65535)
        self.setAccessibleName("Panes: input, background, foreground, mask over input")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self.panes[INPUT])
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 8, 8, 8)
        self._grid.setSpacing(6)
        self._arrange()
        self._linked.detail_changed.connect(self.detail_changed)
        self._linked.zoom_changed.connect(self._on_zoomed)
        self._linked.pointed.connect(self._update_readouts)
        self._linked.contrast_changed.connect(self._feed)
        for index, pane in enumerate(self.panes):
            self._linked.add(pane)
            pane.enlarge_requested.connect(lambda index=index: self.toggle_enlarged(index))
            pane.region_drawn.connect(self._on_region_drawn)
            pane.stroke_begun.connect(self._on_stroke_begun)
            pane.stroke_painted.connect(self._on_stroke)

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
        if report.frame.full.layout.bit_depth > 8:
            self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(self._pictures.input))
        self._feed()
        self._update_readouts()

    def clear(self) -> None:
        """Show nothing."""
        self._pictures, self._size = None, None
        self._linked.forget()
        self.show_confidence(None)
        for pane in self.panes:
            pane.show_image(None)
            pane.set_camera(None)
            pane.set_readout("")
            pane.set_cross(None)

    def show_confidence(self, picture: NDArray[np.uint8] | None) -> None:
        """Show in the background pane how often each pixel of the plate was seen, while the switch there is on.

        Parameters
        ----------
        picture : (H, W) uint8, or None
            255 always, 0 never; at the working size. None where it is not known yet.
        """
        self._confidence = picture if self.confidence_switch.isChecked() else None
        self._name_panes()
        if self._pictures is not None and BACKGROUND in self._visible():
            self._fill_background()
            self._update_readouts()

    def _on_background_resized(self) -> None:
        """Leave the switch out where it would cover the pane's title; the enlarged pane has room for it."""
        has_room = self.panes[BACKGROUND].width() >= ROOM_FOR_SWITCH
        self.confidence_switch.setVisible(has_room or self.confidence_switch.isChecked())

    def _on_confidence(self, on: bool) -> None:
        if not on:
            self.show_confidence(None)
        self.confidence_changed.emit(on)

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return None if self._pictures is None else self._pictures.report

    def _feed(self) -> None:
        if self._pictures is None:
            return
        self._fill_panes()
        self._linked.settle()

    def _fill_panes(self) -> None:
        pictures = self._pictures
        white = pictures.report.frame.full.layout.white
        for index in self._visible():
            pane = self.panes[index]
            # One at a time: each is made when it is first asked for.
            if index == BACKGROUND:
                self._fill_background()
                continue
            if index == FOREGROUND and not pictures.are_learnt:
                pane.show_image(None)
                continue
            picture = pictures.foreground if index == FOREGROUND else pictures.input
            mask = pictures.mask if index == MASK else None
            pane.show_image(picture, mask, white=white, levels=self._shared_levels(pane), size=pictures.size)
            if index == INPUT:
                pane.show_other(pictures.background if self._wipe and pictures.are_learnt else None)

    def _fill_background(self) -> None:
        pictures, pane, seen = self._pictures, self.panes[BACKGROUND], self._confidence
        if not pictures.are_learnt:
            pane.show_image(None)
        elif seen is None:
            white, levels = pictures.report.frame.full.layout.white, self._shared_levels(pane)
            pane.show_image(pictures.background, white=white, levels=levels, size=pictures.size)
        else:
            never = np.where(seen == 0, np.uint8(255), np.uint8(0))
            pane.show_image(seen, never, white=255, size=pictures.size, tint=UNSEEN_TINT)

    def _shared_levels(self, pane: ImagePane) -> Levels | None:
        """Return the input's percentiles, so that one grey means one value in every pane."""
        if pane.own_contrast:
            return None
        pictures = self._pictures
        if pictures.report.frame.full.layout.bit_depth == 8 and pane.contrast is Contrast.PERCENTILES:
            self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(pictures.input))
        return self._levels

    # Arrangement

    def _visible(self) -> tuple[int, ...]:
        return (self._enlarged,) if self._enlarged >= 0 else (INPUT, BACKGROUND, FOREGROUND, MASK)

    def _arrange(self) -> None:
        visible = self._visible()
        for index, pane in enumerate(self.panes):
            self._grid.removeWidget(pane)
            pane.setVisible(index in visible)
        for place, index in enumerate(visible):
            self._grid.addWidget(self.panes[index], place // 2, place % 2)
        for line in (0, 1):
            used = line == 0 or len(visible) > 1
            self._grid.setRowStretch(line, int(used))
            self._grid.setColumnStretch(line, int(used))

    @property
    def enlarged(self) -> int:
        """The pane that fills the view, 0 to 3, or -1."""
        return self._enlarged

    def set_enlarged(self, index: int) -> None:
        """Let one pane fill the view; -1 shows all four."""
        if index == self._enlarged:
            return
        had_focus = any(pane.hasFocus() for pane in self.panes)
        self._enlarged = index
        self._arrange()
        for place, pane in enumerate(self.panes):
            pane.set_enlarged(place == index)
        self.setFocusProxy(self.panes[max(index, 0)])
        if had_focus:
            self.panes[max(index, 0)].setFocus()
        self._feed()
        self.enlarged_changed.emit(index)

    def toggle_enlarged(self, index: int) -> None:
        """Enlarge a pane, or return if it is enlarged."""
        self.set_enlarged(-1 if self._enlarged == index else index)

    def back(self) -> None:
        """Do what Esc does: give up drawing a region, put the brush away, or else show all panes."""
        if self._selecting:
            self.cancel_region_selection()
        elif self._brush is not None:
            self.set_brush(None)
            self.brush_left.emit()
        else:
            self.set_enlarged(-1)

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
    def camera(self) -> Camera | None:
        """The look that the panes share."""
        return self._linked.camera

    def _on_zoomed(self, percent: float) -> None:
        """Where the pictures show too little now, make them here."""
        if self._pictures is not None and self._pictures.halvings > self._linked.halvings:
            self._pictures = Pictures(self._pictures.report, self._linked.halvings)
            self._fill_panes()
        self.zoom_changed.emit(percent)

    # Pixels

    def _update_readouts(self) -> None:
        point = self._linked.point if self._pictures is not None else None
        for index in self._visible():
            self.panes[index].set_readout("" if point is None else self.readout_text(index, *point))

    def readout_text(self, index: int, x: int, y: int) -> str:
        """Return what a pane says of a pixel of the original picture: the samples as they are saved, not as shown."""
        pictures = self._pictures
        if index == MASK:
            samples = "foreground" if pictures.report.full_mask[y, x] else "background"
        elif index != INPUT and not pictures.are_learnt:
            samples = ""
        elif index == BACKGROUND and self._confidence is not None:
            samples = self._confidence_text(x, y)
        else:
            of = {INPUT: pictures.input_pixel, BACKGROUND: pictures.background_pixel}
            samples = tone_mapping.pixel_text(of.get(index, pictures.foreground_pixel)(x, y))
        return f"x {x} y {y} · {samples}".rstrip(" ·") if index in {INPUT, self._enlarged} else samples

    def _confidence_text(self, x: int, y: int) -> str:
        (height, width), (full_width, full_height) = self._confidence.shape, self._size
        share = int(self._confidence[y * height // full_height, x * width // full_width])
        return f"seen in {100 * share / 255:.0f} % of frames" if share else "never seen"

    # Contrast, wipe, region

    @property
    def wipe(self) -> bool:
        """Whether the input is compared with the background."""
        return self._wipe

    def set_wipe(self, on: bool) -> None:
        """Compare input (left of a divider that can be dragged) and background (right of it) in the input pane."""
        if on == self._wipe:
            return
        self._wipe = on
        self._name_panes()
        if on and self._enlarged not in (-1, INPUT):
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
        self._set_selecting(True)
        self.panes[self._visible()[0]].setFocus()

    def cancel_region_selection(self) -> None:
        """Give up drawing."""
        if self._selecting:
            self._set_selecting(False)
            self.region_cancelled.emit()

    def _set_selecting(self, on: bool) -> None:
        self._selecting = on
        for pane in self.panes:
            pane.set_region_drawing(on)
        self._name_panes()

    def _on_region_drawn(self, drawn: QRect) -> None:
        self._set_selecting(False)
        self.region_selected.emit(drawn.x(), drawn.y(), drawn.width(), drawn.height())

    # The brush

    def set_brush(self, brush: Brush | None) -> None:
        """Let people paint on the input and on the mask; None: no more."""
        self._brush = brush
        for index in (INPUT, MASK):
            self.panes[index].set_brush(brush)

    def _on_stroke_begun(self) -> None:
        # What plays goes on: what was meant is what was seen when the brush was put on it.
        self._painted_on = self.report

    def _on_stroke(self, where: NDArray[np.bool_]) -> None:
        if self._painted_on is not None and self._brush is not None:
            self.stroke_painted.emit(self._painted_on, where, self._brush.is_background)

    def _name_panes(self) -> None:
        """Write on each pane what it shows, or what to do while a region is drawn."""
        for index, pane in enumerate(self.panes):
            name = "Input | Background" if self._wipe and index == INPUT else pane.title
            if index == BACKGROUND and self._confidence is not None:
                name = "Plate confidence"
            pane.set_title("Drag a rectangle · Esc cancels" if self._selecting else name)

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge, return, cancel."""
        key = event.key()
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_4 and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier,
        ):  # fmt: skip
            self.toggle_enlarged(int(key) - int(Qt.Key.Key_1))
        elif key == Qt.Key.Key_Escape and (self._selecting or self._brush is not None or self._enlarged >= 0):
            self.back()
        elif self._brush is not None and key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self.brush_thickened.emit(1 if key == Qt.Key.Key_BracketRight else -1)
        else:
            super().keyPressEvent(event)
