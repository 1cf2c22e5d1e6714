"""How the window looks: colours as tokens, one style sheet for light and dark, and icons tinted to match.

Widgets name their part in the look with a dynamic property ``role``, which the style sheet knows:

* ``QLabel``: ``heading`` (small capitals over a section), ``caption`` (muted, small), ``title`` (the name of the
  application), ``value`` (a number on a chip, tabular figures), ``number`` (the same without a chip), ``chip`` and
  ``chip-number`` (words and numbers over a picture), ``good``, ``warn`` and ``bad`` (coloured words).
* ``QPushButton`` and ``QToolButton``: ``primary`` (the one thing to do next), ``link`` (a word that acts), ``segment``
  (one of a few choices side by side, checkable), ``word`` (one of a few headings to choose from, checkable), ``chip``
  (over a picture), ``flat`` (an icon without a frame).
* ``QFrame`` and ``QWidget``: ``panel`` (a ground a little lighter than the window's), ``bar`` (the same, for bars),
  ``rule`` (a thin line). A bare ``QWidget`` also needs the attribute ``WA_StyledBackground``.

Use `set_role` where the role changes while the widget is shown.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Literal

from PySide6.QtCore import QByteArray, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

Mode = Literal["light", "dark", "system"]


@dataclass(frozen=True)
class Colours:
    """Every colour of the window. Text on each ground it is used on keeps a contrast of 4.5 or more (WCAG AA).

    Attributes
    ----------
    window, panel, raised, hover, pressed, pane : str
        Grounds, from the window's own to a control's, and the ground behind a picture.
    line, line_strong : str
        Rules between parts, outlines of controls.
    text, muted, disabled : str
        Words, captions, what cannot be used now.
    accent, accent_hover, on_accent, link : str
        The ground of what is chosen, words on it, and words that act.
    good, warn, bad : str
        States, and curves.
    track, knob : str
        Of sliders.
    curves : tuple of str
        Of plots; told apart also by people who do not see all colours.
    chip, on_chip : str
        Words over pictures; the same in both palettes, for pictures are the same in both.
    """

    window: str
    panel: str
    raised: str
    hover: str
    pressed: str
    pane: str
    line: str
    line_strong: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    on_accent: str
    link: str
    good: str
    warn: str
    bad: str
    track: str
    knob: str
    curves: tuple[str, ...]
    chip: str = "rgba(18, 21, 25, 215)"
    on_chip: str = "#f1f3f5"


DARK = Colours(
    window="#1b1e22", panel="#212529", raised="#2d3238", hover="#383e45", pressed="#434a52", pane="#121417",
    line="#121417", line_strong="#3d444c", text="#e8eaed", muted="#9aa2ab", disabled="#666d75",
    accent="#2b6be0", accent_hover="#2f6fe3", on_accent="#ffffff", link="#74abfa",
    good="#3fd495", warn="#f2a63b", bad="#ff7b72", track="#3a4047", knob="#eceef0",
    curves=("#74abfa", "#f2a63b", "#3fd495", "#e887c4", "#b79cf5", "#f3e26b", "#5fd0e6", "#ff8a7a"),
)  # fmt: skip

LIGHT = Colours(
    window="#eef0f2", panel="#f7f8f9", raised="#e3e6ea", hover="#d8dce1", pressed="#cbd0d7", pane="#dfe2e6",
    line="#d5d9de", line_strong="#b9bfc7", text="#1d2126", muted="#555d67", disabled="#9aa1aa",
    accent="#1f5fd6", accent_hover="#1a53bd", on_accent="#ffffff", link="#174fb5",
    good="#0b7048", warn="#8a5200", bad="#b3261e", track="#c9ced5", knob="#ffffff",
    curves=("#1f5fd6", "#a85f00", "#0b7048", "#b3307f", "#6a3fc4", "#766a00", "#0a6f86", "#b3261e"),
)  # fmt: skip

MASK_TINT = (235, 52, 60)
"""RGB of the mask drawn over a picture."""

UNSEEN_TINT = (255, 0, 255)
"""RGB of what was never seen: no plate and no scene has this colour."""


class _Theme(QObject):
    """The colours in force, and the news that they changed (icons and plots that are painted by hand listen)."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.colours = DARK
        self.mode: Mode = "dark"


@lru_cache(maxsize=1)
def _theme() -> _Theme:
    return _Theme()


def colours() -> Colours:
    """Return the colours in force."""
    return _theme().colours


def theme_changed() -> Signal:
    """Return the signal that tells that the colours changed."""
    return _theme().changed


