"""Icons of one colour, tinted to match the theme each time they are painted."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from app.theme.apply import colours
from app.theme.files import resource_folder
from app.theme.palette import Token


class _TintedEngine(QIconEngine):
    """Draws a one-coloured SVG in a colour of the theme, at the size and density that is asked for."""

    def __init__(self, name: str, token: Token) -> None:
        super().__init__()
        self._name, self._token = name, token

    def clone(self) -> QIconEngine:
        return _TintedEngine(self._name, self._token)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        _renderer(self._name, self._colour(mode, state)).render(painter, QRectF(rect))

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        on = state is QIcon.State.On and self._token == "text"
        if mode is QIcon.Mode.Disabled:
            return colours().disabled
        return colours().on_accent if on else colours().of(self._token)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        # Kept: the buttons on a pane are painted anew with each frame.
        key = f"{self._name} {self._colour(mode, state)} {size.width()} {size.height()}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        QPixmapCache.insert(key, pixmap)
        return pixmap


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str) -> QSvgRenderer:
    svg = (resource_folder() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(svg.replace("currentColor", colour).encode()))


@lru_cache(maxsize=1)
def icon_names() -> frozenset[str]:
    """Return the names of all icons."""
    return frozenset(path.stem for path in (resource_folder() / "icons").glob("*.svg"))


def icon(name: str, token: Token = "text") -> QIcon:
    """Return the icon ``resources/icons/<name>.svg`` in a colour of the theme.

    It is drawn afresh in the colours in force each time it is painted, so a change of theme needs no new icon; a
    checked button shows it in ``on_accent``.

    Parameters
    ----------
    name : str
    token : Token
        A name of `Colours`.

    Raises
    ------
    FileNotFoundError
        There is no such icon.
    """
    if name not in icon_names():
        raise FileNotFoundError(f"there is no icon {name}")
    return QIcon(_TintedEngine(name, token))
