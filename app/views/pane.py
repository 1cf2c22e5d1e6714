"""One pane: a picture, its name, what is under the pointer, and a contrast that changes nothing but the display."""

from __future__ import annotations

import enum
import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Levels
from app.rendering.viewport import STEP, Camera, fitted
from app.theme import MASK_TINT, colours, icon
from app.views.brush import Brush, BrushTool
from app.views.tools import RegionTool, WipeTool
from core.frames.frame import Values

_ARROWS = {
    Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1),
}  # fmt: skip
_BRACKETS = {Qt.Key.Key_BracketLeft: -0.02, Qt.Key.Key_BracketRight: 0.02}


class Contrast(enum.Enum):
    """Which samples are shown as black and white."""

    FULL = "Full range"
    PERCENTILES = "Percentiles 1–99 %"


class ImagePane(QWidget):
    """Shows a picture of any size and depth; people zoom, pan, enlarge, set the contrast and read pixels.

    Linked panes share one `Camera`: connect ``camera_moved`` of each to `set_camera` of all (`PanesView` does).

    Parameters
    ----------
    title : str
        Shown at the top left, and spoken by screen readers.
    hint : str
        One line shown while there is no picture.
    """

    camera_moved = Signal(object)
    """A `Camera`, where a person zoomed or panned; None asks for the whole picture."""
    resized = Signal()
    hovered = Signal(object)
    """The (x, y) of the picture pixel under the pointer, or None."""
    enlarge_requested = Signal()
    contrast_chosen = Signal(object, bool)
    """A `Contrast`, and whether it is meant for this pane only."""
    region_drawn = Signal(QRect)
    """In picture pixels."""
    stroke_begun = Signal()
    stroke_painted = Signal(object)
    """(H, W) bool, in pixels of the original picture."""

    def __init__(self, title: str, hint: str = "Nothing to show yet", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.hint = title, hint
        self.camera: Camera | None = None
        self._picture: Values | None = None
        self._size: tuple[int, int] | None = None
        self._mask: NDArray[np.uint8] | None = None
        self._tint = MASK_TINT
        self._other: Values | None = None
        self._white = 255
        self._version = 0
        self._drawn: dict[str, tuple[tuple, QImage, NDArray[np.uint8]]] = {}
        self._contrast: Contrast | None = None
        self._own_contrast = False
        self._shared_levels: Levels | None = None
        self._levels = Levels(0, 255)
        self._cross: tuple[int, int] | None = None
        self._grabbed: QPointF | None = None
        self._ring = False
        self.wipe = WipeTool()
        self.region = RegionTool()
        self.brush = BrushTool()
        self._build()

    def _build(self) -> None:
        self.setMinimumSize(120, 110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(f"{self.title} pane")
        self.setAccessibleDescription(
            "Plus and minus zoom, 0 shows the whole picture, arrow keys pan, double-click enlarges the pane."
        )
        self._title = self.title
        self.title_chip = self._chip(self.title, f"{self.title}: title")
        self.display_chip = self._chip("", f"{self.title}: display contrast")
        self.readout = self._chip("", f"{self.title}: pixel under the pointer", role="chip-number")
        self.enlarge_button = self._button("enlarge", "", "")
        self.set_enlarged(False)
        self.enlarge_button.clicked.connect(self.enlarge_requested)
        self.contrast_button = self._button(
            "contrast",
            f"Contrast of {self.title}",
            "Contrast of the display: brightens what is shown, changes nothing that is measured or saved",
        )
        self.contrast_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.contrast_menu = self._contrast_menu()
        self.contrast_button.setMenu(self.contrast_menu)
        self.display_chip.hide()
        self.readout.hide()
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.title_chip)
        top.addStretch(1)
        self._top = top
        top.addWidget(self.contrast_button)
        top.addWidget(self.enlarge_button)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 8, 8, 8)
        grid.setSpacing(4)
        grid.addLayout(top, 0, 0)
        grid.addWidget(self.display_chip, 1, 0, Qt.AlignmentFlag.AlignLeft)
        grid.setRowStretch(2, 1)
        grid.addWidget(self.readout, 3, 0, Qt.AlignmentFlag.AlignRight)

    def _chip(self, text: str, name: str, role: str = "chip") -> QLabel:
        chip = QLabel(text, self)
        chip.setProperty("role", role)
        chip.setAccessibleName(name)
        chip.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return chip

    def _button(self, icon_name: str, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setProperty("role", "chip")
        button.setIcon(icon(icon_name, "on_chip"))
        button.setIconSize(QSize(14, 14))
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        return button

    def add_switch(self, text: str, name: str, tip: str) -> QToolButton:
        """Return a new switch left of the buttons, which chooses what the pane shows."""
        switch = QToolButton(self)
        switch.setProperty("role", "chip")
        switch.setText(text)
        switch.setCheckable(True)
        switch.setAccessibleName(name)
        switch.setToolTip(tip)
        switch.setCursor(Qt.CursorShape.ArrowCursor)
        self._top.insertWidget(2, switch)
        return switch

    def set_title(self, title: str) -> None:
        """Change the words on the title chip."""
        self._title = title
        self._set_chip(self.title_chip, title)
        self._fit_title()

    def _fit_title(self) -> None:
        """Leave the contrast button out where the title has no room beside it, and then cut the title, not the chip."""
        chip, contrast, words = self.title_chip, self.contrast_button, self.title_chip.fontMetrics()
        chip.setText(self._title)
        margins = self.layout().contentsMargins()
        room = self.width() - margins.left() - margins.right() - chip.sizeHint().width()
        for i in range(self._top.count()):
            other = self._top.itemAt(i).widget()
            if other not in (None, chip, contrast) and not other.isHidden():
                room -= other.sizeHint().width() + self._top.spacing()
        contrast.setVisible(room >= contrast.sizeHint().width() + self._top.spacing())
        if room < 0:
            wide = max(words.horizontalAdvance(self._title) + room, 0)
            chip.setText(words.elidedText(self._title, Qt.TextElideMode.ElideRight, wide))

    def set_enlarged(self, enlarged: bool) -> None:
        """Let the enlarge button say and show what it does now."""
        self.enlarge_button.setIcon(icon("shrink" if enlarged else "enlarge", "on_chip"))
        self.enlarge_button.setAccessibleName("Show all panes" if enlarged else f"Enlarge {self.title}")
        self.enlarge_button.setToolTip(
            "Show all panes again (Esc)" if enlarged else f"Enlarge “{self.title}” to fill the panes; Esc returns"
        )

    def _contrast_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAccessibleName(f"Contrast of {self.title}, for display only")
        menu.addAction("Contrast, for display only").setEnabled(False)
        group = QActionGroup(menu)
        self._contrast_actions: dict[Contrast, QAction] = {}
        for choice in Contrast:
            action = QAction(choice.value, menu, checkable=True)
            action.triggered.connect(lambda _on, choice=choice: self._choose_contrast(choice))
            group.addAction(action)
            menu.addAction(action)
            self._contrast_actions[choice] = action
        menu.addSeparator()
        self.own_action = QAction("This pane only", menu, checkable=True)
        self.own_action.triggered.connect(self._choose_own)
        menu.addAction(self.own_action)
        menu.aboutToShow.connect(lambda: self._contrast_actions[self.contrast].setChecked(True))
        return menu

    # What is shown

    def show_image(
        self,
        picture: Values | None,
        mask: NDArray[np.uint8] | None = None,
        *,
        white: int | None = None,
        levels: Levels | None = None,
        size: tuple[int, int] | None = None,
        tint: tuple[int, int, int] = MASK_TINT,
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
        tint : tuple of int
            RGB; red when not given.
        """
        if picture is not None:
            size = size or (picture.shape[1], picture.shape[0])
        fresh = picture is not None and self._size != size
        self._picture, self._mask, self._shared_levels, self._size = picture, mask, levels, size
        self._tint = tint
        self._version += 1
        if picture is None:
            self._other = None
            self._drawn.clear()
        else:
            self._white = white or tone_mapping.white_of(picture)
            self._set_levels()
        if fresh:
            self.set_camera(self.fitted_camera())
        self.update()

    def show_other(self, picture: Values | None) -> None:
        """Show another picture of the same size right of the wipe's divider; None ends the wipe."""
        self._other = picture
        self.wipe.on = picture is not None
        self.update()

    @property
    def picture(self) -> Values | None:
        """What is shown."""
        return self._picture

    @property
    def size_of_picture(self) -> tuple[int, int] | None:
        """Width and height of the original picture."""
        return self._size if self._picture is not None else None

    # Contrast

    @property
    def contrast(self) -> Contrast:
        """The choice in force: until a person chooses, percentiles for 16-bit grey and the full range otherwise."""
        if self._contrast is not None:
            return self._contrast
        deep = self._picture is not None and self._picture.dtype == np.uint16 and self._picture.ndim == 2
        return Contrast.PERCENTILES if deep else Contrast.FULL

    @property
    def own_contrast(self) -> bool:
        """Whether the contrast of this pane is its own."""
        return self._own_contrast

    @property
    def levels(self) -> Levels:
        """The samples shown as black and white."""
        return self._levels

    def set_contrast(self, choice: Contrast) -> None:
        """Set the contrast of the display."""
        self._contrast = choice
        self._set_levels()
        self.update()

    def _choose_contrast(self, choice: Contrast) -> None:
        self.set_contrast(choice)
        self.contrast_chosen.emit(choice, self._own_contrast)

    def _choose_own(self, own: bool) -> None:
        self._own_contrast = own
        self._contrast = self.contrast
        self._set_levels()
        self.update()

    def _set_levels(self) -> None:
        if self._picture is None:
            return
        full = Levels(0, self._white)
        percentiles = self.contrast is Contrast.PERCENTILES
        if not percentiles:
            self._levels = full
        elif self._shared_levels is not None and not self._own_contrast:
            self._levels = self._shared_levels
        else:
            self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(self._picture))
        only = ", this pane only" if self._own_contrast else ""
        self._set_chip(self.display_chip, f"display: 1–99 %{only}" if percentiles else "")
        self.display_chip.setToolTip(f"Black is {self._levels.low}, white is {self._levels.high}")

    # Read-out

    def set_readout(self, text: str) -> None:
        """Show what is under the pointer; an empty text hides the chip."""
        self._set_chip(self.readout, text)

    def set_cross(self, point: tuple[int, int] | None) -> None:
        """Mark a picture pixel, for the pointer is over it in another pane."""
        if point != self._cross:
            self._cross = point
            self.update()

    @staticmethod
    def _set_chip(chip: QLabel, text: str) -> None:
        if chip.text() != text:
            chip.setText(text)
        chip.setHidden(not text)

    # The look

    def set_camera(self, camera: Camera | None) -> None:
        """Look at another part of the picture."""
        if camera != self.camera:
            self.camera = camera
            self.update()

    def fitted_camera(self) -> Camera | None:
        """Return the look that shows the whole picture in this pane."""
        size = self.size_of_picture
        return None if size is None else fitted(size, self.screen_size())

    def screen_size(self) -> tuple[float, float]:
        """Width and height of this pane in pixels of the screen (not of the layout: they differ on dense screens)."""
        ratio = self.devicePixelRatioF()
        return self.width() * ratio, self.height() * ratio

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge by a factor around a point of this pane, or around its middle."""
        if self.camera is None or self.size_of_picture is None:
            return
        point = self.to_picture(at) if at is not None else (self.camera.x, self.camera.y)
        smallest = min(self.fitted_camera().scale / 2, 1.0)
        self._move(self.camera.zoomed(factor, point, smallest))

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture by screen pixels."""
        if self.camera is not None and self.size_of_picture is not None:
            camera = self.camera
            self._move(Camera(camera.x - dx / camera.scale, camera.y - dy / camera.scale, camera.scale))

    def _move(self, camera: Camera) -> None:
        camera = camera.kept_on(self.size_of_picture, self.screen_size())
        self.set_camera(camera)
        self.camera_moved.emit(camera)

    def to_picture(self, at: QPointF) -> tuple[float, float]:
        """Return the point of the picture at a point of this pane."""
        ratio = self.devicePixelRatioF()
        return self.camera.to_picture(at.x() * ratio, at.y() * ratio, self.screen_size())

    def to_pane(self, x: float, y: float) -> QPointF:
        """Return the point of this pane where a point of the picture is."""
        ratio = self.devicePixelRatioF()
        px, py = self.camera.to_pane(x, y, self.screen_size())
        return QPointF(px / ratio, py / ratio)

    def _pixel_at(self, at: QPointF) -> tuple[int, int] | None:
        if self.camera is None or self.size_of_picture is None:
            return None
        x, y = (math.floor(v) for v in self.to_picture(at))
        width, height = self.size_of_picture
        return (x, y) if 0 <= x < width and 0 <= y < height else None

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible part at the size of the screen."""
        painter = QPainter(self)
        shades = colours()
        painter.fillRect(event.rect(), QColor(shades.pane))
        if self._picture is None or self.camera is None:
            painter.setPen(QColor(shades.muted))
            room = self.rect().adjusted(16, 40, -16, -40)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.hint)
        else:
            self._paint_picture(painter)
            self._paint_marks(painter)
        if self._ring and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(shades.link), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _paint_picture(self, painter: QPainter) -> None:
        if image := self._image("picture", self._picture, self._mask):
            painter.drawImage(*image)
        if self._other is None or self._other.shape[:2] != self._picture.shape[:2]:
            return
        at = self.wipe.x(self.width())
        painter.save()
        painter.setClipRect(QRectF(at, 0, self.width() - at, self.height()))
        if image := self._image("other", self._other, None):
            painter.drawImage(*image)
        painter.restore()
        self.wipe.paint(painter, self.rect())

    def _paint_marks(self, painter: QPainter) -> None:
        if self._cross is not None:
            x, y = self._cross
            centre = self.to_pane(x + 0.5, y + 0.5)
            for colour, width in (("#000000", 3.0), ("#ffffff", 1.0)):
                painter.setPen(QPen(QColor(colour), width))
                for ax, ay in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    painter.drawLine(centre + QPointF(ax, ay) * 4, centre + QPointF(ax, ay) * 10)
        if self.region.active:
            self.region.paint(painter, self)
        self.brush.paint(painter, self)

    def _image(self, slot: str, picture: Values, mask: NDArray[np.uint8] | None) -> tuple[QPointF, QImage] | None:
        """Return where to draw the visible part, and the part as the screen takes it; made anew only if it changed."""
        ratio = self.devicePixelRatioF()
        seen = self.camera.part(self._size, self.screen_size())
        if seen is None:
            return None
        part, (left, top) = seen
        part = part.on(self._size, picture)
        key = (id(picture), self._version, part, self._levels)
        cached = self._drawn.get(slot)
        if cached is None or cached[0] != key:
            screen = tone_mapping.to_screen(tone_mapping.to_8_bit(tone_mapping.reduce(picture, part), self._levels))
            if mask is not None:
                screen = tone_mapping.lay_over(screen, tone_mapping.reduce_mask(mask, part), self._tint)
            # The buffer is kept beside the QImage, which only points into it.
            made = QImage(screen.data, screen.shape[1], screen.shape[0], screen.strides[0], QImage.Format.Format_RGB32)
            made.setDevicePixelRatio(ratio)
            cached = (key, made, screen)
            self._drawn[slot] = cached
        return QPointF(left / ratio, top / ratio), cached[1]

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the linked panes, which may want to fit the picture anew."""
        super().resizeEvent(event)
        if self.camera is not None and self.size_of_picture is not None:
            self.set_camera(self.camera.kept_on(self.size_of_picture, self.screen_size()))
        self.resized.emit()
        self._fit_title()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self.zoom(STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to draw a region, to move the divider, or to pan."""
        if event.button() is not Qt.MouseButton.LeftButton or self._picture is None:
            super().mousePressEvent(event)
        elif self.region.active:
            self.region.begin(self.to_picture(event.position()))
        elif self.brush.brush is not None:
            self.brush.begin(self.to_picture(event.position()))
            self.stroke_begun.emit()
            self.update()
        elif not self.wipe.grab(event.position().x(), self.width()):
            self._grabbed = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with what was begun, and read out the pixel."""
        at = event.position()
        if self.region.drawing:
            self.region.drag(self.to_picture(at), self.size_of_picture)
            self.update()
        elif self.brush.brush is not None and self._picture is not None:
            self.brush.move(self.to_picture(at))
            self.update()
        elif self.wipe.grabbed:
            self.wipe.drag(at.x(), self.width())
            self.update()
        elif self._grabbed is not None:
            moved = (at - self._grabbed) * self.devicePixelRatioF()
            self._grabbed = at
            self.pan(moved.x(), moved.y())
        else:
            over_divider = not self.region.active and self.wipe.near(at.x(), self.width())
            self._set_pointer(Qt.CursorShape.SplitHCursor if over_divider else None)
        self.hovered.emit(self._pixel_at(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End what was begun."""
        self._grabbed = None
        self.wipe.release()
        if self.region.drawing and event.button() is Qt.MouseButton.LeftButton:
            drawn = self.region.end()
            self.update()
            if drawn is not None:
                self.region_drawn.emit(drawn)
        elif self.brush.painting and event.button() is Qt.MouseButton.LeftButton:
            painted = self.brush.end(self._size) if self._picture is not None else self.brush.give_up()
            self.update()
            if painted is not None:
                self.stroke_painted.emit(painted)
        self._set_pointer(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Enlarge the pane, or return from it."""
        if event.button() is not Qt.MouseButton.LeftButton or self.region.active:
            return
        if self.brush.brush is not None:
            self.mousePressEvent(event)  # Two dabs of a brush, not a wish for a larger pane.
        else:
            self.enlarge_requested.emit()

    def _set_pointer(self, shape: Qt.CursorShape | None) -> None:
        draws = self.region.active or self.brush.brush is not None
        wanted = shape or (Qt.CursorShape.CrossCursor if draws else Qt.CursorShape.ArrowCursor)
        if self.cursor().shape() is not wanted:
            self.setCursor(wanted)

    def set_region_drawing(self, on: bool) -> None:
        """Let the next drag draw a rectangle."""
        self.region.active = on
        self.region.end()
        self._set_pointer(None)
        self.update()

    def set_brush(self, brush: Brush | None) -> None:
        """Paint from now on, or no more."""
        self.brush.brush = brush
        if brush is None:
            self.brush.give_up()
            self.brush.move(None)
        self._set_pointer(None)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is to people who came by keyboard."""
        self._ring = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.hovered.emit(None)
        if self.brush.brush is not None:
            self.brush.move(None)
            self.update()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer the contrast, which also the keyboard's menu key reaches."""
        self.contrast_menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Keep keys that mean something here from the window's shortcuts: arrows while zoomed in, Esc while drawing."""
        if event.type() is QEvent.Type.ShortcutOverride and self._wants(event.key(), event.modifiers()):
            event.accept()
            return True
        return super().event(event)

    def _wants(self, key: int, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key == Qt.Key.Key_Escape:
            return self.region.active or self.brush.brush is not None
        if key in _BRACKETS:
            return self.wipe.on
        return key in _ARROWS and self.can_pan

    @property
    def can_pan(self) -> bool:
        """Whether the picture is larger than the pane."""
        if self.camera is None or self.size_of_picture is None:
            return False
        pairs = zip(self.size_of_picture, self.screen_size(), strict=True)
        return any(size * self.camera.scale > room + 1 for size, room in pairs)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom and pan from the keyboard."""
        key, move = event.key(), 40 * self.devicePixelRatioF()
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.set_camera(self.fitted_camera())
            self.camera_moved.emit(None)
        elif key in _ARROWS and self.can_pan:
            dx, dy = _ARROWS[key]
            self.pan(dx * move, dy * move)
        elif self.wipe.on and key in _BRACKETS:
            self.wipe.nudge(_BRACKETS[key])
            self.update()
        else:
            super().keyPressEvent(event)
