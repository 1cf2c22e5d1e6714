"""What another input begins with: each kind has its own method, parameters and passes, and it is said what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.choice import Choice, InputKind, kind_of
from app.engine.threads import on_own_thread
from app.window.kept_words import kept_words

if TYPE_CHECKING:
    from app.panels.method import MethodPanel
    from app.panels.parameters import ParameterForm
    from app.window.choice import RunChoice
    from app.window.commands.method import MethodCommands
    from core.io.input_spec import InputSpec
    from core.io.sources.base import SourceInfo

PLURALS: Mapping[InputKind, str] = {"scene": "videos", "images": "image sets"}
"""What inputs are called for people."""


class KindSettings(QObject):
    """Shows what a run has begun with where another input is open, and says what of it is not the defaults.

    Parameters
    ----------
    choice : RunChoice
        Keeps what was chosen for each kind.
    method : MethodCommands
        Shows it.
    panel : MethodPanel
    mask : ParameterForm
        What there is to choose.
    parent : QObject

    Signals
    -------
    told(str) : a sentence: settings are others, though nobody has changed them
    kept(str) : a sentence: another input is open, and settings are not the defaults
    kept_no_more(str) : the settings that this sentence speaks of are others by now
    """

    told = Signal(str)
    kept = Signal(str)
    kept_no_more = Signal(str)

    def __init__(
        self,
        choice: RunChoice,
        method: MethodCommands,
        panel: MethodPanel,
        mask: ParameterForm,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._choice, self._method, self._panel = choice, method, panel
        self._forms = (panel.form, mask)
        self._kept: tuple[str, Choice] | None = None
        method.changed.connect(self._look_at_kept)

    @on_own_thread
    def on_opened(self, info: SourceInfo, request: InputSpec) -> None:
        """Show what the run of an input has begun with."""
        shown, kind = self._choice.current, kind_of(info)
        takes_along = self._choice.is_offered(request.path)
        own = self._choice.turn_to(kind, request.path)
        if own is not None and (own.method, own.values, own.passes) != (shown.method, shown.values, shown.passes):
            self._method.show_choice(own.method, own.values, own.passes, None)
            self._method.changed.emit()
            again = f"Method, parameters and passes are again those of {PLURALS[kind]}"
            if not self._tell_kept(again):
                self.told.emit(f"{again}.")
        elif takes_along:
            self._tell_kept("Settings of the last input are kept")

    def _tell_kept(self, lead: str) -> bool:
        """Tell which settings are not the defaults; False where all are."""
        parameters = {n: control.parameter for form in self._forms for n, control in form.controls.items()}
        sentence = kept_words(lead, self._choice.current, self._panel.chooser.currentText(), parameters)
        if sentence:
            self._kept = sentence, self._choice.current
            self.kept.emit(sentence)
        return bool(sentence)

    def _look_at_kept(self) -> None:
        """Tell once the settings that were kept have been changed."""
        if self._kept is None:
            return
        (sentence, then), now = self._kept, self._choice.current
        if (now.method, now.values, now.passes, now.model) != (then.method, then.values, then.passes, then.model):
            self._kept = None
            self.kept_no_more.emit(sentence)
