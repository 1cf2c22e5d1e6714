"""The kernels of the learned head, slow and obvious: cell by cell, and the whole network on whole maps."""

from math import sqrt

import numpy as np

BLOCK = 8
N = 16
REACHES = (1, 2, 4, 8)


def find_active(square, variance, bar, least, active):
    height, width = square.shape
    for r, c in np.ndindex(-(-height // BLOCK), -(-width // BLOCK)):
        count = 0
        for i in range(r * BLOCK, min((r + 1) * BLOCK, height)):
            for j in range(c * BLOCK, min((c + 1) * BLOCK, width)):
                count += square[i, j] > bar**2 * variance[i, j]
        if count >= least:
            active[r, c] += 1


def squash(x, half):
    return x / (half + abs(x))


def features_of(i, j, shown, expected, before, peak, square, variance, usual, flicker, cover):
    """The features of one cell, in the order in which the network has them."""
    rows, columns = slice(max(i - 2, 0), i + 3), slice(max(j - 2, 0), j + 3)
    now, then = (x[0, rows, columns].astype(float) for x in (shown, expected))
    noise = float(variance[0, i, j])
    sigma = sqrt(noise)
    shared = ((now - now.mean()) * (then - then.mean())).mean()
    d, du, dv = (float(shown[k, i, j]) - float(expected[k, i, j]) for k in range(3))
    e = sqrt(square[i, j])
    return [
        squash(d / sigma, 4),
        squash(peak[i, j] / sigma, 4),
        squash(e / sigma, 4),
        squash(du / sqrt(variance[1, i, j]), 4),
        squash(dv / sqrt(variance[2, i, j]), 4),
        squash(d, 16),
        squash(sqrt(du**2 + dv**2), 8),
        e / (e + usual[i, j] + 1),
        (shared + noise / 2) / (now.std() * then.std() + noise / 2),
        squash(now.std(), 8),
        squash(then.std(), 8),
        (now.mean() - then.mean()) / (now.mean() + then.mean() + 16),
        flicker[i, j],
        cover[i, j],
        squash(sigma, 4),
        squash(abs(shown[0, i, j] - before[i, j]) / sigma, 4),
    ]


def features_row(i, left, right, shown, expected, before, peak, square, variance, usual, flicker, cover, sums, out):
    for j in range(left, right):
        out[:, j - left] = features_of(i, j, shown, expected, before, peak, square, variance, usual, flicker, cover)


def cells_of(start, stop, active, height, width):
    """The cells of a band of blocks: row, column, and whether the block of each is active."""
    for i in range(start * BLOCK, min(stop * BLOCK, height)):
        for j in range(width):
            yield i, j, active[i // BLOCK, j // BLOCK] != 0


def enter_band(
    start, stop, active, shown, expected, before, peak, square, variance, usual, flicker, cover, weights, bias, out,
    idle,
):  # fmt: skip
    height, width = peak.shape
    beyond = active.shape[1] * BLOCK  # Cells of the last block that the frame does not have are set to 0 with it.
    for i, j, is_active in cells_of(start, stop, active, height, beyond):
        if not is_active:
            out[i + BLOCK, :, j + BLOCK] = idle[i + BLOCK, :, j + BLOCK] = 0
        elif j < width:
            seen = features_of(i, j, shown, expected, before, peak, square, variance, usual, flicker, cover)
            out[i + BLOCK, :, j + BLOCK] = np.maximum(weights.astype(float) @ seen + bias, 0)


def layer_band(start, stop, active, height, width, reach, spread, weights, bias, x, out):
    for i, j, is_active in cells_of(start, stop, active, height, width):
        if is_active:
            y, c = i + BLOCK, j + BLOCK
            around = [x[y + v * reach, :, c + u * reach].astype(float) for v in (-1, 0, 1) for u in (-1, 0, 1)]
            mixed = weights.astype(float) @ sum(spread[:, k] * around[k] for k in range(9))
            out[y, :, c] = np.maximum(x[y, :, c] + mixed + bias, 0)


def leave_band(start, stop, active, weights, bias, x, logit, shadow, nothing):
    for i, j, is_active in cells_of(start, stop, active, *logit.shape):
        logit[i, j] = shadow[i, j] = nothing
        if is_active:
            logit[i, j], shadow[i, j] = weights.astype(float) @ x[i + BLOCK, :, j + BLOCK] + bias


def network(weights, features, active):
    """Logits (2, h, w) of foreground and shadow: activations are 0 where the head does not look, after each layer."""
    _, height, width = features.shape

    def mixed(matrix, maps):
        return np.einsum("on,nij->oij", matrix.astype(float), maps)

    def shifted(maps, down, right):
        out = np.zeros_like(maps)
        to = [slice(max(-by, 0), n - max(by, 0)) for by, n in ((down, height), (right, width))]
        came = [slice(max(by, 0), n - max(-by, 0)) for by, n in ((down, height), (right, width))]
        out[:, *to] = maps[:, *came]
        return out

    x = np.maximum(mixed(weights.enter, features) + weights.enter_bias[:, None, None], 0) * active
    for k, reach in enumerate(REACHES):
        around = np.zeros_like(x)
        for tap in range(9):
            step = (tap // 3 - 1) * reach, (tap % 3 - 1) * reach
            around += weights.spread[k][:, tap, None, None] * shifted(x, *step)
        x = np.maximum(x + mixed(weights.mix[k], around) + weights.mix_bias[k][:, None, None], 0) * active
    return mixed(weights.leave, x) + weights.leave_bias[:, None, None]
