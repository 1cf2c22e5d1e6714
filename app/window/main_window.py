"""The main window: puts parts, views, commands and the engine together, and lets nothing heavy onto its own thread."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QMoveEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractSpinBox, QApplication

from app import theme
from app.command_window import CommandWindow
from app.engine import threads
from app.engine.choice import Choice
from app.engine.state import State
from app.engine.threads import Background, listen, on_own_thread
from app.engine.worker import Worker
from app.focus import ENDS_TYPING, give_up_typing
from app.panels.banner import Offer
from app.shortcuts import Where
from app.window import settings
from app.window.autosave import Autosave
from app.window.closing import Closing
from app.window.command_set import CommandSet
from app.window.compiling_display import CompilingDisplay
from app.window.display_updates import DisplayUpdater
from app.window.drop_hint import DropHint
from app.window.input_display import InputDisplay
from app.window.layout import Parts, Views
from app.window.menus import Menus
from app.window.painted_display import PaintedDisplay
from app.window.panel_room import PanelRoom
from app.window.preload import Preload
from app.window.shown_frame import ShownFrame
from app.window.view_connections import connect_views
from app.window.window_memory import WindowMemory
from core.io.input_spec import STREAMS, from_anywhere
from core.project.naming import is_project

NO_FRAME_MS = 3000
"""The plots are prepared after the first frame, or so long after the start where none has come."""

CLOSES = "The window closes by itself when what is being written is complete."

NEED_PICTURE = ("wipe", "correct", "areas")
"""Tools that work on a picture; of other commands a sentence says what they need."""


class MainWindow(CommandWindow):
    """The window.

    Parameters
    ----------
    path : str, optional
        Input or project to open; the sample of a street when not given.
    settings_path : Path, optional
        Where the window keeps what it remembers.

    Signals
    -------
    engine_ready() : panels and views are there
    report_shown() : a frame has reached the panes
    """

    engine_ready = Signal()
    report_shown = Signal()

    def __init__(self, path: str | None = None, settings_path: Path | None = None) -> None:
        super().__init__(Where.MAIN)
        settings_path = settings_path or settings.settings_path()
        self.remembered, self._forgotten = settings.read(settings_path)
        theme.set_mask_tint(self.remembered.mask_tint)
        self.setWindowTitle("Cleanplate")
        self.setAcceptDrops(True)
        DropHint(self)
        self.parts = Parts(self)
        self.views: Views | None = None
        self.display: DisplayUpdater | None = None
        self._project = from_anywhere(path) if path is not None and is_project(path) else None
        self._closing = False
        self.worker = Worker()
        self.background = Background(self.worker, "engine")
        self._preload = Preload("pyqtgraph")
        self._shown_frame = ShownFrame()
        kept = settings_path.parent
        self.commands = CommandSet(
            path, self.action, self.parts, self.worker, self.remembered, self._shown_frame, kept, self
        )
        self.add_commands(
            {**self.commands.handlers(), "usual_layout": self._show_usual_layout, "quit": self.close},
            {**self.commands.switches(), "full_screen": self._on_full_screen},
        )
        self.commands.history.attach()
        self.menus = Menus(self, self.action, self.commands.opening.open_path, self.remembered)
        project = self.commands.project
        self.autosave = Autosave(project, self.worker, kept / "recovery", self.parts.banner, self)
        self.closing = Closing(
            self, self.commands.export, self.commands.queue, project, self.worker.pause, self.autosave.keep_last
        )
        self.closing.waits_changed.connect(self._on_closes_later)
        self._room = PanelRoom(self.action)
        self.commands.state.heed(self._room)
        self.memory = WindowMemory(self, self.parts, self._room, self.remembered, settings_path)
        self._connect()
        status = self.parts.status
        self.compiling = CompilingDisplay(self.worker, self.commands.input, status, lambda: self.views, self)
        self.report_shown.connect(self.compiling.end)
        self.memory.show_again()
        self._show_switches()

    # Beginning and end

    def showEvent(self, event: QShowEvent) -> None:
        """Start the engine once the window has been painted."""
        super().showEvent(event)
        if not self.background.thread.isRunning() and self.views is None:
            QTimer.singleShot(0, self._start)

    def _start(self) -> None:
        if self._closing or self.background.thread.isRunning():
            return
        self.background.start()
        if self._forgotten:
            self.parts.banner.show_warning(self._forgotten)
        self.worker.set_real_time(self.remembered.real_time)
        self.worker.set_loop(self.remembered.loop)
        self.autosave.look()
        if self._project is None and not self.autosave.offers:
            self._open_first()

    def _open_first(self) -> None:
        """Open what the window was opened on."""
        if self._project is None:
            self.worker.open(self.commands.input.request, Choice())
        else:
            self.commands.project.open(Path(self._project))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, end what runs, and wait for the end; first ask where an export would be lost."""
        if not self.closing.may_close():
            event.ignore()
            return
        self._closing = True
        self.memory.write()  # Its place, which is known while it is shown.
        keeps = not self.closing.is_settled and self.autosave.keep_last()
        self.hide()  # What is waited for may take a while, and nothing is answered meanwhile.
        compiles = self.compiling.is_on or self.worker.is_compiling or self.commands.compare.is_compiling
        self.worker.quit()
        if self.display is not None:
            self.display.stop()
        self.commands.shut()
        is_brief = compiles and not keeps
        self._wait(QDeadlineTimer(threads.SHORT_PATIENCE_MS if is_brief else threads.PATIENCE_MS))
        self.commands.project.shut()
        self.autosave.shut(is_settled=self.closing.is_settled)
        self._preload.stop()
        self.menus.wait()
        self.memory.end()
        event.accept()

    def _wait(self, deadline: QDeadlineTimer) -> None:
        """Wait for the end of all that was told to, together until a deadline."""
        if self.display is not None:
            self.display.activity.wait()
        self.commands.compare.wait(deadline)
        self.background.wait(deadline)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the panels that there is room for; remember the window's place once it rests."""
        super().resizeEvent(event)
        self._room.fit(event.size())
        self.memory.write_soon()

    def moveEvent(self, event: QMoveEvent) -> None:
        """Likewise."""
        super().moveEvent(event)
        self.memory.write_soon()

    def _show_switches(self) -> None:
        self.parts.speed.choose(0 if self.remembered.real_time else 1)
        self.action("real_time").setChecked(self.remembered.real_time)
        self.action("loop").setChecked(self.remembered.loop)
        self.action("learn_again").setEnabled(False)
        self.commands.compare.can_open_changed.emit(False)
        self._offer_work()

    def _offer_work(self) -> None:
        """Offer what is done with what is open, where something is."""
        on = self.commands.input.info is not None
        self.parts.top.set_offered(on)
        for key in NEED_PICTURE:
            self.action(key).setEnabled(on)
        self.action("real_time").setEnabled(not on or self.commands.input.has_pace)

    # What is connected to what

    def _connect(self) -> None:
        worker, banner = self.worker, self.parts.banner
        listen(worker.engine_ready, self._on_engine_ready)
        # Now, though it is for the display that they are: the engine does not wait until that is there.
        listen(worker.restarted, self._on_restarted)
        listen(worker.state_changed, self._on_state)
        listen(worker.working, self.parts.status.show_work)
        listen(worker.failed, banner.show_error)
        listen(worker.recovered, banner.withdraw)
        listen(worker.warned, self.commands.presets.on_warned)
        commands, top, menus = self.commands, self.parts.top, self.menus
        listen(commands.models.saved, self._on_wrote)
        for wrote in (commands.export.wrote, commands.project.saved, commands.events.wrote):
            wrote.connect(self._on_wrote)
        for files in (commands.saver, commands.pictures):
            files.began.connect(banner.withdraw_not_saved)
            files.wrote.connect(self.parts.status.say_wrote)
            files.failed.connect(banner.show_not_saved)
        menus.add_themes(self.remembered.theme, self._on_theme)
        menus.add_mask_tints(self.remembered.mask_tint, self._on_mask_tint)
        menus.fill(top.menus)
        top.set_menus(menus.opening, menus.samples)
        self.parts.source.set_open_menu(menus.opening)
        top.wipe_toggled.connect(self.action("wipe").setChecked)
        top.correct_toggled.connect(self.action("correct").setChecked)
        top.areas_toggled.connect(self.action("areas").setChecked)
        self.parts.speed.chosen.connect(lambda i: self.action("real_time").setChecked(i == 0))
        commands.export.told.connect(self.parts.status.show_export)
        commands.compare.can_open_changed.connect(self.action("compare").setEnabled)
        commands.compare.quit_wanted.connect(self.close)
        commands.input.changed.connect(self._offer_work)
        for opens in (commands.project.reads, commands.input.awaits_long):
            opens.connect(self.parts.status.show_opening)
        commands.method.model_applied.connect(self.action("learn_again").setEnabled)
        commands.history.steps.went.connect(self.parts.status.say_went)
        commands.history.steps.stepped.connect(self.parts.status.forget_went)
        commands.pictures.measuring_left.connect(partial(self.action("measure").setChecked, False))
        pictures = commands.pictures.kinds_changed
        remembered = (commands.input.changed, commands.export.wrote, commands.project.saved, commands.queue.changed)
        for changed in (*remembered, pictures, commands.events.moved):
            changed.connect(self.memory.write)
        for key in ("real_time", "loop"):
            self.action(key).toggled.connect(self.memory.write)
        for key, tab in self.parts.tabs.items():
            tab.clicked.connect(self.action(key).trigger)
            self.action(key).toggled.connect(self.memory.write_soon)

    @on_own_thread
    def _on_engine_ready(self) -> None:
        from core import catalogue  # noqa: PLC0415 - imported on the worker's thread a moment ago
        from core.export.preset import built_in_presets  # noqa: PLC0415
        from core.io.sources import list_samples  # noqa: PLC0415

        parts = self.parts
        parts.method.build(catalogue.GROUPS, next(iter(catalogue.METHODS)))
        parts.method.set_presets([preset.name for preset in built_in_presets().values()])
        parts.source.build_mask((*catalogue.MASK_PARAMETERS, *catalogue.CLEANING_PARAMETERS))
        self.menus.fill_samples(list_samples())
        self.views = views = Views(parts)
        commands = self.commands
        self.display = DisplayUpdater(
            parts, views, self.worker, commands.input, commands.choice, self._shown_frame, self
        )
        listen(self._preload.loaded, self.display.build_plots)
        listen(self._preload.loaded, commands.compare.on_plots)
        listen(self._preload.failed, parts.banner.show_error)
        self.display.report_shown.connect(self._preload.start)
        QTimer.singleShot(NO_FRAME_MS, self._preload.start)
        self.display.report_shown.connect(self.report_shown)
        commands.attach(views, self.display)
        self.memory.watch("bottom", views.bottom)
        connect_views(views, parts, commands, self.worker, self.action)
        InputDisplay(commands.input, commands.project, parts, views.timeline, views.panes, self)
        PaintedDisplay(self.worker, views.panes, commands.marks, self.display, self)
        if self._project is not None and not self.autosave.offers:
            self._open_first()
        self.autosave.start(self._open_first)
        commands.queue.restore()
        self.engine_ready.emit()

    # What is said

    def _on_full_screen(self, on: bool) -> None:
        # What else the window is stays: it may be maximised below.
        full = Qt.WindowState.WindowFullScreen
        self.setWindowState(self.windowState() | full if on else self.windowState() & ~full)

    def _show_usual_layout(self) -> None:
        self.memory.show_usual()
        if self.views is not None:
            self.views.show_usual()

    @on_own_thread
    def _on_restarted(self, run: int, goes_on: bool) -> None:
        self.parts.banner.clear_error()
        if self.display is not None:
            self.display.begin(run, goes_on=goes_on)

    @on_own_thread
    def _on_state(self, state: State) -> None:
        self.commands.playback.on_state(state)
        if self.display is not None:
            self.display.show_state(state)

    @on_own_thread
    def _on_wrote(self, name: str) -> None:
        self.parts.banner.withdraw_not_saved()
        self.parts.status.say_wrote(name)

    def _on_closes_later(self, on: bool) -> None:
        self.parts.status.show_closes(on)
        if on:
            keep = Offer("Keep it open", "Let the window stay when that is done.", self.closing.keep_open)
            self.parts.banner.show_warning(CLOSES, keep)
        else:
            self.parts.banner.withdraw(CLOSES)

    def _on_theme(self, mode: theme.Mode) -> None:
        self.remembered.theme = mode
        self.memory.write()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply_theme(application, mode)

    def _on_mask_tint(self, tint: theme.MaskTint) -> None:
        self.remembered.mask_tint = tint
        self.memory.write()
        theme.set_mask_tint(tint)

    # Keys, and files dropped onto the window

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on plain keys that no control used; Return and Esc end typing, and the keys are the window's again."""
        box = QApplication.focusWidget()
        if isinstance(box, QAbstractSpinBox) and event.key() in ENDS_TYPING and self.views is not None:
            if event.key() == Qt.Key.Key_Escape:
                give_up_typing(box)
            self.views.panes.setFocus()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders, and addresses of streams."""
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped: a preset, a model, or an input."""
        paths = _dropped(event)
        if paths:
            event.acceptProposedAction()
            self.commands.opening.open_dropped(paths)


def _dropped(event: QDropEvent) -> list[str]:
    """Return the paths of files, and the addresses of streams, that are dropped."""
    # Addresses as they are sent: toString would make a space of %20.
    addresses = ((url.toLocalFile(), bytes(url.toEncoded().data()).decode()) for url in event.mimeData().urls())
    return [local or address for local, address in addresses if local or address.startswith(STREAMS)]
