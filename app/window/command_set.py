"""All that the main window can do: its command objects, each given what it uses, and what they tell each other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.engine.saver import Saver
from app.engine.threads import listen
from app.panels.banner import Offer
from app.window.choice import RunChoice
from app.window.commands.area_files import AreaFileCommands
from app.window.commands.areas import AreaCommands
from app.window.commands.basis import BasisCommands
from app.window.commands.compare import CompareCommands
from app.window.commands.correcting import CorrectCommands
from app.window.commands.events import EventCommands
from app.window.commands.export import ExportCommands
from app.window.commands.help import HelpCommands
from app.window.commands.history import HistoryCommands
from app.window.commands.input import InputCommands
from app.window.commands.kind_settings import KindSettings
from app.window.commands.marks import MarkCommands
from app.window.commands.method import MethodCommands
from app.window.commands.models import ModelCommands
from app.window.commands.opening import OpenCommands
from app.window.commands.pictures import PictureCommands
from app.window.commands.playback import PlaybackCommands
from app.window.commands.presets import PresetCommands
from app.window.commands.project import ProjectCommands
from app.window.commands.project_state import ProjectState
from app.window.commands.queue import QueueCommands
from app.window.commands.view import ViewCommands
from app.window.dialogs import FileDialogs
from app.window.history import History
from app.window.moments import Moments
from core.project.naming import is_project

if TYPE_CHECKING:
    from collections.abc import Callable, Set
    from pathlib import Path

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from app.actions import Handlers, Switches
    from app.engine.worker import Worker
    from app.window.display_updates import DisplayUpdater
    from app.window.layout import Parts, Views
    from app.window.settings import Remembered
    from app.window.shown_frame import ShownFrame


class CommandSet(QObject):
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
    shown_frame : ShownFrame
    kept : Path
        Folder for what lasts; the queue is in it.
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
        shown_frame: ShownFrame,
        kept: Path,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        banner, mask = parts.banner, parts.source.mask_form
        self.choice = choice = RunChoice(parts.method, mask, parts.source.corruption)
        first_input = None if path is None or is_project(path) else path
        self.input = InputCommands(first_input, worker, parts.source, choice, remembered, banner, window)
        self.method = MethodCommands(worker, choice, parts.method, mask, self.input, window)
        self.kinds = KindSettings(choice, self.method, parts.method, mask, window)
        self.basis = BasisCommands(worker, window)
        self.playback = PlaybackCommands(worker, self.input, shown_frame, parts.speed, parts.status, remembered, window)
        dialogs = FileDialogs(window, lambda: self.input.request.path)
        self.saver = Saver(window)
        self.presets = PresetCommands(dialogs, self.method, choice, parts.method, self.saver, banner, window)
        self.models = ModelCommands(dialogs, worker, self.input, self.method, window)
        self.export = ExportCommands(worker, self.input, choice, remembered, banner, window)
        self.marks = MarkCommands(self.input, self.export, shown_frame, dialogs, window)
        self.state = ProjectState(
            window, action, parts, worker, self.input, self.method, self.export, self.marks, choice
        )
        self.project = ProjectCommands(dialogs, worker, self.input, self.state, remembered, banner, window)
        self.queue = QueueCommands(kept / "queue", dialogs, self.export, self.state, remembered, banner, window)
        self.areas = AreaCommands(worker, choice, self.input, parts.areas, parts.top.areas, banner, window)
        self.area_files = AreaFileCommands(dialogs, self.areas, self.input, self.saver, banner, window)
        self.opening = OpenCommands(
            dialogs, self.input, self.project, self.presets, self.area_files, self.method, self.queue, banner, window
        )
        self.compare = CompareCommands(
            worker, self.input, self.method, choice, self.playback, remembered, banner, window
        )
        self.events = EventCommands(choice, self.export, self.input, remembered, banner, window)
        self.correcting = CorrectCommands(worker, parts.brush, parts.top.correct, window)
        self.view, self.help = ViewCommands(window), HelpCommands(window)
        moments = Moments(
            worker, self.state, choice, self.input, self.method, self.export, self.marks, self.areas, self.events,
            self.playback,
        )  # fmt: skip
        self.history = HistoryCommands(History(moments, window), action, window)
        self.pictures = PictureCommands(worker, self.input, remembered, window)
        self._connect_to_parts()
        self._connect_to_worker(worker)
        self._connect_to_each_other()

    def _connect_to_each_other(self) -> None:
        self.method.changed.connect(self.export.refresh)
        steps = self.history.steps
        # In this order, and once those have heard that they look at: what they set is no step.
        self.input.taken.connect(self.kinds.on_opened)
        self.input.taken.connect(steps.on_opened)
        self.input.another_opened.connect(steps.begin_anew)
        self.areas.changed.connect(self.export.refresh)
        self.events.changed.connect(self.export.refresh)
        for commands in (self.method, self.export, self.marks, self.areas, self.events):
            changed = commands.changed
            changed.connect(self.project.look)
            changed.connect(steps.note)
        self.method.called.connect(steps.call_next)
        self.project.opened.connect(steps.begin_anew)
        steps.awaits_changed.connect(self.project.on_awaits_painted)
        self.project.stored.connect(self.export.set_project)

    def _connect_to_parts(self) -> None:
        top, source, method = self._parts.top, self._parts.source, self._parts.method
        top.wipe_toggled.connect(self.view.set_wipe)
        # One of the three tools at a time has the mouse.
        top.areas_toggled.connect(partial(self._put_away, {"correct", "measure"}))
        top.correct_toggled.connect(partial(self._put_away, {"areas", "measure"}))
        self.pictures.measuring.connect(partial(self._put_away, {"correct", "areas"}))
        top.export_requested.connect(self.export.open)
        top.compare_requested.connect(self.compare.open)
        self.compare.can_open_changed.connect(top.set_can_compare)
        source.view_changed.connect(self.input.reopen)
        source.draw_region_requested.connect(self.view.draw_region)
        source.clear_region_requested.connect(self.input.clear_region)
        source.mask_changed.connect(self.method.on_parameter)
        method.changed.connect(self.method.on_parameter)
        method.method_chosen.connect(self.method.on_method)
        method.reset_requested.connect(self.method.reset)
        method.preset_chosen.connect(self.presets.choose)
        for shown in (method.form.shown, source.mask_form.shown, self.method.passes_chosen, self.method.changed):
            shown.connect(self.presets.look)
        self.presets.reads_once.connect(self.export.read_once)
        method.load_preset_requested.connect(self.presets.load)
        method.save_preset_requested.connect(self.presets.save)
        self._parts.brush.undo_requested.connect(self.history.undo)

    def _put_away(self, others: Set[str], on: bool) -> None:
        """Put the other tools away that take presses on the pictures, where one is taken up."""
        if not on:
            return
        if "measure" in others:
            self.pictures.leave_measuring()
        for key, tool in (("correct", self._parts.top.correct), ("areas", self._parts.top.areas)):
            if key in others:
                tool.setChecked(False)

    def _connect_to_worker(self, worker: Worker) -> None:
        listen(worker.opened, self.input.on_opened)
        listen(worker.not_opened, self.input.on_not_opened)
        listen(worker.counted, self.input.on_counted)
        listen(worker.failed, self.history.steps.on_failed)
        listen(worker.painted_by_hand, self.history.steps.on_painted)
        self.correcting.asked.connect(self.history.steps.await_painted)
        listen(worker.done_by_hand, self.history.steps.on_done_by_hand)
        self.kinds.told.connect(self._parts.banner.show_news)
        reset = Offer("Reset", "Begin again with the defaults of everything.", self.method.reset_all)
        self.kinds.kept.connect(lambda sentence: self._parts.banner.show_warning(sentence, reset))
        self.kinds.kept_no_more.connect(self._parts.banner.withdraw)
        listen(worker.run_started, self.method.on_started)
        listen(worker.content_decided, self._parts.method.show_content)
        listen(worker.content_told, self.export.on_content)
        listen(worker.content_told, self.compare.on_content)
        listen(worker.painted_changed, self.export.refresh)
        listen(self.models.failed, self._parts.banner.show_not_saved)

    def attach(self, views: Views, display: DisplayUpdater) -> None:
        """Act on the views too, which are there now."""
        for one in (self.correcting, self.areas, self.view, self.state, self.events):
            one.attach(views.panes)
        self.marks.attach(views.timeline)
        self.areas.changed.connect(display.activity.follow)
        listen(self.basis.rank_changed, display.show_values)
        listen(self.basis.rank_changed, self.history.steps.on_rank)
        display.values_shown.connect(self.history.steps.take_as_known)

    def shut(self) -> None:
        """Begin nothing any more, and end what runs: the window is closing."""
        self.method.shut()
        self.export.shut()
        self.queue.shut()
        self.events.shut()
        self.compare.shut()
        self.pictures.shut()
        self.saver.shut()

    def handlers(self) -> Handlers:
        """Return what each command of the table does; those of the window itself are not among them."""
        opening, playback, view, marks = self.opening, self.playback, self.view, self.marks
        return {
            "open_file": opening.open_file, "open_folder": opening.open_folder, "open_stream": opening.open_stream,
            "export": self.export.open, "queue": self.queue.open,
            "save_project": self.project.save, "save_project_as": self.project.save_as,
            "save_model": self.models.save, "apply_model": self.models.apply, "learn_again": self.method.learn_again,
            "load_preset": self.presets.load, "save_preset": self.presets.save,
            "load_areas": self.area_files.load, "save_areas": self.area_files.save,
            "undo": self.history.undo, "redo": self.history.redo, "history": self.history.open,
            "learn_stroke": self.correcting.toggle_learning,
            "compare": self.compare.open, "events": self.events.open,
            "fit": view.fit, "zoom_in": view.zoom_in, "zoom_out": view.zoom_out, "all_panes": view.back,
            "second_window": self.pictures.open_window,
            **{f"pane_{i + 1}": partial(view.toggle_enlarged, i) for i in range(6)},
            "play": playback.toggle, "step": playback.step, "first": playback.first, "restart": self.method.restart,
            "learn_on": playback.learn_on,
            "mark_in": marks.set_in, "mark_out": marks.set_out, "clear_range": marks.clear_range,
            "marker": marks.toggle, "name_marker": marks.name, "next_mark": marks.next, "last_mark": marks.previous,
            "step_back": playback.step_back, "back": playback.back, "forward": playback.forward,
            **self.help.handlers(),
        }  # fmt: skip

    def switches(self) -> Switches:
        """Return what each command of the table does that can be on or off; likewise."""
        parts = self._parts
        return {
            "wipe": parts.top.wipe.setChecked, "correct": parts.top.correct.setChecked,
            "measure": self.pictures.set_measuring,
            "areas": parts.top.areas.setChecked,
            **{key: partial(parts.show_panel, key) for key in parts.tabs},
            "loop": self.playback.set_loop, "real_time": self.playback.set_real_time,
        }  # fmt: skip
