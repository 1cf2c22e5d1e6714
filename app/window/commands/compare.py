"""Opens the comparison from the main window: with its input, its method first, and its processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.compare.window import CompareWindow
    from app.window.main_window import MainWindow

RIVALS = ("opgd", "mog2", "fast")
"""What the method of the main window is compared with at first: two of these."""


class CompareCommands(QObject):
    """What the command "Compare methods…" does.

    While the comparison is open the main window holds: two of them would share the processors, and both would lie
    about speed.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._resumes = False
        self.window: CompareWindow | None = None

    def open(self) -> None:
        """Open the comparison on what is open here, or bring it to the front."""
        main = self._window
        if self.window is not None:
            if self.window.isVisible():  # Otherwise it is just ending.
                self.window.raise_()
                self.window.activateWindow()
            return
        if main.views is None or main.views.plots.plot is None:
            return  # It has only just started.
        if not main.input.is_there("compare on"):
            return
        if main.input.info.live:
            main.parts.banner.show_error("A camera cannot be compared on; record it to a file, and open that.")
            return
        from app.compare.window import Chosen, CompareWindow  # noqa: PLC0415 - the plotting library comes with it
        from core import catalogue  # noqa: PLC0415 - and the engine

        choice = main.running.choice
        mask_names = {parameter.name for parameter in catalogue.MASK_PARAMETERS}
        own = {name: value for name, value in choice.values.items() if name not in mask_names}
        mask = {name: value for name, value in choice.values.items() if name in mask_names}
        rivals = [key for key in RIVALS if key != choice.method][:2]
        self._resumes = main.running.is_playing or main.running.is_preparing
        main.worker.pause()
        self.window = CompareWindow(
            main.input.request, [Chosen(choice.method, own), *map(Chosen, rivals)], mask, seed=choice.seed,
            real_time=main.remembered.real_time,
        )  # fmt: skip
        self.window.closed.connect(self._on_closed)
        self.window.show()

    def shut(self) -> None:
        """Close it: the main window is closing."""
        self._resumes = False
        if self.window is not None:
            self.window.close()
            self.window.wait()

    def _on_closed(self) -> None:
        if self.window is not None:
            self.window.wait()  # The thread has said that it ends, which takes it a moment.
            self.window.deleteLater()
            self.window = None
        if self._resumes:
            self._window.worker.play()
