"""The window in which two to four methods run side by side on the same input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from app.compare.method_settings import CompareSettings
from app.compare.view import MOST, CompareView
from app.compare.worker import CompareWorker
from app.engine.player import State
from app.engine.threads import Background
from app.panels.banner import Banner
from app.panels.controls import button
from app.views.plots import PlotsView
from app.views.quantities import COMPARED
from app.views.timeline import Timeline
from core import catalogue
from core.session.session import Settings

if TYPE_CHECKING:
    from core.io.input_spec import InputSpec
    from core.io.sources.base import SourceInfo
    from core.parameter import Value
    from core.session.report import Report

TICK_MS = 30
"""How often the window takes the newest result."""

RESTART_MS = 300
"""A slider that starts the run anew does so when it rests."""

ALWAYS = ("residual", "ms")
"""What is known whatever the input."""

OFFERED = ("mog2", "opgd", "median", "knn")
"""What a further column shows, the first that is not there yet."""


@dataclass(frozen=True)
class Chosen:
    """A method of the comparison, and its parameters that differ from their defaults."""

    method: str
    values: dict[str, Value] = field(default_factory=dict)


class CompareWindow(QMainWindow):
    """The window; it owns an engine of its own, which ends with it.

    Parameters
    ----------
    request : InputSpec
        What is compared on.
    chosen : sequence of Chosen
        Two to four.
    mask_values : dict
        Parameters of the mask, for all methods that have their mask made here.
    seed : int
    real_time : bool
        Play at the input's own rate at most.

    Signals
    -------
    closed() : its engine has ended
    """

    closed = Signal()

    def __init__(
        self,
        request: InputSpec,
        chosen: Sequence[Chosen],
        mask_values: dict[str, Value] | None = None,
        *,
        seed: int = 0,
        real_time: bool = True,
    ) -> None:
        super().__init__()
        self._request, self._mask_values, self._seed = request, mask_values or {}, seed
        self.chosen = list(chosen)
        self._passes = 1
        self._run = self._shown_run = 0
        self._state = State.PREPARING
        self._info: SourceInfo | None = None
        self._index = 0
        self._known = set(ALWAYS)
        self._settings: CompareSettings | None = None
        self.setWindowTitle("Compare methods – Cleanplate")
        # A screen of few pixels, or of large ones, may be smaller.
        self.setMinimumSize(QSize(900, 600).boundedTo(self.screen().availableSize()))
        self.view = CompareView(catalogue.GROUPS)
        self.plots = PlotsView(quantities=COMPARED, hint="Curves appear when all methods run together")
        self.plots.build()
        self.timeline = Timeline()
        self.banner = Banner()
        self._lay_out()
        self.worker = CompareWorker()
        self._background = Background(self.worker, "compare")
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self._restart_timer = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restart_timer.timeout.connect(self.restart)
        self._connect()
        self.resize(QSize(1360, 860).boundedTo(self.screen().availableSize()))
        self._background.thread.finished.connect(self.closed)
        self._background.start()
        self.worker.set_real_time(real_time)
        self._tick.start()
        self._show_chosen()
        # Not on a chooser, which would take Space for itself.
        self.view.columns[0].panes[0].setFocus()

    def _lay_out(self) -> None:
        bar = QFrame()
        bar.setProperty("role", "bar")
        line = QHBoxLayout(bar)
        line.setContentsMargins(14, 6, 14, 6)
        line.setSpacing(8)
        name = QLabel("Compare methods")
        name.setProperty("role", "title")
        self.title = QLabel()
        self.title.setProperty("role", "caption")
        self.title.setAccessibleName("What is open, and what goes on")
        self.add_button = button("Add a method", "Add a method", f"Compare with one more, {MOST} at most.")
        line.addWidget(name)
        line.addWidget(self.title, 1)
        line.addWidget(self.add_button)
        holder = QWidget()
        banner_row = QVBoxLayout(holder)
        banner_row.setContentsMargins(8, 4, 8, 0)
        banner_row.addWidget(self.banner)
        below = QFrame()
        below.setProperty("role", "panel")
        plot_row = QVBoxLayout(below)
        plot_row.setContentsMargins(0, 0, 0, 0)
        plot_row.addWidget(self.plots)
        below.setFixedHeight(170)
        foot = QFrame()
        foot.setProperty("role", "panel")
        foot_row = QHBoxLayout(foot)
        foot_row.setContentsMargins(0, 0, 0, 0)
        foot_row.addWidget(self.timeline)
        body = QWidget()
        rows = QVBoxLayout(body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(1)
        rows.addWidget(bar)
        rows.addWidget(holder)
        rows.addWidget(self.view, 1)
        rows.addWidget(below)
        rows.addWidget(foot)
        self.setCentralWidget(body)

    def _connect(self) -> None:
        worker, timeline, view = self.worker, self.timeline, self.view
        # Direct: the engine's thread runs its loop and serves no queue of Qt's; its commands are safe from any thread.
        direct = Qt.ConnectionType.DirectConnection
        timeline.step_requested.connect(worker.step, direct)
        timeline.seek_requested.connect(worker.seek, direct)
        timeline.loop_changed.connect(worker.set_loop, direct)
        timeline.play_toggled.connect(lambda on: worker.play() if on else worker.pause())
        timeline.restart_requested.connect(self.restart)
        timeline.passes_changed.connect(self._on_passes)
        timeline.first_button.setToolTip("Start over: forget what was learnt and begin with the first frame")
        view.detail_changed.connect(worker.set_detail, direct)
        view.method_chosen.connect(self._on_method)
        view.settings_requested.connect(self.open_settings)
        view.removal_requested.connect(self._on_removed)
        self.add_button.clicked.connect(self._on_added)
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        worker.opened.connect(self._on_opened)
        worker.state_changed.connect(self._on_state)
        worker.failed.connect(self.banner.show_error)
        worker.warned.connect(lambda sentences: self.banner.show_warning(" ".join(sentences)) if sentences else None)

    @property
    def index(self) -> int:
        """Number of the frame that is shown, from 0."""
        return self._index

    # What is compared

    def restart(self) -> None:
        """Start all methods anew, from the first frame."""
        self._restart_timer.stop()
        self.banner.clear()
        self._run = self.worker.compare(self._request, [self._settings_of(one) for one in self.chosen])

    def _settings_of(self, chosen: Chosen) -> Settings:
        return Settings(chosen.method, {**self._mask_values, **chosen.values}, self._passes, self._seed)

    def _show_chosen(self) -> None:
        """Have a column for each method, and start."""
        rows = [catalogue.row(one.method) for one in self.chosen]
        self.view.set_columns([(row.key, f"{row.paper}. {row.summary}") for row in rows])
        self.plots.name_curves([row.title for row in rows])
        self.add_button.setEnabled(len(self.chosen) < MOST)
        self.restart()

    def _on_method(self, column: int, key: str) -> None:
        if key != self.chosen[column].method:
            self._close_settings()
            self.chosen[column] = Chosen(key)
            self._show_chosen()

    def _on_added(self) -> None:
        present = {one.method for one in self.chosen}
        self.chosen.append(Chosen(next(key for key in (*OFFERED, *catalogue.METHODS) if key not in present)))
        self._show_chosen()

    def _on_removed(self, column: int) -> None:
        self._close_settings()
        del self.chosen[column]
        self._show_chosen()

    def open_settings(self, column: int) -> None:
        """Let a person set the parameters of a column's method."""
        self._close_settings()
        chosen = self.chosen[column]
        self._settings = CompareSettings(catalogue.row(chosen.method), chosen.values, self)
        self._settings.changed.connect(lambda values: self._on_values(column, values))
        below = self.view.columns[column].settings_button
        at = below.mapToGlobal(below.rect().bottomRight()) - QPoint(self._settings.width(), 0)
        room = self.screen().availableGeometry().adjusted(0, 0, -self._settings.width(), -self._settings.height())
        # Below its button, but on the screen: the first column's would hang over the left edge.
        self._settings.move(max(min(at.x(), room.right()), room.left()), max(min(at.y(), room.bottom()), room.top()))
        self._settings.show()

    def _on_values(self, column: int, values: dict[str, Value]) -> None:
        self.chosen[column] = Chosen(self.chosen[column].method, values)
        self._restart_timer.start()

    def _close_settings(self) -> None:
        if self._settings is not None:
            self._settings.close()
            self._settings.deleteLater()
            self._settings = None

    def _on_passes(self, passes: int) -> None:
        self._passes = passes
        self._restart_timer.start()

    # What the engine says

    def _on_tick(self) -> None:
        shown = self.worker.slot.take()
        if shown is None or shown.run != self._run:
            return  # It belongs to a run that is over.
        if self._shown_run != self._run:
            self._shown_run = self._run
            self.plots.clear()
            self.view.clear()
            self._known = set(ALWAYS)
        for point in shown.points:
            self.plots.append(point.n, **point.values)
        if shown.points:
            # What was known of one frame stays, though the next has no labels: its curve is there.
            self._known.update(*(point.values for point in shown.points))
            self.plots.offer(self._known)
        if shown.pictures is None:
            return
        self.view.show_turn(shown.pictures)
        newest = next((one.report for one in shown.pictures if one is not None and not one.waits), None)
        if newest is not None:
            self._show_position(newest)
        self._show_title(shown.fps if self._state in PLAYING else 0)

    def _show_position(self, report: Report) -> None:
        if report.iteration is not None:
            return  # Iterations go over the frames in no order.
        self._index = report.frame.index
        # A batch method reads twice, however often the others do.
        pass_index = min(report.pass_index, self._passes - 1)
        self.timeline.set_position(report.frame.index, report.frame.time_s, pass_index, self._passes)

    def _on_opened(self, info: SourceInfo) -> None:
        self._info = info
        self.setWindowTitle(f"Compare methods on {info.title} – Cleanplate")
        self.timeline.set_range(info.n_frames, info.fps, info.live)
        self._show_title(0)

    def _on_state(self, state: State) -> None:
        self._state = state
        self.timeline.set_playing(state in PLAYING)
        self._show_title(0)

    def _show_title(self, fps: float) -> None:
        speed = f" · {fps:.0f} frames/s with all methods" if fps else ""
        words = "Running" if self._state in PLAYING else self._state.value
        name = f"{self._info.title} · " if self._info is not None else ""
        self.title.setText(f"{name}{words}{speed}")

    # Keys, and the end

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on plain keys that no control used, the same as in the main window."""
        action = self._keys().get(Qt.Key(event.key()))
        if action is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            action()

    def _keys(self) -> dict[Qt.Key, Callable[[], object]]:
        view = self.view
        return {
            Qt.Key.Key_Space: lambda: self.worker.pause() if self._state in PLAYING else self.worker.play(),
            Qt.Key.Key_Period: self.worker.step,
            Qt.Key.Key_Home: self.restart,
            Qt.Key.Key_Left: lambda: self._skip(-1),
            Qt.Key.Key_Right: lambda: self._skip(1),
            Qt.Key.Key_L: self.timeline.loop_button.toggle,
            Qt.Key.Key_Plus: view.linked.zoom_in,
            Qt.Key.Key_Minus: view.linked.zoom_out,
            Qt.Key.Key_0: view.linked.fit,
            Qt.Key.Key_Escape: lambda: view.toggle_enlarged(0) if len(view.rows) == 1 else None,
        }

    def _skip(self, direction: int) -> None:
        if self._info is None:
            return
        step = round(5 * self._info.fps) if self._info.fps else 10
        last = self._info.n_frames - 1 if self._info.n_frames else self._index + step
        self.worker.seek(min(max(self._index + direction * step, 0), last))

    def closeEvent(self, event: QCloseEvent) -> None:
        """End what runs; `closed` tells when it has ended, for a method may be in the midst of something."""
        self._tick.stop()
        self._restart_timer.stop()
        self._close_settings()
        self.worker.quit()
        event.accept()

    def wait(self) -> bool:
        """Wait for the end of the engine after the window was closed; True where it came."""
        return self._background.wait()


PLAYING = (State.LEARNING, State.APPLYING)
"""States in which frames are processed."""
