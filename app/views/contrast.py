"""The contrast of the display, which changes nothing that is measured or saved: the choice, its menu, the levels."""

from __future__ import annotations

import enum

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.rendering import tone_mapping
from app.rendering.tone_mapping import Levels
from core.frames.frame import Values


class Contrast(enum.Enum):
    """Which samples are shown as black and white."""

    FULL = "Full range"
    PERCENTILES = "Percentiles 1–99 %"


class ContrastMenu(QMenu):
    """Offers the choices of the contrast.

    Parameters
    ----------
    title : str
        Of the pane.
    parent : QWidget

    Attributes
    ----------
    choices : dict of Contrast to QAction
    own : QAction
        Checked where the contrast is meant for this pane only.
    """

    chosen = Signal(object)
    """A `Contrast`."""
    own_chosen = Signal(bool)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"Contrast of {title}, for display only")
        self.addAction("Contrast, for display only").setEnabled(False)
        group = QActionGroup(self)
        self.choices: dict[Contrast, QAction] = {}
        for choice in Contrast:
            action = QAction(choice.value, self, checkable=True)
            action.triggered.connect(lambda _on, choice=choice: self.chosen.emit(choice))
            group.addAction(action)
            self.addAction(action)
            self.choices[choice] = action
        self.addSeparator()
        self.own = QAction("This pane only", self, checkable=True)
        self.own.triggered.connect(self.own_chosen)
        self.addAction(self.own)


class DisplayContrast(QObject):
    """The contrast of one pane, and the menu in which a person chooses it.

    Parameters
    ----------
    title : str
        Of the pane.
    pane : QWidget
    """

    changed = Signal()
    """`levels` or `label` may be others: the pane is to be painted anew."""
    chosen = Signal(object, bool)
    """A person chose: the `Contrast`, and whether it is meant for this pane only."""

    def __init__(self, title: str, pane: QWidget) -> None:
        super().__init__(pane)
        self._own = False
        self._levels = Levels(0, 255)
        self._shared: Levels | None = None
        self._chosen: Contrast | None = None
        self._picture: Values | None = None
        self._white: int | None = None
        self.menu = ContrastMenu(title, pane)
        self.menu.chosen.connect(self._on_chosen)
        self.menu.own_chosen.connect(self._on_own)
        self.menu.aboutToShow.connect(lambda: self.menu.choices[self.choice].setChecked(True))

    @property
    def choice(self) -> Contrast:
        """The choice in force: until a person chooses, percentiles for 16-bit grey and the full range otherwise."""
        if self._chosen is not None:
            return self._chosen
        is_deep_grey = self._picture is not None and self._picture.dtype == np.uint16 and self._picture.ndim == 2
        return Contrast.PERCENTILES if is_deep_grey else Contrast.FULL

    @property
    def own(self) -> bool:
        """Whether it is that of this pane only."""
        return self._own

    @property
    def levels(self) -> Levels:
        """The samples shown as black and white."""
        return self._levels

    @property
    def label(self) -> str:
        """What the pane says of it; empty for the full range."""
        if self.choice is Contrast.FULL:
            return ""
        return f"display: 1–99 %{', this pane only' if self._own else ''}"

    def choose(self, choice: Contrast) -> None:
        """Set the contrast, without telling that it was chosen."""
        self._chosen = choice
        self._set_levels()

    def follow(self, picture: Values | None, white: int | None = None, shared: Levels | None = None) -> None:
        """Set the levels for another picture; None: there is none any more.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) RGB, uint8 or uint16, or None
        white : int, optional
            The sample that is white in the full range; the largest of the type when not given.
        shared : Levels, optional
            Percentiles of another pane's picture, taken unless this pane has a contrast of its own.
        """
        self._picture, self._white, self._shared = picture, white, shared
        self._set_levels()

    def _set_levels(self) -> None:
        if self._picture is None:
            return
        if self.choice is Contrast.FULL:
            self._levels = Levels(0, self._white or tone_mapping.white_of(self._picture))
        elif self._shared is not None and not self._own:
            self._levels = self._shared
        else:
            self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(self._picture))
        self.changed.emit()

    def _on_chosen(self, choice: Contrast) -> None:
        self.choose(choice)
        self.chosen.emit(choice, self._own)

    def _on_own(self, own: bool) -> None:
        self._own, self._chosen = own, self.choice
        self._set_levels()
