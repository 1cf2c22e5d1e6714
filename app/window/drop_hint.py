"""What shows while files are dragged over the window: where to let go of them, and what happens then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMainWindow, QWidget

from app import theme

MARGIN_PX, LINE_PX, ROUND_PX = 24, 3, 12
"""Of the frame that is drawn into the window."""

VEIL = 225
"""How much is seen of the window through the hint, of 255: enough to know where one is, little enough to read."""

WORDS = "Drop to open"
KINDS = (
    "A video, a folder of images, a TIFF stack, a project, a preset, areas or a model; several clips go to the queue"
)


class DropHint(QWidget):
    """Covers a window while files are dragged over it. The window itself takes them: the hint is not there for them.

    Parameters
    ----------
    window : QMainWindow
        That files can be dropped on.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(WORDS)
        self.hide()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Come and go with what is dragged."""
        if isinstance(event, QDragEnterEvent) and any(url.isLocalFile() for url in event.mimeData().urls()):
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
        elif event.type() in {QEvent.Type.DragLeave, QEvent.Type.Drop}:
            self.hide()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a frame with the words."""
        colours, painter = theme.colours(), QPainter(self)
        veil = QColor(colours.window)
        veil.setAlpha(VEIL)
        painter.fillRect(self.rect(), veil)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.link), LINE_PX, Qt.PenStyle.DashLine))
        frame = self.rect().adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
        painter.drawRoundedRect(frame, ROUND_PX, ROUND_PX)
        upper = QRect(frame.left(), frame.top(), frame.width(), frame.height() // 2)
        lower = frame.adjusted(0, upper.height(), 0, 0)
        large = self.font()
        large.setPointSizeF(2 * large.pointSizeF())
        painter.setPen(QColor(colours.text))
        painter.setFont(large)
        painter.drawText(upper, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, WORDS)
        painter.setPen(QColor(colours.muted))
        painter.setFont(self.font())
        painter.drawText(lower, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, KINDS)
