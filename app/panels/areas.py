"""The bar of excluded areas: what is drawn, with what, and how all are removed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from app.panels.controls import Segmented, beside, button, caption
from app.panels.thickness import ThicknessSlider
from app.panels.wrapping import Wrapping

NEVER, KEEP, ERASE = range(3)
POLYGON, BRUSH = range(2)

HINTS = (
    "Drag a rectangle, with Shift an ellipse; or click corners, and close by a double click or Enter. Handles reshape, "
    "a drag inside moves what is of the chosen kind, Delete removes what is pointed at; 1 to 6 enlarge a pane.",
    "Paint on the input or on the mask; Delete removes what is pointed at; 1 to 6 enlarge a pane.",
)
"""How each tool is used."""


class AreaBar(QFrame):
    """Controls of areas; hidden while nobody draws any.

    Signals
    -------
    changed() : something else is drawn
    clear_requested(), closed()
    """

    changed = Signal()
    clear_requested = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.kind = Segmented(
            [
                (
                    "Never foreground",
                    "What moves there is background: out of mask and matte, and learnt (solid line).",
                ),
                ("Keep as it is", "Cleaned frames show the input there; nothing else changes (dashed line)."),
                ("Erase", "What you draw is no area any more."),
            ],
            "Area",
        )
        self.tool = Segmented(
            [("Shape", "Drag a rectangle or an ellipse, or click corners."), ("Brush", "Paint an area.")],
            "Draw areas with",
        )
        self.slider = ThicknessSlider("Size of the area brush")
        self.brush = beside(QLabel("Size"), self.slider, self.slider.words)
        self.clear = button("Remove all", "Remove all areas", "Exclude nothing of this input.")
        self.done = button("Done", "Done", "Put the tool away; the areas are kept. (Esc)")
        self.hint = caption()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(14, 6, 14, 6)
        rows.setSpacing(4)
        self._controls = Wrapping(
            beside(QLabel("Area"), self.kind), self.tool, self.brush, beside(self.clear, self.done)
        )
        rows.addWidget(self._controls)
        rows.addWidget(self.hint)
        for chosen in (self.kind.chosen, self.tool.chosen, self.slider.valueChanged):
            chosen.connect(self._tell)
        self.clear.clicked.connect(self.clear_requested)
        self.done.clicked.connect(self.closed)
        self._tell()
        self.hide()

    @property
    def brush_size(self) -> int:
        """Thickness of the brush, pixels of the picture; 0 where polygons are drawn."""
        return self.slider.value() if self.tool.index == BRUSH else 0

    def _tell(self) -> None:
        self.brush.setVisible(self.tool.index == BRUSH)
        self._controls.arrange()
        self.hint.setText(HINTS[self.tool.index])
        self.changed.emit()
