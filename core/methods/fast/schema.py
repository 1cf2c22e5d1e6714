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
    may_sink = layout.black > 0 and not layout.has_pedestal
    # Earlier versions let ``W`` at video levels go below black with the noise.
    light = Range(-0.5, LARGEST) if may_sink else NONNEGATIVE
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

    if may_sink:  # Where light counts from, if that is below black.
        arrays["dark"] = ArraySpec(np.float64, (1,), (Range(0, layout.black / layout.white),))

    def shows_light(state: State) -> str | None:
        dark = state["W"].size and state["W"][:, : layout.signed_from].sum(dtype=np.float64) < 0
        return "W shows less light than none" if dark else None

    return StateSchema(arrays, {"K": range(MOST_COLUMNS + 1)}, (frozenset({"dark"}),), (shows_light,))
