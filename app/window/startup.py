"""Opens the window. Nothing heavy is imported here: the window is painted first, the engine comes on its thread."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("QT_API", "pyside6")

from functools import partial
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication

from app import theme
from app.engine.threads import leave, listen
from app.system.bundle import fonts
from app.system.log import explain
from app.system.qt_libraries import has_fonts
from app.theme.files import resource_folder
from app.window import settings
from app.window.main_window import MainWindow
from core.errors import CleanplateError
from core.runtime import numba_cache
from core.runtime.lasting import lasting

DESKTOP_NAME = "org.cleanplate.Cleanplate"
"""Of what the desktop knows of the program (release/linux/), and of its icon."""

SWITCH_S = 0.002
"""How long Python's threads may hold the interpreter: short, so that the window answers while the engine works."""


def application() -> QApplication:
    """Return the application, made if need be."""
    present = QApplication.instance()
    if isinstance(present, QApplication):
        return present
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    made = QApplication(sys.argv[:1])
    made.setApplicationName("cleanplate")
    made.setApplicationDisplayName("Cleanplate")
    made.setDesktopFileName(DESKTOP_NAME)
    made.setWindowIcon(QIcon(str(resource_folder() / f"{DESKTOP_NAME}.svg")))
    own = fonts()
    if own and not has_fonts():
        for path in own:
            QFontDatabase.addApplicationFont(str(path))
    # Qt does not quit by itself where a window is closed before it was painted.
    made.lastWindowClosed.connect(made.quit)
    return made


def main(path: str | None = None) -> int:
    """Open the window and stay until it is closed.

    Parameters
    ----------
    path : str, optional
        A file, a folder, ``sample:NAME`` or ``camera:N``; the sample of a street when not given.

    Returns
    -------
    int
        Exit status.
    """
    sys.setswitchinterval(SWITCH_S)
    app = application()
    theme.apply_theme(app, settings.load(settings.settings_path()).theme)
    with lasting():
        window = MainWindow(path)
    unexpected = _Unexpected(window)
    listen(unexpected.told, window.parts.banner.show_error)
    sys.excepthook = partial(_tell, unexpected)
    window.closing.close_on_signals()
    if numba_cache.is_empty():
        window.compiling.begin()  # Importing what is to be compiled is a part of it.
    window.show()
    try:
        status = app.exec()
        window.closing.outlive()
        return leave(status)
    finally:
        sys.excepthook = sys.__excepthook__


class _Unexpected(QObject):
    """What no slot expected, on whatever thread, handed on to the window's.

    Signals
    -------
    told(str) : one sentence
    """

    told = Signal(str)


def _tell(
    unexpected: _Unexpected, kind: type[BaseException], error: BaseException, _trace: TracebackType | None
) -> None:
    """Show what a slot did not expect as a sentence; the details go to the log, and the window lives on."""
    is_told = issubclass(kind, CleanplateError)
    unexpected.told.emit(str(error) if is_told else explain(error, "answering what was clicked"))
