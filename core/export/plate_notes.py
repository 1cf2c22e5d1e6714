"""What is said of a plate at the end of a run: where it is a guess, and where there is none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FEW = 5
"""Frames: a median of so many is right where two are wrong, and what passes has then moved on in most films."""

NOTEWORTHY = 0.01
"""Part of the plate that was hardly seen, from which on that is said: what never stands still leaves such spots."""

NEARLY_ALL = 0.9995
"""From which on a share would be told as 100.0 %."""

SHOWS_PLATE = frozenset({"plate", "cleaned"})
"""Products that show the plate, also where it had to be guessed."""

NEEDS_PLATE = SHOWS_PLATE | {"confidence"}
"""Products for which the last pass keeps what a plate is made of: up to 108 MiB, and nine frames of the largest."""

TOLD_SCENES = 3
"""Scenes of which it is said what was not seen, where an input has several."""

NO_SCENE = (
    "The images seem to be different pictures and not one scene: plate and cleaned frames of such mean nothing, "
    "background and basis do."
)


class Unseen(NamedTuple):
    """How much of a scene nobody knows.

    Attributes
    ----------
    never, hardly : float
        Parts of it, 0 to 1, that were never seen, and in fewer than `FEW` of the frames kept.
    first : int
        The number of its first frame.
    """

    never: float
    hardly: float
    first: int = 1

    @property
    def is_told(self) -> bool:
        """Nothing is said where nothing was never seen, and where less than `NOTEWORTHY` was hardly seen."""
        return self.never > 0 or self.hardly >= NOTEWORTHY

    def sentence(self, scene: str, *, has_model: bool, where: str) -> str:
        """Return what is said of it; ``where`` is that to be seen, as a command or a file."""
        when = "not seen here" if has_model else "never seen"
        parts = [f"{_much(self.never)} of {scene} was {when}"] if self.never else []
        if self.hardly >= NOTEWORTHY:
            few = f"seen in fewer than {FEW} of the frames kept"
            much = _much(self.hardly)
            parts.append(f"{much[0].lower()}{much[1:]} was {few}" if self.never else f"{much} of {scene} was {few}")
        guess = "may be wrong" if not self.never else "show what the model knows" if has_model else "show a guess"
        return f"{', and '.join(parts)}: plate and cleaned frames {guess} there ({where})."


def unseen(confidence: NDArray[np.float32], n_kept: int | None, first: int = 1) -> Unseen:
    """Return how much of a scene nobody knows.

    Parameters
    ----------
    confidence : (H, W) float32
        As `core.session.session.Session.confidence` gives it.
    n_kept : int or None
        Frames of which it is a share (`core.session.scene_plate.ScenePlate.n_kept`); None: not known, so that nothing
        is said of what was hardly seen.
    first : int
        The number of its first frame.
    """
    never = float(np.mean(confidence <= 0))
    # Shares are rounded: the middle between two numbers of frames.
    hardly = 0.0 if n_kept is None else float(np.mean(confidence * n_kept < FEW - 0.5)) - never
    return Unseen(never, hardly, first)


class SeenScenes:
    """What was seen of each scene, in the order of the input; the worst of them are told.

    Attributes
    ----------
    n : int
        How many there are so far.
    """

    def __init__(self) -> None:
        self.n = self._n_told = 0
        self._told: list[Unseen] = []

    def add(self, scene: Unseen) -> None:
        """Take note of a scene."""
        self.n += 1
        if scene.is_told:
            self._n_told += 1
            worst = sorted([*self._told, scene], key=lambda one: one.never + one.hardly, reverse=True)
            self._told = sorted(worst[:TOLD_SCENES], key=lambda one: one.first)

    def notes(self, *, has_model: bool = False, saved_as: str = "") -> list[str]:
        """Return a sentence on how much of the plate was never or hardly seen, or one for each scene.

        Parameters
        ----------
        has_model : bool
            A model knows the scene from before.
        saved_as : str
            The name of the confidence of one scene; empty where it is not among the results.
        """
        several = self.n > 1
        where = f"see {'confidence-by-scene' if several else saved_as}" if saved_as else "--save confidence"
        said = [
            scene.sentence(
                f"the scene from frame {scene.first} on" if several else "the scene", has_model=has_model, where=where
            )
            for scene in self._told
        ]
        n_more = self._n_told - len(said)
        more = f"So it is with less of {n_more} more scene{'s' if n_more > 1 else ''} ({where})."
        return [*said, more] if n_more else said


def _much(share: float) -> str:
    if share == 1:
        return "All"
    if share >= NEARLY_ALL:
        return "Nearly all"
    return f"{share:.1%}".replace("%", " %") if share >= 0.001 else "Less than 0.1 %"
