"""In a bundle, in the place of Qt's module: the plotting library asks whether a widget is one that graphics cards draw."""

from PySide6.QtWidgets import QWidget


class QOpenGLWidget(QWidget):
    """No widget is one."""
