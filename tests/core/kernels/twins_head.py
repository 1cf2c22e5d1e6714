"""The kernels of the learned head beside their twins."""

import numpy as np

from core.kernels.cell_features import CellMaps
from core.kernels.head import Network
from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_head as obvious
from tests.reference.kernels_head import BLOCK, PAD, WIDE, N

F = np.float32
SIZES = ((3, 5), (15, 21), (12, 24))


def blocks_of(size):
    return tuple(-(-n // BLOCK) for n in size)


def differing():
    rng = np.random.default_rng(0)
    for size in (*SIZES, (20, 44)):
        for least in (1, 3, 5, 8):
            for planes in (1, 3):
                shape = (planes, *size)
                # Of whole numbers some are at the bar.
                square, variance = 4.0 * rng.integers(0, 9, shape), rng.integers(1, 9, shape)
                square[:, : size[0] // 2, : size[1] // 2] /= 8
                if planes == 1:
                    variance = np.concatenate([variance, 0 * variance, 0 * variance])
                yield square.astype(F), variance.astype(F), F(2), F(6), least, np.full(blocks_of(size), 7, np.uint8)


def cells(rng, size, *, chroma=True):
    """What features are made of, from the means of the frame to the cover."""
    shown, expected = (rng.uniform(20, 80, (3, *size)).astype(F) for _ in range(2))
    variance = rng.uniform(1, 30, (3, *size)).astype(F)
    variance[1:] /= 10  # Some colours differ by more than enough of it to count, some do not.
    if not chroma:
        shown, expected = shown[:1].copy(), expected[:1].copy()
    before = shown[0] + rng.normal(0, 5, size).astype(F)
    peak, square, usual, unrest, cover = (rng.uniform(0, most, size).astype(F) for most in (60, 400, 9, 12, 1))
    return CellMaps(shown, expected, before, peak, square, variance, usual, unrest, cover)


def room():
    wide, high = WIDE + 8, BLOCK + 4
    sums = 5 * (wide + WIDE) + 2 * WIDE + 7 * BLOCK * WIDE
    return (np.full(n, 7, F) for n in (15 * BLOCK * WIDE, (2, high * wide), sums))


def tiles():
    rng = np.random.default_rng(1)
    for size in (*SIZES, (12, 40)):
        for chroma in (False, True):
            for top in range(0, size[0], BLOCK):
                for left in range(0, size[1], BLOCK):
                    nothing = np.ma.masked_all(N * BLOCK * WIDE, F)  # Beyond the edges it stays open.
                    yield top, left, cells(rng, size, chroma=chroma), *room(), nothing


def some_blocks(rng, size):
    active = (rng.random(blocks_of(size)) < 0.6).astype(np.uint8)
    active[-1, -1] = 1
    active[-1, :-1][:1] = active[:-1, -1] = 0
    return active


def all_features():
    rng = np.random.default_rng(5)
    for size in SIZES:
        yield some_blocks(rng, size), cells(rng, size), np.full((N, *size), 7, F)


def padded(rng, size):
    rows, columns = (n * BLOCK + 2 * PAD for n in blocks_of(size))
    return rng.uniform(0, 2, (rows, columns, N)).astype(F)


def matrix(rng, *shape):
    return rng.uniform(-0.5, 0.5, shape).astype(F)


def entering():
    rng = np.random.default_rng(2)
    for size in SIZES:
        active, some = some_blocks(rng, size), (rng.random(blocks_of(size)) < 0.5).astype(np.uint8)
        for filled in (some, 1 - some):
            weights = matrix(rng, N, N), matrix(rng, N)
            yield (len(active) // 2, len(active), active, cells(rng, size), *weights, filled, padded(rng, size),
                   padded(rng, size))  # fmt: skip


def layers():
    rng = np.random.default_rng(3)
    for size in SIZES:
        active = some_blocks(rng, size)
        for reach in (1, 4, 8):
            weights = matrix(rng, N, 9), matrix(rng, N, N), matrix(rng, N)
            yield (len(active) // 2, len(active), active, *size, reach, *weights, padded(rng, size),
                   padded(rng, size))  # fmt: skip


def logits(size):
    return np.full(size, 7, F), np.full(size, 7, F)


def leaving():
    rng = np.random.default_rng(4)
    for size in SIZES:
        active = some_blocks(rng, size)
        weights = matrix(rng, N, 9), matrix(rng, N, N), matrix(rng, N), matrix(rng, 2, N), matrix(rng, 2)
        yield (len(active) // 2, len(active), active, 2, *weights, F(-12), padded(rng, size), padded(rng, size),
               *logits(size))  # fmt: skip


def judging():
    rng = np.random.default_rng(6)
    for size in (*SIZES, (60, 7)):
        active, filled = some_blocks(rng, size), (rng.random(blocks_of(size)) < 0.5).astype(np.uint8)
        for reaches in ((1, 2), (1, 2, 4, 8)):
            n = len(reaches)
            weights = matrix(rng, n, N, 9), matrix(rng, n, N, N), matrix(rng, n, N)
            bands = [(0, len(active)), (len(active) // 2, len(active)), (0, len(active) // 3), (5, 6)]
            for start, stop in bands if len(active) > 6 else bands[:1]:
                yield (start, stop, active, cells(rng, size), Network(matrix(rng, N, N), matrix(rng, N), *weights,
                       matrix(rng, 2, N), matrix(rng, 2)), reaches, F(-12), filled.copy(), padded(rng, size),
                       padded(rng, size), *logits(size))  # fmt: skip


def taught():
    rng = np.random.default_rng(7)
    for size in (*SIZES, (12, 40)):
        active = some_blocks(rng, size)
        for start, stop in ((0, len(active)), (len(active) // 2, len(active)), (0, 1)):
            rows = min(stop * BLOCK, size[0]) - start * BLOCK
            wide = rng.normal(0, 1, (rows + 4, size[1] + 6, N)).astype(F)  # A view, as of what is padded.
            for n in (1, 7, 20):
                unit, centres = rng.uniform(0, 0.4, 2 * N).astype(F), matrix(rng, 2 * N, n)
                halves = ((centres**2).sum(axis=0) / 2).astype(F)
                yield (start, stop, active, cells(rng, size), wide[2 : 2 + rows, 3 : 3 + size[1]], unit, centres,
                       halves, 9 * matrix(rng, n), matrix(rng, *size))  # fmt: skip


TWINS = (
    Twin(
        "find_active",
        obvious.find_active,
        differing,
        (
            (">= least", "> least"),
            ("> bar**2", ">= bar**2"),
            ("bar**2 *", "bar *"),
            (".clip(max=most)", ""),
            ("found[r, c] |=", "found[r, c] ="),
            ("(c + 1) * BLOCK]", "(c + 1) * BLOCK - 1]"),
            ("c + 2]", "c + 1]"),
            ("max(r - 1, 0)", "r"),
        ),
    ),
    Twin(
        "write_features",
        obvious.write_features,
        tiles,
        (
            ("*maps)", "*maps[:-2], *maps[:-3:-1])"),
            ("*maps)", "*maps._replace(before=maps.shown[0]))"),
            ("reshape(N, BLOCK, WIDE)", "reshape(N, WIDE, BLOCK).transpose(0, 2, 1)"),
            ("of(i, j", "of(i, max(j - 1, 0)"),
            ("j - left]", "left - j]"),
        ),
        Tolerance(1e-4),
        scratch=("planes", "around", "sums"),
    ),
    Twin(
        "write_all",
        obvious.write_all,
        all_features,
        (
            ("if is_active", "if True"),
            ("out[:, i, j]", "out[:, i, j - 1]"),
            ("of(i, j", "of(i, max(j - 1, 0)"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "enter_band",
        obvious.enter_band,
        entering,
        (
            (" + bias, 0", ", 0"),
            ("+ bias, 0)", "+ bias, -9)"),
            ("= idle[block] = 0", "= 0"),
            ("= idle[block] = 0", "= idle[block]"),
            ("filled[r, c] = active[r, c]", "pass"),
            ("filled[r, c] and not", "not"),
            ("PAD + (c + 1) * BLOCK]", "PAD + min((c + 1) * BLOCK, maps.peak.shape[1])]"),
            ("weights.astype(float)", "weights.T"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "layer_band",
        obvious.layer_band,
        layers,
        (
            ("for v in (-1, 0, 1) for u in (-1, 0, 1)", "for u in (-1, 0, 1) for v in (-1, 0, 1)"),
            ("x[y, c] + mixed", "mixed"),
            (" + bias, 0", ", 0"),
            ("+ bias, 0)", "+ bias, -9)"),
            ("v * reach", "v"),
            ("if is_active", "if True"),
            ("weights.astype(float)", "weights.T"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "leave_band",
        obvious.leave_band,
        leaving,
        (
            ("if is_active", "if True"),
            (" + leave_bias", ""),
            ("logit[i, j], shadow[i, j] =", "shadow[i, j], logit[i, j] ="),
            ("= nothing", "= 0"),
            ("@ out[", "@ x["),
            ("reach, spread, weights, bias, x, out)", "1, spread, weights, bias, x, out)"),
            ("layer_band(start, stop", "layer_band(stop, stop"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "judge_band",
        obvious.judge_band,
        judging,
        (
            ("x, out = out, x", "pass"),
            ("range(last)", "range(last - 1)"),
            (", reaches[k]", ", reaches[0]"),
            ("sum(reaches[k:])", "sum(reaches)"),
            ("min(stop + beyond, len(active))", "stop"),
            ("max(start - beyond, 0)", "start"),
            ("enter_bias, filled", "0 * enter_bias, filled"),
            ("mix_bias[last]", "mix_bias[0]"),
            ("spread[last]", "spread[0]"),
            ("logit, shadow\n    leave", "shadow, logit\n    leave"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "teach_band",
        obvious.teach_band,
        taught,
        (
            ("if is_active", "if True"),
            ("i - start * BLOCK", "0"),
            ("+= added", "= added"),
            (
                "[last_layer[i - start * BLOCK, j], features_of(i, j, *maps)]",
                "[features_of(i, j, *maps), last_layer[i - start * BLOCK, j]]",
            ),
        ),
        Tolerance(1e-4),
    ),
)
