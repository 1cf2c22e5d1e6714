"""How a pane shows samples, which changes nothing that is measured or saved: contrast, gamma, table of colours."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from app.rendering import tone_mapping
from app.rendering.colour_tables import GREY, SIGNED, TABLES
from app.rendering.signed import Scale, unsigned
from app.rendering.tone_mapping import Levels, Tone
from core.frames.frame import Values

Key = TypeVar("Key")


class Contrast(enum.Enum):
    """Which samples are shown as black and white."""

    FULL = "Full range"
    PERCENTILES = "Percentiles 1–99 %"
    BY_HAND = "By hand…"


@dataclass
class _Chosen:
    """What a person chose; None and 1 until then."""

    contrast: Contrast | None = None
    levels: Levels | None = None
    gamma: float = 1.0
    table: str | None = None


class ContrastMenu(QMenu):
    """Offers the choices of the contrast, and the tables of colours.

    Parameters
    ----------
    title : str
        Of the pane.
    parent : QWidget

    Attributes
    ----------
    choices : dict of Contrast to QAction
    tables : dict of str to QAction
        Once `add_tables` was called.
    own : QAction
        Checked where the contrast is meant for this pane only.
    """

    chosen = Signal(object)
    """A `Contrast`."""
    own_chosen = Signal(bool)
    table_chosen = Signal(str)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"Contrast of {title}, for display only")
        self.setTitle("Contrast, histogram, saving")
        self.addAction("Contrast, for display only").setEnabled(False)
        self.choices = self._group({choice: choice.value for choice in Contrast}, self, self.chosen)
        self.choices[Contrast.BY_HAND].setToolTip("Set black, white and gamma on a histogram")
        self.addSeparator()
        self.own = QAction("This pane only", self, checkable=True)
        self.own.triggered.connect(self.own_chosen)
        self.addAction(self.own)
        self.tables: dict[str, QAction] = {}
        self._title, self._below_tables = title, self.addSeparator()

    def add_tables(self) -> None:
        """Offer the tables too: made when the menu is wanted first, for six more menus delay the first frame."""
        if not self.tables:
            colours = QMenu("Colours", self)
            colours.setAccessibleName(f"Colours of {self._title}, for display only")
            self.insertMenu(self._below_tables, colours)
            self.tables = self._group(TABLES, colours, self.table_chosen)

    def _group(self, words: Mapping[Key, str], menu: QMenu, chosen: SignalInstance) -> dict[Key, QAction]:
        """Add choices of which one holds to a menu."""
        group = QActionGroup(self)
        made: dict[Key, QAction] = {}
        for key, text in words.items():
            action = QAction(text, self, checkable=True)
            action.triggered.connect(partial(_emit, chosen, key))
            group.addAction(action)
            menu.addAction(action)
            made[key] = action
        return made


def _emit(chosen: SignalInstance, key: object, _on: bool = False) -> None:
    chosen.emit(key)


class DisplayContrast(QObject):
    """How one pane shows samples, and the menu in which a person chooses it.

    Differences with a sign have a choice of their own: what suits samples would show nothing of them.

    Parameters
    ----------
    title : str
        Of the pane.
    pane : QWidget
    """

    changed = Signal()
    """`tone` or `labels` may be others: the pane is to be painted anew."""
    chosen = Signal(object, bool)
    """A person chose: the `Contrast`, and whether it is meant for this pane only."""
    histogram_requested = Signal()

    def __init__(self, title: str, pane: QWidget) -> None:
        super().__init__(pane)
        self._own = False
        self._levels = Levels(0, 255)
        self._shared: Levels | None = None
        self._by_sign = {False: _Chosen(), True: _Chosen()}
        self._picture: Values | None = None
        self._white: int | None = None
        self._scale: Scale | None = None
        self.menu = ContrastMenu(title, pane)
        self.menu.chosen.connect(self._on_menu)
        self.menu.own_chosen.connect(self._on_own)
        self.menu.table_chosen.connect(self.set_table)
        self.menu.aboutToShow.connect(self._check_chosen)

    @property
    def _chosen(self) -> _Chosen:
        return self._by_sign[self.scale.is_signed]

    @property
    def choice(self) -> Contrast:
        """The choice in force: until a person chooses, percentiles for 16-bit grey and the full range otherwise."""
        if self._chosen.contrast is not None:
            return self._chosen.contrast
        is_deep_grey = self._picture is not None and self._picture.dtype == np.uint16 and self._picture.ndim == 2
        return Contrast.PERCENTILES if is_deep_grey else Contrast.FULL

    @property
    def own(self) -> bool:
        """Whether it is that of this pane only."""
        return self._own

    @property
    def scale(self) -> Scale:
        """What samples stand for, and the largest."""
        if self._scale is not None:
            return self._scale
        return unsigned(self._white or (255 if self._picture is None else tone_mapping.white_of(self._picture)))

    @property
    def levels(self) -> Levels:
        """The samples shown as black and white."""
        return self._levels

    @property
    def gamma(self) -> float:
        """Exponent between black and white."""
        return self._chosen.gamma

    @property
    def table(self) -> str:
        """Key of the table of colours in force."""
        return self._chosen.table or (SIGNED if self.scale.is_signed else GREY)

    @property
    def tone(self) -> Tone:
        """How samples become colours."""
        return Tone(self._levels, self.gamma, self.table)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the pane says of it, at length and in short; none for the full range, and where there is no picture."""
        if self._picture is None:
            return ()
        words = {Contrast.FULL: [], Contrast.PERCENTILES: ["1–99 %"], Contrast.BY_HAND: [self.range_text]}[self.choice]
        if self.gamma != 1:
            words.append(f"γ {self.gamma:.2f}")
        if words and self._own:
            words.append("this pane only")
        short = ", ".join(words)
        return (f"display: {short}", short) if words else ()

    @property
    def range_text(self) -> str:
        """Black and white as people read them."""
        return f"{self.scale.value(self._levels.low)} to {self.scale.value(self._levels.high)}"

    def choose(self, choice: Contrast) -> None:
        """Set the contrast, without telling that it was chosen."""
        self._chosen.contrast = choice
        if choice is Contrast.BY_HAND and self._chosen.levels is None:
            self._chosen.levels = self._levels
        self._set_levels()

    def take(self, other: DisplayContrast) -> None:
        """Show samples between the same black and white as another pane does; not where only one of them has a sign."""
        if other.scale.is_signed == self.scale.is_signed:
            self._chosen.levels, self._chosen.gamma = other._chosen.levels, other._chosen.gamma
            self.choose(other.choice)

    def set_by_hand(self, levels: Levels, gamma: float) -> None:
        """Show samples between black and white that a person set, and tell."""
        self._chosen.levels, self._chosen.gamma = levels, gamma
        self._on_chosen(Contrast.BY_HAND)

    def set_gamma(self, gamma: float) -> None:
        """Bend what lies between black and white, whichever these are, and tell."""
        self._chosen.gamma = gamma
        self._on_chosen(self.choice)

    def set_table(self, key: str) -> None:
        """Show this pane in the colours of a table."""
        self._chosen.table = key
        self.changed.emit()

    def set_own(self, own: bool) -> None:
        """Mean the contrast for this pane only, or for all, and tell."""
        self.menu.own.setChecked(own)
        self._on_own(own)
        self.chosen.emit(self.choice, own)

    def follow(
        self,
        picture: Values | None,
        white: int | None = None,
        shared: Levels | None = None,
        scale: Scale | None = None,
    ) -> None:
        """Set the levels for another picture; None: there is none any more.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) RGB, uint8 or uint16, or None
        white : int, optional
            The sample that is white in the full range; the largest of the type when not given.
        shared : Levels, optional
            Percentiles of another pane's picture, taken unless this pane has a contrast of its own.
        scale : Scale, optional
            What samples stand for, where they are differences.
        """
        self._picture, self._white, self._shared, self._scale = picture, white, shared, scale
        self._set_levels()

    def _set_levels(self) -> None:
        if self._picture is None:
            self.changed.emit()
            return
        scale, by_hand = self.scale, self._chosen.levels
        if self.choice is Contrast.FULL:
            self._levels = Levels(0, scale.top)
        elif self.choice is Contrast.BY_HAND and by_hand is not None:
            self._levels = by_hand
        elif self._shared is not None and not self._own:
            self._levels = self._shared
        else:
            found = (
                tone_mapping.symmetric_levels(self._picture, scale.zero)
                if scale.is_signed
                else tone_mapping.percentile_levels(self._picture)
            )
            self._levels = tone_mapping.steady(self._levels, found)
        self.changed.emit()

    def _check_chosen(self) -> None:
        self.menu.add_tables()
        self.menu.choices[self.choice].setChecked(True)
        self.menu.tables[self.table].setChecked(True)

    def _on_chosen(self, choice: Contrast) -> None:
        self.choose(choice)
        self.chosen.emit(choice, self._own)

    def _on_menu(self, choice: Contrast) -> None:
        self._on_chosen(choice)
        if choice is Contrast.BY_HAND:
            self.histogram_requested.emit()

    def _on_own(self, own: bool) -> None:
        self._own, self._chosen.contrast = own, self.choice
        self._set_levels()
