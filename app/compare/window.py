"""The window in which two to four methods run side by side on the same input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent

from app.command_window import CommandWindow
from app.compare.chosen import Chosen, ChosenMethods
from app.compare.display import CompareDisplay
from app.compare.layout import CompareParts
from app.compare.worker import CompareWorker
from app.engine.pace import RESTART_MS, skipped
from app.engine.saver import Saver
from app.engine.threads import Background, command, listen, on_own_thread
from app.folders import folder_beside
from app.shortcuts import Where

if TYPE_CHECKING:
    from core.io.input_spec import InputSpec
    from core.io.sources.base import SourceInfo
    from core.parameter import Value
    from core.scene.areas import Areas


class CompareWindow(CommandWindow):
    """The window; it owns an engine of its own, which ends with it.

    Parameters
    ----------
    request : InputSpec
        What is compared on.
    chosen : sequence of Chosen
        Two to four.
    mask_values : mapping
        Parameters of the mask, for all methods that have their mask made here.
    seed : int
    areas : Areas, optional
        What is excluded of the input.
    passes : int
        How often the input is read, to begin with.
    real_time : bool
        Play at the input's own rate at most.
    is_image_set : bool
        See `ChosenMethods`.

    Signals
    -------
    closed() : its engine has ended
    quit_wanted() : people want to end the program
    method_wanted(Chosen, int) : people want to go on with this method, reading the input so often; the window closes
    """

    closed = Signal()
    quit_wanted = Signal()
    method_wanted = Signal(object, int)

    def __init__(
        self,
        request: InputSpec,
        chosen: Sequence[Chosen],
        mask_values: Mapping[str, Value] | None = None,
        *,
        seed: int = 0,
        areas: Areas | None = None,
        passes: int = 1,
        real_time: bool = True,
        is_image_set: bool = False,
    ) -> None:
        super().__init__(Where.COMPARE)
        self._request = request
        self._passes = passes
        self.setWindowTitle("Compare methods — Cleanplate")
        self.parts = CompareParts(self, self._folder, is_image_set=is_image_set)
        self.parts.timeline.set_passes(passes)
        self.chosen = ChosenMethods(chosen, self.parts.view, mask_values or {}, seed, areas, is_image_set=is_image_set)
        self.worker = CompareWorker(self.parts.view.kinds)
        self._background = Background(self.worker, "compare")
        self._saver = Saver(self)
        self.display = CompareDisplay(self.parts, self.worker, self)
        self._restart_timer = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restart_timer.timeout.connect(self.restart)
        self._add_commands()
        self._connect()
        self.resize_on_screen(QSize(1360, 860))
        self._background.thread.finished.connect(self.closed)
        self._background.start()
        self.worker.set_real_time(real_time)
        self._show_chosen()
        # Not on a chooser, which would take Space for itself.
        self.parts.view.columns[0].panes[0].setFocus()

    def _add_commands(self) -> None:
        linked, timeline = self.parts.view.linked, self.parts.timeline
        handlers = {
            "play": self._toggle_play, "step": self.worker.step, "first": self._go_to_first, "restart": self.restart,
            "back": lambda: self._skip(-1), "forward": lambda: self._skip(1),
            "fit": linked.fit, "zoom_in": linked.zoom_in, "zoom_out": linked.zoom_out,
            "all_panes": self.parts.view.show_all_rows, "close": self.close,
            "quit": self.quit_wanted.emit,
        }  # fmt: skip
        self.add_commands(handlers, {"loop": timeline.set_loop})
        timeline.loop_changed.connect(self.action("loop").setChecked)

    def _connect(self) -> None:
        worker, timeline = self.worker, self.parts.timeline
        command(timeline.step_requested, worker.step)
        command(timeline.seek_requested, worker.seek)
        command(timeline.loop_changed, worker.set_loop)
        timeline.play_toggled.connect(self._set_playing)
        timeline.passes_changed.connect(self._on_passes)
        command(self.parts.view.detail_changed, worker.set_detail)
        command(self.parts.view.kinds_changed, worker.set_kinds)
        view, banner = self.parts.view, self.parts.banner
        for save_requested in (view.save_requested, self.parts.plots.save_requested):
            save_requested.connect(lambda wanted: self._saver.save(wanted.path, wanted.write))
        self._saver.wrote.connect(lambda name: banner.show_news(f"Wrote {name}."))
        self._saver.failed.connect(banner.show_not_saved)
        self._saver.began.connect(banner.withdraw_not_saved)
        view.use_requested.connect(self._use)
        self.chosen.changed.connect(self._show_chosen)
        self.chosen.values_changed.connect(self._restart_timer.start)
        self.parts.add_button.clicked.connect(self.chosen.add)
        listen(worker.opened, self._on_opened)
        listen(worker.state_changed, self.display.on_state)
        listen(worker.counted, self.display.on_counted)
        listen(worker.working, self.display.on_working)
        listen(worker.failed, self.parts.banner.show_error)
        listen(worker.recovered, self.parts.banner.withdraw)
        listen(worker.warned, self.parts.banner.show_reading)

    def restart(self) -> None:
        """Start all methods anew, from the first frame."""
        self._restart_timer.stop()
        self.parts.banner.clear()
        run = self.worker.compare(self._request, self.chosen.settings(self._passes))
        self.display.expect(run, self._passes)

    def _show_chosen(self) -> None:
        """Have a column for each method, and start."""
        rows = self.chosen.rows
        self.parts.view.set_columns([(row.key, f"{row.paper}. {row.summary}") for row in rows])
        self.parts.plots.name_curves([row.title for row in rows])
        self.parts.add_button.setEnabled(not self.chosen.is_full)
        self.restart()

    def _folder(self) -> str:
        """Where something was saved last; beside the input before there was anything."""
        return self._saver.folder or folder_beside(self._request.path)

    def _use(self, column: int) -> None:
        self.method_wanted.emit(self.chosen.all[column], self._passes)
        self.close()

    def _on_passes(self, passes: int) -> None:
        self._passes = passes
        self._restart_timer.start()

    def _set_playing(self, on: bool) -> None:
        if on:
            self.worker.play()
        else:
            self.worker.pause()

    def _toggle_play(self) -> None:
        self._set_playing(not self.display.state.is_playing)

    def _go_to_first(self) -> None:
        if self.display.info is not None:
            self.worker.seek(0)

    def _skip(self, direction: int) -> None:
        if self.display.info is not None:
            sought = self.worker.going_to
            index = self.display.index if sought is None else sought
            self.worker.seek(skipped(index, direction, self.display.info))

    @on_own_thread
    def _on_opened(self, info: SourceInfo) -> None:
        self.setWindowTitle(f"Compare methods on {info.title} — Cleanplate")
        self.display.on_opened(info)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what runs; `closed` tells when it has ended, for a method may be in the midst of something."""
        self.display.stop()
        self._restart_timer.stop()
        self.chosen.close_settings()
        self._saver.shut()
        self.worker.quit()
        event.accept()

    def wait(self, deadline: QDeadlineTimer | None = None) -> bool:
        """Wait for the end of the engine after the window was closed, see `Background.wait`; True where it came."""
        return self._background.wait(deadline)
