"""What of the window belongs to a project: read from the panels as a document, and shown in them again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QAction, QImage

from app.engine.resume import Resume

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from app.engine.worker import Worker
    from app.views.panes import PanesView
    from app.window.choice import RunChoice
    from app.window.commands.export import ExportCommands
    from app.window.commands.input import InputCommands
    from app.window.commands.marks import MarkCommands
    from app.window.commands.method import MethodCommands
    from app.window.layout import Parts
    from app.window.panel_room import PanelRoom
    from core.io.input_spec import InputSpec
    from core.project.document import Document, WindowLayout
    from core.project.store import Project

PANELS = ("source_panel", "method_panel", "bottom_panel")


class ProjectState:
    """Reads and shows.

    Parameters
    ----------
    window : QMainWindow
    action : callable
        ``action(key)`` returns the action of a command.
    parts : Parts
    worker : Worker
    input_, method, export, marks
        Commands whose state belongs to a project.
    choice : RunChoice
    """

    def __init__(
        self,
        window: QMainWindow,
        action: Callable[[str], QAction],
        parts: Parts,
        worker: Worker,
        input_: InputCommands,
        method: MethodCommands,
        export: ExportCommands,
        marks: MarkCommands,
        choice: RunChoice,
    ) -> None:
        self._window, self._action, self._parts, self._worker = window, action, parts, worker
        self._input, self._method, self._export, self._marks = input_, method, export, marks
        self._choice = choice
        self._panes: PanesView | None = None
        self._room: PanelRoom | None = None

    def heed(self, room: PanelRoom) -> None:
        """Take panels that are hidden for want of room for shown, and hide what a project's window has no room for."""
        self._room = room

    def attach(self, panes: PanesView) -> None:
        """Read from the panes too, which are there now."""
        self._panes = panes

    def work(self) -> Document:
        """Return all that a person has set, without what only says how it is looked at."""
        from core.events.rules import Rules  # noqa: PLC0415 - the engine is there by now
        from core.project.document import Document, input_of  # noqa: PLC0415
        from core.scene.areas import Areas  # noqa: PLC0415

        choice = self._choice.current
        return Document(
            input=input_of(self._input.request, self._input.original, *self._input.declared), method=choice.method,
            values=dict(choice.values), passes=choice.passes, areas=choice.areas or Areas(),
            export=self._export.choice, markers=self._marks.markers, events=self._choice.events or Rules(),
        )  # fmt: skip

    def project(self, *, saved_as: str = "") -> Project:
        """Return the whole project, but for what only the engine knows: what was learnt, and up to which frame.

        Parameters
        ----------
        saved_as : str
            See `core.project.document.Document`.
        """
        import msgspec  # noqa: PLC0415 - light, but seldom needed

        from core.project.store import Project  # noqa: PLC0415

        document = msgspec.structs.replace(self.work(), layout=self._layout(), saved_as=saved_as)
        return Project(document, self._worker.painted, model=self._choice.model)

    def show(self, project: Project) -> InputSpec:
        """Show a project, whose input is where its path says, and let the engine go on with it; return that input."""
        from core.session.standing import Standing  # noqa: PLC0415 - the engine is there by now

        document = project.document
        self.show_work(document, project.model)
        self._show_layout(document.layout)
        spec = document.input.spec()
        choice = replace(self._choice.current, seed=spec.seed)
        progress = document.progress
        standing = Standing(document.position, progress.pass_index, progress.is_finished, project.frame)
        resume = Resume(project.painted, project.learnt, standing, document.shown, progress.unused, part=document.input)
        self._input.open_again(spec, document.input.original, choice, resume)
        return spec

    def show_work(self, document: Document, model: Path | None) -> None:
        """Show in the panels what a person has set, and the model that is applied; the engine hears nothing of it."""
        self._method.show_choice(document.method, document.settings().values, document.passes, model)
        self._choice.areas, self._choice.events = document.areas, document.events
        self._export.show_choice(document.export, document.input.path)
        self._marks.show(document.markers)

    @property
    def model(self) -> Path | None:
        """The model that is applied, if one is."""
        return self._choice.model

    def _layout(self) -> WindowLayout:
        from core.project.document import WindowLayout  # noqa: PLC0415

        upper, lower = self._parts.split.sizes()
        enlarged = -1 if self._panes is None else self._panes.enlarged
        shown = {key: self._is_wanted(key) for key in PANELS}
        geometry = self._window.saveGeometry().toHex().toStdString()
        return WindowLayout(
            geometry=geometry, split=(upper, lower), enlarged=None if enlarged < 0 else enlarged,
            panes=() if self._panes is None else self._panes.kinds, **shown,
        )  # fmt: skip

    def _is_wanted(self, key: str) -> bool:
        return self._action(key).isChecked() if self._room is None else self._room.is_wanted(key)

    def _show_layout(self, layout: WindowLayout) -> None:
        if layout.geometry and self._input.info is None:  # Else a person has the window as they want it.
            self._window.restoreGeometry(QByteArray.fromHex(layout.geometry.encode("ascii")))
        for key in PANELS:
            self._action(key).setChecked(getattr(layout, key))
        if self._room is not None:
            self._room.fit_anew(self._window.size())
        if layout.split is not None and all(layout.split):
            self._parts.split.setSizes(list(layout.split))
        if self._panes is not None:
            n_panes = len(self._panes.panes)
            self._panes.set_kinds(layout.panes)
            self._panes.set_enlarged(-1 if layout.enlarged is None or layout.enlarged >= n_panes else layout.enlarged)

    def picture(self) -> QImage | None:
        """Return a picture of what is shown, in full size; None before there are panes."""
        return None if self._panes is None else self._panes.panes[max(self._panes.enlarged, 0)].grab().toImage()
