"""Another program on the same screen, which holds one file or folder to be dragged from it: ``shelf.py PATH X Y``.

What is dragged from here reaches the window of another process over the protocol of X (XDND), as from a file manager.
It says a line when it can be seen, and stays until it is ended.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QFileIconProvider, QLabel, QVBoxLayout, QWidget

SIZE = (150, 84)
ICON_PX = 40


class Shelf(QWidget):
    """A small window with the icon and the name of one file or folder.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle("Files")
        self.setStyleSheet("Shelf { background: white; border: 2px solid gray } QLabel { color: black }")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._path = path
        self._icon = QFileIconProvider().icon(QFileIconProvider.IconType.File).pixmap(ICON_PX, ICON_PX)
        column = QVBoxLayout(self)
        for label in (QLabel(pixmap=self._icon), QLabel(path.name)):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Take the file along with the pointer that pulls at it."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            carried = QMimeData()
            carried.setUrls([QUrl.fromLocalFile(str(self._path))])
            drag = QDrag(self)
            drag.setMimeData(carried)
            drag.setPixmap(self._icon)
            drag.exec(Qt.DropAction.CopyAction)


def main() -> int:
    """Show the file that the command line names, at a point of the screen."""
    path, *place = sys.argv[1:]
    application = QApplication(sys.argv[:1])
    shelf = Shelf(Path(path))
    shelf.setGeometry(*map(int, place), *SIZE)
    shelf.show()
    application.processEvents()
    print("there", flush=True)
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
