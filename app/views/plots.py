"""Plots over the number of the frame: objective, residual, coefficients, speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.theme import colours, theme_changed
from app.views.chart import Chart, Curve
from app.views.history import History

_REPAINT_MS = 150
_MOST_CURVES = 8


@dataclass(frozen=True)
class Quantity:
    """What one plot shows.

    Attributes
    ----------
    key, title, unit : str
        The unit is empty for pure numbers.
    help : str
        One sentence.
    factor : float
        From what is appended to what is shown.
    """

    key: str
    title: str
    unit: str
    help: str
    factor: float = 1.0


QUANTITIES = (
    Quantity("objective", "Objective", "loss", "The method's loss of each frame: falls while the scene is learnt"),
    Quantity(
        "residual", "Residual", "% of white", "How far the background is from the input (root mean square)", 100.0
    ),
    Quantity("h", "Coefficients", "weight", "How much of each basis image the frame holds, one curve each"),
    Quantity("fps", "Speed", "frames/s", "Frames processed in a second"),
)


class PlotsView(QWidget):
    """One plot at a time, chosen by its name; the whole run in a bounded number of points."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._histories = {quantity.key: History() for quantity in QUANTITIES}
        self._shown = QUANTITIES[0]
        self._timer = QTimer(self, singleShot=True, interval=_REPAINT_MS)
        self._timer.timeout.connect(self.refresh)
        self.setAccessibleName("Plots: objective, residual, coefficients, speed")
        self._build()
        theme_changed().connect(self.refresh)
        self.choose("objective")

    def _build(self) -> None:
        self._buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        words = QHBoxLayout()
        words.setSpacing(0)
        words.setContentsMargins(-4, 0, 0, 0)
        for quantity in QUANTITIES:
            if self._buttons:
                dot = QLabel("·")
                dot.setProperty("role", "heading")
                words.addWidget(dot)
            button = QPushButton(text=quantity.title.upper(), checkable=True)
            button.setProperty("role", "word")
            button.setToolTip(f"{quantity.help} ({quantity.unit})")
            button.setAccessibleName(f"Plot {quantity.title.lower()}")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _on, key=quantity.key: self.choose(key))
            group.addButton(button)
            words.addWidget(button)
            self._buttons[quantity.key] = button
        words.addStretch(1)
        self.reading = QLabel()
        self.reading.setProperty("role", "number")
        self.reading.setTextFormat(Qt.TextFormat.RichText)
        self.reading.setAccessibleName("Newest value")
        self.reading.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.reading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.unit = QLabel()
        self.unit.setProperty("role", "caption")
        self.unit.setAccessibleName("Unit of the vertical axis")
        self.chart = Chart()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(2)
        layout.addLayout(words)
        top = QHBoxLayout()
        top.addWidget(self.unit)
        top.addWidget(self.reading, 1)
        layout.addLayout(top)
        layout.addWidget(self.chart, 1)

    # Values

    def append(
        self,
        n: int,
        *,
        objective: float | None = None,
        residual: float | None = None,
        h: ArrayLike | None = None,
        fps: float | None = None,
    ) -> None:
        """Add what is known of a frame.

        Parameters
        ----------
        n : int
            Number of the frame in the run.
        objective : float, optional
            As the method gives it.
        residual : float, optional
            Root mean square of ``v − W h``, in units of white.
        h : (K,) array, optional
            Coefficients.
        fps : float, optional
            Frames processed in a second.
        """
        for quantity, value in zip(QUANTITIES, (objective, residual, h, fps), strict=True):
            if value is not None:
                self._histories[quantity.key].append(n, np.atleast_1d(np.asarray(value, np.float64)) * quantity.factor)
        if not self._timer.isActive() and self.isVisible():
            self._timer.start()

    def clear(self) -> None:
        """Forget the run."""
        self._histories = {quantity.key: History() for quantity in QUANTITIES}
        self.refresh()

    def history(self, key: str) -> History:
        """Return the points of a quantity."""
        return self._histories[key]

    # What is shown

    def choose(self, key: str) -> None:
        """Show the plot of ``objective``, ``residual``, ``h`` or ``fps``."""
        self._shown = next(quantity for quantity in QUANTITIES if quantity.key == key)
        self._buttons[key].setChecked(True)
        self.chart.setAccessibleName(f"{self._shown.title} against frame, {self._shown.unit}")
        self.unit.setText(self._shown.unit)
        self.refresh()

    @property
    def shown(self) -> str:
        """The quantity that is plotted."""
        return self._shown.key

    def refresh(self) -> None:
        """Draw the points that there are."""
        history = self._histories[self._shown.key]
        chosen = self._largest(history)
        self.chart.show_curves([Curve(history.x, history.y[k], k) for k in chosen], from_zero=self._shown.key == "fps")
        shades = colours().curves
        self._show_reading([(k, shades[k % len(shades)], float(history.y[k, -1])) for k in chosen], history.n_curves)

    @staticmethod
    def _largest(history: History) -> list[int]:
        """Return the curves to draw: all, or the largest of many, for eight colours can still be told apart."""
        if not history.x.size:
            return []
        newest = np.nan_to_num(history.y[:, -1], nan=-np.inf)
        return sorted(np.argsort(-newest, kind="stable")[:_MOST_CURVES].tolist())

    def _show_reading(self, newest: list[tuple[int, str, float]], n_curves: int) -> None:
        if self._shown.key == "h" and newest:
            names = " ".join(f'<span style="color:{colour}">{k + 1}</span>' for k, colour, _ in newest)
            more = f" of {n_curves}" if n_curves > len(newest) else ""
            text = f"basis {names}{more}"
        elif newest and np.isfinite(newest[0][2]):
            text = f"{newest[0][2]:.4g} {self._shown.unit}"
        else:
            text = ""
        if self.reading.text() != text:
            self.reading.setText(text)

    def showEvent(self, event: QEvent) -> None:
        """Catch up with what came while hidden."""
        super().showEvent(event)
        self.refresh()
