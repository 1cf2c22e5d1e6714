"""One pane: a picture, its name, what is under the pointer, and tools to work on it with the mouse."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.rendering.signed import Scale
from app.rendering.tone_mapping import Levels
from app.rendering.viewport import STEP, Look, Viewport
from app.rendering.wide_colour import WideColour
from app.theme import colours, theme_changed
from app.views.clear_view import ClearView
from app.views.contrast import DisplayContrast
from app.views.pane_header import PaneOverlay
from app.views.pane_picture import PanePicture, paint_hint, paint_ring
from app.views.pane_tools import PaneTools
from app.views.screen_image import ScreenImage
from core.frames.frame import Values


class ImagePane(QWidget):
    """Shows a picture of any size and depth; people zoom, pan, enlarge, set the contrast and use tools on it.

    Linked panes share one `Look`: connect ``look_moved`` of each to `set_look` of all (`Linked` does).

    Parameters
    ----------
    title : str
        Shown at the top left, and spoken by screen readers.
    hint : str
        One line shown while there is no picture.

    Attributes
    ----------
    contrast : DisplayContrast
    region, measure, areas, area_brush, brush, painted, event_drag, event_marks, probe, wipe, scale_bar, elsewhere,
    pan_zoom : Tool
        They tell by signals of their own what came of their use.
    header, readout, measured
        What stands over the picture.
    """

    look_moved = Signal(object)
    """A `Look`, where a person zoomed or panned; None asks for the whole picture."""
    resized = Signal()
    enlarge_requested = Signal()

    def __init__(self, title: str, hint: str = "Nothing to show yet", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.hint = title, hint
        self.look: Look | None = None
        self._size: tuple[int, int] | None = None
        self._ring = False
        self.setMinimumSize(120, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(f"{title} pane")
        self.setAccessibleDescription(
            "Plus and minus zoom, 0 shows the whole picture, arrow keys pan, double-click enlarges the pane."
        )
        self.contrast = DisplayContrast(title, self)
        self.contrast.changed.connect(self._on_contrast)
        overlay = PaneOverlay(title, self, self.contrast.menu)
        self.header, self.readout, self.measured = overlay.header, overlay.readout, overlay.measured
        self.header.enlarge_requested.connect(self.enlarge_requested)
        tools = PaneTools(lambda: self.viewport, self)
        self.region, self.measure, self.areas = tools.region, tools.measure, tools.areas
        self.area_brush, self.brush, self.painted = tools.area_brush, tools.brush, tools.painted
        self.event_drag, self.event_marks = tools.event_drag, tools.event_marks
        self.probe, self.wipe, self.scale_bar = tools.probe, tools.wipe, tools.scale_bar
        self.elsewhere, self.pan_zoom, self._tools = tools.elsewhere, tools.pan_zoom, tools.stack
        self._clear_view = ClearView(self, self.header, tools, lambda: self.viewport)
        self._picture = PanePicture(self.wipe)
        self.pan_zoom.looked.connect(self._on_looked)
        self._tools.changed.connect(self.update)
        self._tools.cursor_changed.connect(self.setCursor)
        theme_changed().connect(self.update)

    # What is shown

    def show_image(
        self,
        picture: Values | None,
        mask: NDArray[np.uint8] | None = None,
        *,
        white: int | None = None,
        levels: Levels | None = None,
        size: tuple[int, int] | None = None,
        scale: Scale | None = None,
        tint: tuple[int, int, int] | None = None,
        wide: WideColour | None = None,
    ) -> None:
        """Show a picture, or none.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) RGB, uint8 or uint16, or None
            Is kept, not copied: it must not be written again.
        mask : (H, W) uint8, optional
            Laid over the picture in ``tint`` where it is 255.
        white : int, optional
            The sample that is white in the full range; the largest of the type when not given.
        levels : Levels, optional
            For the percentile range, where it is that of another pane (so that panes can be compared).
        size : (width, height), optional
            Of the original, where picture and mask are smaller versions of it: all points here are the original's.
        scale : Scale, optional
            What samples stand for, where they are differences.
        tint : tuple of int, optional
            RGB; that of masks when not given.
        wide : WideColour, optional
            What samples stand for, where a screen would show them otherwise.
        """
        before, self._size = self._size, None
        if picture is None:
            self._picture.shown = self._picture.other = None
        else:
            self._picture.shown = ScreenImage(picture, mask, tint, wide)
            self._size = size or (picture.shape[1], picture.shape[0])
        self.contrast.follow(picture, white, levels, scale)
        if self._size not in (None, before):
            self.set_look(self.fitted_look())
        self.update()

    def show_other(self, picture: Values | None, wide: WideColour | None = None) -> None:
        """Show another picture of the same scene right of the wipe's divider; None ends the wipe."""
        self._picture.other = None if picture is None else ScreenImage(picture, wide=wide)
        self.wipe.set_on(picture is not None)
        self.update()

    @property
    def picture(self) -> Values | None:
        """What is shown."""
        return None if self._picture.shown is None else self._picture.shown.picture

    @property
    def size_of_picture(self) -> tuple[int, int] | None:
        """Width and height of the original picture."""
        return self._size

    def set_title(self, *words: str) -> None:
        """Change the words on the title chip: the first that have room there."""
        self.header.set_title(*words)

    def rename(self, title: str, hint: str) -> None:
        """Be the pane of another kind of picture."""
        self.title, self.hint = title, hint
        self.setAccessibleName(f"{title} pane")
        self.header.rename(title)
        self.update()

    def set_hint(self, hint: str) -> None:
        """Say something else while there is no picture."""
        if hint != self.hint:
            self.hint = hint
            self.update()

    def set_readout(self, text: str) -> None:
        """Show what is under the pointer; an empty text hides the chip."""
        self.readout.say(text)

    def set_measured(self, words: Sequence[str]) -> None:
        """Show what is measured in the region, in as few lines as there is room for; none hide the chip."""
        self.measured.say_in_lines(words)
        self.scale_bar.raise_by(self.measured.sizeHint().height() + 4 if words else 0)

    def _on_contrast(self) -> None:
        self.header.show_display(self.contrast.labels)
        self.update()

    # The look

    @property
    def viewport(self) -> Viewport | None:
        """How the picture lies in this pane; None while there is no picture."""
        return None if self.look is None else self._with(self.look)

    def _with(self, look: Look) -> Viewport | None:
        if self._size is None:
            return None
        return Viewport(look, self._size, (self.width(), self.height()), self.devicePixelRatioF(), self.header.height)

    def set_look(self, look: Look | None) -> None:
        """Look at another part of the picture."""
        if look != self.look:
            self.look = look
            self._clear_view.look()
            self.update()

    def fitted_look(self) -> Look | None:
        """Return the look that shows the whole picture in this pane, below its title."""
        view = self._with(Look(0.0, 0.0, 1.0))
        return None if view is None else view.fitted()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge by a factor around a point of this pane, or around its middle."""
        self.pan_zoom.zoom(factor, at, self.viewport)

    def _on_looked(self, look: Look | None) -> None:
        self.set_look(self.fitted_look() if look is None else look)
        self.look_moved.emit(look)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible part at the size of the screen."""
        painter, view = QPainter(self), self.viewport
        painter.fillRect(event.rect(), QColor(colours().pane))
        if self._picture.shown is None or view is None:
            paint_hint(painter, self.rect(), self.hint)
        else:
            self._picture.paint(painter, view, self.contrast.tone)
            self._tools.paint(painter, view)
        if self._ring and self.hasFocus():
            paint_ring(painter, self.rect())

    def shot(self) -> QImage | None:
        """Return the picture as it is shown, with divider, mark and scale bar, without words; None: there is none."""
        view, marks = self.viewport, (self.wipe, self.measure, self.scale_bar)
        self.scale_bar.leave()  # Whole, wherever the pointer is.
        return None if view is None else self._picture.image(view, self.contrast.tone, marks)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the linked panes, which may want to fit the picture anew."""
        super().resizeEvent(event)
        if (view := self.viewport) is not None:
            self.set_look(view.kept())
        self.resized.emit()
        self.header.on_resized()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self.zoom(STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Hand the press to the tools, where there is a picture to work on."""
        if event.button() is not Qt.MouseButton.LeftButton or not self._tools.press(event.position()):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with what was begun."""
        self._tools.move(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End what was begun."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._tools.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enlarge the pane, or return from it; to a modal tool it is a second press."""
        if self._tools.modal:
            self.mousePressEvent(event)
        elif event.button() is Qt.MouseButton.LeftButton:
            self.enlarge_requested.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._tools.leave()
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is to people who came by keyboard."""
        self._ring = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the contrast, which also the keyboard's menu key reaches."""
        self.contrast.menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Keep keys that mean something here from the window's shortcuts: arrows while zoomed in, Esc while drawing."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if is_plain and self._tools.keeps_key(event.key()):
                event.accept()
                return True
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self._clear_view.look()
            self.header.set_pointed(event.type() is QEvent.Type.Enter)
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the tools act on the key."""
        if not self._tools.press_key(event.key()):
            super().keyPressEvent(event)
