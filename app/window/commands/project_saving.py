"""A project on its way to its file: the engine adds what was learnt, between two frames."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.system.log import explain
from app.window.commands.project_changes import Work, checksum, countable
from core.errors import CleanplateError

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QImage

    from app.engine.project_files import ProjectFiles
    from app.engine.worker import Worker
    from core.project.store import Project
    from core.session.session import Session


@dataclass(frozen=True)
class Saving:
    """What a person asked to be saved.

    Attributes
    ----------
    work : Work
    number : int
        Of the work that was open then: another may be open when it is saved.
    run : int
        Of the frames that were learnt from; see `app.window.commands.project_changes.ProjectChanges.run`.
    n_learnt : int or None
        Frames that were learnt then, which only the engine knows; None where these do not count.
    lineage : int or None
        Of what was learnt then; None: nothing was.
    replaces, makes_folder : bool
        As `app.engine.project_files.ProjectFiles.save` has them.
    """

    work: Work
    number: int
    run: int
    n_learnt: int | None = None
    lineage: int | None = None
    replaces: bool = False
    makes_folder: bool = False


def save_with_learnt(
    worker: Worker, files: ProjectFiles, path: Path, project: Project, picture: QImage | None, saving: Saving | None
) -> None:
    """Let the engine add what was painted and learnt, and up to which frame, and have the project written at a path.

    So a stroke that was on its way to the engine when this was asked for is in it.

    Parameters
    ----------
    worker : Worker
    files : ProjectFiles
        It tells of the end by ``saved``, with the ``saving``, by ``held_back`` or by ``failed``.
    path : Path
    project : Project
        All that the window knows of it.
    picture : QImage or None
        Shown for the project.
    saving : Saving or None
        None: nobody has asked for it, and it is a recovery file.
    """
    import msgspec  # noqa: PLC0415 - light, but not before the window is painted

    from core.project.document import Progress  # noqa: PLC0415 - the engine is there by now

    def add(session: Session) -> None:
        n_learnt, lineage = (
            countable(session, worker.n_of_lineage),
            worker.lineage if worker.has_learnt(session) else None,
        )
        strokes, token = session.strokes.now, None
        if saving is not None:
            work = replace(saving.work, painted_sum=checksum(strokes))
            token = replace(saving, work=work, n_learnt=n_learnt, lineage=lineage)
        # A project that was opened has learnt, also where nothing has come since.
        has_learnt = session.learning and (worker.n_learnt or not session.begins_anew)
        learnt, standing = session.model() if has_learnt else None, worker.standing
        document = msgspec.structs.replace(project.document, position=worker.index, shown=worker.looked_at)
        if standing is not None:
            unused = None if learnt is None else worker.unused(session)
            progress = Progress(pass_index=standing.pass_index, is_finished=standing.is_over, unused=unused)
            document = msgspec.structs.replace(document, position=standing.index, progress=progress)
        kept = None if standing is None else standing.kept
        project_now = replace(project, document=document, painted=strokes.arrays, learnt=learnt, frame=kept)
        may = {} if saving is None else {"replaces": saving.replaces, "makes_folder": saving.makes_folder}
        files.save(project_now, path, picture, token, **may)

    def add_or_tell(session: Session) -> None:
        try:
            add(session)
        except CleanplateError as error:
            files.fail(path, str(error))
        except Exception as error:
            files.fail(path, explain(error, f"saving {path.name}"))

    def tell() -> None:
        if saving is not None:  # Else nobody waits for it, and there is another in a while.
            files.fail(path, f"{path.name} was not written: its input is not open any more; open it again, then save.")

    worker.with_session(add_or_tell, tell)
