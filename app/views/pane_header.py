"""What stands over the picture of a pane: its title, switches and buttons along the top, and chips."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.theme import icon

_ICON = QSize(14, 14)
_MARGIN = 8
_ROOM_FOR_SWITCH = 300
"""A pane narrower than this has no room for a switch beside its title, points."""


class Chip(QLabel):
    """Words over a picture, which let the mouse through.

    Parameters
    ----------
    name : str
        For screen readers.
    parent : QWidget
    role : str
        ``chip``, or ``chip-number`` for figures of one width.
    """

    def __init__(self, name: str, parent: QWidget, role: str = "chip") -> None:
        super().__init__(parent)
        self.setProperty("role", role)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show words; none hide the chip."""
        if self.text() != words:
            self.setText(words)
        self.setHidden(not words)


class PaneHeader(QHBoxLayout):
    """Title at the left, buttons at the right; the title is cut where there is no room for it.

    Parameters
    ----------
    title : str
        The pane's name, which buttons repeat for screen readers.
    parent : QWidget
        The pane.
    contrast_menu : QMenu
        Opened by the contrast button.
    """

    enlarge_requested = Signal()

    def __init__(self, title: str, parent: QWidget, contrast_menu: QMenu) -> None:
        super().__init__()
        self._pane, self._pane_title, self._words = parent, title, title
        self._switches: list[QToolButton] = []
        self.setSpacing(4)
        self.title_chip = Chip(f"{title}: title", parent)
        self.title_chip.setText(title)
        self.enlarge_button = self._button()
        self.enlarge_button.setIconSize(_ICON)
        self.enlarge_button.clicked.connect(self.enlarge_requested)
        self.set_enlarged(False)
        self.contrast_button = self._button()
        self.contrast_button.setIcon(icon("contrast", "on_chip"))
        self.contrast_button.setIconSize(_ICON)
        self.contrast_button.setAccessibleName(f"Contrast of {title}")
        self.contrast_button.setToolTip(
            "Contrast of the display: brightens what is shown, changes nothing that is measured or saved"
        )
        self.contrast_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.contrast_button.setMenu(contrast_menu)
        self.addWidget(self.title_chip)
        self.addStretch(1)
        self.addWidget(self.contrast_button)
        self.addWidget(self.enlarge_button)

    def _button(self) -> QToolButton:
        button = QToolButton(self._pane)
        button.setProperty("role", "chip")
        button.setCursor(Qt.CursorShape.ArrowCursor)
        return button

    def add_switch(self, text: str, name: str, tip: str) -> QToolButton:
        """Return a new switch left of the buttons, which chooses what the pane shows."""
        switch = self._button()
        switch.setText(text)
        switch.setCheckable(True)
        switch.setAccessibleName(name)
        switch.setToolTip(tip)
        self.insertWidget(2, switch)
        self._switches.append(switch)
        return switch

    def set_title(self, words: str) -> None:
        """Change the words on the title chip."""
        self._words = words
        self.title_chip.say(words)
        self._fit()

    def set_enlarged(self, enlarged: bool) -> None:
        """Let the enlarge button say and show what it does now."""
        title = self._pane_title
        self.enlarge_button.setIcon(icon("shrink" if enlarged else "enlarge", "on_chip"))
        self.enlarge_button.setAccessibleName("Show all panes" if enlarged else f"Enlarge {title}")
        self.enlarge_button.setToolTip(
            "Show all panes again (Esc)" if enlarged else f"Enlarge “{title}” to fill the panes; Esc returns"
        )

    def on_resized(self) -> None:
        """Leave switches out where they would cover the title, unless they are on; then fit the rest."""
        has_room = self._pane.width() >= _ROOM_FOR_SWITCH
        for switch in self._switches:
            switch.setVisible(has_room or switch.isChecked())
        self._fit()

    def _fit(self) -> None:
        """Leave the contrast button out where the title has no room beside it, and then cut the title, not the chip."""
        chip, contrast, metrics = self.title_chip, self.contrast_button, self.title_chip.fontMetrics()
        chip.setText(self._words)
        room = self._pane.width() - 2 * _MARGIN - chip.sizeHint().width()
        for other in (*self._switches, self.enlarge_button):
            if not other.isHidden():
                room -= other.sizeHint().width() + self.spacing()
        contrast.setVisible(room >= contrast.sizeHint().width() + self.spacing())
        if room < 0:
            wide = max(metrics.horizontalAdvance(self._words) + room, 0)
            chip.setText(metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, wide))


class PaneOverlay(QGridLayout):
    """The header, below it what is said of the contrast, and in the lower right corner what is under the pointer.

    Parameters
    ----------
    title : str
    pane : QWidget
        Gets this layout.
    contrast_menu : QMenu
    """

    def __init__(self, title: str, pane: QWidget, contrast_menu: QMenu) -> None:
        super().__init__(pane)
        self.header = PaneHeader(title, pane, contrast_menu)
        self.display_chip = Chip(f"{title}: display contrast", pane)
        self.readout = Chip(f"{title}: pixel under the pointer", pane, role="chip-number")
        self.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        self.setSpacing(4)
        self.addLayout(self.header, 0, 0)
        self.addWidget(self.display_chip, 1, 0, Qt.AlignmentFlag.AlignLeft)
        self.setRowStretch(2, 1)
        self.addWidget(self.readout, 3, 0, Qt.AlignmentFlag.AlignRight)
        self.display_chip.hide()
        self.readout.hide()
