"""What an online method saves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.frames.frame import Layout
from core.methods.online.settings import Recipe, Settings
from core.parameter import Value
from core.state_schema import (
    COUNT,
    NONNEGATIVE,
    NONNEGATIVE_SUMS,
    SAMPLES,
    SUMS,
    ArraySpec,
    StateSchema,
)


def online_schema(layout: Layout, values: Mapping[str, Value], *, recipe: Recipe) -> StateSchema:
    """Return what a `core.methods.online.nmf.OnlineNmf` of these values saves."""
    settings, F = Settings(layout, values, recipe), layout.n_values
    arrays = {
        "W": ArraySpec(np.float32, ("K", F), (NONNEGATIVE,)),
        "A": ArraySpec(np.float64, ("K", "K"), (NONNEGATIVE_SUMS,)),
        "B": ArraySpec(np.float32, ("K", F), (SUMS,)),
        "h": ArraySpec(np.float32, ("K",), (NONNEGATIVE,)),
        "unexplained": ArraySpec(np.float32, (F,), (NONNEGATIVE,)),
        "pending_V": ArraySpec(np.float32, ("n_pending", F), (SAMPLES,)),
        "pending_H": ArraySpec(np.float32, ("n_pending", "K"), (NONNEGATIVE,)),
        # Constant of the statistics, weight of the past, noise, samples seen, prior.
        "scalars": ArraySpec(np.float64, (5,), (SUMS, NONNEGATIVE, NONNEGATIVE, COUNT, NONNEGATIVE_SUMS)),
    }
    if settings.dictionary().needs_outliers:
        arrays["C"] = ArraySpec(np.float32, ("K", F), (SUMS,))
    # Where the rank is automatic, basis images go that are not worth it.
    ranks = range(1 if settings.auto_rank else settings.rank, settings.rank + 1)
    return StateSchema(arrays, {"K": ranks, "n_pending": range(MOST_PENDING)})


MOST_PENDING = 1000
"""Of which the largest mini-batch is made. Not those of the values at hand: a smaller one may just have been set."""
