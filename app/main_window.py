"""The main window: puts parts, views and the worker together, and lets nothing heavy onto its own thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QKeyCombination, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from app import settings, theme
from app.actions import Actions, fill_samples
from app.files import FileCommands
from app.layout import Parts, Views
from app.opening import Choice, OpenRequest
from app.panels import help as pages
from app.player import State
from app.preload import Preload
from app.showing import Showing
from app.threads import Background
from app.worker import Worker

if TYPE_CHECKING:
    from core.methods import Parameter
    from core.sources.base import SourceInfo

TICK_MS = 30
"""How often the window takes the newest result."""

RESTART_MS = 300
"""A slider that starts the run anew does so when it rests."""

FIRST_SAMPLE = "sample:street"
CAMERAS = 4
"""Cameras offered in the menu; others can be given on the command line."""


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
        self.setMinimumSize(900, 600)
        self.parts = Parts(self)
        self.views: Views | None = None
        self.showing: Showing | None = None
        self.info: SourceInfo | None = None
        self.request = OpenRequest(path or FIRST_SAMPLE)
        self.original: tuple[int, int] = (0, 0)
        self._input_is_grey = False
        self._region: tuple[int, int, int, int] | None = None
        self._model: Path | None = None
        self._passes = 1
        self._closing = False
        self._state = State.PREPARING
        self.files = FileCommands(self)
        self._build_menus()
        self._restart_timer = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restart_timer.timeout.connect(self.restart)
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
        self.worker.open(self.request, Choice())
        self._tick.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, end what runs, and wait for the end."""
        self._closing = True
        self._tick.stop()
        self._restart_timer.stop()
        self.files.shut()
        self.worker.quit()
        self._background.wait()
        self._preload.stop()
        if not self.isFullScreen():
            self.remembered.geometry = bytes(self.saveGeometry().toHex()).decode()
        settings.save(self.remembered, self._settings_path)
        event.accept()

    def _restore(self) -> None:
        self.resize(1440, 900)
        if self.remembered.geometry:
            self.restoreGeometry(QByteArray.fromHex(self.remembered.geometry.encode("ascii", "ignore")))
        self.parts.speed.choose(0 if self.remembered.real_time else 1)
        self.actions["real_time"].setChecked(self.remembered.real_time)

    # Building

    def _build_menus(self) -> None:
        parts = self.parts
        self.actions = Actions(self, self._handlers())
        self.opening = QMenu("Open", self)
        for key in ("open_file", "open_folder"):
            self.opening.addAction(self.actions[key])
        cameras = self.opening.addMenu("Camera")
        for number in range(CAMERAS):
            cameras.addAction(f"Camera {number}").triggered.connect(
                lambda _on=False, number=number: self.open_path(f"camera:{number}")
            )
        self.samples = QMenu("Samples", self)
        self.recent = QMenu("Recent", self)
        self.recent.aboutToShow.connect(self.files.fill_recent)
        for menu in (self.samples, self.recent):
            self.opening.addMenu(menu)
        file_menu = self.actions.menus["File"]
        before = self.actions["export"]
        for menu in (cameras, self.samples, self.recent):
            file_menu.insertMenu(before, menu)
        self.actions.add_themes(self.remembered.theme, self._on_theme)
        self.actions.fill(parts.top.menus)
        parts.top.set_menus(self.opening, self.samples)
        parts.source.set_open_menu(self.opening)
        for key in ("source_panel", "method_panel", "bottom_panel"):
            self.actions[key].setChecked(True)

    def _handlers(self) -> dict:
        files, panes = self.files, self._with_panes
        return {
            "open_file": files.open_file, "open_folder": files.open_folder, "export": files.export,
            "save_model": files.save_model, "apply_model": files.apply_model, "learn_again": self.learn_again,
            "load_preset": files.load_preset, "save_preset": files.save_preset, "quit": self.close,
            "wipe": self.parts.top.wipe.setChecked,
            "fit": lambda: panes("fit"), "zoom_in": lambda: panes("zoom_in"), "zoom_out": lambda: panes("zoom_out"),
            **{f"pane_{i + 1}": lambda i=i: panes("toggle_enlarged", i) for i in range(4)},
            "all_panes": lambda: panes("set_enlarged", -1),
            "source_panel": self.parts.source.setVisible, "method_panel": self.parts.method.setVisible,
            "bottom_panel": self.parts.bottom.setVisible,
            "full_screen": lambda on: self.showFullScreen() if on else self.showNormal(),
            "play": self.toggle_play, "step": self._on_step, "restart": self.restart,
            "back": lambda: self.skip(-1), "forward": lambda: self.skip(1),
            "loop": self._on_loop, "real_time": self._on_real_time,
            "words": lambda: pages.words_page(self).show(), "shortcuts": lambda: pages.shortcuts_page(self).show(),
            "about": lambda: pages.about_page(self).show(),
        }  # fmt: skip

    def _with_panes(self, name: str, *arguments: int) -> None:
        if self.views is not None:
            getattr(self.views.panes, name)(*arguments)

    def _connect(self) -> None:
        worker, parts = self.worker, self.parts
        worker.engine_ready.connect(self._on_engine_ready)
        worker.opened.connect(self._on_opened)
        worker.restarted.connect(self._on_restarted)
        worker.state_changed.connect(self._on_state)
        worker.failed.connect(self._on_failed)
        worker.warned.connect(self._on_warned)
        parts.top.wipe_toggled.connect(self._on_wipe)
        parts.top.export_requested.connect(self.files.export)
        parts.speed.chosen.connect(lambda i: self.actions["real_time"].setChecked(i == 0))
        parts.source.view_changed.connect(self.reopen)
        parts.source.draw_region_requested.connect(lambda: self._with_panes("start_region_selection"))
        parts.source.clear_region_requested.connect(lambda: self.set_region(None))
        parts.source.mask_changed.connect(self._on_parameter)
        parts.method.changed.connect(self._on_parameter)
        parts.method.method_chosen.connect(self._on_method)
        parts.method.reset_requested.connect(self._on_reset)
        parts.method.preset_chosen.connect(self.files.choose_preset)
        parts.method.load_preset_requested.connect(self.files.load_preset)
        parts.method.save_preset_requested.connect(self.files.save_preset)

    def _on_engine_ready(self) -> None:
        from core import catalogue  # noqa: PLC0415 - imported on the worker's thread a moment ago
        from core.preset import built_in_presets  # noqa: PLC0415
        from core.sources import list_samples  # noqa: PLC0415

        parts = self.parts
        parts.method.build(catalogue.METHODS, next(iter(catalogue.METHODS)))
        parts.method.set_presets([preset.name for preset in built_in_presets().values()])
        parts.source.build_mask(catalogue.MASK_PARAMETERS)
        fill_samples(
            self.samples, [(f"sample:{name}", about) for name, about in list_samples().items()], self.open_path
        )
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
        timeline.restart_requested.connect(self.restart)
        timeline.loop_changed.connect(self.actions["loop"].setChecked)
        timeline.passes_changed.connect(self._on_passes)
        timeline.first_button.setToolTip("Start over: forget what was learnt and begin with the first frame (Home)")
        basis.reset_requested.connect(self._on_basis_reset)
        basis.drop_requested.connect(self._on_basis_drop)
        panes.setAccessibleDescription("Four pictures that zoom and pan together; 1 to 4 enlarge one, Esc returns.")
        panes.zoom_changed.connect(parts.status.show_zoom)
        # Direct, as above: the worker's command is safe from any thread.
        panes.detail_changed.connect(self.worker.set_detail, Qt.ConnectionType.DirectConnection)
        panes.region_selected.connect(self._on_region)
        panes.wipe_changed.connect(parts.top.wipe.setChecked)
        panes.set_wipe(parts.top.wipe.isChecked())
        if self.info is not None:
            self._show_source()
        self.engine_ready.emit()

    # What is open

    def open_path(self, path: str) -> None:
        """Open an input; what is shown goes on until it is open."""
        self.parts.banner.clear()
        self.worker.open(OpenRequest(path), self.choice)

    def reopen(self) -> None:
        """Open the same input anew with the view that the left panel shows."""
        from core.errors import CleanplateError  # noqa: PLC0415

        source = self.parts.source
        width, height = self._region[2:] if self._region else self.original
        scale = source.working_scale
        size = None if scale == 1 else (max(1, round(width * scale)), max(1, round(height * scale)))
        try:
            corruption = source.corruption.corruption
        except CleanplateError as error:
            self._on_failed(str(error))
            return
        grey = source.grey and not self._input_is_grey
        self.worker.open(OpenRequest(self.request.path, grey, size, self._region, corruption), self.choice)

    def set_region(self, region: tuple[int, int, int, int] | None) -> None:
        """Work on a part of the picture, x, y, width and height in pixels of the input; None: on all of it."""
        self._region = region
        self.parts.source.show_region(region)
        self.reopen()

    @property
    def choice(self) -> Choice:
        """What the panels show of the method."""
        parts = self.parts
        values = {**parts.method.form.chosen, **parts.source.mask.chosen}
        # One seed for everything random, as on the command line.
        seed = int(parts.source.corruption.form.values.get("seed") or 0)
        return Choice(parts.method.key, values, self._passes, seed, self._model)

    def _on_opened(self, info: SourceInfo, request: OpenRequest) -> None:
        if request.path != self.request.path or self.info is None:
            self._region = None
            self.parts.source.reset_view()
            self.original = (info.layout.width, info.layout.height)
            self._input_is_grey = len(info.layout.shapes) == 1
            if not request.path.startswith("sample:"):
                self.remembered.add_recent(request.path)
        self.info, self.request = info, request
        if self.views is not None:
            self._show_source()

    def _show_source(self) -> None:
        info, request, parts = self.info, self.request, self.parts
        kind = kind_of(request.path, info)
        parts.source.show_kind(kind)
        parts.source.show_source(info, original=self.original, is_grey=self._input_is_grey)
        parts.top.show_title(f"{info.title} · {kind.lower()}" if request.path.startswith("sample:") else info.title)
        self.setWindowTitle(f"{info.title} – Cleanplate")
        self.views.timeline.set_range(info.n_frames, info.fps, info.live)
        parts.speed.setEnabled(bool(info.fps) and not info.live)
        self.files.refresh()

    # What runs

    def toggle_play(self) -> None:
        """Play, or hold."""
        if self._state in (State.LEARNING, State.APPLYING):
            self.worker.pause()
        else:
            self.worker.play()

    def _on_step(self) -> None:
        self.worker.step()

    def skip(self, direction: int) -> None:
        """Go back or forward by five seconds, or ten images where frames have no time."""
        if self.showing is None or self.info is None or self.info.live:
            return
        step = round(5 * self.info.fps) if self.info.fps else 10
        last = self.info.n_frames - 1 if self.info.n_frames else self.showing.index + step
        self.worker.seek(min(max(self.showing.index + direction * step, 0), last))

    def restart(self) -> None:
        """Forget what was learnt and begin with the first frame."""
        self._restart_timer.stop()
        self.worker.restart(self.choice)

    def learn_again(self) -> None:
        """Leave the model that is applied, and learn."""
        if self._model is not None:
            self.set_model(None)

    def set_model(self, path: Path | None) -> None:
        """Apply a model and learn nothing; None: learn."""
        self._model = path
        self.parts.method.form.setEnabled(path is None)
        self.parts.method.show_notice("" if path is None else f"Applying {path.name}; nothing is learnt.")
        self.restart()

    def show_settings(self, method: str, values: dict, passes: int) -> None:
        """Show settings in the panels and start again with them."""
        parts = self.parts
        parts.method.show_method(method)
        parts.source.mask.show_defaults()
        for form in (parts.method.form, parts.source.mask):
            form.show_values(values)
        self._passes = passes
        self.restart()
        self.files.refresh()

    def _on_parameter(self, parameter: Parameter, value: object) -> None:
        if parameter.live:
            self.parts.method.show_notice("")
            self.worker.set_values({parameter.name: value})
        else:
            self.parts.method.show_notice(f"{parameter.title} is fixed while a run goes on: learning began anew.")
            self._restart_timer.start()
        self.files.refresh()

    def _on_method(self, key: str) -> None:
        self._model = None
        self.parts.method.show_method(key)
        self.restart()
        self.files.refresh()

    def _on_reset(self) -> None:
        parts = self.parts
        changed = {**parts.method.form.chosen, **parts.source.mask.chosen}
        for form in (parts.method.form, parts.source.mask):
            form.show_defaults()
        live = {
            name: control.parameter.default
            for form in (parts.method.form, parts.source.mask)
            for name, control in form.controls.items()
            if name in changed and control.parameter.live
        }
        if len(live) < len(changed):
            self.restart()
        else:
            self.worker.set_values(live)
        parts.method.preset.setCurrentIndex(0)
        self.files.refresh()

    def _on_passes(self, passes: int) -> None:
        self._passes = passes
        self.worker.set_passes(passes)
        self.files.refresh()

    def _on_loop(self, on: bool) -> None:
        self.worker.set_loop(on)
        if self.views is not None:
            self.views.timeline.set_loop(on)

    def _on_real_time(self, on: bool) -> None:
        self.remembered.real_time = on
        self.parts.speed.choose(0 if on else 1)
        self.worker.set_real_time(on)

    def _on_region(self, x: int, y: int, width: int, height: int) -> None:
        left, top = self._region[:2] if self._region else (0, 0)
        self.set_region((left + x, top + y, width, height))

    def _on_basis_reset(self, k: int) -> None:
        self.worker.with_session(lambda session: session.drop_basis(k, replace=True))

    def _on_basis_drop(self, k: int) -> None:
        self.worker.with_session(lambda session: session.drop_basis(k))
        if self.showing is not None:
            self.showing.sync_values()

    # What the worker says

    def _on_tick(self) -> None:
        shown = self.worker.slot.take() if self.showing is not None else None
        if shown is not None:
            self.showing.show(shown, self.info, self._passes, applying=self._model is not None)
            if shown.report is not None:
                self.report_shown.emit()

    def _on_restarted(self) -> None:
        if self.showing is not None:
            self.showing.begin()

    def _on_state(self, state: State) -> None:
        self._state = state
        role = {State.LEARNING: "good", State.APPLYING: "good", State.PREPARING: "warn", State.OPENING: "warn"}
        self.parts.status.show_state(state.value, role.get(state, "muted"))
        if self.showing is not None:
            self.showing.show_state(state)

    def _on_failed(self, sentence: str) -> None:
        self.parts.banner.show_error(sentence)

    def _on_warned(self, warnings: list[str]) -> None:
        if warnings:
            self.parts.banner.show_warning(" ".join(warnings))

    def _on_wipe(self, on: bool) -> None:
        self.actions["wipe"].setChecked(on)
        self._with_panes("set_wipe", on)

    def _on_theme(self, mode: str) -> None:
        self.remembered.theme = mode
        theme.apply_theme(QApplication.instance(), mode)

    # Keys, and files dropped onto the window

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on plain keys that no control used."""
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


def kind_of(path: str, info: SourceInfo) -> str:
    """Return what kind of input a path is, in a word or two."""
    if path.startswith("sample:"):
        return "Sample"
    if info.live:
        return "Camera"
    place = Path(path)
    if place.is_dir():
        return "Image folder"
    if place.suffix.lower() in (".tif", ".tiff"):
        return "TIFF stack"
    return "Video file" if info.fps else "Image"


def _without_shift(event: QKeyEvent) -> QKeyCombination:
    """Return the key without Shift and keypad: plus and the like need Shift on some keyboards."""
    kept = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return QKeyCombination(kept, Qt.Key(event.key()))
