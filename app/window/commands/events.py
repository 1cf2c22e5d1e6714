"""What moves, and when: the panel that finds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, QSize, Signal

from app.folders import folder_beside
from app.window.window_place import WindowPlace, place_beside

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.panels.banner import Banner
    from app.panels.events import EventsPanel
    from app.views.panes import PanesView
    from app.views.tools.area_board import Point
    from app.window.choice import RunChoice
    from app.window.commands.export import ExportCommands
    from app.window.commands.input import InputCommands
    from app.window.settings import Remembered
    from core.events.event import Event
    from core.events.rules import Rules
    from core.export.job_spec import Job


class EventCommands(QObject):
    """What the command "Events…" does, and what counts as an event.

    Parameters
    ----------
    choice : RunChoice
        Holds what counts: what is exported goes by it.
    export : ExportCommands
        Makes the job from what the panels show.
    input_ : InputCommands
    remembered : Remembered
        Takes note of where a person has put the panel.
    banner : Banner
    parent : QWidget
        The window beside which the panel stands.

    Attributes
    ----------
    panel : EventsPanel or None
        None until it was asked for.

    Signals
    -------
    seek_requested(int) : go to this frame, from 0
    span_chosen(tuple or None) : the first and last frame of what is chosen
    wrote(str) : events were saved; their folder
    changed() : something else counts as an event
    moved() : the panel has another place, which is remembered
    """

    seek_requested = Signal(int)
    span_chosen = Signal(object)
    wrote = Signal(str)
    changed = Signal()
    moved = Signal()

    def __init__(
        self,
        choice: RunChoice,
        export: ExportCommands,
        input_: InputCommands,
        remembered: Remembered,
        banner: Banner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._choice, self._remembered = choice, remembered
        self._export, self._input, self._banner, self._parent = export, input_, banner, parent
        self.panel: EventsPanel | None = None
        self._place: WindowPlace | None = None
        self._panes: PanesView | None = None
        input_.another_opened.connect(self._on_another)
        input_.changed.connect(self._show_rules)
        export.changed.connect(self._show_range)

    def attach(self, panes: PanesView) -> None:
        """Show and draw line and area on the panes, which are there now."""
        self._panes = panes
        panes.event_marks.drawn.connect(self._on_drawn)
        panes.event_marks.left.connect(self._on_left)
        panes.shown.connect(lambda report, _pictures: panes.event_marks.show_frame(report.frame.index))
        self._show_marks()

    def open(self) -> None:
        """Show the panel."""
        info = self._input.info_for("find events in")
        if info is None:
            return
        if info.live:
            self._banner.show_error("A camera has no end to look for events up to; export its events (Ctrl+E) instead.")
            return
        if self.panel is None:
            self.panel = self._make_panel()
            self._place = WindowPlace("events", self.panel, self._remembered, self._free_place)
            self._place.changed.connect(self.moved)
        if self._place is not None and not self.panel.isVisible():
            self._place.give()
        self.panel.show()
        self.panel.raise_()

    def _free_place(self, size: QSize, least: QSize) -> QRect:
        """Return where the panel lies beside the window, or else over no picture: people draw in these."""
        return place_beside(self._parent, self._panes, size, least)

    def shut(self) -> None:
        """End what runs."""
        if self.panel is not None:
            self.panel.shut()

    def job(self, folder: Path) -> Job:
        """Return the job that writes all that could count into a folder: the panel narrows it down.

        It finds what moves in the frames between the in and out points.
        """
        from core.events.rules import SHORTEST, Rules  # noqa: PLC0415 - the engine is there by now
        from core.project.document import ExportChoice  # noqa: PLC0415

        job = self._export.job(ExportChoice(folder=str(folder), save=("events",), written=self._export.written))
        return replace(job, rules=Rules(shortest=min(SHORTEST, self.rules.shortest)))

    @property
    def rules(self) -> Rules:
        """What counts."""
        from core.events.rules import Rules  # noqa: PLC0415 - see above

        return self._choice.events or Rules()

    def set_rules(self, rules: Rules) -> None:
        """Count by these from now on."""
        if rules != self.rules:
            self._choice.events = rules
            self._show_rules()
            self.changed.emit()

    def _make_panel(self) -> EventsPanel:
        from app.panels.events import EventsPanel  # noqa: PLC0415 - encoders take a while to import
        from core.events.rules import SHORTEST  # noqa: PLC0415

        panel = EventsPanel(
            self.job, SHORTEST, lambda: self._export.written, lambda: folder_beside(self._input.request.path),
            self._parent,
        )  # fmt: skip
        panel.show_rules(self.rules)
        panel.form.changed.connect(self._on_form)
        panel.chosen.connect(self._on_chosen)
        panel.wrote.connect(self.wrote)
        panel.marks_changed.connect(self._show_marks)
        panel.form.drawing_changed.connect(self._on_drawing)
        return panel

    def _on_another(self) -> None:
        """Forget what was found in the input that was open."""
        if self.panel is not None:
            self._show_event(None)
            self.panel.clear()

    def _on_form(self) -> None:
        """Count by what the form says; what cannot be read leaves it as it was."""
        rules = None if self.panel is None else self.panel.form.rules()[0]
        if rules is not None and rules != self.rules:
            self._choice.events = rules
            self.changed.emit()

    def _show_rules(self) -> None:
        if self.panel is not None:
            self.panel.show_rules(self.rules)

    def _show_range(self) -> None:
        if self.panel is not None:
            self.panel.show_range()

    def _show_marks(self) -> None:
        if self._panes is not None and self.panel is not None:
            self._panes.event_marks.show_marks(*self.panel.marks)
            if not self.panel.isVisible():
                self._panes.event_marks.show_event(None)

    def _on_drawing(self, what: str) -> None:
        if self._panes is not None:
            self._panes.event_marks.draw(what)

    def _on_drawn(self, what: str, points: tuple[Point, ...]) -> None:
        if self.panel is not None:
            self.panel.form.set_drawn(what, points)

    def _on_left(self) -> None:
        if self.panel is not None:
            self.panel.form.draw_no_more()

    def _on_chosen(self, event: Event) -> None:
        self._show_event(event)
        self.seek_requested.emit(event.first)

    def _show_event(self, event: Event | None) -> None:
        """Show where and when an event is seen; None: none."""
        self.span_chosen.emit(None if event is None else (event.first, event.last))
        if self._panes is not None:
            self._panes.event_marks.show_event(event)
