"""What runs, and what changes it: method, parameters, passes, the model that is applied, playing and seeking."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.choice import Choice
from app.engine.player import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.window.main_window import MainWindow
    from core.parameter import Parameter, Value
    from core.session.session import Session

RESTART_MS = 300
"""A slider that starts the run anew does so when it rests."""


class RunCommands(QObject):
    """Tells the worker what people chose, and the panels what follows from it.

    Parameters
    ----------
    window : MainWindow

    Signals
    -------
    rank_changed(dict) : the engine has dropped a basis image; the values in force since
    """

    rank_changed = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._model: Path | None = None
        self._passes = 1
        self._state = State.PREPARING
        self._restart_timer = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restart_timer.timeout.connect(self.restart)
        self.rank_changed.connect(self._on_rank_changed)

    @property
    def choice(self) -> Choice:
        """What the panels show of the method."""
        parts = self._window.parts
        values = {**parts.method.form.chosen, **parts.source.mask_form.chosen}
        # One seed for everything random, as on the command line.
        seed = int(parts.source.corruption.form.values.get("seed") or 0)
        return Choice(parts.method.key, values, self._passes, seed, self._model)

    @property
    def passes(self) -> int:
        """How often the input is read."""
        return self._passes

    @property
    def applies_model(self) -> bool:
        """Whether a model is applied and nothing is learnt."""
        return self._model is not None

    @property
    def is_playing(self) -> bool:
        """Whether frames are being processed."""
        return self._state in (State.LEARNING, State.APPLYING)

    @property
    def is_preparing(self) -> bool:
        """Whether frames are about to be processed: an input is open, and its first one is on its way."""
        return self._state is State.PREPARING

    def shut(self) -> None:
        """Start nothing any more: the window is closing."""
        self._restart_timer.stop()

    def on_state(self, state: State) -> None:
        """Show what goes on."""
        self._state = state
        role = {State.LEARNING: "good", State.APPLYING: "good", State.PREPARING: "warn", State.OPENING: "warn"}
        self._window.parts.status.show_state(state.value, role.get(state, "muted"))
        if self._window.showing is not None:
            self._window.showing.show_state(state)

    def toggle_play(self) -> None:
        """Play, or hold."""
        if self.is_playing:
            self._window.worker.pause()
        else:
            self._window.worker.play()

    def on_step(self) -> None:
        """Hold, and process one frame."""
        self._window.worker.step()

    def skip(self, direction: int) -> None:
        """Go back or forward by five seconds, or ten images where frames have no time."""
        info, showing = self._window.input.info, self._window.showing
        if showing is None or info is None or info.live:
            return
        step = round(5 * info.fps) if info.fps else 10
        last = info.n_frames - 1 if info.n_frames else showing.index + step
        self._window.worker.seek(min(max(showing.index + direction * step, 0), last))

    def restart(self) -> None:
        """Forget what was learnt and begin with the first frame."""
        self._restart_timer.stop()
        self._window.worker.restart(self.choice)

    def learn_again(self) -> None:
        """Leave the model that is applied, and learn."""
        if self._model is not None:
            self._leave_model()
            self.restart()

    def apply_model(self, path: Path) -> None:
        """Apply a model and learn nothing, if it can be read and fits: `on_started` shows it then."""
        self._restart_timer.stop()
        if not self._window.input.is_there(f"apply {path.name} to"):
            return
        # With its own parameters: those in the panel may be of another method.
        values = self._window.parts.source.mask_form.chosen
        self._window.worker.restart(replace(self.choice, values=values, model=path))

    def on_started(self, model: Path | None, method: str) -> None:
        """Show whether the run that begins applies a model, and which method that is of."""
        self._leave_model()
        if model is not None:
            self._model = model
            if method != self._window.parts.method.key:
                self._show_method(method)
            self._window.parts.method.form.setEnabled(False)
            self._window.actions["learn_again"].setEnabled(True)
            self._tell_model()
        self._window.files.refresh()

    def _leave_model(self) -> None:
        if self._model is not None:
            self._model = None
            self._window.parts.method.show_notice("")
        self._window.parts.method.form.setEnabled(True)
        self._window.actions["learn_again"].setEnabled(False)

    def _tell_model(self) -> None:
        name = self._model and self._model.name
        self._window.parts.method.show_notice(f"Applying {name}; nothing is learnt." if name else "")

    def show_settings(self, method: str, values: dict, passes: int) -> None:
        """Show settings in the panels and start again with them."""
        parts = self._window.parts
        self._leave_model()
        self._show_method(method)
        parts.source.mask_form.show_defaults()
        for form in (parts.method.form, parts.source.mask_form):
            form.show_values(values)
        self._passes = passes
        self.restart()
        self._window.files.refresh()

    def on_parameter(self, parameter: Parameter, value: object) -> None:
        """Change a parameter: from the next frame on, or by a fresh start where it is fixed during a run."""
        method = self._window.parts.method
        if parameter.live:
            self._tell_model()
            self._window.worker.set_values({parameter.name: value})
        else:
            method.show_notice(f"{parameter.title} is fixed while a run goes on: learning began anew.")
            self._restart_timer.start()
        self._window.files.refresh()

    def on_method(self, key: str) -> None:
        """Learn anew with another method and its defaults."""
        self._leave_model()
        self._show_method(key)
        self.restart()
        self._window.files.refresh()

    def _show_method(self, key: str) -> None:
        from core import catalogue  # noqa: PLC0415 - imported on the worker's thread long ago

        self._window.parts.method.show_method(key)
        # A method of reference makes masks of its own.
        self._window.parts.source.mask_form.setEnabled(catalogue.row(key).kind != "reference")

    def on_reset(self) -> None:
        """Set every parameter of method and mask back."""
        parts = self._window.parts
        changed = {**parts.method.form.chosen, **parts.source.mask_form.chosen}
        for form in (parts.method.form, parts.source.mask_form):
            form.show_defaults()
        live = {
            name: control.parameter.default
            for form in (parts.method.form, parts.source.mask_form)
            for name, control in form.controls.items()
            if name in changed and control.parameter.live
        }
        if len(live) < len(changed):
            self.restart()
        else:
            self._window.worker.set_values(live)
        parts.method.preset.setCurrentIndex(0)
        self._window.files.refresh()

    def on_passes(self, passes: int) -> None:
        """Read the input so often."""
        self._passes = passes
        self._window.worker.set_passes(passes)
        self._window.files.refresh()

    def on_loop(self, on: bool) -> None:
        """Start again at the end, or do not."""
        self._window.worker.set_loop(on)
        if self._window.views is not None:
            self._window.views.timeline.set_loop(on)

    def on_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._window.remembered.real_time = on
        self._window.parts.speed.choose(0 if on else 1)
        self._window.worker.set_real_time(on)

    def on_basis_reset(self, k: int) -> None:
        """Make a basis image anew."""
        self._window.worker.with_session(lambda session: session.drop_basis(k, replace=True))
        self._window.worker.show_basis()

    def on_basis_drop(self, k: int) -> None:
        """Go on without a basis image."""

        def drop(session: Session) -> None:
            session.drop_basis(k)
            self.rank_changed.emit(session.control.values)

        self._window.worker.with_session(drop)
        self._window.worker.show_basis()

    def _on_rank_changed(self, values: Mapping[str, Value]) -> None:
        # Not by way of the slot: the window may empty it before it hears of this; nothing more comes while it rests.
        if self._window.showing is not None:
            self._window.showing.show_values(values)
