"""All that the main window can do: its command objects, each given what it uses, and what they tell each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.engine.threads import listen
from app.panels import help as pages
from app.window.choice import RunChoice
from app.window.commands.areas import AreaCommands
from app.window.commands.compare import CompareCommands
from app.window.commands.correcting import CorrectCommands
from app.window.commands.events import EventCommands
from app.window.commands.export import ExportCommands
from app.window.commands.input import InputCommands
from app.window.commands.method import MethodCommands
from app.window.commands.models import ModelCommands
from app.window.commands.opening import OpenCommands
from app.window.commands.playback import PlaybackCommands
from app.window.commands.presets import PresetCommands
from app.window.commands.project import ProjectCommands
from app.window.commands.project_state import ProjectState
from app.window.commands.view import ViewCommands
from app.window.dialogs import FileDialogs
from core.project.naming import is_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from app.actions import Handlers, Switches
    from app.engine.worker import Worker
    from app.views.panes import PanesView
    from app.window.layout import Parts
    from app.window.on_screen import OnScreen
    from app.window.settings import Remembered


class CommandSet:
    """The commands.

    Parameters
    ----------
    path : str or None
        Input or project to open first.
    action : callable
        ``action(key)`` returns the action of a command, once there are actions.
    parts : Parts
    worker : Worker
    remembered : Remembered
    on_screen : OnScreen
    window : QMainWindow
        Over which dialogs stand; it owns the commands.
    """

    def __init__(
        self,
        path: str | None,
        action: Callable[[str], QAction],
        parts: Parts,
        worker: Worker,
        remembered: Remembered,
        on_screen: OnScreen,
        window: QMainWindow,
    ) -> None:
        self._parts, self._window = parts, window
        banner, mask = parts.banner, parts.source.mask_form
        self.choice = choice = RunChoice(parts.method, mask, parts.source.corruption)
        first_input = None if path is None or is_project(path) else path
        self.input = InputCommands(first_input, worker, parts.source, choice, remembered, banner, window)
        self.method = MethodCommands(worker, choice, parts.method, mask, self.input, window)
        self.playback = PlaybackCommands(worker, self.input, on_screen, parts.speed, parts.status, remembered, window)
        dialogs = FileDialogs(window, lambda: self.input.request.path)
        self.presets = PresetCommands(dialogs, self.method, choice, banner, window)
        self.models = ModelCommands(dialogs, worker, self.input, self.method, window)
        self.export = ExportCommands(worker, self.input, choice, parts.method, remembered, banner, window)
        self.state = ProjectState(window, action, parts, worker, self.input, self.method, self.export, choice)
        self.project = ProjectCommands(dialogs, worker, self.input, self.state, remembered, banner, window)
        self.opening = OpenCommands(dialogs, self.input, self.project, self.presets, self.method, banner, window)
        self.compare = CompareCommands(worker, self.input, choice, self.playback, on_screen, remembered, banner, window)
        self.events = EventCommands(self.export, self.input, banner, window)
        self.correcting = CorrectCommands(worker, parts.brush, parts.top.correct, window)
        self.areas = AreaCommands(worker, choice, self.input, parts.areas, parts.top.areas, banner, window)
        self.view = ViewCommands(window)
        self._connect_to_parts()
        self._connect_to_worker(worker)
        self.method.changed.connect(self.export.refresh)
        self.input.changed.connect(self.export.refresh)
        self.input.changed.connect(self.events.on_input)
        self.areas.changed.connect(self.export.refresh)
        for changed in (self.method.changed, self.export.changed, self.areas.changed):
            changed.connect(self.project.look)
        self.project.stored.connect(self.export.set_project)

    def _connect_to_parts(self) -> None:
        top, source, method = self._parts.top, self._parts.source, self._parts.method
        top.wipe_toggled.connect(self.view.set_wipe)
        # One of the two tools at a time has the mouse.
        top.areas_toggled.connect(lambda on: top.correct.setChecked(top.correct.isChecked() and not on))
        top.correct_toggled.connect(lambda on: top.areas.setChecked(top.areas.isChecked() and not on))
        top.export_requested.connect(self.export.open)
        top.compare_requested.connect(self.compare.open)
        source.view_changed.connect(self.input.reopen)
        source.draw_region_requested.connect(self.view.draw_region)
        source.clear_region_requested.connect(self.input.clear_region)
        source.mask_changed.connect(self.method.on_parameter)
        method.changed.connect(self.method.on_parameter)
        method.method_chosen.connect(self.method.on_method)
        method.reset_requested.connect(self.method.reset)
        method.preset_chosen.connect(self.presets.choose)
        method.load_preset_requested.connect(self.presets.load)
        method.save_preset_requested.connect(self.presets.save)

    def _connect_to_worker(self, worker: Worker) -> None:
        listen(worker.opened, self.input.on_opened)
        listen(worker.opened, self.method.on_opened)
        self.method.told.connect(self._parts.banner.show_warning)
        listen(worker.run_started, self.method.on_started)
        listen(worker.content_decided, self._parts.method.show_content)
        listen(worker.painted_changed, self.export.refresh)
        listen(self.models.failed, self._parts.banner.show_error)

    def attach(self, panes: PanesView) -> None:
        """Let the commands work on the panes, which are there now."""
        for commands in (self.correcting, self.areas, self.view, self.state):
            commands.attach(panes)

    def shut(self) -> None:
        """Begin nothing any more, and end what runs: the window is closing."""
        self.method.shut()
        self.export.shut()
        self.events.shut()
        self.compare.shut()

    def handlers(self) -> Handlers:
        """Return what each command of the table does; those of the window itself are not among them."""
        opening, playback, view, window = self.opening, self.playback, self.view, self._window
        return {
            "open_file": opening.open_file, "open_folder": opening.open_folder, "open_stream": opening.open_stream,
            "export": self.export.open, "save_project": self.project.save, "save_project_as": self.project.save_as,
            "save_model": self.models.save, "apply_model": self.models.apply, "learn_again": self.method.learn_again,
            "load_preset": self.presets.load, "save_preset": self.presets.save,
            "undo_stroke": self.correcting.undo, "learn_stroke": self.correcting.toggle_learning,
            "compare": self.compare.open, "events": self.events.open,
            "fit": view.fit, "zoom_in": view.zoom_in, "zoom_out": view.zoom_out, "all_panes": view.back,
            **{f"pane_{i + 1}": partial(view.toggle_enlarged, i) for i in range(6)},
            "play": playback.toggle, "step": playback.step, "restart": self.method.restart,
            "step_back": playback.step_back, "back": playback.back, "forward": playback.forward,
            "words": lambda: pages.glossary_page(window).show(),
            "shortcuts": lambda: pages.shortcuts_page(window).show(),
            "about": lambda: pages.about_page(window).show(),
        }  # fmt: skip

    def switches(self) -> Switches:
        """Return what each command of the table does that can be on or off; likewise."""
        parts = self._parts
        return {
            "wipe": parts.top.wipe.setChecked, "correct": parts.top.correct.setChecked,
            "areas": parts.top.areas.setChecked,
            "source_panel": parts.source.setVisible, "method_panel": parts.method.setVisible,
            "bottom_panel": parts.bottom.setVisible,
            "loop": self.playback.set_loop, "real_time": self.playback.set_real_time,
        }  # fmt: skip
