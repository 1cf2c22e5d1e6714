"""Areas that people exclude while a session runs."""

from __future__ import annotations

from core.scene.areas import Areas
from core.session.iterating_thread import IteratingThread
from core.session.report import Report
from core.session.scene_parts import SceneParts


class LiveAreas:
    """Changes areas, for the thread that iterates, between two frames; checked.

    Parameters
    ----------
    thread : IteratingThread
    parts : SceneParts
        Of them the state of areas, and the last frame, which they are shown on.
    """

    def __init__(self, thread: IteratingThread, parts: SceneParts) -> None:
        self._thread, self._state, self._last = thread, parts.areas, parts.last

    @property
    def now(self) -> Areas:
        """What is excluded from the next frame on."""
        self._thread.check()
        return self._state.areas

    def set(self, areas: Areas) -> Report | None:
        """Exclude these areas and no others from the next frame on; nothing that was learnt changes.

        Returns
        -------
        Report or None
            The last one, looked at again.

        Raises
        ------
        CleanplateError
            They are for an input of another size.
        """
        self._thread.check()
        self._state.set(areas)
        return self._last.look_again()
