"""One basis image of the strip: small, with its number and its share of the current frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Part
from app.theme import caption_font, colours, number_font

_BAR = 4
_WIDEST = 520

_UNUSED = "not used yet"
_UNUSED_WORDS = (_UNUSED, "unused", "–")
"""The same as there is room for: what has made no frame has no share."""
_UNUSED_OPACITY = 0.4
"""Of the picture of one that has not been used: it shows what it began with."""


class BasisCard(QWidget):
    """One basis image with its number and its share of the frame.

    Parameters
    ----------
    k : int
        Which, from 0; people see it from 1.
    """

    clicked = Signal(int)
    reset_requested = Signal(int)
    drop_requested = Signal(int)

    def __init__(self, k: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.k = k
        self._image: QImage | None = None
        self._thumbnail: NDArray[np.uint8] | None = None
        self._small: NDArray[np.uint8] | None = None
        self._share = -1.0
        self._changed = ""
        self._is_unused = False
        self._given_height = 96
        # Not by a click: the space bar would enlarge it again, and arrows would go to other controls.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_basis(
        self,
        thumbnail: NDArray[np.uint8],
        share: float | None,
        change: float | None = None,
        *,
        is_unused: bool = False,
    ) -> None:
        """Show a thumbnail (h, w) or (h, w, 3) uint8, kept and not written, a share, and a change; None: not known.

        Both are of 1: the share of the frame, and how much of the basis image is another than some frames ago. One that
        ``is_unused`` has made no frame so far, and has learnt nothing.
        """
        if thumbnail is not self._thumbnail:
            self._thumbnail = thumbnail
            self._small = small = _small(thumbnail)
            form = QImage.Format.Format_Grayscale8 if small.ndim == 2 else QImage.Format.Format_RGB888
            before = self.picture_size
            self._image = QImage(small.data, small.shape[1], small.shape[0], small.strides[0], form)
            if before != self.picture_size:
                self.set_height(self._given_height)
            self.update()
        share = -1.0 if share is None else min(max(float(np.nan_to_num(share)), 0.0), 1.0)
        changed = _UNUSED if is_unused else "" if change is None else f"Δ {_percent(change)}"
        if (round(1000 * share), changed) != (round(1000 * self._share), self._changed) or not self.accessibleName():
            self._share, self._changed, self._is_unused = share, changed, is_unused
            unused = f", {_UNUSED}" if is_unused else ""
            self.setAccessibleName(f"Basis image {self.k + 1}, {self.percent} of the current frame{unused}")
            self.setToolTip(f"{self._about(change)} Click to enlarge, right-click to copy, reset or drop.")
            self.update()

    def _about(self, change: float | None) -> str:
        if self._is_unused:
            return (
                f"Basis image {self.k + 1} has not been used so far: it has made hardly anything of the frames shown "
                f"here. It shows what it began with, and learns once something needs it."
            )
        lately = "" if change is None else f" and has changed by {_percent(change)} over the last 50 frames"
        return f"Basis image {self.k + 1} makes {self.percent} of the current frame{lately}."

    @property
    def share(self) -> float:
        """Share of the current frame, 0 to 1; below 0 where it is not known."""
        return self._share

    @property
    def percent(self) -> str:
        """The share as people read it."""
        return "– %" if self._share < 0 else _percent(self._share)

    @property
    def changed(self) -> str:
        """By how much it has changed lately, as people read it, or that it is not used; empty where it is not known."""
        return self._changed

    @property
    def thumbnail(self) -> NDArray[np.uint8] | None:
        """What is shown."""
        return self._thumbnail

    @property
    def picture_size(self) -> QSize:
        """Width and height of what is drawn from, pixels: no larger than a card can show."""
        return QSize() if self._image is None else self._image.size()

    def _caption_height(self) -> int:
        return self.fontMetrics().height()

    @property
    def picture_height(self) -> int:
        """How high the picture shows, points; bar and numbers are below."""
        return max(self.height() - self._caption_height() - _BAR - 8, 16)

    def set_height(self, height: int) -> None:
        """Take a height, and the width that the picture's proportions ask for."""
        self._given_height = height
        room = max(height - self._caption_height() - _BAR - 8, 16)
        width = 1.33 * room if self._image is None else room * self._image.width() / max(self._image.height(), 1)
        self.setFixedSize(round(min(max(width, 64), 260)), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint picture, bar and numbers."""
        shades, painter = colours(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = QRectF(0, 0, self.width(), self.picture_height)
        clip = QPainterPath()
        clip.addRoundedRect(frame, 4, 4)
        painter.fillPath(clip, QColor(shades.pane))
        if self._image is not None:
            size = self._image.size().scaled(frame.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(0, 0, size.width(), size.height())
            target.moveCenter(frame.center())
            painter.setClipPath(clip)
            painter.setOpacity(_UNUSED_OPACITY if self._is_unused else 1.0)
            painter.drawImage(target, self._image)
            painter.setOpacity(1.0)
            painter.setClipping(False)
        if self.hasFocus():
            painter.setPen(QPen(QColor(shades.link), 2))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 4, 4)
        bar = QRectF(0, frame.bottom() + 5, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shades.track))
        painter.drawRoundedRect(bar, 2, 2)
        if self._share > 0 and not self._is_unused:
            painter.setBrush(QColor(shades.good))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(self._share * bar.width(), 3), _BAR), 2, 2)
        words = QRectF(0, bar.bottom() + 1, self.width(), self._caption_height())
        painter.setPen(QColor(shades.muted))
        painter.setFont(caption_font())
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(self.k + 1))
        number = painter.fontMetrics().horizontalAdvance(f"{self.k + 1}  ")
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if self._is_unused:
            painter.drawText(words, right, self._unused_words(self.width() - number))
            return
        painter.setPen(QColor(shades.text))
        painter.setFont(number_font(0.88))
        metrics = painter.fontMetrics()
        if number + metrics.horizontalAdvance(f"{self._changed}  {self.percent}") <= self.width():
            painter.setPen(QColor(shades.muted))
            painter.drawText(words.adjusted(number, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._changed)
            painter.setPen(QColor(shades.text))
        painter.drawText(words, right, self.percent)

    def _unused_words(self, room: int) -> str:
        """Return how it is said, in so many points, that it has not been used."""
        metrics = QFontMetrics(caption_font())
        return next((words for words in _UNUSED_WORDS if metrics.horizontalAdvance(words) <= room), _UNUSED_WORDS[-1])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Enlarge."""
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self.k)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enlarge from the keyboard; left and right go to the neighbours."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self.k)
        elif event.key() == Qt.Key.Key_Right:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Left:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to enlarge, to reset and to drop."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        if self._image is not None:
            QGuiApplication.clipboard().setImage(self._image.copy())

    def menu(self) -> QMenu:
        """Return a menu of what can be done with this basis image."""
        menu = QMenu(self)
        menu.setAccessibleName(f"Basis image {self.k + 1}")
        menu.setToolTipsVisible(True)
        menu.addAction("Enlarge").triggered.connect(lambda: self.clicked.emit(self.k))
        menu.addAction("Copy the picture").triggered.connect(self.copy)
        reset = menu.addAction("Reset")
        reset.setToolTip("Learn this basis image anew from the next frame on")
        reset.triggered.connect(lambda: self.reset_requested.emit(self.k))
        drop = menu.addAction("Drop")
        drop.setToolTip("Go on without this basis image: the rank becomes one less")
        drop.triggered.connect(lambda: self.drop_requested.emit(self.k))
        return menu


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.1f} %" if 0 < percent < 10 else f"{percent:.0f} %"


def _small(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture no wider than a card can show, for an enlarged basis image comes in full size."""
    height, width = picture.shape[:2]
    if width <= _WIDEST:
        return np.ascontiguousarray(picture)
    return tone_mapping.reduce(picture, Part(0, 0, width, height, _WIDEST, max(round(height * _WIDEST / width), 1)))
