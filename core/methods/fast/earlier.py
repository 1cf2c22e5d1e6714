"""What earlier versions of the fast method saved, as it is saved now."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.methods.fast.state import by_first, prior
from core.nmf.initialisation import shaded_dictionary


def counted_from_dark(state: Mapping[str, NDArray[np.generic]], layout: Layout) -> dict[str, NDArray[np.generic]]:
    """Return a state whose light counts from no light, of one whose light counts from black, below the pedestal.

    It begins anew with the background that the last coefficients show: which share of each column was the pedestal
    cannot be told.
    """
    W, h = (np.asarray(state[name]) for name in ("W", "h"))
    if not (layout.has_pedestal and h.size):
        return dict(state)
    plate = np.asarray(h.astype(np.float32) @ W)
    light = plate[: layout.signed_from]
    light[:] = np.maximum(light - np.float32((layout.dark - layout.black) / layout.white), 0)
    W, h = shaded_dictionary(plate, layout, h.size), by_first(plate, h.size)
    A, B = prior(W, h)
    scalars = np.asarray(state["scalars"], np.float64)[:3]
    return {**state, "W": W, "B": B, "A": A, "h": h, "usage": np.zeros_like(h), "scalars": scalars}
