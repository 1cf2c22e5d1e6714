"""What an engine is doing, in the words of the status bar."""

from __future__ import annotations

import enum


class State(enum.Enum):
    """What goes on, in the words of the status bar."""

    PREPARING = "Preparing…"
    IDLE = "Nothing is open"
    OPENING = "Opening…"
    LEARNING = "Learning"
    APPLYING = "Applying the model"
    LOOKING = "Showing, not learning"
    WAITING = "Waiting for pictures"
    PAUSED = "Paused"
    STOPPED = "Stopped"
    FINISHED = "Finished"

    @property
    def is_playing(self) -> bool:
        """Whether one frame comes after the other, as far as any come."""
        return self in (State.LEARNING, State.APPLYING, State.LOOKING, State.WAITING)

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes by itself."""
        return self in (State.FINISHED, State.IDLE)
