"""What is learnt and how: the method, its parameters, passes, and the model that is applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.choice import Choice
from app.engine.pace import RESTART_MS
from app.engine.threads import on_own_thread

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.panels.method import MethodPanel
    from app.panels.parameters import ParameterForm
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from core.parameter import Parameter, Value


class MethodCommands(QObject):
    """Tells the worker what people chose, and the panels what follows from it.

    Parameters
    ----------
    worker : Worker
    choice : RunChoice
    panel : MethodPanel
    mask : ParameterForm
        The parameters of the mask.
    input_ : InputCommands
        A model is applied to what is open there.
    parent : QObject

    Signals
    -------
    changed() : settings are others
    model_applied(bool) : a model is applied from now on, or learnt again
    passes_chosen(int) : settings came with another number of passes
    called(str) : what the next change is called: a preset, say
    """

    changed = Signal()
    model_applied = Signal(bool)
    passes_chosen = Signal(int)
    called = Signal(str)

    def __init__(
        self,
        worker: Worker,
        choice: RunChoice,
        panel: MethodPanel,
        mask: ParameterForm,
        input_: InputCommands,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._choice, self._panel, self._input = worker, choice, panel, input_
        self._mask = mask
        self._forms = (panel.form, mask)
        self._restart_timer = QTimer(self, singleShot=True, interval=RESTART_MS)
        self._restart_timer.timeout.connect(self._on_restart)
        self._asked: Choice | None = None
        self._returns = False

    def shut(self) -> None:
        """Start nothing any more: the window is closing."""
        self._restart_timer.stop()

    def restart(self) -> None:
        """Forget what was learnt and begin with the first frame; a model that is applied keeps its own parameters."""
        self._restart_timer.stop()
        current = self._choice.current
        self._start(replace(current, values=self._mask.chosen) if self.applies_model else current)

    def _start_soon(self, *, returns: bool = False) -> None:
        """Start again once nothing more has been asked for during a moment; runs of before are shown no more.

        With ``returns`` a step is undone: what was learnt before it is gone on with.
        """
        self._asked, self._returns = None, returns
        self._worker.expect_change()  # The panel shows already what is to come.
        self._restart_timer.start()

    def _on_restart(self) -> None:
        if self.applies_model:
            self.restart()
        else:
            self._start(self._choice.current, returns=self._returns)

    def _start(self, choice: Choice, *, returns: bool = False) -> None:
        self._asked = choice
        self._worker.restart(choice, returns=returns)

    # The model

    @property
    def applies_model(self) -> bool:
        """Whether a model is applied and nothing is learnt."""
        return self._choice.model is not None

    def apply_model(self, path: Path) -> None:
        """Apply a model and learn nothing, if it can be read and fits: `on_started` shows it then."""
        self._restart_timer.stop()
        if self._input.info_for(f"apply {path.name} to") is None:
            return
        # With its own parameters: those in the panel may be of another method.
        self._start(replace(self._choice.current, values=self._mask.chosen, model=path))

    def learn_again(self) -> None:
        """Leave the model that is applied, and learn."""
        if self.applies_model:
            self._leave_model()
            self.restart()
            self.changed.emit()

    @on_own_thread
    def on_started(self, model: Path | None, method: str, asked: Choice | None = None) -> None:
        """Show whether the run that begins applies a model, and which method that is of.

        Nothing is shown of a run after which another was ``asked`` for.
        """
        if asked is not None and asked is not self._asked:
            return
        self._leave_model()
        if model is not None:
            if method != self._panel.key:
                self._show_method(method)
            self._show_model(model)
        self.changed.emit()

    def _show_model(self, model: Path) -> None:
        self._choice.model = model
        self._panel.form.setEnabled(False)
        self.model_applied.emit(True)
        self._tell_model()

    def _leave_model(self) -> None:
        if self.applies_model:
            self._choice.model = None
            self._panel.show_notice("")
        self._panel.form.setEnabled(True)
        self.model_applied.emit(False)

    def _tell_model(self) -> None:
        model = self._choice.model
        self._panel.show_notice("" if model is None else f"Applying {model.name}; nothing is learnt.")

    # Settings

    def show_settings(self, method: str, values: Mapping[str, Value], passes: int, called: str = "") -> None:
        """Show settings in the panels and start again with them; ``called`` is what people know them as."""
        self.called.emit(called)
        self.show_choice(method, values, passes, None)
        self.restart()
        self.changed.emit()

    def show_choice(self, method: str, values: Mapping[str, Value], passes: int, model: Path | None) -> None:
        """Show settings in the panels, and the model that is applied; whoever asks starts a run with them."""
        self._restart_timer.stop()
        self._leave_model()
        self._show_method(method)
        self._mask.show_defaults()
        for form in self._forms:
            form.show_values(values)
        self._choice.passes = passes
        self.passes_chosen.emit(passes)
        if model is not None:
            self._show_model(model)

    def restore(
        self, method: str, values: Mapping[str, Value], passes: int, model: Path | None, *, restarts: bool
    ) -> None:
        """Set all that was set at another time, and start again only where nothing less will do.

        Parameters
        ----------
        method, passes, model
        values : mapping
            Parameters that differ from their defaults.
        restarts : bool
            Without it someone else starts a run with what is shown.
        """
        if method != self._panel.key or model != self._choice.model:
            self.show_choice(method, values, passes, model)
            if restarts and model is not None:
                self._start(replace(self._choice.current, values=self._mask.chosen))
            elif restarts:
                self._start_soon(returns=True)
        else:
            self._restore_values(values, restarts=restarts)
            if passes != self._choice.passes:
                self.passes_chosen.emit(passes)
                self.on_passes(passes)
        self.changed.emit()

    def _restore_values(self, values: Mapping[str, Value], *, restarts: bool) -> None:
        controls = {name: control for form in self._forms for name, control in form.controls.items()}
        wanted = {name: values.get(name, control.parameter.default) for name, control in controls.items()}
        changed = {name: value for name, value in wanted.items() if controls[name].value != value}
        for form in self._forms:
            form.show_values(wanted)
        live = {name: value for name, value in changed.items() if controls[name].parameter.live}
        if len(live) < len(changed) and restarts:
            self._start_soon(returns=True)
        elif live and restarts and not self._restart_timer.isActive():  # Else the run to come begins with them.
            self._worker.set_values(live)

    def on_parameter(self, parameter: Parameter, value: object) -> None:
        """Change a parameter: from the next frame on, or by a fresh start where it is fixed during a run."""
        if parameter.live:
            self._tell_model()
            self._worker.set_values({parameter.name: value})
        else:
            began = "the model is applied from the first frame on" if self.applies_model else "learning began anew"
            self._panel.show_notice(f"{parameter.title} is fixed while a run goes on: {began}.")
            self._start_soon()
        self.changed.emit()

    def on_method(self, key: str) -> None:
        """Learn anew with another method and its defaults."""
        self._leave_model()
        self._show_method(key)
        self.restart()
        self.changed.emit()

    def _show_method(self, key: str) -> None:
        from core import catalogue  # noqa: PLC0415 - imported on the worker's thread long ago

        self._panel.show_method(key)
        self._mask.setEnabled(not catalogue.row(key).makes_masks)

    def reset(self) -> None:
        """Set every parameter of method and mask back."""
        self.called.emit("Defaults")
        changed = {**self._panel.form.chosen, **self._mask.chosen}
        for form in self._forms:
            form.show_defaults()
        live = {
            name: control.parameter.default
            for form in self._forms
            for name, control in form.controls.items()
            if name in changed and control.parameter.live
        }
        if len(live) < len(changed):
            self.restart()
        else:
            self._worker.set_values(live)
        self._panel.show_preset(0)
        self.changed.emit()

    def reset_all(self) -> None:
        """Begin again as the window began: its method, every parameter at its default, one pass, no model."""
        usual = Choice()
        self.show_settings(usual.method, usual.values, usual.passes, "Defaults")

    def on_passes(self, passes: int) -> None:
        """Read the input so often."""
        self._choice.passes = passes
        self._worker.set_passes(passes)
        self.changed.emit()
