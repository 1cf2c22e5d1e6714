"""The basis strip: each basis image, and how much of the current frame it makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Part
from app.theme import caption_font, colours, number_font
from app.views.pane import ImagePane

_BAR = 4
_WIDEST = 520
_HINT = "bar: share of the current frame · click to enlarge, right-click to reset or drop"


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
        self._given_height = 96
        # Not by a click: the space bar would enlarge it again, and arrows would go to other controls.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_basis(self, thumbnail: NDArray[np.uint8], share: float | None) -> None:
        """Show a thumbnail (h, w) or (h, w, 3) uint8, kept and not written, and a share, 0 to 1; None: not known."""
        if thumbnail is not self._thumbnail:
            self._thumbnail = thumbnail
            self._small = small = _small(thumbnail)
            form = QImage.Format.Format_Grayscale8 if small.ndim == 2 else QImage.Format.Format_RGB888
            before = self._image.size() if self._image is not None else QSize()
            self._image = QImage(small.data, small.shape[1], small.shape[0], small.strides[0], form)
            if before != self._image.size():
                self.set_height(self._given_height)
            self.update()
        share = -1.0 if share is None else min(max(float(np.nan_to_num(share)), 0.0), 1.0)
        if round(1000 * share) != round(1000 * self._share) or not self.accessibleName():
            self._share = share
            self.setAccessibleName(f"Basis image {self.k + 1}, {self.percent} of the current frame")
            self.setToolTip(
                f"Basis image {self.k + 1} makes {self.percent} of the current frame. Click to enlarge, right-click "
                f"to reset or drop."
            )
            self.update()

    @property
    def share(self) -> float:
        """Share of the current frame, 0 to 1; below 0 where it is not known."""
        return self._share

    @property
    def percent(self) -> str:
        """The share as people read it."""
        percent = 100 * self._share
        if percent < 0:
            return "– %"
        return f"{percent:.1f} %" if 0 < percent < 10 else f"{percent:.0f} %"

    @property
    def thumbnail(self) -> NDArray[np.uint8] | None:
        """What is shown."""
        return self._thumbnail

    def _caption_height(self) -> int:
        return self.fontMetrics().height()

    def _picture_height(self) -> int:
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
        frame = QRectF(0, 0, self.width(), self._picture_height())
        clip = QPainterPath()
        clip.addRoundedRect(frame, 4, 4)
        painter.fillPath(clip, QColor(shades.pane))
        if self._image is not None:
            size = self._image.size().scaled(frame.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(0, 0, size.width(), size.height())
            target.moveCenter(frame.center())
            painter.setClipPath(clip)
            painter.drawImage(target, self._image)
            painter.setClipping(False)
        if self.hasFocus():
            painter.setPen(QPen(QColor(shades.link), 2))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 4, 4)
        bar = QRectF(0, frame.bottom() + 5, self.width(), _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shades.track))
        painter.drawRoundedRect(bar, 2, 2)
        if self._share > 0:
            painter.setBrush(QColor(shades.good))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(self._share * bar.width(), 3), _BAR), 2, 2)
        words = QRectF(0, bar.bottom() + 1, self.width(), self._caption_height())
        painter.setPen(QColor(shades.muted))
        painter.setFont(caption_font())
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, str(self.k + 1))
        painter.setPen(QColor(shades.text))
        painter.setFont(number_font(0.88))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.percent)

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

    def menu(self) -> QMenu:
        """Return a menu of what can be done with this basis image."""
        menu = QMenu(self)
        menu.setAccessibleName(f"Basis image {self.k + 1}")
        menu.setToolTipsVisible(True)
        menu.addAction("Enlarge").triggered.connect(lambda: self.clicked.emit(self.k))
        reset = menu.addAction("Reset")
        reset.setToolTip("Learn this basis image anew from the next frame on")
        reset.triggered.connect(lambda: self.reset_requested.emit(self.k))
        drop = menu.addAction("Drop")
        drop.setToolTip("Go on without this basis image: the rank becomes one less")
        drop.triggered.connect(lambda: self.drop_requested.emit(self.k))
        return menu


def _small(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture no wider than a card can show, for an enlarged basis image comes in full size."""
    height, width = picture.shape[:2]
    if width <= _WIDEST:
        return np.ascontiguousarray(picture)
    return tone_mapping.reduce(picture, Part(0, 0, width, height, _WIDEST, max(round(height * _WIDEST / width), 1)))


