"""Plots over the number of the frame: objective, residual, coefficients, speed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.rendering.curve_history import CurveHistory
from app.spoken import show_words
from app.theme import colours, theme_changed
from app.views.quantities import QUANTITIES, Quantity
from app.views.quantity_chooser import QuantityChooser
from app.views.run_curves import FRAMES, RunCurves

if TYPE_CHECKING:
    from app.views.curve_menu import CurveTable
    from app.views.curve_plot import CurvePlot

_REPAINT_MS = 150


class PlotsView(QWidget):
    """One plot at a time, chosen by its name; the whole run in a bounded number of points.

    Until `build` there are the names only: the plotting library takes half a second to import, which is done elsewhere.

    Parameters
    ----------
    parent : QWidget, optional
    quantities : sequence of Quantity
        What can be plotted; the first is, to begin with.
    hint : str
        Shown while there are no curves.

    Signals
    -------
    seek_requested(int) : the frame of the input, from 0, at which a curve was clicked
    save_requested(Save) : a file that someone wants of the curves
    """

    seek_requested = Signal(int)
    save_requested = Signal(object)

    def __init__(
        self,
        parent: QWidget | None = None,
        quantities: Sequence[Quantity] = QUANTITIES,
        hint: str = "Curves appear when frames are processed",
    ) -> None:
        super().__init__(parent)
        self._usual_hint = self._hint = hint
        self.plot: CurvePlot | None = None
        self._quantities = quantities
        self._names: Sequence[str] = ()
        self._folder: Callable[[], str] = str
        self._curves = RunCurves(quantities)
        self._shown = quantities[0]
        self._timer = QTimer(self, singleShot=True, interval=_REPAINT_MS)
        self._timer.timeout.connect(self.refresh)
        self.setAccessibleName("Plots: " + ", ".join(quantity.title.lower() for quantity in quantities))
        self.chooser = QuantityChooser(quantities)
        self.chooser.chosen.connect(self.choose)
        self._lay_out()
        theme_changed().connect(self.refresh)
        self.choose(self.shown)

    def build(self) -> None:
        """Make the plot, on the window's thread; quick where the plotting library is imported already."""
        from app.views.curve_figure import figure_of  # noqa: PLC0415 - see the class
        from app.views.curve_menu import CurveMenu  # noqa: PLC0415
        from app.views.curve_plot import CurvePlot  # noqa: PLC0415

        self.plot = CurvePlot()
        self.plot.pointed.connect(self._show_reading)
        self.plot.clicked.connect(self._on_clicked)
        self.menu = CurveMenu(self.plot, self.table, figure_of)
        self.menu.set_folder(self._folder)
        self.menu.save_requested.connect(self.save_requested)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.plot.customContextMenuRequested.connect(self.menu.open_at)
        self._pages.addWidget(self.plot)
        self.choose(self.shown)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(2)
        layout.addLayout(self.chooser)
        self.unit = QLabel()
        self.unit.setProperty("role", "caption")
        self.unit.setAccessibleName("Unit of the vertical axis, and what the horizontal one counts")
        self.reading = QLabel()
        self.reading.setProperty("role", "number")
        self.reading.setTextFormat(Qt.TextFormat.RichText)
        self.reading.setAccessibleName("Value at the pointer, else the newest")
        self.reading.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.reading.setWordWrap(True)  # Of several curves it is long.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.reading.setSizePolicy(policy)
        for label in (self.unit, self.reading):
            label.setToolTip(
                "Point at a curve to read it, click to go to that frame; drag moves, the wheel zooms, "
                "a double click shows all; a right click copies and saves"
            )
        top = QHBoxLayout()
        top.addWidget(self.unit, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.reading, 1)
        layout.addLayout(top)
        self.hint = QLabel(self._usual_hint)
        self.hint.setProperty("role", "caption")
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout()
        layout.addLayout(self._pages, 1)
        self._pages.addWidget(self.hint)  # Shown at once: by now as a part of this, else as a window.

    def set_folder(self, folder: Callable[[], str]) -> None:
        """Begin in the folder that ``folder()`` names at that moment where it is asked where to save."""
        self._folder = folder

    # Values

    def append(self, n: int, frame: int | None = None, /, **values: ArrayLike | None) -> None:
        """Add what is known of a frame.

        Parameters
        ----------
        n : int
            Number of the frame in the run.
        frame : int, optional
            Its number in the input, from 0: a click goes there.
        values
            By the key of a quantity: a number, or one for each curve; None where it is not known.
        """
        self._curves.append(n, frame, values)
        if not self._timer.isActive() and self.isVisible():
            self._timer.start()

    def count_iterations(self) -> None:
        """Say from now on, until the run is forgotten, that the objective is one of iterations, not of frames."""
        if not self._curves.iterates:
            self._curves.iterates = True
            self.refresh()

    def clear(self, hint: str | None = None) -> None:
        """Forget the run; ``hint`` is shown instead of the usual one until there are curves."""
        self._hint = hint or self._usual_hint
        self._curves = RunCurves(self._quantities)
        self.refresh()

    def forget(self, key: str) -> None:
        """Forget the curves of one quantity: it is another thing from now on."""
        self._curves.forget(key)
        self.refresh()

    def table(self) -> CurveTable:
        """Return the curves of the quantity that is shown, all of them, as numbers."""
        from app.views.curve_menu import CurveTable  # noqa: PLC0415 - see the class

        history, shown = self._curves.history(self.shown), self._shown
        unit = f" [{shown.unit}]" if shown.unit else ""
        single = history.n_curves == 1 and not self._curve_names
        names = [] if single else [self._name(k) for k in range(history.n_curves)]
        curves = [f"{shown.title} {name}{unit}" for name in names] or [f"{shown.title}{unit}"]
        headings = [self._curves.counted(self.shown), *curves]
        drawn = self._curves.largest(self.shown)
        return CurveTable(shown.title, headings, history.x.copy(), history.y.copy(), shown.unit, names, drawn)

    def _on_clicked(self, x: float) -> None:
        index = self._curves.frame_at(x, self.shown)
        if index is not None:
            self.seek_requested.emit(index)

    def history(self, key: str) -> CurveHistory:
        """Return the points of a quantity."""
        return self._curves.history(key)

    # What is shown

    def choose(self, key: str) -> None:
        """Show the plot of a quantity, by its key."""
        self._shown = self._quantity(key)
        self.chooser.choose(key)
        if self.plot is not None:
            self.plot.show_all()
        self.refresh()

    def offer(self, keys: Collection[str]) -> None:
        """Let people choose among these quantities only; the first of all must be among them."""
        self.chooser.offer(keys)
        if self.shown not in keys:
            self.choose(self._quantities[0].key)

    def offer_also(self, key: str, *, on: bool) -> None:
        """Offer one quantity beside the others, or no more."""
        self.chooser.offer_also(key, on=on)
        if not on and self.shown == key:
            self.choose(self._quantities[0].key)

    def name_curves(self, names: Sequence[str]) -> None:
        """Give every curve of every plot a name of its own, which stands where it is read."""
        self._names = names
        self._show_reading()

    def _quantity(self, key: str) -> Quantity:
        return next(quantity for quantity in self._quantities if quantity.key == key)

    @property
    def shown(self) -> str:
        """The quantity that is plotted."""
        return self._shown.key

    def refresh(self) -> None:
        """Draw the points that there are."""
        history = self._curves.history(self.shown)
        self.hint.setText(self._shown.hint or self._hint)
        # Beside the unit, not at the ticks: there it would read as the name of a value.
        over = "iterations" if self._curves.counted(self.shown) != FRAMES else FRAMES
        show_words(self.unit, f"{self._shown.unit} over {over}".lstrip())
        if self.plot is not None:
            self.plot.setAccessibleName(
                f"{self._shown.title} against {self._curves.counted(self.shown)}, {self._shown.unit}"
            )
            curves = {k: history.y[k] for k in self._curves.largest(self.shown)}
            self.plot.show_curves(history.x, curves, from_zero=self._shown.from_zero)
            known = any(np.isfinite(y).sum() > 1 for y in curves.values())  # A single point draws nothing.
            self._pages.setCurrentWidget(self.plot if known else self.hint)
        self._show_reading()

    def _show_reading(self) -> None:
        """Write the value at the pointer, or the newest one."""
        pointed = self.plot.reading if self.plot is not None else None
        history = self._curves.history(self.shown)
        chosen = self._curves.largest(self.shown)
        if pointed is not None:
            curve = f" {self._coloured(pointed.curve)}" if self._curve_names else ""
            curve = f" basis {self._coloured(pointed.curve)}" if self._shown.key == "h" else curve
            text = f"{self._curves.place_of(pointed.x, self.shown)}{curve} · {pointed.value:.4g} {self._shown.unit}"
        elif self._curve_names and chosen:
            text = " · ".join(f"{self._coloured(k)} {history.y[k, -1]:.4g}" for k in chosen)
        elif self._shown.key == "h" and chosen:
            more = f" of {history.n_curves}" if history.n_curves > len(chosen) else ""
            text = f"basis {' '.join(map(self._coloured, chosen))}{more}"
        elif chosen and np.isfinite(newest := float(history.y[chosen[0], -1])):
            text = f"{newest:.4g} {self._shown.unit}"
        else:
            text = ""
        show_words(self.reading, text)

    def _coloured(self, curve: int) -> str:
        """Return the name of a curve, or its number counted from 1, in the colour that it has."""
        shades = colours().curves
        return f'<span style="color:{shades[curve % len(shades)]}">{escape(self._name(curve))}</span>'

    def _name(self, curve: int) -> str:
        names = self._curve_names
        return names[curve] if curve < len(names) else str(curve + 1)

    @property
    def _curve_names(self) -> Sequence[str]:
        return self._shown.names or self._names

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what came while hidden."""
        super().showEvent(event)
        self.refresh()
