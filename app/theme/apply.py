"""Give the application its look, and tell where it changes: palette, style sheet, the colours in force."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from string import Template
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QWidget

from app.theme.files import resource_folder
from app.theme.fonts import body_font
from app.theme.palette import DARK, LIGHT, MASK_TINTS, Colours, MaskTint

Mode = Literal["light", "dark", "system"]


class _Theme(QObject):
    """The colours in force, and the news that they changed (icons and plots that are painted by hand listen)."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.colours = DARK
        self.mode: Mode = "dark"
        self.mask_tint: MaskTint = "red"


@lru_cache(maxsize=1)
def _theme() -> _Theme:
    return _Theme()


def colours() -> Colours:
    """Return the colours in force."""
    return _theme().colours


def mask_tint() -> tuple[int, int, int]:
    """Return the RGB in force of the mask drawn over a picture, and of strokes that say foreground."""
    return MASK_TINTS[_theme().mask_tint]


def set_mask_tint(chosen: MaskTint) -> None:
    """Draw masks in another colour from now on."""
    theme = _theme()
    theme.mask_tint = chosen
    theme.changed.emit()


def theme_changed() -> SignalInstance:
    """Return the signal that tells that the colours changed."""
    return _theme().changed


def apply_theme(app: QApplication, mode: Mode) -> None:
    """Give the application its look.

    Qt polishes every widget anew for that, also of panels that are closed: a quarter of a second for the main window
    alone, and a second once all panels have been open. It is the one thing that a person can ask for which holds the
    window's thread so long.

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
        app.setFont(body_font())
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
    sheet = _style_sheet(chosen, app.font().pointSizeF())
    if sheet != app.styleSheet():  # Qt does not ask, and polishes every widget anew.
        app.setStyleSheet(sheet)
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


def pad_text(box: QAbstractSpinBox) -> None:
    """Keep a number off the edge of its box: Qt leaves out the style sheet's padding where a box has buttons."""
    box.lineEdit().setTextMargins(4, 0, 0, 0)


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget a role of the style sheet, also while it is shown; one that has it is left alone."""
    if widget.property("role") == role:
        return
    widget.setProperty("role", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def _style_sheet(c: Colours, points: float) -> str:
    template = Template((resource_folder() / "style.qss").read_text(encoding="utf-8"))
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return template.substitute(
        asdict(c), small=f"{points * 0.88:.1f}pt", large=f"{points * 1.15:.1f}pt", body=f"{points:.1f}pt",
        fixed=fixed, icons=(resource_folder() / "icons").as_posix(),
    )  # fmt: skip
