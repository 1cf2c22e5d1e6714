"""Kernel of the squared ℓ1 penalty: the soft threshold that each sample calls for."""

from __future__ import annotations

from numba import njit

from core.kernels.arguments import Real, Scalar

STRIDE = 16
"""Newton's method starts on every sixteenth entry: the threshold of all is near theirs."""


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def sums_above(r: Real, stride: int, tau: Scalar) -> tuple[Scalar, int]:
    """Return the sum of ``|r|`` over every ``stride``-th entry above ``tau``, and their number."""
    total, count = r[0] * 0, 0
    for p in range(0, r.size, stride):
        size = abs(r[p])
        if size > tau:
            total += size
            count += 1
    return total, count


@njit(cache=True, nogil=True)
def threshold(r: Real, lam: float, stride: int, tau: Scalar) -> Scalar:
    """Return the root of ``λ Σ max(|r| − τ, 0) = τ`` by Newton's method from ``tau``.

    The left side less the right is convex and falls: after one step the method climbs, in finitely many, and ends
    where the entries above are the same. ``stride`` > 1: of a sample of the entries, each standing for so many.
    """
    before = -1
    while True:
        total, count = sums_above(r, stride, tau)
        if count == before:
            return tau
        before = count
        tau = r.dtype.type(lam * stride * total / (1 + lam * stride * count))


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
    tau = threshold(r, lam, 1, threshold(r, lam, STRIDE, r.dtype.type(0)))
    total: Scalar = r[0] * 0
    for p in range(r.size):
        e[p] = r[p] - min(max(r[p], -tau), tau)
        total += abs(e[p])
    return total
