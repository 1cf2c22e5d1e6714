"""Windows that stand beside a window with commands."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.command_window import CommandWindow
from app.on_screen import fit_to_screen, keep_on_screen_once_framed


def share_commands(widget: QWidget) -> None:
    """Let the keys of commands that act in every window act in that of a widget, where no text is typed."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, CommandWindow):
        above = above.parentWidget()
    if above is not None:
        widget.window().addActions(above.shared_actions)


class SideWindow(QDialog):
    """A dialog that does not block: it lies on the screen with its frame, and keys of commands act in it (`SHARED`)."""

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the screen, and once there is a frame, with that; have the commands that act everywhere."""
        share_commands(self)
        if not event.spontaneous():
            fit_to_screen(self)
        super().showEvent(event)
        keep_on_screen_once_framed(self)
