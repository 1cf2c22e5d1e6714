"""Shows what is known of the input that is open: in the left panel, top bar, timeline, title and its pane."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.views.panes import PanesView
    from app.views.timeline import Timeline
    from app.window.commands.input import InputCommands
    from app.window.commands.project import ProjectCommands
    from app.window.layout import Parts
    from core.io.input_spec import InputSpec
    from core.io.sources.base import SourceInfo


class InputDisplay(QObject):
    """Shows the input.

    Parameters
    ----------
    input_ : InputCommands
        Whose ``changed`` and ``counted`` this follows.
    project : ProjectCommands
        Likewise.
    parts : Parts
    timeline : Timeline
    panes : PanesView
        Say that an input is open until its first frame is there.
    window : QWidget
        Whose title names the input.
    """

    def __init__(
        self, input_: InputCommands, project: ProjectCommands, parts: Parts, timeline: Timeline, panes: PanesView,
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._input, self._project, self._parts, self._timeline = input_, project, parts, timeline
        self._panes, self._window = panes, window
        input_.changed.connect(self.show_input)
        input_.counted.connect(self.show_input)
        project.changed.connect(self.show_title)
        self.show_input()

    def show_input(self) -> None:
        """Show what is known of the input, where one is open."""
        info, request = self._input.info, self._input.request
        if info is None:
            return
        kind = kind_words(request, info)
        source = self._parts.source
        source.set_view_enabled(not self._input.awaits_another)
        source.show_kind(kind)
        source.show_source(info, original=self._input.original, is_grey=self._input.is_grey)
        self.show_title()
        self._panes.say_of_input(on_the_way(info))
        self._timeline.set_range(info.n_frames, info.frames_per_s, info.live)
        self._parts.speed.setEnabled(self._input.has_pace)

    def show_title(self) -> None:
        """Name the input, and the project with a mark where it has changes that are not saved."""
        info, request, project = self._input.info, self._input.request, self._project
        if info is None:
            return
        shown = f"{info.title} · {kind_words(request, info).lower()}" if request.is_sample else info.title
        if project.path is None:
            self._window.setWindowModified(False)
            self._window.setWindowTitle(f"{info.title} — Cleanplate")
            self._parts.top.show_title(shown)
            return
        name, title = (text.replace("[*]", "[*][*]") for text in (project.path.name, info.title))
        self._window.setWindowTitle(f"{name}[*] — {title} — Cleanplate")
        self._window.setWindowModified(project.is_modified)
        self._parts.top.show_title(f"{project.path.name}{' *' if project.is_modified else ''} · {shown}")


def on_the_way(info: SourceInfo) -> str:
    """Return what the input's pane says until there is a frame."""
    return f"{info.title} is open; its first frame is on the way"


def kind_words(request: InputSpec, info: SourceInfo) -> str:
    """Return what kind of input is open, in a word or two."""
    if request.is_sample:
        return "Sample"
    if info.live:
        from core.io.input_spec import CAMERA  # noqa: PLC0415

        return "Camera" if request.path.startswith(CAMERA) else "Stream"
    return _kind_of_path(request.path)


@lru_cache(maxsize=1)
def _kind_of_path(path: str) -> str:
    """Return what the file or folder is that is open; it is looked at once, for its drive may go."""
    from core.io.sources import file_kind  # noqa: PLC0415 - decoders; imported by the time that an input is open

    return "Image folder" if os.path.isdir(path) else file_kind(Path(path)).title
