"""Over everything: the name, the menus, what is open, and what people do most."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QMenuBar, QSizePolicy

from app.panels.controls import button


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
        name = QLabel("Cleanplate")
        name.setProperty("role", "title")
        row.addWidget(name)
        self.menus = QMenuBar()
        self.menus.setAccessibleName("Menus")
        self.menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        self.title = QLabel()
        self.title.setProperty("role", "caption")
        self.title.setAccessibleName("What is open")
        # As wide as there is room: a long name is cut and the tip says it in full.
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
        self.export = button(
            "Export…", "Export", "Write the plate, masks, cleaned frames and more to files. (Ctrl+E)", "primary"
        )
        self.export.clicked.connect(self.export_requested)
        for widget in (self.open, self.samples, self.wipe, self.correct, self.areas, self.compare, self.export):
            row.addWidget(widget)

    def set_menus(self, opening: QMenu, samples: QMenu) -> None:
        """Give the two choosers their menus."""
        self.open.setMenu(opening)
        self.samples.setMenu(samples)

    def show_title(self, text: str) -> None:
        """Say what is open."""
        self._full_title = text
        self.title.setToolTip(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the title to the room there is."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(self.title.width(), 40)
        cut = self.title.fontMetrics().elidedText(self._full_title, Qt.TextElideMode.ElideMiddle, room)
        self.title.setText(cut)
