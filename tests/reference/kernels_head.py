"""The kernels of the learned head, slow and obvious: cell by cell, and the whole network on whole maps."""

from math import sqrt

import numpy as np

from tests.reference.kernels_sway import add_likeness

BLOCK = 4
WIDE = 4 * BLOCK
PAD = 8
N = 16
COLOUR = 10
REACHES = (1, 2, 4, 8)


def find_active(square, variance, bar, most, least, active):
    found = np.zeros(active.shape, bool)
    for r, c in np.ndindex(active.shape):
        for e2, s2 in zip(square, variance, strict=False):
            block = np.s_[r * BLOCK : (r + 1) * BLOCK, c * BLOCK : (c + 1) * BLOCK]
            found[r, c] |= (e2[block] > bar**2 * s2[block].clip(max=most)).sum() >= least
    for r, c in np.ndindex(active.shape):
        active[r, c] = found[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].any()


def squash(x, half):
    return x / (half + abs(x))


def features_of(i, j, shown, expected, before, peak, square, variance, usual, unrest, cover):
    """The features of one cell, in the order in which the network has them."""
    rows, columns = slice(max(i - 2, 0), i + 3), slice(max(j - 2, 0), j + 3)
    noise, blue, red = (float(variance[k, i, j]) for k in range(3))
    sigma = sqrt(noise)
    d, du, dv = (
        float(shown[k, i, j]) - float(expected[k, i, j]) if k < len(shown) else 0.0 for k in range(3)
    )  # There may be no chroma.
    colour = max(du**2 - COLOUR**2 * blue, 0) + max(dv**2 - COLOUR**2 * red, 0)
    share = colour / (colour + d**2 + noise)
    counts = share * colour
    d = sqrt(d**2 + counts) * (1 if d > 0 or counts > d**2 else -1)
    e = sqrt(square[i, j] + counts)
    of_frame = of_background = shared = 0.0
    for k, weight in zip(range(len(shown)), (1, share, share), strict=False):
        now, then = (x[k, rows, columns].astype(float) for x in (shown, expected))
        of_frame += weight * now.var()
        of_background += weight * then.var()
        shared += weight * ((now - now.mean()) * (then - then.mean())).mean()
    doubt = (noise + share * (blue + red)) / 2
    now, then = (float(x[0, rows, columns].mean(dtype=float)) for x in (shown, expected))
    return [
        squash(d / sigma, 4),
        squash(sqrt(peak[i, j] ** 2 + counts) / sigma, 4),
        squash(e / sigma, 4),
        squash(du / sqrt(blue), 4),
        squash(dv / sqrt(red), 4),
        squash(d, 16),
        squash(sqrt(du**2 + dv**2), 8),
        e / (e + usual[i, j] + 1),
        (shared + doubt) / (sqrt(of_frame * of_background) + doubt),
        squash(sqrt(of_frame), 8),
        squash(sqrt(of_background), 8),
        (now - then) / (now + then + 16),
        squash(unrest[i, j], 4),
        cover[i, j],
        squash(sigma, 4),
        squash(abs(shown[0, i, j] - before[i, j]) / sigma, 4),
    ]


def write_features(top, left, maps, planes, around, sums, out):
    tile = out.reshape(N, BLOCK, WIDE)
    for i in range(top, min(top + BLOCK, maps.peak.shape[0])):
        for j in range(left, min(left + WIDE, maps.peak.shape[1])):
            tile[:, i - top, j - left] = features_of(i, j, *maps)


def cells_of(start, stop, active, height, width):
    """The cells of a band of blocks: row, column, and whether the block of each is active."""
    for i in range(start * BLOCK, min(stop * BLOCK, height)):
        for j in range(width):
            yield i, j, active[i // BLOCK, j // BLOCK] != 0


def write_all(active, maps, out):
    for i, j, is_active in cells_of(0, len(active), active, *maps.peak.shape):
        if is_active:
            out[:, i, j] = features_of(i, j, *maps)


def teach_band(start, stop, active, maps, last_layer, unit, centres, halves, weights, logit):
    for i, j, is_active in cells_of(start, stop, active, *maps.peak.shape):
        if is_active:
            cell, added = np.concatenate([last_layer[i - start * BLOCK, j], features_of(i, j, *maps)]), np.zeros(1)
            add_likeness(0, 1, cell[None].astype(np.float32), unit, centres, halves, weights, added)
            logit[i, j] += added[0]


def enter_band(start, stop, active, maps, weights, bias, filled, out, idle):
    for r in range(start, stop):
        for c in range(active.shape[1]):
            block = np.s_[PAD + r * BLOCK : PAD + (r + 1) * BLOCK, PAD + c * BLOCK : PAD + (c + 1) * BLOCK]
            if filled[r, c] and not active[r, c]:
                out[block] = idle[block] = 0
            filled[r, c] = active[r, c]
    for i, j, is_active in cells_of(start, stop, active, *maps.peak.shape):
        if is_active:
            out[i + PAD, j + PAD] = np.maximum(weights.astype(float) @ features_of(i, j, *maps) + bias, 0)


def layer_band(start, stop, active, height, width, reach, spread, weights, bias, x, out):
    for i, j, is_active in cells_of(start, stop, active, height, width):
        if is_active:
            y, c = i + PAD, j + PAD
            around = [x[y + v * reach, c + u * reach].astype(float) for v in (-1, 0, 1) for u in (-1, 0, 1)]
            mixed = weights.astype(float) @ sum(spread[:, k] * around[k] for k in range(9))
            out[y, c] = np.maximum(x[y, c] + mixed + bias, 0)


def leave_band(
    start, stop, active, reach, spread, weights, bias, leave, leave_bias, nothing, x, out, logit, shadow,
):  # fmt: skip
    layer_band(start, stop, active, *logit.shape, reach, spread, weights, bias, x, out)
    for i, j, is_active in cells_of(start, stop, active, *logit.shape):
        logit[i, j] = shadow[i, j] = nothing
        if is_active:
            logit[i, j], shadow[i, j] = leave.astype(float) @ out[i + PAD, j + PAD] + leave_bias


def judge_band(start, stop, active, maps, network, reaches, nothing, filled, x, out, logit, shadow):
    enter, enter_bias, spread, mix, mix_bias, leave, leave_bias = network
    last = len(reaches) - 1

    def before_layer(k):
        beyond = int(np.ceil(sum(reaches[k:]) / BLOCK))
        return max(start - beyond, 0), min(stop + beyond, len(active))

    enter_band(*before_layer(0), active, maps, enter, enter_bias, filled, x, out)
    for k in range(last):
        layer_band(*before_layer(k + 1), active, *logit.shape, reaches[k], spread[k], mix[k], mix_bias[k], x, out)
        x, out = out, x
    ends = leave, leave_bias, nothing, x, out, logit, shadow
    leave_band(start, stop, active, reaches[last], spread[last], mix[last], mix_bias[last], *ends)


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
