"""The histogram of a pane, on which people set what is black, what is white, and what lies between. Display only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.rendering import histogram
from app.rendering.colour_tables import TABLES
from app.rendering.histogram import Histogram
from app.rendering.tone_mapping import Levels
from app.side_window import SideWindow
from app.views.contrast import Contrast
from app.views.curve_menu import CurveMenu, CurveTable
from app.views.histogram_plot import HistogramPlot

if TYPE_CHECKING:
    from app.views.pane import ImagePane

REFRESH_MS = 250
"""Between two counts while pictures come: faster cannot be read."""

NOTHING = Histogram(np.zeros((1, 0), np.float32), np.zeros(1))
"""What is counted where there is no picture."""

LARGEST = 65535
"""Of 16-bit samples, and of what they differ by."""

GAMMA_STEPS, GAMMA_SPAN = 100, 5.0
"""Steps of the slider to either side of 1, and the gamma at its ends: 1/5 to 5."""


class HistogramDialog(SideWindow):
    """Follows a pane, and sets its contrast.

    Parameters
    ----------
    pane : ImagePane

    Signals
    -------
    save_requested(Save) : a file that someone wants
    """

    save_requested = Signal(object)

    def __init__(self, pane: ImagePane) -> None:
        super().__init__(pane)
        self._pane = pane
        self._counted: object = None
        self._covered: Levels | None = None
        self.setWindowTitle(f"Histogram of {pane.header.words}")
        self.setAccessibleName(f"Histogram of {pane.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.plot = HistogramPlot()
        self.low, self.high = self._sample_box("Black"), self._sample_box("White")
        self.gamma = QDoubleSpinBox()
        self.gamma.setRange(1 / GAMMA_SPAN, GAMMA_SPAN)
        self.gamma.setSingleStep(0.05)
        self.gamma.setValue(1.0)
        self.gamma_slider = QSlider(Qt.Orientation.Horizontal)
        self.gamma_slider.setRange(-GAMMA_STEPS, GAMMA_STEPS)
        self.tables, self.own = QComboBox(), QCheckBox("This pane only")
        self.logarithmic = QCheckBox("Logarithmic")
        self.logarithmic.setChecked(True)
        self.reading = QLabel(" ")
        self.reading.setProperty("role", "number")
        self.menu = CurveMenu(self.plot, self.table)
        self._lay_out()
        self._connect()
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self.resize(520, 340)
        self.refresh()
        self._on_contrast()

    @staticmethod
    def _sample_box(name: str) -> QSpinBox:
        box = QSpinBox()
        box.setRange(-LARGEST, LARGEST)
        box.setKeyboardTracking(False)
        box.setAccessibleName(name)
        box.setToolTip(f"The sample that is shown as {name.lower()}")
        return box

    def _lay_out(self) -> None:
        for widget, name, tip in (
            (self.gamma, "Gamma", "Below 1 the dark parts are brightened, above 1 darkened"),
            (self.gamma_slider, "Gamma, slider", "Below 1 the dark parts are brightened, above 1 darkened"),
            (self.tables, "Colours", "What brightness is shown in"),
            (self.own, "This pane only", "Else all panes with samples of the input are shown alike"),
            (self.logarithmic, "Logarithmic", "Seldom samples are seen beside frequent ones"),
            (self.reading, "Count under the pointer", "Pixels that have the samples under the pointer"),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)
        for key, words in TABLES.items():
            self.tables.addItem(words, key)
        full, percentiles = QPushButton("Full range"), QPushButton("1–99 %")
        for button, choice, tip in (
            (full, Contrast.FULL, "From no light to the largest sample"),
            (percentiles, Contrast.PERCENTILES, "From the darkest percent to the brightest"),
        ):
            button.setAccessibleName(button.text())
            button.setToolTip(tip)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._choose, choice))
        note = QLabel("For display only: nothing that is measured or saved changes.")
        note.setProperty("role", "caption")
        rows = QVBoxLayout(self)
        rows.setSpacing(6)
        content: tuple[tuple[QWidget | None, ...], ...] = (
            (self.reading, None, self.logarithmic), (self.plot,),
            (QLabel("Black"), self.low, QLabel("White"), self.high, None, full, percentiles),
            (QLabel("Gamma"), self.gamma_slider, self.gamma, QLabel("Colours"), self.tables),
            (note, None, self.own),
        )  # fmt: skip
        for row in content:
            self._add_row(rows, row)

    @staticmethod
    def _add_row(rows: QVBoxLayout, widgets: Sequence[QWidget | None]) -> None:
        line = QHBoxLayout()
        for widget in widgets:
            if widget is None:
                line.addStretch(1)
            else:
                line.addWidget(widget)
        rows.addLayout(line, int(isinstance(widgets[0], HistogramPlot)))

    def _connect(self) -> None:
        contrast = self._pane.contrast
        contrast.changed.connect(self._on_contrast)
        self.plot.dragged.connect(lambda levels: contrast.set_by_hand(levels, contrast.gamma))
        self.plot.pointed.connect(self._on_pointed)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.plot.customContextMenuRequested.connect(self.menu.open_at)
        self.menu.save_requested.connect(self.save_requested)
        self.low.valueChanged.connect(self._on_low)
        self.high.valueChanged.connect(self._on_high)
        self.gamma.valueChanged.connect(self._on_gamma)
        self.gamma_slider.valueChanged.connect(lambda step: self.gamma.setValue(GAMMA_SPAN ** (step / GAMMA_STEPS)))
        self.tables.activated.connect(lambda index: contrast.set_table(self.tables.itemData(index)))
        self.own.toggled.connect(contrast.set_own)
        self.logarithmic.toggled.connect(self.plot.set_logarithmic)

    # What is shown

    def refresh(self) -> None:
        """Count what the pane shows now, unless that was counted."""
        picture, scale = self._pane.picture, self._pane.contrast.scale
        if picture is self._counted:
            return
        self._counted = picture
        if picture is None:
            self.plot.show_histogram(None, Levels(0, 255))
            return
        self._covered = histogram.span(picture, scale, self._pane.contrast.levels, self._covered)
        self.plot.show_histogram(histogram.histogram(picture, scale, self._covered), self._covered)

    def table(self) -> CurveTable:
        """Return the counts as numbers."""
        found = self.plot.histogram or NOTHING
        names = ["pixels"] if found.counts.shape[0] == 1 else ["red", "green", "blue"]
        return CurveTable(self.windowTitle(), ["sample", *names], found.middles, found.counts)

    def _on_contrast(self) -> None:
        """Show what is in force."""
        contrast = self._pane.contrast
        scale, levels = contrast.scale, contrast.levels
        self.plot.show_levels(levels)
        for box, value in (
            (self.low, scale.value(levels.low)), (self.high, scale.value(levels.high)), (self.gamma, contrast.gamma),
        ):  # fmt: skip
            if not box.hasFocus() or box.value() != value:
                _set_quietly(box, value)
        _set_quietly(self.gamma_slider, round(GAMMA_STEPS * math.log(contrast.gamma, GAMMA_SPAN)))
        self.tables.setCurrentIndex(self.tables.findData(contrast.table))
        if self.own.isChecked() != contrast.own:
            self.own.setChecked(contrast.own)

    def _on_low(self, value: int) -> None:
        """Show what was typed as black; white gives way."""
        contrast = self._pane.contrast
        low = contrast.scale.sample(value)
        contrast.set_by_hand(Levels(low, max(contrast.levels.high, low + 1)), contrast.gamma)

    def _on_high(self, value: int) -> None:
        """Show what was typed as white; black gives way."""
        contrast = self._pane.contrast
        high = contrast.scale.sample(value)
        contrast.set_by_hand(Levels(min(contrast.levels.low, high - 1), high), contrast.gamma)

    def _on_gamma(self, gamma: float) -> None:
        contrast = self._pane.contrast
        contrast.set_gamma(gamma)

    def _choose(self, choice: Contrast) -> None:
        self._pane.contrast.menu.choices[choice].trigger()

    def _on_pointed(self, bar: int | None) -> None:
        shown = self.plot.histogram
        if bar is None or shown is None:
            self.reading.setText(" ")
            return
        first, last = shown.edges[bar], shown.edges[bar + 1]
        counts = " ".join(f"{count:,.0f}" for count in shown.counts[:, bar]).replace(",", "\u202f")
        value = f"{first:.0f}" if last - first <= 1 else f"{first:.0f} to {last:.0f}"
        self.reading.setText(f"{value}: {counts} px")


def _set_quietly(box: QSpinBox | QDoubleSpinBox | QSlider, value: float) -> None:
    box.blockSignals(True)
    box.setValue(value)  # type: ignore[arg-type] # whole numbers where the box is of those
    box.blockSignals(False)
