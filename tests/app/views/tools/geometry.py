"""A pane that is not there: only its geometry, and a canvas to paint on."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from app.rendering.viewport import Look, Viewport

WIDTH, HEIGHT = 200, 100
"""Of the picture, pixels; the pane has as many points, and shows the whole picture at its own size."""

WHOLE = Viewport(Look(WIDTH / 2, HEIGHT / 2, 1.0), (WIDTH, HEIGHT), (WIDTH, HEIGHT))

ENLARGED = Viewport(Look(60.0, 40.0, 6.0), (WIDTH, HEIGHT), (WIDTH, HEIGHT), ratio=2.0)
"""Twice as dense a screen, three points for each pixel, (60, 40) in the middle."""


def at(x, y):
    return QPointF(x, y)


def use(tool, view, start, *way):
    """Press at a point, drag along others, release at the last; return whether the tool took the press."""
    taken = tool.begin(at(*start), view)
    if taken:
        for point in way:
            tool.move(at(*point), view)
            tool.hover(at(*point), view)
        tool.end(view)
    return taken


def painted(tool, view):
    """Return what a tool paints on black."""
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(0xFF000000)
    painter = QPainter(image)
    tool.paint(painter, view)
    painter.end()
    return image


def heard(signal):
    """Return a list that grows with what a signal says."""
    said = []
    signal.connect(lambda *values: said.append(values))
    return said
