"""What a method is, and a row of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.frames.split import Split
from core.nmf.encoders.base import Encoding
from core.parameter import Parameter, Value
from core.state_schema import StateSchema


class WarmUp(NamedTuple):
    """How far a method's start is: its first ``n_done`` of ``n_frames`` frames were seen."""

    n_done: int
    n_frames: int


class Method(Protocol):
    """A factorization that learns from one vector after another."""

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K) in units such that ``W @ h`` is a vector in units of white. A view: copy to keep."""

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""

    @property
    def automatic(self) -> Mapping[str, float]:
        """What stands at present for parameters that are automatic, by name; without those that it cannot tell of."""

    @property
    def warming(self) -> WarmUp | None:
        """How far its start is; None where it has none, or it is over."""

    @property
    def scene_began(self) -> int | None:
        """How many vectors before that of the last step another scene began; None: it went on, if it can tell."""

    def step(self, v: Vector) -> Split:
        """Learn from a vector and split it with the dictionary as it was before.

        Parameters
        ----------
        v : (F,)
            Samples as decoded (integers), or float32 in units of white.
        """

    def transform(self, v: Vector) -> Split:
        """Split a vector; learn nothing."""

    def look(self, v: Vector) -> Split:
        """Split a vector out of its turn: what is learnt later is the same, to the last bit, as if nobody had."""

    def exclude_pixels(self, foreground: NDArray[np.uint8]) -> None:
        """Let the pixels that are not 0 in ``foreground`` (H, W) teach nothing, until told otherwise.

        It is kept as it is: nobody writes to it again.
        """

    def overwrite_background(self, v: Vector, where: NDArray[np.bool_]) -> None:
        """Take a vector (F,) as background at the values ``where`` (F,), as if it had been seen there for long."""

    def set(self, name: str, value: Value) -> None:
        """Change a live parameter; takes effect at the next step."""

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays that `load` needs to go on; copies."""

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state of the same layout, which fits the schema of the method's row."""

    @property
    def as_batch(self) -> BatchMethod | None:
        """The method itself, where it learns from a set of frames that are gathered first; None where it does not."""

    @property
    def as_mini_batch(self) -> MiniBatchMethod | None:
        """The method itself, where it can learn from a mini-batch at once; None where it cannot."""


@dataclass(frozen=True)
class Improvement:
    """What one iteration gave.

    Attributes
    ----------
    split : Split
        Of the sample that was to be shown.
    objective : float
        Mean over the samples.
    iteration, n_iterations : int
        Which one this was, from 1, of how many at most.
    finished : bool
        It was the last one.
    """

    split: Split
    objective: float
    iteration: int
    n_iterations: int
    finished: bool


class BatchMethod(Method, Protocol):
    """A factorization of a bounded set of samples: `step` or `gather` fills the set, `improve` is one iteration."""

    @property
    def numbers(self) -> list[int]:
        """Which of the samples that came, from 0, are in the set."""

    @property
    def capacity(self) -> int:
        """How many samples the set holds at most."""

    @property
    def is_full(self) -> bool:
        """True when the next sample that is kept drives others out."""

    @property
    def finished(self) -> bool:
        """True when the set was learnt from to the end and no value has changed since, or a learnt model was loaded."""

    def gather(self, V: NDArray[np.float32]) -> None:
        """Keep samples (n, F) float32, one a row, units of white, for the set."""

    def improve(self, shown: int = 0) -> Improvement:
        """Do one iteration over the whole set; the split returned is of sample ``shown`` of the set, from 0.

        Raises
        ------
        CleanplateError
            Nothing was gathered.
        """

    def fit(self) -> list[float]:
        """Iterate to the end; return the objective after each iteration."""

    def encoding(self) -> Encoding:
        """Return what the factors as they are make of the whole set, in the order of `numbers`."""

    def transform_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; learn nothing."""


class MiniBatchMethod(Method, Protocol):
    """A factorization that can learn from several samples at once, on matrices."""

    @property
    def n_together(self) -> int:
        """How many of the next vectors `step_together` may take at once: 1 where frames show one scene.

        What the mini-batch lacks, for an image set: until then the dictionary stays as it is.
        """

    def step_together(self, vectors: Sequence[Vector]) -> list[Split]:
        """Do what `Method.step` does to each of ``n_together`` vectors at most, all encoded together.

        The splits are those of one by one, but for what a method learns from sample to sample beside its dictionary,
        such as the scale of the noise, and where the solver stops; the objective of each is their mean.
        """

    def step_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; only then learn from them, as from one mini-batch.

        `step` does the same to as many vectors one by one.
        """

    def learn_waiting(self) -> None:
        """Learn from the samples that wait for their mini-batch to be complete, as from a smaller one."""

    def transform_batch(self, V: NDArray[np.float32]) -> Encoding:
        """Encode samples (n, F) float32, one a row, units of white; learn nothing."""


