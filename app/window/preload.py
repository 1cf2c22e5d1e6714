"""Imports the plotting library once a frame is seen: it takes half a second that no frame need wait for.

PySide makes each of its classes when its name is first looked up, and the program ends where two threads do that at
once; the plotting library looks up all of them while it is imported. So they are made first, on the window's thread, a
few at a time, and only then is the library imported on another.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from app.system.log import explain

_QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGLWidgets")
_INTERVAL_MS = 10
_SLICE_S = 0.004


class Preload(QObject):
    """Imports a module that uses Qt, on a thread of its own.

    Parameters
    ----------
    module : str

    Signals
    -------
    loaded() : importing the module costs nothing from now on
    failed(str) : one sentence
    """

    loaded = Signal()
    failed = Signal(str)

    def __init__(self, module: str) -> None:
        super().__init__()
        self._module = module
        self._steps = make_qt_classes()
        self._has_begun = False
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._on_slice)
        self._thread = threading.Thread(target=self._import, name="preload")

    def start(self) -> None:
        """Begin, on the window's thread; again does nothing."""
        if not self._has_begun:
            self._has_begun = True
            self._timer.start()

    def stop(self) -> None:
        """Begin no more, and wait for the end where it began."""
        self._has_begun = True
        self._timer.stop()
        if self._thread.ident is not None:
            self._thread.join()

    def _on_slice(self) -> None:
        until = time.perf_counter() + _SLICE_S
        for _ in self._steps:
            if time.perf_counter() > until:
                return
        self._timer.stop()
        self._thread.start()

    def _import(self) -> None:
        try:
            importlib.import_module(self._module)
        except Exception as error:
            self.failed.emit(explain(error, "loading the plots"))
        else:
            self.loaded.emit()


def make_qt_classes() -> Iterator[str]:
    """Let PySide make its classes, and yield the name of each as it is there; 0.2 s in all, 15 ms for the longest."""
    for name in _QT_MODULES:
        try:
            module = importlib.import_module(f"PySide6.{name}")
        except ImportError:
            continue  # The plotting library does without what this machine cannot load.
        for member in dir(module):
            pkgutil.resolve_name(f"{module.__name__}:{member}")
            yield member
