"""The main window: puts parts, views and the worker together, and lets nothing heavy onto its own thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QKeyCombination, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QMainWindow

from app import theme
from app.engine.choice import Choice
from app.engine.threads import Background
from app.engine.worker import Worker
from app.window import settings
from app.window.actions import Actions
from app.window.commands.compare import CompareCommands
from app.window.commands.correcting import CorrectCommands
from app.window.commands.files import FileCommands
from app.window.commands.input import InputCommands
from app.window.commands.running import RunCommands
from app.window.display_updates import Showing
from app.window.layout import Parts, Views
from app.window.menus import OpenMenus, handlers
from app.window.preload import Preload

_ENDS_TYPING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)

TICK_MS = 30
"""How often the window takes the newest result."""


class MainWindow(QMainWindow):
    """The window.

    Parameters
    ----------
    path : str, optional
        Input to open; the sample of a street when not given.
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
        super().__init__()
        self._settings_path = settings_path or settings.settings_path()
        self.remembered = settings.load(self._settings_path)
        self.setWindowTitle("Cleanplate")
        self.setAcceptDrops(True)
        # A screen of few pixels, or of large ones, may be smaller.
        self.setMinimumSize(QSize(900, 600).boundedTo(self.screen().availableSize()))
        self.parts = Parts(self)
        self.views: Views | None = None
        self.showing: Showing | None = None
        self._closing = False
        self._run = 0
        self.input = InputCommands(self, path)
        self.running = RunCommands(self)
        self.files = FileCommands(self)
        self.compare = CompareCommands(self)
        self.correcting = CorrectCommands(self)
        self._build_menus()
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self.worker = Worker()
        self._background = Background(self.worker, "engine")
        self._preload = Preload("pyqtgraph")
        self._connect()
        self._restore()

    # Beginning and end

    def showEvent(self, event: QShowEvent) -> None:
        """Start the engine once the window has been painted."""
        super().showEvent(event)
        if not self._background.thread.isRunning() and self.views is None:
            QTimer.singleShot(0, self._start)

    def _start(self) -> None:
        if self._closing or self._background.thread.isRunning():
            return
        self._background.start()
        self.worker.set_real_time(self.remembered.real_time)
        self.worker.open(self.input.request, Choice())
        self._tick.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, end what runs, and wait for the end."""
        self._closing = True
        self._tick.stop()
        self.running.shut()
        self.files.shut()
        self.compare.shut()
        self.worker.quit()
        self._background.wait()
        self._preload.stop()
        if not self.isFullScreen():
            self.remembered.geometry = bytes(self.saveGeometry().toHex()).decode()
        settings.save(self.remembered, self._settings_path)
        event.accept()

    def _restore(self) -> None:
        # No larger than the screen: what hangs over its edge could not be reached.
        self.resize(QSize(1440, 900).boundedTo(self.screen().availableSize()))
        if self.remembered.geometry:
            self.restoreGeometry(QByteArray.fromHex(self.remembered.geometry.encode("ascii", "ignore")))
        self.parts.speed.choose(0 if self.remembered.real_time else 1)
        self.actions["real_time"].setChecked(self.remembered.real_time)

    # Building

    def _build_menus(self) -> None:
        self.actions = Actions(self, handlers(self))
        self.menus = OpenMenus(self)
        self.actions.add_themes(self.remembered.theme, self._on_theme)
        self.actions.fill(self.parts.top.menus)
        self.parts.top.set_menus(self.menus.opening, self.menus.samples)
        self.parts.source.set_open_menu(self.menus.opening)
        for key in ("source_panel", "method_panel", "bottom_panel"):
            self.actions[key].setChecked(True)
        self.actions["learn_again"].setEnabled(False)

    def with_panes(self, name: str, *arguments: int) -> None:
        """Call a method of the panes, once they are there."""
        if self.views is not None:
            getattr(self.views.panes, name)(*arguments)

    def _connect(self) -> None:
        worker, parts = self.worker, self.parts
        worker.engine_ready.connect(self._on_engine_ready)
        worker.opened.connect(self.input.on_opened)
        worker.restarted.connect(self._on_restarted)
        worker.run_started.connect(self.running.on_started)
        worker.painted_changed.connect(self.files.refresh)
        worker.state_changed.connect(self.running.on_state)
        worker.failed.connect(self._on_failed)
        worker.warned.connect(self._on_warned)
        parts.top.wipe_toggled.connect(self._on_wipe)
        parts.top.correct_toggled.connect(self.correcting.show_brush)
        parts.top.export_requested.connect(self.files.export)
        parts.top.compare_requested.connect(self.compare.open)
        parts.speed.chosen.connect(lambda i: self.actions["real_time"].setChecked(i == 0))
        parts.source.view_changed.connect(self.input.reopen)
        parts.source.draw_region_requested.connect(lambda: self.with_panes("start_region_selection"))
        parts.source.clear_region_requested.connect(lambda: self.input.set_region(None))
        parts.source.mask_changed.connect(self.running.on_parameter)
        parts.method.changed.connect(self.running.on_parameter)
        parts.method.method_chosen.connect(self.running.on_method)
        parts.method.reset_requested.connect(self.running.on_reset)
        parts.method.preset_chosen.connect(self.files.choose_preset)
        parts.method.load_preset_requested.connect(self.files.load_preset)
        parts.method.save_preset_requested.connect(self.files.save_preset)

    def _on_engine_ready(self) -> None:
        from core import catalogue  # noqa: PLC0415 - imported on the worker's thread a moment ago
        from core.export.preset import built_in_presets  # noqa: PLC0415
        from core.io.sources import list_samples  # noqa: PLC0415

        parts = self.parts
        parts.method.build(catalogue.GROUPS, next(iter(catalogue.METHODS)))
        parts.method.set_presets([preset.name for preset in built_in_presets().values()])
        parts.source.build_mask(catalogue.MASK_PARAMETERS)
        self.menus.fill_samples(list_samples())
        self.views = Views(parts)
        self._preload.loaded.connect(self.views.plots.build)
        self._preload.failed.connect(self._on_failed)
        self._preload.start()
        self.showing = Showing(parts, self.views, self.worker)
        timeline, basis, panes = self.views.timeline, self.views.basis, self.views.panes
        timeline.play_toggled.connect(lambda on: self.worker.play() if on else self.worker.pause())
        # Direct: the worker's thread runs its loop and serves no queue of Qt's; its commands are safe from any thread.
        timeline.step_requested.connect(self.worker.step, Qt.ConnectionType.DirectConnection)
        timeline.seek_requested.connect(self.worker.seek, Qt.ConnectionType.DirectConnection)
        timeline.restart_requested.connect(self.running.restart)
        timeline.loop_changed.connect(self.actions["loop"].setChecked)
        timeline.passes_changed.connect(self.running.on_passes)
        timeline.first_button.setToolTip("Start over: forget what was learnt and begin with the first frame (Home)")
        basis.reset_requested.connect(self.running.on_basis_reset)
        basis.drop_requested.connect(self.running.on_basis_drop)
        # Else the first button has it, and the space bar opens its menu instead of pausing.
        panes.setFocus()
        panes.setAccessibleDescription("Four pictures that zoom and pan together; 1 to 4 enlarge one, Esc returns.")
        panes.zoom_changed.connect(parts.status.show_zoom)
        # Direct, as above: the worker's command is safe from any thread.
        panes.detail_changed.connect(self.worker.set_detail, Qt.ConnectionType.DirectConnection)
        panes.confidence_changed.connect(self.worker.set_confidence, Qt.ConnectionType.DirectConnection)
        panes.region_selected.connect(self.input.on_region_drawn)
        panes.wipe_changed.connect(parts.top.wipe.setChecked)
        self.correcting.attach(panes)
        panes.set_wipe(parts.top.wipe.isChecked())
        self.input.show_source()
        self.engine_ready.emit()

    # What the worker says

    def _on_tick(self) -> None:
        # The first frames of a run wait until it is known what they are of: they come by the slot, that by signals.
        shown = self.worker.slot.take(self._run) if self.showing is not None else None
        if shown is not None:
            self.showing.show(shown, self.input.info, self.running.passes, applying=self.running.applies_model)
            if shown.report is not None:
                self.report_shown.emit()

    def _on_restarted(self, run: int) -> None:
        self._run = run
        self.parts.banner.clear_error()
        if self.showing is not None:
            self.showing.begin()

    def _on_failed(self, sentence: str) -> None:
        self.parts.banner.show_error(sentence)

    def _on_warned(self, warnings: list[str]) -> None:
        if warnings:
            self.parts.banner.show_warning(" ".join(warnings))

    def _on_wipe(self, on: bool) -> None:
        self.actions["wipe"].setChecked(on)
        self.with_panes("set_wipe", on)

    def _on_theme(self, mode: str) -> None:
        self.remembered.theme = mode
        theme.apply_theme(QApplication.instance(), mode)

    # Keys, and files dropped onto the window

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on plain keys that no control used; Return and Esc end typing, and the keys are the window's again."""
        typing = QApplication.focusWidget()
        if isinstance(typing, QAbstractSpinBox) and event.key() in _ENDS_TYPING and self.views is not None:
            if event.key() == Qt.Key.Key_Escape:
                typing.setValue(typing.value())  # What was typed and not taken up is given up.
            self.views.panes.setFocus()
            return
        action = self.actions.plain(event.keyCombination())
        if action is None:
            action = self.actions.plain(_without_shift(event))
        if action is not None and action.isEnabled():
            action.trigger()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped: a preset, a model, or an input."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if not paths:
            return
        event.acceptProposedAction()
        self.files.open_dropped(paths)


def _without_shift(event: QKeyEvent) -> QKeyCombination:
    """Return the key without Shift and keypad: plus and the like need Shift on some keyboards."""
    kept = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return QKeyCombination(kept, Qt.Key(event.key()))