class BasisDialog(QDialog):
    """One basis image, large; follows it while it is learnt."""

    def __init__(self, k: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.k = k
        self.pane = ImagePane(f"Basis image {k + 1}", parent=self)
        self.pane.enlarge_button.hide()
        self.pane.resized.connect(lambda: self.pane.set_camera(self.pane.fitted_camera()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.pane)
        self.setWindowTitle(f"Basis image {k + 1}, as it is learnt")
        self.setAccessibleName(f"Basis image {k + 1}, enlarged")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 560)


class BasisStrip(QWidget):
    """Basis images side by side, numbered, with their shares; scrolls sideways."""

    basis_clicked = Signal(int)
    reset_requested = Signal(int)
    drop_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[BasisCard] = []
        self._dialogs: dict[int, BasisDialog] = {}
        self.setAccessibleName("Basis, as it is learnt")
        heading = QLabel("BASIS, AS IT IS LEARNT")
        heading.setProperty("role", "heading")
        self._hint = QLabel(_HINT)
        self._hint.setProperty("role", "caption")
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = QWidget()
        self._row.setProperty("role", "clear")
        self._row_layout = QHBoxLayout(self._row)
        self._row_layout.setContentsMargins(0, 0, 0, 0)
        self._row_layout.setSpacing(8)
        self._row_layout.addStretch(1)
        self._scroll = _SidewaysScroll()
        self._scroll.resized.connect(self._size_cards)
        self._scroll.setWidget(self._row)
        empty = QLabel("The images that the background is made of will appear here")
        empty.setProperty("role", "caption")
        empty.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(empty)
        self._pages.addWidget(self._scroll)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(6)
        layout.addWidget(heading)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._hint)
        self.setMinimumHeight(130)
        self._show_page(0)

    @property
    def cards(self) -> tuple[BasisCard, ...]:
        """The cards in order."""
        return tuple(self._cards)

    def show_basis(self, images: Sequence[NDArray[np.uint8]], shares: Sequence[float | None]) -> None:
        """Show the basis.

        Parameters
        ----------
        images : sequence of (h, w) or (h, w, 3) uint8
            Thumbnails; one that is the same object as before costs nothing.
        shares : sequence of float, or None where not known
            Of the current frame, 0 to 1; missing ones are 0.
        """
        self._set_rank(len(images))
        for k, (card, image) in enumerate(zip(self._cards, images, strict=True)):
            card.show_basis(image, shares[k] if k < len(shares) else 0.0)
        for k, dialog in list(self._dialogs.items()):
            if k < len(images):
                dialog.pane.show_image(images[k])

    def clear(self) -> None:
        """Show nothing."""
        self._set_rank(0)

    def enlarge(self, k: int, image: NDArray[np.uint8] | None = None) -> None:
        """Open a window that shows basis image ``k`` large, from its thumbnail unless a finer image is given."""
        dialog = self._dialogs.get(k)
        if dialog is None:
            dialog = BasisDialog(k, self)
            self._dialogs[k] = dialog
            dialog.finished.connect(lambda _result: self._dialogs.pop(k, None))
        dialog.pane.show_image(self._cards[k].thumbnail if image is None else image)
        dialog.show()
        dialog.raise_()

    @property
    def enlarged(self) -> frozenset[int]:
        """The basis images that are open in a window of their own; finer pictures of them are welcome."""
        return frozenset(self._dialogs)

    @property
    def dialogs(self) -> dict[int, BasisDialog]:
        """The open windows, by the number of their basis image."""
        return dict(self._dialogs)

    def _set_rank(self, rank: int) -> None:
        while len(self._cards) > rank:
            card = self._cards.pop()
            self._row_layout.removeWidget(card)
            card.hide()
            card.deleteLater()
            if dialog := self._dialogs.get(card.k):
                dialog.close()
        while len(self._cards) < rank:
            card = BasisCard(len(self._cards))
            card.set_height(self._card_height())
            card.clicked.connect(self._on_clicked)
            card.reset_requested.connect(self.reset_requested)
            card.drop_requested.connect(self.drop_requested)
            self._row_layout.insertWidget(len(self._cards), card, 0, Qt.AlignmentFlag.AlignTop)
            self._cards.append(card)
        self._show_page(rank)

    def _card_height(self) -> int:
        # Room for the scroll bar is always kept: were it given to the cards while there is no bar, wider cards would
        # bring the bar, lower cards would remove it, and so on for ever.
        return max(self._scroll.height() - self._scroll.horizontalScrollBar().sizeHint().height() - 2, 60)

    def _size_cards(self) -> None:
        for card in self._cards:
            card.set_height(self._card_height())

    def _show_page(self, rank: int) -> None:
        self._pages.setCurrentIndex(int(rank > 0))
        self._hint.setText(_HINT if rank else "")

    def _on_clicked(self, k: int) -> None:
        self.enlarge(k)
        self.basis_clicked.emit(k)


class _SidewaysScroll(QScrollArea):
    """Scrolls sideways only, also with an ordinary wheel."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Basis images")
        self.viewport().setProperty("role", "clear")

    def resizeEvent(self, event: QEvent) -> None:
        """Tell the strip, which gives the cards their height."""
        super().resizeEvent(event)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn the wheel's steps into steps sideways."""
        bar, delta = self.horizontalScrollBar(), event.angleDelta()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()
