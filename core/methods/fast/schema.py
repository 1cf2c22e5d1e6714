"""What the fast method saves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.frames.frame import Layout
from core.parameter import Value
from core.state_schema import COUNT, LARGEST, NONNEGATIVE, NONNEGATIVE_SUMS, SUMS, ArraySpec, Range, State, StateSchema

MOST_COLUMNS = 50
"""The highest rank, not that of the values at hand: one that has just been set holds from the next frame on."""


def fast_schema(layout: Layout, _values: Mapping[str, Value]) -> StateSchema:
    """Return what a `core.methods.fast.nmf.Fast` saves; no columns where it has seen nothing."""
    F = layout.n_values
    # At video levels noise goes below black, and light counts from there.
    light = Range(-0.5, LARGEST) if layout.black and not layout.has_pedestal else NONNEGATIVE
    grain, rank = Range(0, LARGEST, or_infinite=True), Range(1, MOST_COLUMNS, is_whole=True)
    arrays = {
        "W": ArraySpec(np.float32, ("K", F), (light,), signed_from=layout.signed_from),
        "B": ArraySpec(np.float32, ("K", F), (SUMS,)),
        "A": ArraySpec(np.float64, ("K", "K"), (NONNEGATIVE_SUMS,)),
        "h": ArraySpec(np.float64, ("K",), (NONNEGATIVE,)),
        "usage": ArraySpec(np.float64, ("K",), (NONNEGATIVE_SUMS,)),
        # Noise, grain, frames seen, the weight of them, and the rank from the next one on.
        "scalars": ArraySpec(np.float64, (5,), (NONNEGATIVE, grain, COUNT, NONNEGATIVE, rank)),
    }

    def shows_light(state: State) -> str | None:
        dark = state["W"].size and state["W"][:, : layout.signed_from].sum(dtype=np.float64) < 0
        return "W shows less light than none" if dark else None

    return StateSchema(arrays, {"K": range(MOST_COLUMNS + 1)}, agreements=(shows_light,))
