"""The pages of help: each is one window, which is raised where it is open already."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QDialog, QWidget

from app.panels import help as pages
from app.panels.how_to import HowTo

PAGES: dict[str, Callable[[QWidget], QDialog]] = {
    "how_to": HowTo,
    "words": pages.glossary_page,
    "shortcuts": pages.shortcuts_page,
    "about": pages.about_page,
}
"""What makes each page, by the command that shows it."""


class HelpCommands:
    """Shows pages.

    Parameters
    ----------
    window : QWidget
        Beside which they stand.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._open: dict[str, QDialog] = {}

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what shows each page, by its command."""
        return {key: partial(self.show, key) for key in PAGES}

    def show(self, key: str) -> None:
        """Show the page of a command."""
        page = self._open.get(key)
        if page is None:
            page = self._open[key] = PAGES[key](self._window)
            page.finished.connect(lambda _: self._open.pop(key, None))  # It is deleted then.
        page.show()
        page.raise_()
        page.activateWindow()