class FrameByFrame:
    """Part of methods that learn from one vector after another, unless they say otherwise."""

    def look(self: Method, v: Vector) -> Split:
        """Split a vector out of its turn; `Method.transform` changes nothing."""
        return self.transform(v)

    @property
    def automatic(self) -> Mapping[str, float]:
        """Nothing that could be told of."""
        return {}

    @property
    def scene_began(self) -> int | None:
        """None: it knows nothing of scenes."""
        return None

    @property
    def as_batch(self) -> BatchMethod | None:
        """None: it gathers no set."""
        return None

    @property
    def as_mini_batch(self) -> MiniBatchMethod | None:
        """None: it learns from no mini-batch at once."""
        return None


class Unguided(FrameByFrame):
    """Part of methods that learn as their papers say, whatever a mask finds."""

    @property
    def warming(self) -> WarmUp | None:
        """No start to be waited for."""
        return None

    def exclude_pixels(self, foreground: NDArray[np.uint8]) -> None:
        """Do nothing: outliers are the method's own affair."""

    def overwrite_background(self, v: Vector, where: NDArray[np.bool_]) -> None:
        """Do nothing: the background is what the method learns."""


@dataclass(frozen=True)
class MethodRow:
    """One row of the catalogue.

    Attributes
    ----------
    key, title, paper : str
        Name on the command line, name for people, and where it comes from.
    summary : str
        One plain sentence.
    parameters : tuple of Parameter
        Those that the method itself reads.
    build : callable
        ``build(layout, values, seed)`` makes a fresh method; ``values`` holds every parameter.
    schema : callable
        ``schema(layout, values)`` tells what such a method saves, whatever it has learnt: what `Method.load` is
        given is held against this first, and trusted then.
    kind : str
        Under what it is listed: ``"online"``, ``"batch"``, or ``"reference"`` where it is no factorization. What is
        done with it follows from the attributes below and from the method itself, never from this.
    makes_masks : bool
        It makes its own masks: its splits come with them, and nothing that the mask stage finds touches what it learns.
    for_video : bool
        Made for one scene that changes with time: it works in the planes that video decodes to, chroma counting from
        neutral, and goes on learning in the last pass. Others see colour as RGB, and what earlier passes learnt is
        applied to all frames alike in the last one.
    aligned : bool
        Frames of a camera that shakes are aligned with the scene before the method sees them; the catalogue offers the
        parameter of it with the method's own.
    suits : str
        What it is for, a sentence, where its masks of video are not what people would choose it for.
    departures : tuple of str
        Where it differs from its paper by default, a sentence each; those of a parameter begin with its name.
    """

    key: str
    title: str
    paper: str
    summary: str
    parameters: tuple[Parameter, ...]
    build: Callable[[Layout, Mapping[str, Value], int], Method] = field(repr=False)
    schema: Callable[[Layout, Mapping[str, Value]], StateSchema] = field(repr=False)
    kind: Literal["online", "batch", "reference"] = "online"
    makes_masks: bool = False
    for_video: bool = False
    aligned: bool = False
    suits: str = ""
    departures: tuple[str, ...] = ()

    def defaults(self) -> dict[str, Value]:
        """Return the default of every parameter of the method itself."""
        return {p.name: p.default for p in self.parameters}
