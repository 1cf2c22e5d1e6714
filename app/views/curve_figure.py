"""Curves as a figure for a page: on white, with the words of its axes and of each curve, whatever the window shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt

from app.theme import LIGHT
from app.views.curve_plot import adopt_menu

if TYPE_CHECKING:
    from app.views.curve_menu import CurveTable

SIZE = QSize(800, 450)
"""Of a figure, points."""

LINE_PX, NAMES_IN_A_ROW = 1.5, 4

INK = "#1d2126"
"""Of axes and words."""


def figure_of(table: CurveTable) -> pg.PlotWidget:
    """Return the curves of a table that are drawn, over what they are counted by; several of them are named."""
    made = pg.PlotWidget(background="w", enableMenu=False)
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.resize(SIZE)
    plot = made.getPlotItem()
    plot.hideButtons()
    adopt_menu(made)
    plot.showGrid(x=True, y=True, alpha=0.15)
    drawn = table.drawn or range(len(table.y))
    measured = f"{table.title} [{table.unit}]" if table.unit else table.title
    if len(drawn) < len(table.y):
        measured += f", largest {len(drawn)} of {len(table.y)}"
    for side, words in (("bottom", table.headings[0]), ("left", measured)):
        axis = plot.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.setPen(INK)
        axis.setTextPen(INK)
        axis.setLabel(words)
    legend = pg.LegendItem(labelTextColor=INK, colCount=NAMES_IN_A_ROW)
    for place, curve in enumerate(drawn):
        # By its place among these: by its number two of them may have one colour.
        pen = pg.mkPen(LIGHT.curves[place % len(LIGHT.curves)], width=LINE_PX)
        line = plot.plot(table.x, table.y[curve], pen=pen, connect="finite", antialias=True)
        if table.names:
            legend.addItem(line, table.names[curve])
    if table.names:
        plot.layout.addItem(legend, 4, 1)  # Below: over the curves it would hide some.
    made.show()  # Nowhere: the library lays axes out for what is shown.
    return made
