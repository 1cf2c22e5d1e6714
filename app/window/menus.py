"""What the menus do, and the menus whose entries come from elsewhere: samples, recent files, cameras."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.panels import help as pages

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

CAMERAS = 4
"""Cameras offered in the menu; others can be given on the command line."""


class OpenMenus(QObject):
    """The menus that open something.

    Parameters
    ----------
    window : MainWindow
        Its actions are there.

    Attributes
    ----------
    opening, samples, recent : QMenu
        Everything that can be opened, and two parts of it.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.opening = QMenu("Open", window)
        for key in ("open_file", "open_folder"):
            self.opening.addAction(window.actions[key])
        cameras = self.opening.addMenu("Camera")
        for number in range(CAMERAS):
            self._add(cameras, f"Camera {number}", f"camera:{number}")
        self.samples = QMenu("Samples", window)
        self.samples.setToolTipsVisible(True)
        self.recent = QMenu("Recent", window)
        self.recent.aboutToShow.connect(self.fill_recent)
        for menu in (self.samples, self.recent):
            self.opening.addMenu(menu)
        for menu in (cameras, self.samples, self.recent):
            window.actions.menus["File"].insertMenu(window.actions["export"], menu)

    def fill_samples(self, samples: Mapping[str, str]) -> None:
        """Offer the samples: the name of each, and what it shows."""
        self.samples.clear()
        for name, about in samples.items():
            self._add(self.samples, name.capitalize(), f"sample:{name}", about)

    def fill_recent(self) -> None:
        """Offer what was opened last."""
        self.recent.clear()
        for path in self._window.remembered.recent:
            self._add(self.recent, path, path)
        if self.recent.isEmpty():
            self.recent.addAction("Nothing yet").setEnabled(False)

    def _add(self, menu: QMenu, text: str, path: str, tip: str = "") -> None:
        action = menu.addAction(text)
        action.setToolTip(tip or path)
        action.triggered.connect(lambda _on=False: self._window.input.open_path(path))


def handlers(window: MainWindow) -> dict[str, Callable]:
    """Return what each command of `app.shortcuts` does, by its key; a checkable one is called with its state."""
    files, running, parts, panes = window.files, window.running, window.parts, window.with_panes
    return {
        "open_file": files.open_file, "open_folder": files.open_folder, "export": files.export,
        "save_model": files.save_model, "apply_model": files.apply_model, "learn_again": running.learn_again,
        "load_preset": files.load_preset, "save_preset": files.save_preset, "quit": window.close,
        "wipe": parts.top.wipe.setChecked, "compare": window.compare.open,
        "correct": parts.top.correct.setChecked, "undo_stroke": window.correcting.undo,
        "fit": lambda: panes("fit"), "zoom_in": lambda: panes("zoom_in"), "zoom_out": lambda: panes("zoom_out"),
        **{f"pane_{i + 1}": lambda i=i: panes("toggle_enlarged", i) for i in range(4)},
        "all_panes": lambda: panes("back"),
        "source_panel": parts.source.setVisible, "method_panel": parts.method.setVisible,
        "bottom_panel": parts.bottom.setVisible,
        "full_screen": lambda on: window.showFullScreen() if on else window.showNormal(),
        "play": running.toggle_play, "step": running.on_step, "restart": running.restart,
        "back": lambda: running.skip(-1), "forward": lambda: running.skip(1),
        "loop": running.on_loop, "real_time": running.on_real_time,
        "words": lambda: pages.glossary_page(window).show(), "shortcuts": lambda: pages.shortcuts_page(window).show(),
        "about": lambda: pages.about_page(window).show(),
    }  # fmt: skip
