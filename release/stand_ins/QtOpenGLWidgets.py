"""In a bundle, in the place of Qt's module: the plotting library asks whether a graphics card draws a widget."""

from PySide6.QtWidgets import QWidget


class QOpenGLWidget(QWidget):
    """What a graphics card would draw: none is made."""
