"""The results of one run: written out of sight, and all under their names at once."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from core.errors import CleanplateError
from core.io.publishing.durable import sync_all_beside, sync_file
from core.io.publishing.journal import Stamp, refuse_if_changed, stamp
from core.io.publishing.ownership import LIST, Ownership
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import RunFolder, claimed_in, folder_lock, recover_locked


class Transaction:
    """Begin it before anything is written, then `publish`, and `end` it in any case.

    ::

        begin: lock │ tidy up │ check │ make .cleanplate-1f0c9a3e/{lock,names,new,old} │ unlock
        publish: have new/ on the disk │ lock │ check │ write the journal │ each old result to old/, each new one from
                 new/ to its name │ remove the journal: complete │ remove the folder │ unlock

    The next run undoes all of a run that was killed while there was a journal, and only removes the folder where there
    was none. It is so after a power cut too: the old results go when the new ones and their names are on the disk.

    Parameters
    ----------
    folder : Path
        Of the results; must be there.
    finals : sequence of Path
        What the results may be called, in that folder.
    overwrite : bool
        Replace results of earlier runs.

    Attributes
    ----------
    new : Path
        Where to write the results, each under its own name.

    Raises
    ------
    CleanplateError
        The folder cannot be written, or another run is about to use one of the names.
    """

    def __init__(self, folder: Path, finals: Sequence[Path], *, overwrite: bool) -> None:
        self._folder, self._overwrite = folder, overwrite
        with writing(folder), folder_lock(folder):
            recover_locked(folder)
            names, claimed = [final.name for final in finals], claimed_in(folder)
            if taken := next((name for name in names if name in claimed), ""):
                raise CleanplateError(
                    f"Another run is writing {taken} into {folder}; wait for its end, or choose another folder."
                )
            self._before = {final: stamp(final) for final in finals}
            self._run = RunFolder.claim(folder, names)
        self.new = self._run.new

    def publish(self, begin: Callable[[], None], unused: Collection[Path] = (), kept: Collection[Path] = ()) -> None:
        """Give all results their names, or none.

        Parameters
        ----------
        begin : callable
            Called when everything is ready, and nobody else publishes here: the last moment to raise.
        unused : collection of Path
            Names that no result has after all: what an earlier run has left there goes.
        kept : collection of Path
            Names of results that could not be completed: what an earlier run has left there stays.

        Raises
        ------
        CleanplateError
            One of the names is taken, or the disk refuses; everything is as before.
        """
        used = [final for final in self._before if final not in unused and final not in kept]
        with writing(self._folder):
            self._sync(used)  # It takes what the disk takes; others need not wait for that.
        with writing(self._folder), folder_lock(self._folder):
            begin()
            ours = Ownership(self._folder)
            going = {final for final, before in self._before.items() if before is not None and final in unused}
            placed = {final: before for final, before in self._before.items() if final in used or final in going}
            for final, before in placed.items():
                self._check(final, before, ours)
            if ours.note(self.new, [final.name for final in used]):
                placed[self._folder / LIST] = stamp(self._folder / LIST)
                sync_file(self.new / LIST)
            journal = self._run.journal
            journal.write({final.name: before for final, before in placed.items()})
            try:
                for final, before in placed.items():
                    with writing(final):
                        (journal.take_away if final in going else journal.place)(final.name, before)
                journal.complete()
            except BaseException:
                self._take_back()
                raise
            self.end()

    def end(self) -> None:
        """Remove what was not published; what cannot be removed now is left to the next run."""
        with contextlib.suppress(OSError, CleanplateError):
            self._run.settle()
        self._run.release()

    def _sync(self, used: Sequence[Path]) -> None:
        """Have the results on the disk; for those of many files that is one call."""
        results = [self.new / final.name for final in used]
        if any(result.is_dir() for result in results):
            sync_all_beside(self.new)
            return
        for result in results:
            sync_file(result)

    def _take_back(self) -> None:
        try:
            self._run.journal.undo()
        except (OSError, CleanplateError) as error:
            raise CleanplateError(
                f"The results could not get their names in {self._folder}, and not all of what was there could be put "
                f"back; cleanplate doctor {self._folder} does it when the disk can be written again."
            ) from error

    def _check(self, final: Path, before: Stamp | None, ours: Ownership) -> None:
        if before is None or not self._overwrite:
            refuse_if_changed(final, None)
            return
        refuse_if_changed(final, before)
        if reason := ours.why_kept(final):
            raise CleanplateError(reason)
