"""What is done with pictures: which are shown, in how many windows, what is measured of them, what is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Signal

from app.engine.saver import Saver
from app.folders import folder_beside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from app.engine.worker import Worker
    from app.rendering.report_images import Pictures
    from app.rendering.saving import Save
    from app.views.panes import PanesView
    from app.views.picture_actions import PictureActions
    from app.views.plots import PlotsView
    from app.window.commands.input import InputCommands
    from app.window.layout import Views
    from app.window.second_window import SecondWindow
    from app.window.settings import Remembered
    from core.io.input_spec import Region
    from core.session.report import Report

SECOND_SIZE = QSize(900, 640)
"""Of a second window before someone makes it larger or fills a screen with it."""

MOST_WINDOWS = 4
"""Beside the main one: each costs the time of its pictures."""

PROFILE = "profile"
"""Key of the plotted quantity."""


class PictureCommands(QObject):
    """Keeps the engine informed of what the panes of all windows need.

    Parameters
    ----------
    worker : Worker
    input_ : InputCommands
        Knows the scale of what is open.
    remembered : Remembered
        Takes note of which pictures the panes show.
    parent : QWidget
        The main window.

    Attributes
    ----------
    windows : list of SecondWindow

    Signals
    -------
    kinds_changed() : the panes of the main window show other pictures
    began(), wrote(str), failed(str) : a file is being written, was, or could not be
    measuring(bool) : people can mark what is measured from now on, or no more
    measuring_left() : nothing is to be measured any more: Esc, or another tool
    """

    kinds_changed = Signal()
    began = Signal()
    wrote = Signal(str)
    failed = Signal(str)
    measuring = Signal(bool)
    measuring_left = Signal()

    def __init__(self, worker: Worker, input_: InputCommands, remembered: Remembered, parent: QWidget) -> None:
        super().__init__(parent)
        self._worker, self._input, self._remembered, self._window = worker, input_, remembered, parent
        self._panes: PanesView | None = None
        self._plots: PlotsView | None = None
        self.windows: list[SecondWindow] = []
        self._measuring = False
        self._saver = Saver(self)
        self._saver.began.connect(self.began)
        self._saver.wrote.connect(self.wrote)
        self._saver.failed.connect(self.failed)
        input_.changed.connect(self._on_input)

    def attach(self, views: Views) -> None:
        """Act on the views, which are there now."""
        self._panes, self._plots = views.panes, views.plots
        self._plots.offer_also(PROFILE, on=False)
        self._plots.set_folder(self._folder)
        self._plots.save_requested.connect(self._on_save)
        self._panes.shown.connect(self._on_shown)
        self._panes.confidence_shown.connect(self._on_confidence)
        self._connect(self._panes)
        views.basis.opened.connect(self.serve)
        self._panes.set_kinds(self._remembered.panes)
        self._panes.kinds_changed.connect(self._on_kinds)
        self._panes.measuring_mode.set_active(self._measuring)
        self._on_input()
        self._tell()

    def shut(self) -> None:
        """Close the other windows, and wait for what is being written: the main window is closing."""
        for window in list(self.windows):
            window.close()
        self._saver.shut()

    # Windows

    def open_window(self, enlarged: int = -1, kinds: tuple[str, ...] | None = None) -> None:
        """Show the pictures in another window too: all of them, or one that fills it."""
        from app.window.second_window import SecondWindow  # noqa: PLC0415 - the views are there by now

        if self._panes is None:
            return
        if len(self.windows) == MOST_WINDOWS:
            self.failed.emit(f"There are {MOST_WINDOWS} more windows already; close one of them first.")
            return
        number = min(set(range(2, MOST_WINDOWS + 2)) - {window.number for window in self.windows})
        window = SecondWindow(self._window, number, self._panes.event_marks)
        window.panes.set_kinds(kinds or self._panes.kinds)
        window.panes.set_enlarged(enlarged)
        window.panes.measuring_mode.set_active(self._measuring)
        window.panes.measuring_mode.mark(self._panes.measuring_mode.region)
        self._connect(window.panes)
        window.panes.kinds_changed.connect(self._tell)
        window.closed.connect(lambda: self._on_closed(window))
        self.windows.append(window)
        self._on_input()
        self._tell()
        window.resize(SECOND_SIZE)
        window.show()
        if self._panes.report is not None:
            window.panes.show_report(self._panes.report, self._panes.display.pictures)

    def _on_closed(self, window: SecondWindow) -> None:
        self.windows.remove(window)
        self._tell()

    def _connect(self, panes: PanesView) -> None:
        panes.detail_changed.connect(self._tell_detail)
        panes.measuring_mode.chosen.connect(self._on_measured)
        panes.measuring_left.connect(self.measuring_left)
        panes.choice.window_requested.connect(lambda index: self.open_window(index, panes.kinds))
        for actions in panes.actions_on_pictures:
            self.serve(actions)

    def serve(self, actions: PictureActions) -> None:
        """Write the files that are wanted of a picture."""
        actions.set_folder(self._folder)
        actions.save_requested.connect(self._on_save)

    @property
    def _views(self) -> list[PanesView]:
        main = [] if self._panes is None else [self._panes]
        return [*main, *(window.panes for window in self.windows)]

    def _on_shown(self, report: Report, pictures: Pictures | None) -> None:
        for window in self.windows:
            window.panes.show_report(report, pictures)

    def _on_confidence(self, picture: NDArray[np.uint8] | None) -> None:
        for window in self.windows:
            window.panes.show_confidence(picture)

    # What the engine is to make

    def _tell(self) -> None:
        """Tell which pictures are needed in all windows, in which detail, and what is measured."""
        needed = frozenset().union(*(panes.needed for panes in self._views))
        self._worker.set_view(needed, None if self._panes is None else self._panes.measuring_mode.region)
        self._worker.set_confidence("confidence" in needed)
        self._tell_detail()

    def _tell_detail(self) -> None:
        self._worker.set_detail(min(panes.detail for panes in self._views))

    def _on_kinds(self) -> None:
        assert self._panes is not None
        self._remembered.panes = list(self._panes.kinds)
        self._tell()
        self.kinds_changed.emit()

    def _on_input(self) -> None:
        info = self._input.info
        for panes in self._views:
            panes.display.set_calibration(None if info is None else info.calibration)

    # Measuring

    def set_measuring(self, on: bool) -> None:
        """Let people mark a pixel or a region to be measured, or measure nothing any more."""
        self._measuring = on
        for panes in self._views:
            panes.measuring_mode.set_active(on)
        self.measuring.emit(on)

    def leave_measuring(self) -> None:
        """Measure nothing any more: another tool is taken up."""
        if self._measuring:
            self.measuring_left.emit()

    def _on_measured(self, region: Region | None) -> None:
        for panes in self._views:
            panes.measuring_mode.mark(region)
        if self._plots is not None:
            self._plots.forget(PROFILE)
            self._plots.offer_also(PROFILE, on=region is not None)
            if region is not None:
                self._plots.choose(PROFILE)
        self._tell()

    def _folder(self) -> str:
        """Where the last picture was saved; beside the input before there was one."""
        return self._saver.folder or folder_beside(self._input.request.path)

    def _on_save(self, wanted: Save) -> None:
        self._saver.save(wanted.path, wanted.write)
