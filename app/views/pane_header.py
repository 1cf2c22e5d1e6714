"""What stands over the picture of a pane: its title, switches and buttons along the top, and chips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayout, QMenu, QToolButton, QWidget

from app.theme import icon
from app.views.chips import MARGIN, Chip, TitleChip

_ICON, _TIGHT_ICON = QSize(14, 14), QSize(13, 13)
_TIGHT_MARGIN = 3
_TOP, _BELOW = 3, 3
_ROOM_FOR_MARGINS = 260
"""In a pane narrower than this buttons lie close to each other and to its border, points."""

_ROOM_FOR_ALL = 365
"""In a pane with a switch that is narrower they do so where something is said of the contrast: it would else lie over
the picture, points."""

_ROOM_FOR_SWITCH = 300
"""A pane narrower than this has no room for a switch beside its title, points."""


class PaneHeader(QHBoxLayout):
    """Title at the left and what is said of the contrast beside it, buttons at the right.

    Parameters
    ----------
    title : str
        The pane's name, which buttons repeat for screen readers.
    parent : QWidget
        The pane.
    contrast_menu : QMenu
        Opened by the contrast button.
    overlay : QLayout
        Of all that stands over the picture; its margins are less where there is little room.

    Attributes
    ----------
    display_chip, below : Chip
        What is said of the contrast; ``below`` the header, over the picture, where the header has no room.
    """

    enlarge_requested = Signal()

    def __init__(self, title: str, parent: QWidget, contrast_menu: QMenu, overlay: QLayout) -> None:
        super().__init__()
        self._pane, self._pane_title, self._overlay = parent, title, overlay
        self._words: tuple[str, ...] = (title,)
        self._switches: list[QToolButton] = []
        self._display: Sequence[str] = ()
        self._is_shown, self._is_changing = True, False
        self._is_tight = self._is_pointed = False
        self.display_chip, self.below = (Chip(f"{title}: display contrast", parent) for _ in range(2))
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
        self.addWidget(self.display_chip)
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
        self.insertWidget(3, switch)
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
        return self._words[0]

    def set_title(self, *words: str) -> None:
        """Change the words on the title chip: the first that have room; of the last the end is cut, if need be."""
        self._words = words
        self.title_chip.say(words[0])
        self._fit()

    def show_display(self, words: Sequence[str]) -> None:
        """Say this of the contrast, the first where there is room for it; none: nothing."""
        if words != self._display:
            self._display = words
            self._fit()

    def set_pointed(self, on: bool) -> None:
        """Leave the picture free while the pointer is over it."""
        if on != self._is_pointed:
            self._is_pointed = on
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
        """Fit what is there into the room that there is now."""
        if not self._is_changing:  # The pane may be laid out anew while a part of it is being shown.
            self._fit()

    def _fit(self) -> None:
        """Leave out what there is no room for: first what is said of the contrast, then its button, last of the title.

        The title's menu has what the button opens, and its end is cut before its arrow. Switches are left out where
        they would cover the title, and those that are off where what is said of the contrast would lie over the picture
        for them: the title's menu offers the same.
        """
        width = self._pane.width()
        self._show_switches(width >= _ROOM_FOR_SWITCH)
        if not self._fit_display() and self._display and _ROOM_FOR_SWITCH <= width < _ROOM_FOR_ALL:
            self._show_switches(False)
            if not self._fit_display():  # It has no room without them either.
                self._show_switches(True)
                self._fit_display()

    def _show_switches(self, on: bool) -> None:
        for switch in self._switches:
            has_room = on or (switch.isChecked() and self._pane.width() >= _ROOM_FOR_SWITCH)
            switch.setVisible(self._is_shown and switch.isEnabled() and has_room)

    def _fit_display(self) -> str:
        """Fit what there is beside the switches that are shown; return what is said of the contrast there."""
        chip, contrast = self.title_chip, self.contrast_button
        self._set_tight(self._pane.width() < _ROOM_FOR_MARGINS or self._is_full)  # Most panes of a window alike.
        for words in self._words:
            chip.setText(words)
            room = self._room()
            if room >= 0:
                break
        beside = contrast.sizeHint().width() + self.spacing()
        contrast.setVisible(self._is_shown and room >= beside)
        said = self._display_that_fits(room - beside)
        self.display_chip.say(said)
        self.below.say("" if said or not self._display or self._is_pointed or not self._is_shown else self._display[-1])
        if room < 0:
            metrics = chip.fontMetrics()
            wide = max(metrics.horizontalAdvance(chip.text()) + room, 0)
            chip.setText(metrics.elidedText(chip.text(), Qt.TextElideMode.ElideRight, wide))
        chip.tell_whole("" if chip.text() == self.words else self.words)
        return said

    @property
    def _is_full(self) -> bool:
        """Whether there is a switch beside what is said of the contrast, and little room for both."""
        has_switch = any(not switch.isHidden() for switch in self._switches)
        return has_switch and bool(self._display) and self._pane.width() < _ROOM_FOR_ALL

    def _room(self) -> int:
        """Return what is left of the pane's width beside the title and all that is never left out, points."""
        margins = self._overlay.contentsMargins()
        shown = [other for other in (*self._switches, self.enlarge_button) if not other.isHidden()]
        taken = sum(other.sizeHint().width() + self.spacing() for other in shown)
        return self._pane.width() - margins.left() - margins.right() - taken - self.title_chip.sizeHint().width()

    def _display_that_fits(self, room: int) -> str:
        """Return what is said of the contrast in this room, points; nothing where it has none."""
        widths = {words: self.display_chip.width_of(words) + self.spacing() for words in self._display}
        return next((words for words, wide in widths.items() if self._is_shown and wide <= room), "")

    def _set_tight(self, on: bool) -> None:
        """Lie closer to each other and to the border, or do not."""
        if on == self._is_tight:
            return
        self._is_tight = on
        side = _TIGHT_MARGIN if on else MARGIN
        self._overlay.setContentsMargins(side, _TOP, side, MARGIN)
        for button in (*self._switches, self.contrast_button, self.enlarge_button):
            button.setProperty("tight", on)
            button.style().unpolish(button)
            button.style().polish(button)
            button.setIconSize(_TIGHT_ICON if on else _ICON)


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
        self.header = PaneHeader(title, pane, contrast_menu, self)
        self.readout = Chip(f"{title}: pixel under the pointer", pane, role="chip-number")
        self.measured = Chip(f"{title}: what is measured in the region", pane, role="chip-number")
        self.setContentsMargins(MARGIN, _TOP, MARGIN, MARGIN)
        self.setSpacing(4)
        self.addLayout(self.header, 0, 0)
        self.addWidget(self.header.below, 1, 0, Qt.AlignmentFlag.AlignLeft)
        self.setRowStretch(2, 1)
        self.addWidget(self.readout, 3, 0, Qt.AlignmentFlag.AlignRight)
        self.addWidget(self.measured, 4, 0, Qt.AlignmentFlag.AlignLeft)
        for chip in (self.header.display_chip, self.header.below, self.readout, self.measured):
            chip.hide()
