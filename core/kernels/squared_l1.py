"""Kernel of the squared ℓ1 penalty: the soft threshold that each sample calls for."""

from __future__ import annotations

from numba import njit

from core.kernels.arguments import Real, Scalar

STRIDE = 16
"""Newton's method starts on every sixteenth entry: the threshold of all is near theirs."""

MOST_STEPS = 100
"""Of Newton's method: it takes about ten. Each is a pass over the residual, so that no call lasts long."""


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def sums_above(r: Real, stride: int, tau: Scalar) -> tuple[Scalar, int]:
    """Return the sum of ``|r|`` over every ``stride``-th entry (F,) above ``tau``, and their number."""
    total, count = r[0] * 0, 0
    for p in range(0, r.size, stride):
        size = abs(r[p])
        if size > tau:
            total += size
            count += 1
    return total, count


@njit(cache=True, nogil=True)
def threshold(r: Real, lam: float, stride: int, tau: Scalar, most: int) -> Scalar:
    """Return the root of ``λ Σ max(|r| − τ, 0) = τ``, ``r`` (F,), by Newton's method from ``tau``.

    The left side less the right is convex and falls: after one step the method climbs, in finitely many, and ends
    where the entries above are the same. Rounding may let an entry within one unit in the last place of ``τ``
    come and go for ever, so it ends too where there are as many as before the last step, or after ``most`` steps.
    ``stride`` > 1: of a sample of the entries, each standing for so many.
    """
    before = before_that = -1
    for _ in range(most):
        total, count = sums_above(r, stride, tau)
        if count in (before, before_that):
            break
        before_that, before = before, count
        tau = r.dtype.type(lam * stride * total / (1 + lam * stride * count))
    return tau


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def shrink(r: Real, lam: float, e: Real) -> Scalar:
    """Write the ``e`` that minimises ``‖r − e‖² + λ ‖e‖₁²``, and return ``‖e‖₁``.

    Parameters
    ----------
    r : (F,) float32
        Residual.
    lam : float
    e : (F,) float32
        Written; exactly 0 where ``|r|`` is not above the threshold.
    """
    tau = threshold(r, lam, 1, threshold(r, lam, STRIDE, r.dtype.type(0), MOST_STEPS), MOST_STEPS)
    total: Scalar = r[0] * 0
    for p in range(r.size):
        e[p] = r[p] - min(max(r[p], -tau), tau)
        total += abs(e[p])
    return total
