"""The small pictures that projects are known by, in the menu of what was open last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

from core.errors import CleanplateError

ICON_SIDE = 72
"""Of a picture in the menu, pixels."""


class PictureStyle(QProxyStyle):
    """Lets a menu show pictures larger than its usual symbols."""

    def __init__(self, parent: QObject) -> None:
        super().__init__()
        self.setParent(parent)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Return sizes as usual, but for those of symbols."""
        if metric == QStyle.PixelMetric.PM_SmallIconSize:
            return ICON_SIDE
        return super().pixelMetric(metric, option, widget)


def picture_of(path: Path) -> QIcon:
    """Return the picture of a project; an empty one where there is none, or it cannot be read."""
    from core.project.store import load_document, load_picture  # noqa: PLC0415 - the engine is there by now

    try:
        packed = load_picture(path, load_document(path))
    except CleanplateError:
        packed = None
    image = QImage.fromData(packed) if packed else QImage()
    return QIcon(QPixmap.fromImage(image))
