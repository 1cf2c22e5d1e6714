"""Headings of which one is chosen: the quantity that is plotted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton

from app.focus import leave_keys
from app.views.quantities import Quantity


class QuantityChooser(QHBoxLayout):
    """A word for each quantity, with dots between them.

    Parameters
    ----------
    quantities : sequence of Quantity

    Attributes
    ----------
    buttons : dict of str to QPushButton
        By the key of a quantity.
    """

    chosen = Signal(str)
    """The key of the quantity that a person chose."""

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        super().__init__()
        self.setSpacing(0)
        self.setContentsMargins(-4, 0, 0, 0)
        self.buttons: dict[str, QPushButton] = {}
        self._dots: dict[str, QLabel] = {}
        self._group = QButtonGroup(self)
        for quantity in quantities:
            if self.buttons:
                self._add_dot(quantity.key)
            self._add_button(quantity)
        self.addStretch(1)

    def choose(self, key: str) -> None:
        """Show a quantity as chosen, without telling."""
        self.buttons[key].setChecked(True)

    def offer(self, keys: Collection[str]) -> None:
        """Show these quantities only."""
        for key, button in self.buttons.items():
            button.setVisible(key in keys)
        for key, dot in self._dots.items():
            dot.setVisible(key in keys)

    def offer_also(self, key: str, *, on: bool) -> None:
        """Show one more quantity, or no more."""
        self.buttons[key].setVisible(on)
        self._dots[key].setVisible(on)

    def _add_dot(self, key: str) -> None:
        dot = QLabel("·")
        dot.setProperty("role", "heading")
        self.addWidget(dot)
        self._dots[key] = dot

    def _add_button(self, quantity: Quantity) -> None:
        button = QPushButton(quantity.title.upper())
        button.setCheckable(True)
        button.setProperty("role", "word")
        button.setToolTip(f"{quantity.help} ({quantity.unit})" if quantity.unit else quantity.help)
        button.setAccessibleName(f"Plot {quantity.title.lower()}")
        leave_keys(button)
        button.clicked.connect(lambda: self.chosen.emit(quantity.key))
        self._group.addButton(button)
        self.addWidget(button)
        self.buttons[quantity.key] = button
