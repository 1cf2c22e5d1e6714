"""Opens the comparison from the main window: with its input, its method first, and its processors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QObject, Signal

from app.engine.threads import on_own_thread
from core.errors import CleanplateError
from core.session.plan import check_comparable

if TYPE_CHECKING:
    from app.compare.chosen import Chosen
    from app.compare.window import CompareWindow
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from app.window.commands.method import MethodCommands
    from app.window.commands.playback import PlaybackCommands
    from app.window.settings import Remembered
    from core.parameter import Value

RIVALS = ("opgd", "mog2", "fast")
RIVALS_FOR_IMAGES = ("opgd", "oadmm", "l21")
"""What the method of the main window is compared with at first: two of these; the same of an image set."""


class CompareCommands(QObject):
    """What the command "Compare methods…" does.

    While the comparison is open the main window holds: two of them would share the processors, and both would lie
    about speed.

    Parameters
    ----------
    worker : Worker
    input_ : InputCommands
    method : MethodCommands
        Shows the method that people choose in the comparison.
    choice : RunChoice
    playback : PlaybackCommands
        Says whether it plays.
    remembered : Remembered
    banner : Banner
    parent : QObject

    Attributes
    ----------
    window : CompareWindow or None
        None while no comparison is open.

    Signals
    -------
    can_open_changed(bool) : whether there can be a comparison: it needs the plotting library
    quit_wanted() : people want to end the program, by the keys for that in the comparison
    """

    can_open_changed = Signal(bool)
    quit_wanted = Signal()

    def __init__(
        self,
        worker: Worker,
        input_: InputCommands,
        method: MethodCommands,
        choice: RunChoice,
        playback: PlaybackCommands,
        remembered: Remembered,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._input, self._choice, self._playback = worker, input_, choice, playback
        self._method = method
        self._remembered, self._banner = remembered, banner
        self._has_plots = self._resumes = self._is_image_set = False
        self.window: CompareWindow | None = None
        playback.used.connect(self._stay)
        input_.another_opened.connect(self._stay)

    @on_own_thread
    def on_plots(self) -> None:
        """Take note that the plotting library is there."""
        self._has_plots = True
        self.can_open_changed.emit(True)

    @on_own_thread
    def on_content(self, is_image_set: bool) -> None:
        """Take note of whether the input is taken for an image set."""
        self._is_image_set = is_image_set

    def open(self) -> None:
        """Open the comparison on what is open here, or bring it to the front."""
        if self.window is not None:
            if self.window.isVisible():  # Otherwise it is just ending.
                self.window.raise_()
                self.window.activateWindow()
            return
        if not self._has_plots:
            return  # It has only just started, and nothing offers this.
        info = self._input.info_for("compare on")
        if info is None:
            return
        try:
            check_comparable(live=info.live)
        except CleanplateError as error:
            self._banner.show_error(str(error))
            return
        self._resumes = self._playback.is_playing or self._playback.is_preparing
        self._worker.pause()
        self.window = self._make_window()
        self.window.method_wanted.connect(self._use)
        self.window.quit_wanted.connect(self.quit_wanted)
        self.window.closed.connect(self._on_closed)
        self.window.show()

    def _make_window(self) -> CompareWindow:
        from app.compare.chosen import Chosen  # noqa: PLC0415 - the engine comes with it
        from app.compare.window import CompareWindow  # noqa: PLC0415 - the plotting library comes with it

        choice, mask = self._choice.current, self._mask_values()
        own = {name: value for name, value in choice.values.items() if name not in mask}
        offered = RIVALS_FOR_IMAGES if self._is_image_set else RIVALS
        rivals = [key for key in offered if key != choice.method][:2]
        return CompareWindow(
            self._input.request, [Chosen(choice.method, own), *map(Chosen, rivals)], mask, seed=choice.seed,
            areas=choice.areas, passes=choice.passes, real_time=self._remembered.real_time,
            is_image_set=self._is_image_set,
        )  # fmt: skip

    def _mask_values(self) -> dict[str, Value]:
        """Return what of the values in force is of the mask, which all methods share."""
        from core import catalogue  # noqa: PLC0415 - the engine is there by now

        names = {parameter.name for parameter in (*catalogue.MASK_PARAMETERS, *catalogue.CLEANING_PARAMETERS)}
        return {name: value for name, value in self._choice.current.values.items() if name in names}

    def _use(self, chosen: Chosen, passes: int) -> None:
        """Go on here with a method of the comparison, and learn, as it did there; what is in force goes on as it is."""
        now, values = self._choice.current, {**self._mask_values(), **chosen.values}
        if (now.method, now.values, now.passes, now.model) != (chosen.method, values, passes, None):
            self._method.show_settings(chosen.method, values, passes)

    @property
    def is_compiling(self) -> bool:
        """Whether its engine waits for kernels that are being compiled."""
        return self.window is not None and self.window.worker.is_compiling

    def shut(self) -> None:
        """Close it: the main window is closing."""
        self._resumes = False
        if self.window is not None:
            self.window.close()

    def wait(self, deadline: QDeadlineTimer) -> None:
        """Wait for its end, until a deadline."""
        if self.window is not None:
            self.window.wait(deadline)

    def _stay(self) -> None:
        """Leave the main window at its end as it is: a person has played or held it, or opened another input there."""
        self._resumes = False

    def _on_closed(self) -> None:
        if self.window is not None:
            self.window.wait()  # The thread has said that it ends, which takes it a moment.
            self.window.deleteLater()
            self.window = None
        if self._resumes:
            self._worker.play()
