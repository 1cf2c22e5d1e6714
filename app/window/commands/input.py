"""What is open, and the view of it that the left panel shows: whole or a region, in which size and colour."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.threads import on_own_thread
from app.panels.window_words import in_window
from core.io.input_spec import InputSpec, from_anywhere, title_of, why_too_small

if TYPE_CHECKING:
    from app.engine.choice import Choice
    from app.engine.resume import Resume
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.panels.source import SourcePanel
    from app.window.choice import RunChoice
    from app.window.settings import Remembered
    from core.io.sources.base import SourceInfo

FIRST_SAMPLE = "sample:street"

LONG_MS = 300
"""What takes longer to open is said to be on its way."""


class InputCommands(QObject):
    """Opens inputs, and knows the one that is open.

    Parameters
    ----------
    path : str or None
        Input to open; the sample of a street where there is none.
    worker : Worker
    panel : SourcePanel
    choice : RunChoice
        With what an input is opened.
    remembered : Remembered
        Takes note of what was opened.
    banner : Banner
    parent : QObject

    Attributes
    ----------
    request : InputSpec
        What is open, or will be first.
    asked : InputSpec
        What was to be opened last.
    info : SourceInfo or None
        None until something is open.
    original : (width, height)
        Of the input, before region and working size.
    declared : (int or None, float or None)
        How many frames it had when it was opened, and how many come in a second, as far as they are known.
    is_grey : bool
        The input has no colour of its own.

    Signals
    -------
    asks() : something else is to be opened now, or another view of what is open
    another_opened(bool) : another input is open, before anything else is told of it; whether it comes with earlier
        work, which the panels show already
    changed() : something else is open, or another view of it
    taken(SourceInfo, InputSpec) : the same, after all who look at what is open have heard of it
    counted() : there are more or fewer frames than it declares
    awaits_long(str) : what this calls takes long to open; empty: it is open, or cannot be
    """

    asks = Signal()
    another_opened = Signal(bool)
    changed = Signal()
    taken = Signal(object, object)
    counted = Signal()
    awaits_long = Signal(str)

    def __init__(
        self,
        path: str | None,
        worker: Worker,
        panel: SourcePanel,
        choice: RunChoice,
        remembered: Remembered,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._panel, self._choice = worker, panel, choice
        self._remembered, self._banner = remembered, banner
        self.request = self.asked = InputSpec(from_anywhere(path or FIRST_SAMPLE))
        self.info: SourceInfo | None = None
        self.original: tuple[int, int] = (0, 0)
        self.declared: tuple[int | None, float | None] = (None, None)
        self.is_grey = False
        self._region: tuple[int, int, int, int] | None = None
        self._forgets_painted = False
        self._reopened: list[InputSpec] = []
        self._awaited: InputSpec | None = None
        self._late: tuple[SourceInfo, InputSpec] | None = None
        self._view: tuple[InputSpec, tuple[int, int] | None, str] | None = None
        self._long = QTimer(self, singleShot=True, interval=LONG_MS)
        self._long.timeout.connect(self._on_long)
        panel.set_view_enabled(False)

    def open_path(self, path: str) -> None:
        """Open an input; what is shown goes on until it is open."""
        self._banner.clear()
        self.asks.emit()
        # The seed is that of the corruption, which is not taken along; nor are the areas of what is open.
        choice = replace(self._choice.current, seed=0, areas=None)
        path = from_anywhere(path)
        self._await(InputSpec(path))
        self._worker.open(self.asked, choice, kept=self._choice.kept_for(path))

    def open_again(
        self, request: InputSpec, original: tuple[int, int] | None, choice: Choice, resume: Resume, said: str = ""
    ) -> None:
        """Open an input of earlier work, with the view of it that there was, and go on with it.

        Parameters
        ----------
        request : InputSpec
        original : (width, height), optional
            Of the input, before region and working size, where that is known.
        choice : Choice
        resume : Resume
        said : str
            What a person is to know of it once it is open.
        """
        self._banner.clear()
        self._view, self._forgets_painted = (request, original, said), False
        self._await(request)
        self._worker.open(request, choice, resume=resume)

    def info_for(self, what: str) -> SourceInfo | None:
        """Return what is known of the input; where none is open, say that there is nothing to ``what`` ("export")."""
        if why_not := self.why_not(what):
            self._banner.show_error(why_not)  # A warning would stay behind the one that says why nothing is open.
            return None
        return self.info

    def why_not(self, what: str) -> str:
        """Return why nothing can be done with an input now, such as "export" it; empty where it can."""
        if self.awaits_view:
            return f"A project is being opened; {what} when it is there."
        return "" if self.info is not None else f"There is nothing to {what} yet; open an input first."

    @property
    def has_pace(self) -> bool:
        """Whether what is open can be played at its own rate, or faster."""
        return self.info is not None and bool(self.info.fps) and not self.info.live

    @property
    def awaits_view(self) -> bool:
        """Whether the panels show earlier work whose input is not there yet."""
        return self._view is not None and self._view[0] is self.asked

    @property
    def awaits_another(self) -> bool:
        """Whether another input is being opened: another view of what is open would come in its place."""
        return self._awaited is not None

    def _await(self, request: InputSpec) -> None:
        self.asked = self._awaited = request
        self._panel.set_view_enabled(False)
        self._long.start()

    def _on_long(self) -> None:
        if self._awaited is not None:
            self.awaits_long.emit(title_of(self._awaited.path))

    def _end_waiting(self) -> None:
        self._awaited = None
        self._long.stop()
        self.awaits_long.emit("")

    def reopen(self) -> None:
        """Open the same input anew with the view that the left panel shows; it is held if it was."""
        from core.errors import CleanplateError  # noqa: PLC0415

        if self.awaits_another:
            self._banner.show_error("Another input is being opened; change the view when it is there.")
            return
        self.asks.emit()
        width, height = self._region[2:] if self._region else self.original
        scale = self._panel.fit_scale(width, height)
        size = None if scale == 1 else (round(width * scale), round(height * scale))
        grey = self._panel.grey and not self.is_grey
        try:
            corruption = self._panel.corruption.corruption
            # One seed for everything random, as on the command line.
            seed = corruption.seed if corruption else 0
            request = InputSpec(
                self.request.path, grey, size, self._region, self.request.frames, corruption=corruption, seed=seed
            )
        except CleanplateError as error:
            self._banner.show_error(str(error))
            return
        self._forgets_painted, self.asked = bool(self._worker.painted), request
        self._reopened.append(request)
        self._worker.open(request, self._choice.current, play=None)

    def set_region(self, region: tuple[int, int, int, int] | None) -> None:
        """Work on a part of the picture, x, y, width and height in pixels of the input; None: on all of it."""
        if not self.awaits_another:
            self._region = region
            self._panel.show_region(region)
        self.reopen()

    def clear_region(self) -> None:
        """Work on the whole picture."""
        self.set_region(None)

    def on_region_drawn(self, x: int, y: int, width: int, height: int) -> None:
        """Work on what was drawn on the picture that is shown, which may be a region itself."""
        # Where the picture lies, not where its region was drawn: that begins at whole samples of chroma.
        left, top = (0, 0) if self.info is None else self.info.corner
        region = (left + x, top + y, width, height)
        if why_not := why_too_small(InputSpec(self.request.path, roi=region)):
            self._banner.show_error(in_window(why_not))
            return
        self.set_region(region)

    @on_own_thread
    def on_opened(self, info: SourceInfo, request: InputSpec) -> None:
        """Take note of what is open now."""
        if self.awaits_view and request is not self.asked:
            self._late = info, request  # The panels show already what comes after it.
            return
        self._late = None
        if request is self._awaited:
            self._end_waiting()
        # Not an equal request: another one may ask for the same.
        place = next((place for place, reopened in enumerate(self._reopened) if reopened is request), None)
        is_reopened = place is not None
        # What was asked for before this one does not come any more.
        self._reopened = self._reopened[place + 1 :] if place is not None else []
        view = self._view if self._view is not None and self._view[0] is request else None
        if view is not None:
            (_, original, said), self._view = view, None
            self._show_view(info, request, original)
            if said:
                self._banner.show_warning(said)
        elif not is_reopened:
            self._region = None
            self._choice.forget_drawn()
            self._panel.reset_view()
            self.original = (info.layout.width, info.layout.height)
            self.is_grey = len(info.layout.shapes) == 1
            if not request.is_sample:
                self._remembered.add_recent(request.path)
        elif self._forgets_painted:
            self._banner.show_warning(
                "What was painted by hand is forgotten: it belonged to the size, colour or region of before. "
                "Ctrl+Z brings both back."
            )
        self._forgets_painted = False
        is_another = request.path != self.request.path
        self.info, self.request = info, request
        self.declared = (None, None) if info.live else (info.n_frames, info.frames_per_s)
        if is_another:
            self.another_opened.emit(view is not None)
        self.changed.emit()
        self.taken.emit(info, request)

    @on_own_thread
    def on_not_opened(self, request: InputSpec) -> None:
        """Show the view of what is open still, where nothing else is to come."""
        if request is not self.asked:
            return
        self._view, self._forgets_painted, late = None, False, self._late
        self._end_waiting()
        self._panel.set_view_enabled(self.info is not None)
        if late is not None:
            self.on_opened(*late)
        elif self.info is not None:
            self._show_view(self.info, self.request, self.original)

    @on_own_thread
    def on_counted(self, n_frames: int | None) -> None:
        """Take note of how many frames there are: the input was read to its end."""
        if self.info is not None and self.info.n_frames != n_frames:
            self.info = replace(self.info, n_frames=n_frames)
            self.counted.emit()

    def _show_view(self, info: SourceInfo, request: InputSpec, original: tuple[int, int] | None) -> None:
        """Show how an input of earlier work is looked at."""
        from core.project.another_input import original_size  # noqa: PLC0415 - the engine is there by now

        self._region = request.roi
        self.original = original or original_size(info)
        self.is_grey = len(info.layout.shapes) == 1 and not request.grey
        width = request.region_size(self.original)[0]
        scale = 1.0 if request.size is None else request.size[0] / width
        self._panel.show_view(request.roi, scale, request.corruption, grey=request.grey)
