"""Commands that need a file: open, export, presets, models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from core.errors import CleanplateError
from core.io.input_spec import count_frames

if TYPE_CHECKING:
    from app.panels.export import ExportPanel
    from app.panels.export_form import Wanted
    from app.window.main_window import MainWindow
    from core.export.job import Job
    from core.export.plan import PlannedFile
    from core.session.session import Session

PRESET_FILTER = "Presets (*.json)"
MODEL_FILTER = "Models (*.npz)"


class FileCommands(QObject):
    """What the File menu does.

    Parameters
    ----------
    window : MainWindow

    Signals
    -------
    saved(str), failed(str) : from the worker's thread: a file was written, or one sentence why not
    """

    saved = Signal(str)
    failed = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.panel: ExportPanel | None = None
        self._shown_path = ""
        # Emitted on the worker's thread too: connected to methods, which Qt calls on the window's thread.
        self.saved.connect(self._on_saved)
        self.failed.connect(window.parts.banner.show_error)

    # Opening

    def open_file(self) -> None:
        """Ask for a file and open it."""
        from core.io.sources import OPENABLE  # noqa: PLC0415 - decoders; the engine is there by now

        every = " ".join(f"*{suffix}" for suffixes in OPENABLE.values() for suffix in suffixes)
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Open a video, an image or a stack", self._start_folder(), f"Input ({every});;All files (*)"
        )
        if path:
            self._window.input.open_path(path)

    def open_folder(self) -> None:
        """Ask for a folder of images and open it."""
        path = QFileDialog.getExistingDirectory(self._window, "Open a folder of images", self._start_folder())
        if path:
            self._window.input.open_path(path)

    def open_dropped(self, paths: list[str]) -> None:
        """Open the first thing that was dropped."""
        first = Path(paths[0])
        suffix = first.suffix.lower()
        if suffix == ".json":
            self._try(lambda: self._apply_preset(first))
        elif suffix == ".npz":
            self._window.running.apply_model(first)
        else:
            self._window.input.open_path(str(first))
        if len(paths) > 1:
            self._window.parts.banner.show_warning(
                f"Only {first.name} was opened of {len(paths)} files; put images into one folder to open them together."
            )

    def _start_folder(self) -> str:
        path = Path(self._window.input.request.path)
        return str(path.parent) if path.exists() else str(Path.home())

    # Presets

    def choose_preset(self, name: str) -> None:
        """Apply a preset that comes with the program, by the name that people see."""
        from core.export.preset import built_in_presets  # noqa: PLC0415 - the engine is there by now

        for preset in built_in_presets().values():
            if preset.name == name:
                self._window.running.show_settings(preset.method, dict(preset.values), preset.passes)
                return
        self._window.parts.method.reset_requested.emit()

    def load_preset(self) -> None:
        """Ask for a preset's file and apply it."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Load a preset", self._start_folder(), PRESET_FILTER)
        if path:
            self._try(lambda: self._apply_preset(Path(path)))

    def _apply_preset(self, path: Path) -> None:
        from core.export.preset import load_preset  # noqa: PLC0415

        preset = load_preset(path)
        self._window.running.show_settings(preset.method, dict(preset.values), preset.passes)

    def save_preset(self) -> None:
        """Ask for a name and write method and parameters."""
        path, _ = QFileDialog.getSaveFileName(self._window, "Save a preset", "preset.json", PRESET_FILTER)
        if path:
            self._try(lambda: self.write_preset(Path(path)))

    def write_preset(self, path: Path) -> None:
        """Write method and parameters as the panels show them."""
        from core.export.preset import preset_of, save_preset  # noqa: PLC0415

        save_preset(preset_of(path.stem, self._window.running.choice.settings()), path)
        self.saved.emit(path.name)

    # Models

    def save_model(self) -> None:
        """Ask for a name and write what was learnt so far."""
        if not self._window.input.is_there("save"):
            return
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the model", "model.npz", MODEL_FILTER)
        if path:
            self.write_model(Path(path))

    def write_model(self, path: Path) -> None:
        """Write what was learnt so far, between two frames."""

        def write(session: Session) -> None:
            try:
                session.model().save(path)
            except CleanplateError as error:
                self.failed.emit(str(error))
            else:
                self.saved.emit(path.name)

        self._window.worker.with_session(write)

    def apply_model(self) -> None:
        """Ask for a model and apply it to what is open."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Apply a model", self._start_folder(), MODEL_FILTER)
        if path:
            self._window.running.apply_model(Path(path))

    # Export

    def export(self) -> None:
        """Show the export panel."""
        window = self._window
        if not window.input.is_there("export") or window.views is None:
            return
        if self.panel is None:
            from app.panels.export import ExportPanel  # noqa: PLC0415 - encoders take a while to import

            folder = window.remembered.export_folder or str(Path.home() / "cleanplate")
            self.panel = ExportPanel(self.job, self.plan, folder, window)
            self.panel.wrote.connect(self._on_wrote)
            self.panel.failed.connect(window.parts.banner.show_error)
        self._show_input()
        self.panel.show()
        self.panel.raise_()

    def job(self, wanted: Wanted) -> Job:
        """Return the job that writes what the panels show."""
        from core.export.job import Job  # noqa: PLC0415

        window = self._window
        request, choice = window.input.request, window.running.choice
        settings = replace(choice.settings(), seed=request.seed, painted=window.worker.painted)
        return Job(
            replace(request, frames=wanted.frames), wanted.output, wanted.save, settings, format=wanted.format,
            model=choice.model, overwrite=wanted.overwrite,
        )  # fmt: skip

    def plan(self, job: Job) -> list[PlannedFile]:
        """Return what a job would write, and how large; nothing is opened for that."""
        from core.export.plan import estimate  # noqa: PLC0415

        info = self._window.input.info
        width, height = job.input.region_size(self._window.input.original)
        layout = replace(info.layout, width=width, height=height)
        return estimate(job, layout, count_frames(job.input.frames, info.n_frames))

    def refresh(self) -> None:
        """Tell the export panel that input or settings changed."""
        if self.panel is not None and self.panel.isVisible():
            self._show_input()

    def _show_input(self) -> None:
        info, path = self._window.input.info, self._window.input.request.path
        if path != self._shown_path:
            self._shown_path = path
            self.panel.form.all_frames()
        self.panel.form.show_length(info.n_frames, info.live)
        self.panel.refresh()

    def shut(self) -> None:
        """End what is being written."""
        if self.panel is not None:
            self.panel.shut()

    def _on_wrote(self, folder: str) -> None:
        self._window.remembered.export_folder = folder
        self._on_saved(folder)

    def _on_saved(self, name: str) -> None:
        self._window.statusBar().showMessage(f"Wrote {name}", 5000)

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
        except CleanplateError as error:
            self._window.parts.banner.show_error(str(error))