def apply_theme(app: QApplication, mode: Mode) -> None:
    """Give the application its look.

    Parameters
    ----------
    app : QApplication
    mode : ``"light"``, ``"dark"`` or ``"system"``
        ``"system"`` follows the desktop, now and when it changes; where the desktop does not say, dark.
    """
    theme = _theme()
    theme.mode = mode
    hints = app.styleHints()
    if not app.property("cleanplate_follows_system"):
        app.setProperty("cleanplate_follows_system", True)
        hints.colorSchemeChanged.connect(lambda _scheme: _follow_system(app))
        app.setStyle("Fusion")
        app.setFont(_body_font())
    # For the frame that the system draws around the window; the palette below does not rely on it.
    hints.setColorScheme({"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(mode, Qt.ColorScheme.Unknown))
    _dress(app, _chosen(app, mode))


def _follow_system(app: QApplication) -> None:
    if _theme().mode == "system":
        _dress(app, _chosen(app, "system"))


def _chosen(app: QApplication, mode: Mode) -> Colours:
    if mode == "system":
        return LIGHT if app.styleHints().colorScheme() is Qt.ColorScheme.Light else DARK
    return LIGHT if mode == "light" else DARK


def _dress(app: QApplication, chosen: Colours) -> None:
    theme = _theme()
    theme.colours = chosen
    app.setPalette(_palette(chosen))
    app.setStyleSheet(_style_sheet(chosen, app.font().pointSizeF()))
    theme.changed.emit()


def _palette(c: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for name, value in {
        role.Window: c.window, role.WindowText: c.text, role.Base: c.raised, role.AlternateBase: c.panel,
        role.Text: c.text, role.Button: c.raised, role.ButtonText: c.text, role.BrightText: c.bad,
        role.Highlight: c.accent, role.HighlightedText: c.on_accent, role.Link: c.link, role.LinkVisited: c.link,
        role.ToolTipBase: c.raised, role.ToolTipText: c.text, role.PlaceholderText: c.muted, role.Light: c.hover,
        role.Midlight: c.hover, role.Mid: c.line_strong, role.Dark: c.line, role.Shadow: c.line, role.Accent: c.accent,
    }.items():  # fmt: skip
        palette.setColor(name, QColor(value))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(c.disabled))
    return palette


def _body_font() -> QFont:
    """Return the desktop's own font, in a size that stays readable where the desktop names none."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPointSizeF(min(max(font.pointSizeF(), 9.0), 14.0))
    return font


def number_font(relative_size: float = 1.0) -> QFont:
    """Return the font of numbers: every figure has one width, so that they stand still while they change."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QApplication.font().pointSizeF() * relative_size)
    return font


def caption_font() -> QFont:
    """Return the font of captions and headings."""
    font = QFont(QApplication.font())
    font.setPointSizeF(font.pointSizeF() * 0.88)
    return font


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget a role of the style sheet, also while it is shown."""
    widget.setProperty("role", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def _style_sheet(c: Colours, points: float) -> str:
    template = Template((_resources() / "style.qss").read_text(encoding="utf-8"))
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return template.substitute(
        asdict(c), small=f"{points * 0.88:.1f}pt", large=f"{points * 1.15:.1f}pt", body=f"{points:.1f}pt",
        fixed=fixed, icons=(_resources() / "icons").as_posix(),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _resources() -> Path:
    return Path(str(resources.files("resources")))


class _TintedEngine(QIconEngine):
    """Draws a one-coloured SVG in a colour of the theme, at the size and density that is asked for."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name, self._token = name, token

    def clone(self) -> QIconEngine:
        return _TintedEngine(self._name, self._token)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        _renderer(self._name, self._colour(mode, state)).render(painter, QRectF(rect))

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        on = state is QIcon.State.On and self._token == "text"
        token = "disabled" if mode is QIcon.Mode.Disabled else "on_accent" if on else self._token
        return getattr(colours(), token)

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
    svg = (_resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(svg.replace("currentColor", colour).encode()))


def icon(name: str, token: str = "text") -> QIcon:
    """Return the icon ``resources/icons/<name>.svg`` in a colour of the theme.

    It is drawn afresh in the colours in force each time it is painted, so a change of theme needs no new icon; a
    checked button shows it in ``on_accent``.

    Parameters
    ----------
    name : str
    token : str
        A name of `Colours`.

    Raises
    ------
    FileNotFoundError
        There is no such icon.
    """
    if not (_resources() / "icons" / f"{name}.svg").is_file():
        raise FileNotFoundError(f"there is no icon {name}")
    return QIcon(_TintedEngine(name, token))
