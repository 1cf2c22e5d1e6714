"""The basis strip: each basis image, and how much of the current frame it makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.side_window import SideWindow
from app.views.basis_card import BasisCard
from app.views.pane import ImagePane
from app.views.picture_actions import PictureActions
from core.frames.frame import Layout, Planes

_HINT = "bar: share of the frame · Δ: change over 50 frames · click to enlarge, right-click for more"
_LUMA = "brightness only, of a film"
_LUMA_TIP = (
    "Of films, brightness and colour differences are learnt; a part of a frame's colour differences is no colour."
)


class BasisDialog(SideWindow):
    """One basis image, large; follows it while it is learnt."""

    def __init__(self, k: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.k = k
        self.pane = ImagePane(f"Basis image {k + 1}", parent=self)
        self.pane.header.enlarge_button.hide()
        self.actions_on_picture = PictureActions(self.pane)
        self.pane.resized.connect(lambda: self.pane.set_look(self.pane.fitted_look()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self.pane)
        self.setWindowTitle(f"Basis image {k + 1}, as it is learnt")
        self.setAccessibleName(f"Basis image {k + 1}, enlarged")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(760, 560)


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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the strip, which gives the cards their height."""
        super().resizeEvent(event)
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn the wheel's steps into steps sideways."""
        bar, delta = self.horizontalScrollBar(), event.angleDelta()
        bar.setValue(bar.value() - (delta.x() or delta.y()))
        event.accept()


class OneLine(QLabel):
    """A caption of one line; where that has no room its end is cut, and the tip has it whole."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = self._tip = ""
        self.setProperty("role", "caption")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, words: str, tip: str = "") -> None:
        """Show words, and a tip that explains them."""
        self._whole, self._tip = words, tip
        self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        is_cut = shown != self._whole
        self.setToolTip(". ".join(said for said in (self._whole if is_cut else "", self._tip) if said))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for now."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Likewise in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()


class BasisStrip(QWidget):
    """Basis images side by side, numbered, with their shares; scrolls sideways."""

    basis_clicked = Signal(int)
    reset_requested = Signal(int)
    drop_requested = Signal(int)
    opened = Signal(object)
    """The `PictureActions` of a basis image that was enlarged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[BasisCard] = []
        self._dialogs: dict[int, BasisDialog] = {}
        self._is_luma = False
        self.setAccessibleName("Basis, as it is learnt")
        heading = QLabel("BASIS, AS IT IS LEARNT")
        heading.setProperty("role", "heading")
        self._hint = OneLine()
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

    def show_basis(
        self,
        images: Sequence[NDArray[np.uint8]],
        shares: Sequence[float | None],
        changes: Sequence[float | None] = (),
        unused: Sequence[bool] = (),
    ) -> None:
        """Show the basis.

        Parameters
        ----------
        images : sequence of (h, w) or (h, w, 3) uint8
            Thumbnails; one that is the same object as before costs nothing.
        shares : sequence of float, or None where not known
            Of the current frame, 0 to 1; missing ones are 0.
        changes : sequence of float, or None where not known
            By how much each has changed lately, 0 to 1.4; missing ones are not known.
        unused : sequence of bool
            Which have not been used so far; missing ones have.
        """
        self._set_rank(len(images))
        for k, (card, image) in enumerate(zip(self._cards, images, strict=True)):
            share, change = shares[k] if k < len(shares) else 0.0, changes[k] if k < len(changes) else None
            card.show_basis(image, share, change, is_unused=k < len(unused) and unused[k])
        for k, dialog in list(self._dialogs.items()):
            if k < len(images):
                dialog.pane.show_image(images[k])

    def clear(self) -> None:
        """Show nothing."""
        self._set_rank(0)

    def say_of_layout(self, layout: Layout) -> None:
        """Say that only brightness is shown of frames in this layout, or do not, where their colours are seen."""
        on = layout.planes is Planes.YCC420
        if on != self._is_luma:
            self._is_luma = on
            self._show_page(len(self._cards))

    def enlarge(self, k: int) -> None:
        """Open a window that shows basis image ``k`` large."""
        dialog = self._dialogs.get(k)
        if dialog is None:
            dialog = BasisDialog(k, self)
            self._dialogs[k] = dialog
            dialog.finished.connect(lambda _result: self._dialogs.pop(k, None))
            self.opened.emit(dialog.actions_on_picture)
        dialog.pane.show_image(self._cards[k].thumbnail)
        dialog.show()
        dialog.raise_()

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
        hint = f"{_LUMA} · {_HINT}" if self._is_luma else _HINT
        self._hint.say(hint if rank else "", _LUMA_TIP if self._is_luma else "")

    def _on_clicked(self, k: int) -> None:
        self.enlarge(k)
        self.basis_clicked.emit(k)
