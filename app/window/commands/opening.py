"""Opening what a person chooses in a dialog, or drops onto the window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.window.dialogs import input_kinds
from core.io.input_spec import STREAMS, title_of
from core.project.naming import is_project

if TYPE_CHECKING:
    from app.panels.banner import Banner
    from app.window.commands.area_files import AreaFileCommands
    from app.window.commands.input import InputCommands
    from app.window.commands.method import MethodCommands
    from app.window.commands.presets import PresetCommands
    from app.window.commands.project import ProjectCommands
    from app.window.commands.queue import QueueCommands
    from app.window.dialogs import FileDialogs

MOST_NAMED = 3
"""So many files that are left out are named; of more it is told how many there are."""


class OpenCommands(QObject):
    """Opens inputs, projects, presets, areas and models.

    Parameters
    ----------
    dialogs : FileDialogs
    input_, project, presets, areas, method, queue
        Open an input, open a project, apply a preset, exclude areas, apply a model, export many inputs.
    banner : Banner
    parent : QObject
    """

    def __init__(
        self,
        dialogs: FileDialogs,
        input_: InputCommands,
        project: ProjectCommands,
        presets: PresetCommands,
        areas: AreaFileCommands,
        method: MethodCommands,
        queue: QueueCommands,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._banner = dialogs, banner
        self._input, self._project, self._presets, self._method = input_, project, presets, method
        self._areas, self._queue = areas, queue
        self._address = "rtsp://"

    def open_path(self, path: str) -> None:
        """Open a project, or an input."""
        if is_project(path):
            self._project.open(Path(path))
        else:
            self._open_input(path)

    def _open_input(self, path: str) -> None:
        """Open an input, which the project that is open is not about."""
        self._project.leave(lambda: self._input.open_path(path))

    def open_file(self) -> None:
        """Ask for a file and open it."""
        path = self._dialogs.open("Open a video, an image, a stack or a project", input_kinds())
        if path is not None:
            self.open_path(str(path))

    def open_folder(self) -> None:
        """Ask for a folder of images and open it."""
        path = self._dialogs.open_folder("Open a folder of images")
        if path is not None:
            self._open_input(str(path))

    def open_stream(self) -> None:
        """Ask for the address of a stream and connect to it."""
        asked = "Address (rtsp://, http://, https:// or udp://):"
        address = self._dialogs.line("Open a stream", asked, self._address)
        if not address:
            return
        self._address = address  # It may be wrong, or nothing may answer there.
        if address.startswith(STREAMS):
            self._open_input(address)
        else:
            self._banner.show_error(f"{address} is no address of a stream; it begins with {', '.join(STREAMS)}.")

    def open_dropped(self, paths: Sequence[str]) -> None:
        """Open what was dropped: a preset, areas, a model, a project, or an input; queue clips; name the rest.

        Parameters
        ----------
        paths : sequence of str
            Of files and folders, or addresses of streams.
        """
        clips = [path for path in paths if len(paths) > 1 and _is_clip(path)]
        if len(clips) > 1:
            self._queue.add_dropped(clips)
            self._tell_of_unqueued([path for path in paths if path not in clips])
            return
        is_ours = paths[0].lower().endswith((".json", ".npz"))
        chosen = clips[0] if clips and not is_ours else paths[0]
        first = Path(chosen)
        suffix = first.suffix.lower()
        if chosen.startswith(STREAMS):
            self._open_input(chosen)
        elif suffix == ".json":
            self._open_json(first)
        elif suffix == ".npz":
            self._method.apply_model(first)
        else:
            self.open_path(str(first))
        if sum(map(_is_image, paths)) > 1:
            self._banner.show_warning(
                f"Only {title_of(chosen)} was opened of {len(paths)} files; put images into one folder to open them "
                "together."
            )
        elif left := [path for path in paths if path != chosen]:
            self._banner.show_warning(f"Only {title_of(chosen)} was opened; {_named(left)} left out.")

    def _tell_of_unqueued(self, left: Sequence[str]) -> None:
        advice = "; put images into one folder" if any(map(_is_image, left)) else ""
        if left:
            self._banner.show_warning(
                f"{_named(left)} left out of the queue, which takes films, stacks, folders and projects{advice}."
            )

    def _open_json(self, path: Path) -> None:
        """Apply what a file of ours holds, by what stands in it; of another say that it is none."""
        from core.export.preset import holds_preset  # noqa: PLC0415 - OpenCV; the engine is there by now
        from core.session.areas_file import holds_areas  # noqa: PLC0415

        if holds_areas(path):
            self._areas.read(path)
        elif holds_preset(path):
            self._presets.apply(path)
        else:
            self._banner.show_error(
                f"{path.name} holds neither a preset nor areas; drop one of them, a model (.npz) or an input."
            )


def _is_clip(path: str) -> bool:
    """Tell whether something that was dropped is an input by itself; images may be parts of one."""
    from core.io.sources import STACK_SUFFIXES, VIDEO_SUFFIXES  # noqa: PLC0415 - decoders; the engine is there by now

    if path.startswith(STREAMS):
        return False
    return is_project(path) or path.lower().endswith((*STACK_SUFFIXES, *VIDEO_SUFFIXES)) or os.path.isdir(path)


def _is_image(path: str) -> bool:
    from core.io.sources import IMAGE_SUFFIXES  # noqa: PLC0415 - as above

    return path.lower().endswith(IMAGE_SUFFIXES)


def _named(paths: Sequence[str]) -> str:
    """Return the names of files and streams as the beginning of a sentence, such as "a.txt and b.txt were"."""
    names = [title_of(path) for path in paths[:MOST_NAMED]]
    if len(paths) > MOST_NAMED:
        names.append(f"{len(paths) - MOST_NAMED} more")
    listed = " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
    return f"{listed} {'was' if len(paths) == 1 else 'were'}"
