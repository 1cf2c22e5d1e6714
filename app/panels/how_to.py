"""How the usual jobs are done: the pages of the documentation that say so, in a window beside the main one."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QImage, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QTextBrowser, QVBoxLayout, QWidget

from app.panels.help import closing_button
from app.side_window import SideWindow

JOBS = {
    "clean-plate.md": "A clean plate",
    "faces.md": "Faces",
    "stacks.md": "Microscope stacks",
    "surveillance.md": "Surveillance video",
    "teaching.md": "Teaching",
}
"""The pages by the name of their file, and what they are about."""

INSTALLED = Path(sys.prefix) / "share" / "doc" / "cleanplate"

_CHECKOUT = Path(__file__).resolve().parents[2] / "docs"

PAGES = _CHECKOUT if _CHECKOUT.is_dir() else INSTALLED
"""Where the pages lie: in the checkout, or where they were installed."""

SIZE, LIST_PX, MARGIN_PX = QSize(960, 720), 170, 40


class PageBrowser(QTextBrowser):
    """Shows pages written in Markdown, with pictures no wider than itself.

    Signals
    -------
    shown(str) : the page in the file of this name
    """

    shown = Signal(str)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self.setOpenLinks(False)
        self.setAccessibleName("How it is done")
        self.anchorClicked.connect(self._on_link)

    def show_page(self, name: str) -> None:
        """Show the page in this file of the folder."""
        try:
            text = (self._folder / name).read_text(encoding="utf-8")
        except OSError:
            text = "The pages of the documentation were not installed with this program."
        self.document().setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self._wrap_commands()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.shown.emit(name)

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _wrap_commands(self) -> None:
        """Let lines of code be broken where they are wider than the page."""
        for block in self._blocks():
            form = block.blockFormat()
            form.setNonBreakableLines(False)
            QTextCursor(block).setBlockFormat(form)

    def _go_to(self, place: str) -> None:
        """Go to the heading that a link names so."""
        for block in self._blocks():
            if block.blockFormat().headingLevel() and _place_of(block.text()) == place:
                self.setTextCursor(QTextCursor(block))
                self.verticalScrollBar().setValue(int(self.document().documentLayout().blockBoundingRect(block).top()))
                return

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return a picture of the folder, as wide as there is room."""
        path = self._folder / QUrl(name).toString()
        image = QImage(str(path)) if kind == QTextDocument.ResourceType.ImageResource.value else QImage()
        if image.isNull():
            return super().loadResource(kind, name)
        width = min(SIZE.width(), self.screen().availableSize().width())
        room = min(width - LIST_PX - 2 * MARGIN_PX, image.width())
        return image.scaledToWidth(room, Qt.TransformationMode.SmoothTransformation)

    def _on_link(self, link: QUrl) -> None:
        name = link.path()
        if not link.scheme() and name.endswith(".md") and "/" not in name:
            self.show_page(name)
            self._go_to(link.fragment())
        elif not link.scheme() and not name:
            self._go_to(link.fragment())


def _place_of(heading: str) -> str:
    """Return the name by which links lead to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class HowTo(SideWindow):
    """The list of jobs, and the page of the one that is chosen. It does not block.

    Parameters
    ----------
    parent : QWidget, optional
    folder : Path
        Where the pages lie.
    """

    def __init__(self, parent: QWidget | None = None, folder: Path = PAGES) -> None:
        super().__init__(parent)
        self.setWindowTitle("How to")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(SIZE)
        self.list, self.browser = QListWidget(), PageBrowser(folder)
        self.list.setAccessibleName("Jobs")
        self.list.setMaximumWidth(LIST_PX)
        self.list.setSpacing(3)
        self.list.addItems(list(JOBS.values()))
        self.list.currentRowChanged.connect(lambda row: self.browser.show_page(list(JOBS)[row]))
        self.browser.shown.connect(self._on_shown)
        row = QHBoxLayout()
        row.addWidget(self.list)
        row.addWidget(self.browser, 1)
        rows = QVBoxLayout(self)
        rows.addLayout(row, 1)
        rows.addWidget(closing_button(self))
        self.list.setCurrentRow(0)

    def _on_shown(self, name: str) -> None:
        """Choose the job of the page, or none: a link leads to other pages too, and a click on any job leads back."""
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(list(JOBS).index(name) if name in JOBS else -1)
