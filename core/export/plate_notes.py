"""What is said of a plate at the end of a run: where it is a guess, and where there is none."""

from __future__ import annotations

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

NO_SCENE = (
    "The images seem to be different pictures and not one scene: plate and cleaned frames of such mean nothing, "
    "background and basis do."
)


def never_seen(
    confidence: NDArray[np.float32], n_kept: int | None, *, has_model: bool = False, is_saved: bool = False
) -> list[str]:
    """Return a sentence on how much of the plate was never or hardly seen.

    None of them where nothing was never seen, and where less than `NOTEWORTHY` was hardly seen.

    Parameters
    ----------
    confidence : (H, W) float32
        As `core.session.session.Session.confidence` gives it.
    n_kept : int or None
        Frames of which it is a share (`core.session.session.Session.n_kept`); None: not known, so that nothing is said
        of what was hardly seen.
    has_model : bool
        A model knows the scene from before.
    is_saved : bool
        The confidence is among the results, where the sentence can point at it.
    """
    never = float(np.mean(confidence <= 0))
    # Shares are rounded: the middle between two numbers of frames.
    hardly = 0.0 if n_kept is None else float(np.mean(confidence * n_kept < FEW - 0.5)) - never
    when = "not seen here" if has_model else "never seen"
    parts = [f"{_much(never)} of the scene was {when}"] if never else []
    if hardly >= NOTEWORTHY:
        few = f"seen in fewer than {FEW} of the frames kept"
        much = _much(hardly)
        parts.append(f"{much[0].lower()}{much[1:]} was {few}" if never else f"{much} of the scene was {few}")
    guess = "may be wrong" if not never else "show what the model knows" if has_model else "show a guess"
    where = "see confidence.png" if is_saved else "--save confidence"
    return [f"{', and '.join(parts)}: plate and cleaned frames {guess} there ({where})."] if parts else []


def _much(share: float) -> str:
    if share == 1:
        return "All"
    if share >= NEARLY_ALL:
        return "Nearly all"
    return f"{share:.1%}".replace("%", " %") if share >= 0.001 else "Less than 0.1 %"
