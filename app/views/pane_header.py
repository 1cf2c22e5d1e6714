"""What stands over the picture of a pane: its title, switches and buttons along the top, and chips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.theme import icon

_ICON = QSize(14, 14)
_MARGIN = 8
_TOP, _BELOW = 3, 3
_PADDING = 10
"""Between the words of a chip and its border, with some to spare."""

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
        self._parent = parent
        self.setProperty("role", role)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show words; none hide the chip."""
        if self.text() != words:
            self.setText(words)
        self.setHidden(not words)

    def say_in_lines(self, parts: Sequence[str]) -> None:
        """Show parts beside each other as far as there is room, the rest below."""
        lines: list[str] = []
        room = self._parent.width() - 2 * (_MARGIN + _PADDING)
        for part in parts:
            wider = f"{lines[-1]} · {part}" if lines else part
            if lines and self.fontMetrics().horizontalAdvance(wider) <= room:
                lines[-1] = wider
            else:
                lines.append(part)
        self.say("\n".join(lines))


class TitleChip(QToolButton):
    """The title of a pane; where there is a choice of pictures, a button.

    Parameters
    ----------
    title : str
    parent : QWidget
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "title-chip")
        self.setAccessibleName(f"{title}: title")
        self.setToolTip("What this pane shows")
        self.setText(title)
        self._offers = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, words: str) -> None:
        """Show words."""
        if self.text() != words:
            self.setText(words)

    def offer(self, name: str, tip: str) -> None:
        """Be a button from now on, which tells when it is clicked."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setIconSize(QSize(10, 10))
        self._offers = True
        self.show_arrow(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    def show_arrow(self, on: bool) -> None:
        """Show that there is a choice, where there is one and room to say so."""
        self.setIcon(icon("chevron-down", "on_chip") if on and self._offers else QIcon())


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
        self._is_shown, self._is_changing = True, False
        self.setSpacing(4)
        self.title_chip = TitleChip(title, parent)
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

    def set_offered(self, switch: QToolButton, on: bool) -> None:
        """Show a switch where there is room for it, or leave it out whatever the room."""
        switch.setEnabled(on)
        self.on_resized()

    def rename(self, title: str) -> None:
        """Repeat another name on the buttons, for screen readers."""
        self._pane_title = title
        self.contrast_button.setAccessibleName(f"Contrast of {title}")
        self.set_enlarged(self._is_enlarged)

    @property
    def height(self) -> int:
        """What it takes of the top of the pane, with a little room below, points; likewise while it is hidden."""
        return _TOP + self.title_chip.sizeHint().height() + _BELOW

    @property
    def words(self) -> str:
        """What the title says, or would where there is room."""
        return self._words

    def set_title(self, words: str) -> None:
        """Change the words on the title chip."""
        self._words = words
        self.title_chip.say(words)
        self._fit()

    def set_enlarged(self, enlarged: bool) -> None:
        """Let the enlarge button say and show what it does now."""
        title, self._is_enlarged = self._pane_title, enlarged
        self.enlarge_button.setIcon(icon("shrink" if enlarged else "enlarge", "on_chip"))
        self.enlarge_button.setAccessibleName("Show all panes" if enlarged else f"Enlarge {title}")
        self.enlarge_button.setToolTip(
            "Show all panes again (Esc)" if enlarged else f"Enlarge “{title}” to fill the panes; Esc returns"
        )

    def set_shown(self, on: bool) -> None:
        """Stand over the picture, or leave it free."""
        if on != self._is_shown:
            self._is_shown, self._is_changing = on, True
            self.title_chip.setVisible(on)
            self.enlarge_button.setVisible(on)
            self._is_changing = False
            self.on_resized()

    def on_resized(self) -> None:
        """Leave switches out where they would cover the title: its menu offers the same; then fit the rest."""
        if self._is_changing:  # The pane may be laid out anew while a part of it is being shown.
            return
        has_room = self._pane.width() >= _ROOM_FOR_SWITCH
        for switch in self._switches:
            switch.setVisible(self._is_shown and switch.isEnabled() and has_room)
        self._fit()

    def _fit(self) -> None:
        """Leave the contrast button out where the title has no room beside it, and then cut the title, not the chip."""
        chip, contrast, metrics = self.title_chip, self.contrast_button, self.title_chip.fontMetrics()
        chip.setText(self._words)
        chip.show_arrow(True)
        taken = 2 * _MARGIN
        for other in (*self._switches, self.enlarge_button):
            if not other.isHidden():
                taken += other.sizeHint().width() + self.spacing()
        if self._pane.width() - taken < chip.sizeHint().width():
            chip.show_arrow(False)
        room = self._pane.width() - taken - chip.sizeHint().width()
        contrast.setVisible(self._is_shown and room >= contrast.sizeHint().width() + self.spacing())
        if room < 0:
            wide = max(metrics.horizontalAdvance(self._words) + room, 0)
            chip.setText(metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, wide))


class PaneOverlay(QGridLayout):
    """The header, below it what is said of the contrast; in the lower corners what is measured, and the pixel there.

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
        self.measured = Chip(f"{title}: what is measured in the region", pane, role="chip-number")
        self.setContentsMargins(_MARGIN, _TOP, _MARGIN, _MARGIN)
        self.setSpacing(4)
        self.addLayout(self.header, 0, 0)
        self.addWidget(self.display_chip, 1, 0, Qt.AlignmentFlag.AlignLeft)
        self.setRowStretch(2, 1)
        self.addWidget(self.readout, 3, 0, Qt.AlignmentFlag.AlignRight)
        self.addWidget(self.measured, 4, 0, Qt.AlignmentFlag.AlignLeft)
        for chip in (self.display_chip, self.readout, self.measured):
            chip.hide()
