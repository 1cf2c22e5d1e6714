"""The menu that the title of a pane opens: which picture it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from app.rendering.picture_kinds import KINDS

if TYPE_CHECKING:
    from app.views.pane import ImagePane


def kind_menu(pane: ImagePane, name: str, kinds: Iterable[str], shown: str, choose: Callable[[str], object]) -> QMenu:
    """Return a menu of what a pane can show, and of its contrast.

    Parameters
    ----------
    pane : ImagePane
    name : str
        Of the menu, for screen readers.
    kinds : iterable of str
        Keys of `app.rendering.picture_kinds.KINDS`, in the order in which they are offered.
    shown : str
        The one that is checked.
    choose : callable
        Called with the key of what is chosen.
    """
    menu = QMenu(pane)
    menu.setAccessibleName(name)
    menu.setToolTipsVisible(True)
    group = QActionGroup(menu)
    for key in kinds:
        action = menu.addAction(KINDS[key].title, partial(choose, key))
        action.setToolTip(KINDS[key].about)
        action.setCheckable(True)
        action.setChecked(key == shown)
        action.setData(key)
        group.addAction(action)
    menu.addSeparator()
    # Its action, as the menu itself would end with this one. Where the pane has no room for its button, too.
    menu.addAction(pane.contrast.menu.menuAction())
    return menu


def open_below_title(menu: QMenu, pane: ImagePane) -> None:
    """Open a menu once, below the title of a pane."""
    chip = pane.header.title_chip
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
