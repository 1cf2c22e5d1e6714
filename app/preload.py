"""Imports the plotting library beside the engine's work: it takes half a second that no frame need wait for."""

from __future__ import annotations

import importlib
import threading

from PySide6.QtCore import QObject, Signal

from app.log import explain


class Preload(QObject):
    """Imports a module on a thread of its own.

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
        self._thread = threading.Thread(target=self._import, name="preload")

    def start(self) -> None:
        """Begin; once only."""
        self._thread.start()

    def wait(self) -> None:
        """Wait for the end, where it began."""
        if self._thread.ident is not None:
            self._thread.join()

    def _import(self) -> None:
        try:
            importlib.import_module(self._module)
        except Exception as error:
            self.failed.emit(explain(error, "loading the plots"))
        else:
            self.loaded.emit()
