"""Reads and writes projects on a thread of its own: what was learnt may take long to write, and the window goes on."""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, Signal
from PySide6.QtGui import QImage

from app.system.log import explain
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.project.revision import Revision
    from core.project.store import Project

PICTURE_WIDTH = 320
"""Of the small picture that a project is known by, pixels."""

PATIENCE_S = 30.0
"""How long to wait at the end for what is being written."""


class _Read(NamedTuple):
    """What was read at a path: which document, and when it was written, ns."""

    revision: Revision
    written_ns: int


class FolderGoneError(CleanplateError):
    """The folder that a project was opened from is there no more: it was moved, renamed or taken away."""


class ProjectFiles(QObject):
    """Does one thing after the other, in the order in which it was asked for; every method is for any thread.

    Signals
    -------
    loaded(Path, Project, CleanplateError or None) : a project was read, and its places are those of now; with why its
        input is at none (`MissingInputError`, `StreamInputError`)
    saved(Path, object) : a project was written, with the token that it was given
    failed(Path, str) : one sentence; what is on the disk is as before
    held_back(Path, object, CleanplateError) : a project was not written, with its token and why: it was changed
        elsewhere (`ChangedElsewhereError`), or its folder is gone (`FolderGoneError`)
    """

    loaded = Signal(object, object, object)
    saved = Signal(object, object)
    failed = Signal(object, str)
    held_back = Signal(object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self._waiting: queue.SimpleQueue[tuple[Path, Callable[[], None]] | None] = queue.SimpleQueue()
        self._lock, self._busy = threading.Lock(), Counter[Path]()
        self._read: dict[Path, _Read] = {}
        self._known: dict[Path, Revision] = {}
        self._thread = threading.Thread(target=self._run, name="projects", daemon=True)
        self._thread.start()

    def is_busy(self, path: Path) -> bool:
        """Tell whether something that was asked for of this path is not done yet."""
        with self._lock:
            return self._busy[path] > 0

    def load(self, path: Path) -> None:
        """Read a project."""
        self._ask(path, partial(self._load, path))

    def save(
        self,
        project: Project,
        path: Path,
        picture: QImage | None = None,
        token: object = None,
        *,
        replaces: bool = True,
        makes_folder: bool = True,
    ) -> None:
        """Write a project, with a small one of a picture of any size.

        Parameters
        ----------
        project : Project
        path : Path
        picture : QImage or None
        token : object
            Comes back with what is emitted; None: this is a recovery file.
        replaces : bool
            Whatever is there. Else only what was opened or saved there last: see ``held_back``.
        makes_folder : bool
            The folder is made where there is none; else see ``held_back``.
        """
        self._ask(path, partial(self._save, project, path, picture, token, replaces, makes_folder))

    def remove(self, path: Path) -> None:
        """Remove a recovery file and what belongs to it, but for models beside it that the window may return to."""
        self._ask(path, partial(self._remove, path))

    def fail(self, path: Path, sentence: str) -> None:
        """Tell that a project could not be made ready to be written: see ``failed``."""
        self.failed.emit(path, sentence)

    def take_as_known(self, path: Path, left: Path | None = None) -> None:
        """Take what was read at a path for what is open: it may be saved over.

        With ``left``, a recovery file was read instead, and what lies at the path may be saved over if it is older.
        """
        self._ask(path, partial(self._take_as_known, path, left))

    def shut(self) -> None:
        """Do what was asked for before, and end."""
        self._waiting.put(None)
        self._thread.join(PATIENCE_S)

    def _ask(self, path: Path, action: Callable[[], None]) -> None:
        with self._lock:
            self._busy[path] += 1
        self._waiting.put((path, action))

    def _run(self) -> None:
        while (asked := self._waiting.get()) is not None:
            path, action = asked
            try:
                action()
            except CleanplateError as error:
                self.failed.emit(path, str(error))
            except Exception as error:
                self.failed.emit(path, explain(error, f"reading or writing {path.name}"))
            finally:
                with self._lock:
                    self._busy[path] -= 1

    def _load(self, path: Path) -> None:
        from core.project.revision import UNKNOWN, revision_at  # noqa: PLC0415
        from core.project.store import load_project, tidy_project  # noqa: PLC0415 - numba takes a second

        read = _Read(
            revision_at(path) or UNKNOWN, _written_ns(path)
        )  # First: what is saved there meanwhile is another.
        project = load_project(path)
        tidy_project(path, project.document)
        self._read[path] = read
        self.loaded.emit(path, *_as_it_lies_now(path, project))

    def _take_as_known(self, path: Path, left: Path | None) -> None:
        from core.project.revision import UNKNOWN, revision_at  # noqa: PLC0415

        if left is None:
            self._known[path] = self._read[path].revision
        else:
            is_older = _written_ns(path) <= self._read[left].written_ns
            self._known[path] = (is_older and revision_at(path)) or UNKNOWN

    def _save(
        self, project: Project, path: Path, picture: QImage | None, token: object, replaces: bool, makes_folder: bool
    ) -> None:
        from core.project.revision import ChangedElsewhereError, revision_of  # noqa: PLC0415
        from core.project.store import save_project, tidy_project  # noqa: PLC0415

        project = project if picture is None else replace(project, picture=_small(picture))
        try:
            if not makes_folder and not path.parent.is_dir():
                raise FolderGoneError(f"The folder of {path.name} is gone ({path.parent}); save it elsewhere.")
            document = save_project(project, path, None if replaces else self._known.get(path))
        except (ChangedElsewhereError, FolderGoneError) as error:
            self.held_back.emit(path, token, error)
            return
        self._known[path] = revision_of(document)
        if token is None and path not in self._read:  # A recovery file: nobody returns to models that lie beside it.
            tidy_project(path, document)
        self.saved.emit(path, token)

    def _remove(self, path: Path) -> None:
        from core.project.store import remove_project  # noqa: PLC0415

        if path in self._read:
            path.unlink(missing_ok=True)
        else:
            remove_project(path)


def _as_it_lies_now(path: Path, project: Project) -> tuple[Project, CleanplateError | None]:
    """Return a project with its places as they are now, and why its input is at none."""
    import msgspec  # noqa: PLC0415

    from core.project.places import MissingInputError, StreamInputError, found, found_export  # noqa: PLC0415

    part, missing = project.document.input, None
    try:
        part = found(part, path)
    except (MissingInputError, StreamInputError) as error:
        missing = error
    export = found_export(project.document.export, path)
    return replace(project, document=msgspec.structs.replace(project.document, input=part, export=export)), missing


def _written_ns(path: Path) -> int:
    """Return when a file was written; 0 where that is not known."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _small(picture: QImage) -> bytes:
    """Return a picture reduced, as PNG."""
    packed = QByteArray()
    buffer = QBuffer(packed)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    smooth = Qt.TransformationMode.SmoothTransformation
    picture.scaledToWidth(PICTURE_WIDTH, smooth).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(packed.data())
