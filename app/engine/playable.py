"""What a player plays, and where it puts what that gives; a session and a comparison fit alike."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from app.engine.state import State
    from core.frames.frame import Frame
    from core.io.sources.base import SourceInfo
    from core.session.phase import Iteration, Phase


class Input(Protocol):
    """What is played: a source, or several that are read in step."""

    @property
    def info(self) -> SourceInfo:
        """What is known of it."""

    def close(self) -> None:
        """Release it."""


class Given(Protocol):
    """What one step gives: a report, or a turn of several."""

    @property
    def frame(self) -> Frame:
        """The frame that it is about."""

    @property
    def phase(self) -> Phase:
        """What becomes of that frame."""

    @property
    def iteration(self) -> Iteration | None:
        """The iteration of a batch method that it is, if it is one."""


InputT = TypeVar("InputT", bound=Input)
GivenT = TypeVar("GivenT", bound=Given)
GivenT_co = TypeVar("GivenT_co", bound=Given, covariant=True)
GivenT_contra = TypeVar("GivenT_contra", bound=Given, contravariant=True)


class Runnable(Protocol[GivenT_co]):
    """What gives reports, or turns of several."""

    @property
    def warnings(self) -> list[str]:
        """What was skipped or mended while reading, and what of a model is ignored."""

    def run(self) -> Generator[GivenT_co, None, None]:
        """Yield them; the generator may be closed at any time."""

    def browse(self, first: int) -> Generator[GivenT_co, None, None]:
        """Yield what frames from ``first`` on give by what is learnt so far, and learn nothing from them."""

    def seek(self, index: int) -> None:
        """Go on from another frame."""

    def go_on(self, index: int) -> None:
        """Let the next run go on with this frame where the one before was cut short: in its pass."""


# Any: Python cannot say that what is played gives just those reports that a player is for.
PlayedT = TypeVar("PlayedT", bound=Runnable[Any])
PlayedT_contra = TypeVar("PlayedT_contra", bound=Runnable[Any], contravariant=True)


class Shower(Protocol[PlayedT_contra, GivenT_contra]):
    """Where reports go."""

    def show(
        self, report: GivenT_contra, played: PlayedT_contra, /, n_learnt: int, fps: float, *, at_once: bool
    ) -> None:
        """Take what a frame gave, and what gave it.

        Parameters
        ----------
        at_once
            Show this frame whatever the time: the first one, a step, the frame at which it stops.
        """

    def look(self, report: GivenT_contra, played: PlayedT_contra, /, *, at_once: bool) -> None:
        """Take what a frame gave that teaches nothing; see `show`."""

    def flush(self, played: PlayedT_contra | None, /) -> None:
        """Show what was held back of what is played, None where that is closed."""

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often from now on."""

    def clear(self) -> None:
        """Begin anew."""


class Transport(Protocol):
    """What the loop of an engine asks of a player, whatever it plays."""

    def tell_states_to(self, listener: Callable[[State], None]) -> None:
        """Call ``listener`` with each state from now on."""

    @property
    def wait_s(self) -> float | None:
        """Seconds until a frame is due; None where none is."""

    @property
    def warnings(self) -> Sequence[str]:
        """What was skipped or mended while reading, as it now stands."""

    @property
    def n_frames(self) -> int | None:
        """How many frames the input has, as far as it is known now."""

    @property
    def going_to(self) -> int | None:
        """Number of the frame that was sought and has not come yet; may be read from any thread."""

    def advance(self) -> None:
        """Process one frame."""

    def play(self) -> None:
        """Go on."""

    def pause(self) -> None:
        """Hold after the current frame."""

    def step(self) -> None:
        """Hold, and process one frame."""

    def seek(self, index: int) -> None:
        """Show a frame."""

    def learn_on(self) -> None:
        """Go on learning where that stopped."""

    def set_loop(self, on: bool) -> None:
        """Start again at the end."""

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate."""

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures so often."""

    def set_state(self, state: State) -> None:
        """Tell of a state."""

    def tell_state(self) -> None:
        """Say what goes on now."""

    def close(self) -> None:
        """End it."""
