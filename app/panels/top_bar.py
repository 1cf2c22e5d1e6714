"""Over everything: the name, the menus, what is open, and what people do most."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QMenuBar, QSizePolicy

from app.panels.controls import button

TITLE_PX = 260
"""Room that the name of what is open has before that of the program, pixels, unless it needs less."""

LEAST_TITLE_PX = 140
"""Room that it has before the button of the samples: of a longer name the middle is left out."""


class TopBar(QFrame):
    """The bar at the top.

    Signals
    -------
    wipe_toggled(bool), correct_toggled(bool), areas_toggled(bool), compare_requested(), export_requested()
    """

    wipe_toggled = Signal(bool)
    correct_toggled = Signal(bool)
    areas_toggled = Signal(bool)
    compare_requested = Signal()
    export_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "bar")
        self._full_title = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 14, 6)
        row.setSpacing(8)
        self.name = QLabel("Cleanplate")
        self.name.setProperty("role", "title")
        row.addWidget(self.name)
        self.menus = QMenuBar()
        self.menus.setAccessibleName("Menus")
        self.menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        self.title = QLabel()
        self.title.setProperty("role", "caption")
        self.title.setAccessibleName("What is open")
        # As wide as there is room: of a long name the middle is left out, and the tip says it in full.
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.title, 1)
        self.open = button("Open…", "Open", "Open a video, a folder of images, a TIFF stack or a camera.")
        self.samples = button("Samples", "Samples", "Open a scene that is computed, with known truth.")
        self.wipe = button("Wipe", "Wipe", "Compare input and background in one pane: drag the divider. (W)")
        self.wipe.setCheckable(True)
        self.wipe.toggled.connect(self.wipe_toggled)
        self.correct = button(
            "Correct", "Correct by hand", "Paint what is background or foreground; it is learnt and remembered. (B)"
        )
        self.correct.setCheckable(True)
        self.correct.toggled.connect(self.correct_toggled)
        self.areas = button("Areas", "Areas", "Draw what is never foreground, or kept as it is in cleaned frames. (A)")
        self.areas.setCheckable(True)
        self.areas.toggled.connect(self.areas_toggled)
        self.compare = button(
            "Compare…", "Compare methods", "Run two to four methods side by side on this input. (Ctrl+K)"
        )
        self.compare.clicked.connect(self.compare_requested)
        self._is_offered = self._can_compare = True
        self.export = button(
            "Export…", "Export", "Write the plate, masks, cleaned frames and more to files. (Ctrl+E)", "primary"
        )
        self.export.clicked.connect(self.export_requested)
        buttons = (self.open, self.samples, self.wipe, self.correct, self.areas, self.compare, self.export)
        for widget in buttons:
            row.addWidget(widget)
        self._others = (self.name, self.menus, *buttons)
        # In turn: the window's title and the File menu have them, too.
        self._leaves_first = (self.name, TITLE_PX), (self.samples, LEAST_TITLE_PX)
        self._row = row

    def set_menus(self, opening: QMenu, samples: QMenu) -> None:
        """Give the two choosers their menus."""
        self.open.setMenu(opening)
        self.samples.setMenu(samples)

    def set_offered(self, on: bool) -> None:
        """Offer what is done with what is open, or do not: nothing is."""
        self._is_offered = on
        for widget in (self.wipe, self.correct, self.areas, self.export):
            widget.setEnabled(on)
        self._offer_compare()

    def set_can_compare(self, on: bool) -> None:
        """Offer the comparison of what is open, or do not: what it is made with is not there yet."""
        self._can_compare = on
        self._offer_compare()

    def _offer_compare(self) -> None:
        self.compare.setEnabled(self._is_offered and self._can_compare)

    def show_title(self, text: str) -> None:
        """Say what is open."""
        self._full_title = text
        self.title.setToolTip(text)
        self.title.setAccessibleDescription(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the room there is to what needs it most."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what can be done without until the title has room, and of the title the middle."""
        taken = {widget: widget.sizeHint().width() + self._row.spacing() for widget in self._others}
        room = self.contentsRect().marginsRemoved(self._row.contentsMargins()).width() - sum(taken.values())
        metrics = self.title.fontMetrics()
        needed = metrics.horizontalAdvance(self._full_title)
        for widget, most in self._leaves_first:
            wanted = min(needed, most)
            widget.setVisible(room >= wanted)
            if room < wanted:
                room += taken[widget]
        self.title.setText(metrics.elidedText(self._full_title, Qt.TextElideMode.ElideMiddle, max(room, 0)))
