"""The parts of the window and where they lie. The panes come when the engine is there, the rest at once."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QSplitter, QVBoxLayout, QWidget

from app.panels.areas import AreaBar
from app.panels.banner import Banner
from app.panels.brush import BrushBar
from app.panels.controls import Segmented
from app.panels.edge_tab import EdgeTab
from app.panels.method import MethodPanel
from app.panels.source import SourcePanel
from app.panels.splitter import share, splitter
from app.panels.status import StatusBar
from app.panels.top_bar import TopBar

PICTURES_PX = 1000
"""Width that the pictures ask for; they take what there is."""

PLOTS_PX = 430
"""Least width of the plots: below it their names are cut."""


class Parts:
    """What stands in the window from the first moment.

    Parameters
    ----------
    window : QMainWindow
    """

    def __init__(self, window: QMainWindow) -> None:
        self.top = TopBar()
        self.banner = Banner()
        self.brush = BrushBar()
        self.areas = AreaBar()
        self.source = SourcePanel()
        self.method = MethodPanel()
        self.status = StatusBar()
        self.speed = Segmented(
            [
                ("Real time", "Play at the input's own rate, so that motion looks natural; no frame is left out."),
                ("Fast", "Process frames as fast as the method allows; no frame is left out."),
            ],
            "Playing speed",
        )
        self.waiting = QLabel("Preparing the engine…")
        self.waiting.setProperty("role", "caption")
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.tabs = {
            "source_panel": EdgeTab("Source and mask", "Show the input and the mask's sliders (F5).", upright=True),
            "method_panel": EdgeTab("Method", "Show the method, its sliders, and figures (F6).", upright=True),
            "bottom_panel": EdgeTab("Basis and plots", "Show basis images and plots (F7).", upright=False),
        }
        self._sizes: dict[str, int] = {}
        self._arrange(window)
        self.share_out()
        self._panels = {"source_panel": self.source, "method_panel": self.method, "bottom_panel": self.bottom}
        for tab in self.tabs.values():
            tab.hide()

    def _arrange(self, window: QMainWindow) -> None:
        """Put all of them into the window."""
        # From the window inwards: Qt works out fonts and colours of all that is within what gets another parent.
        body = self.body = QWidget(window)
        window.setCentralWidget(body)
        window.setStatusBar(self.status)
        # A click on what takes no keys ends typing in a number, and gives them to the panes.
        body.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        body.setAccessibleName("Window")
        body.setAccessibleDescription("Panels, panes, and the timeline below them.")
        rows = QVBoxLayout(body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(1)
        rows.addWidget(self.top)
        self.split = splitter(Qt.Orientation.Vertical, body)
        rows.addWidget(self.split, 1)
        rows.addWidget(self.tabs["bottom_panel"])
        self.timeline_bar, self.timeline_row = _bar(body)
        rows.addWidget(self.timeline_bar)
        self.timeline_row.setContentsMargins(0, 0, 12, 0)
        self.timeline_row.setSpacing(8)
        self.timeline_row.addWidget(self.speed, 0, Qt.AlignmentFlag.AlignRight)
        self.speed.hide()  # It comes with the timeline.
        self.sides = self._upper()
        self.bottom, self.bottom_row = _bar(self.split)
        self.bottom.setMinimumHeight(150)
        self.centre = self._middle()
        share(self.split, grows=0)
        share(self.sides, grows=1)

    def share_out(self) -> None:
        """Let the parts be as large as they begin: panels as narrow as they can be, and the pictures get the rest."""
        self.sides.setSizes([self.source.minimumWidth(), PICTURES_PX, self.method.minimumWidth()])
        self.split.setSizes([600, 190])

    def show_panel(self, key: str, on: bool) -> None:
        """Show a panel, or in its place the tab that does."""
        panel, tab = self._panels[key], self.tabs[key]
        parts = self.split if panel is self.bottom else self.sides
        index = parts.indexOf(panel)
        if not on and panel.isVisible():
            self._sizes[key] = parts.sizes()[index]
        panel.setVisible(on)
        tab.setVisible(not on)
        if on and key in self._sizes:
            # The panel is as large as it was: the splitter shares out anew when the tab takes its room.
            sizes, pictures = parts.sizes(), int(parts is self.sides)
            sizes[pictures] -= self._sizes[key] - sizes[index]
            sizes[index] = self._sizes.pop(key)
            parts.setSizes(sizes)

    def _upper(self) -> QSplitter:
        """Put what lies above the basis into the window; return what shares it between the panels and the pictures."""
        holder = QWidget(self.split)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.tabs["source_panel"])
        sides = splitter(Qt.Orientation.Horizontal, holder)
        row.addWidget(sides, 1)
        row.addWidget(self.tabs["method_panel"])
        return sides

    def _middle(self) -> QVBoxLayout:
        """Put the panels and what lies between them into the window; return where the pictures go."""
        self.sides.addWidget(self.source)
        holder = QWidget(self.sides)
        self.sides.addWidget(self.method)
        rows = QVBoxLayout(holder)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        banner_row = QVBoxLayout()
        banner_row.setContentsMargins(8, 8, 8, 0)
        rows.addLayout(banner_row)
        banner_row.addWidget(self.banner)
        rows.addWidget(self.brush)
        rows.addWidget(self.areas)
        centre = QVBoxLayout()
        centre.setContentsMargins(0, 0, 0, 0)
        centre.setSpacing(0)
        rows.addLayout(centre, 1)
        centre.addWidget(self.waiting)
        return centre


def _bar(parent: QWidget) -> tuple[QFrame, QHBoxLayout]:
    """Return a panel across the window, and the row in it."""
    bar = QFrame(parent)
    bar.setProperty("role", "panel")
    row = QHBoxLayout(bar)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    return bar, row


class Views:
    """What shows reports. Made when the engine is there, for its modules come with it.

    Parameters
    ----------
    parts : Parts
        Where the views go.
    """

    def __init__(self, parts: Parts) -> None:
        from app.views.basis import BasisStrip  # noqa: PLC0415 - see the class
        from app.views.panes import PanesView  # noqa: PLC0415
        from app.views.plots import PlotsView  # noqa: PLC0415
        from app.views.timeline import Timeline  # noqa: PLC0415

        self.panes = PanesView()
        self.basis = BasisStrip()
        self.plots = PlotsView()
        self.plots.setMinimumWidth(max(PLOTS_PX, self.plots.minimumSizeHint().width()))
        self.timeline = Timeline()
        parts.centre.removeWidget(parts.waiting)
        parts.waiting.hide()
        parts.centre.addWidget(self.panes)
        parts.body.setFocusProxy(self.panes)
        self.bottom = splitter(Qt.Orientation.Horizontal, parts.bottom)
        parts.bottom_row.addWidget(self.bottom)
        self.bottom.addWidget(self.basis)
        self.bottom.addWidget(self.plots)
        share(self.bottom, grows=0)
        self._share_out()
        parts.timeline_row.insertWidget(0, self.timeline, 1)
        parts.speed.show()

    def show_usual(self) -> None:
        """Show the pictures that the panes show at the first start, all of them, and the plots as wide."""
        from app.rendering.picture_kinds import STANDARD  # noqa: PLC0415 - see the class
        from app.views.pane_grid import ALL  # noqa: PLC0415

        self.panes.set_enlarged(ALL)
        self.panes.set_kinds(STANDARD)
        self._share_out()

    def _share_out(self) -> None:
        self.bottom.setSizes([PICTURES_PX, self.plots.minimumWidth()])
