"""Whose plain keys are: the window's, where nobody is typing. A click must not give them to what would act on them.

And the way of the Tab key, through all that can have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QDoubleSpinBox,
    QLayout,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QWidget,
)


def leave_keys(widget: QWidget) -> None:
    """Let a click work a button and not give it the focus: the space bar would push it again instead of playing on."""
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def leave_space(box: QAbstractSpinBox) -> None:
    """Leave the space bar, which would empty the number in a box, to the window."""
    box.installEventFilter(_Past(box, {Qt.Key.Key_Space}))


def leave_ends(slider: QAbstractSlider) -> None:
    """Leave Home and End to the window: Tab leads from a number to its slider, which they would push to an end."""
    slider.installEventFilter(_Past(slider, {Qt.Key.Key_Home, Qt.Key.Key_End}))


ENDS_TYPING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
"""Keys after which plain keys are the window's again."""


def give_up_typing(box: QAbstractSpinBox) -> None:
    """Show the value in force again: what was typed and not taken up is given up."""
    if isinstance(box, QSpinBox):
        box.setValue(box.value())
    if isinstance(box, QDoubleSpinBox):
        box.setValue(box.value())


def tab_order(widget: QWidget) -> list[QWidget]:
    """Return what Tab goes through in a widget, in the order in which it is laid out.

    Qt's own order is that in which widgets were made: controls of another method come last, and a focus proxy around
    its own target parts the ring.
    """
    return [inner for inner in _laid_out(widget) if _takes_tab(inner)]


def _takes_tab(widget: QWidget) -> bool:
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.focusProxy() is None and widget.isVisible() and widget.isEnabled()


def _laid_out(widget: QWidget) -> Iterator[QWidget]:
    """Yield a widget and what is in it: in the order of its layout, then what lies in none."""
    yield widget
    inner: list[QWidget | None]
    if isinstance(widget, QSplitter):
        inner = [widget.widget(i) for i in range(widget.count())]
    elif isinstance(widget, QScrollArea):
        inner = [widget.widget()]
    else:
        inner = [*_of_layout(widget.layout())]
        children = widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        inner += [child for child in children if child not in inner and not child.isWindow()]
    for child in inner:
        if child is not None:
            yield from _laid_out(child)


def _of_layout(layout: QLayout | None) -> Iterator[QWidget]:
    for i in range(layout.count() if layout is not None else 0):
        item = layout.itemAt(i) if layout is not None else None
        widget = item.widget() if item is not None else None
        if widget is not None:
            yield widget
        elif item is not None:
            yield from _of_layout(item.layout())


class _Past(QObject):
    """Passes keys on to whatever is around the watched object."""

    def __init__(self, watched: QObject, keys: Set[Qt.Key]) -> None:
        super().__init__(watched)
        self._keys = keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave them out."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() not in self._keys:
            return False
        event.ignore()
        return True
