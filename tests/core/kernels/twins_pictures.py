"""The kernels of colours, of the plate and of the stillest samples beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_pictures as obvious


def values():
    rng = np.random.default_rng(0)
    for kind in (np.float32, np.float64):
        for dtype, white in ((np.uint8, 255), (np.uint16, 1023), (np.uint16, 65535)):
            x = rng.uniform(-0.2, 1.2, 300).astype(kind)
            yield 7, 290, x, np.float32(white), np.full(x.size, 7, dtype)


def luma_and_chroma():
    rng = np.random.default_rng(1)
    for dtype, depth in ((np.uint8, 8), (np.uint16, 10), (np.uint16, 16)):
        white = 2**depth - 1
        scale = white / 255
        planes = [rng.integers(0, white + 1, (6, 9)).astype(dtype) for _ in range(3)]
        for gain, black, chroma in ((1.0, 0, 1.0), (255 / 219, 16 * scale, 255 / 224)):
            numbers = gain, black, (white + 1) // 2, 1.5748 * chroma, 1.8556 * chroma, 0.2126, 0.0722, white
            yield *planes, *(np.float32(x) for x in numbers), np.full((6, 9, 3), 7, dtype)


def looks():
    """Frames (N, P) that show a scene with noise or something far from it, and what hides them; some pixels always."""
    for seed, dtype in enumerate((np.uint8, np.uint16)):
        for n_frames in (1, 2, 9, 24):
            rng, n, white = np.random.default_rng(seed), 120, np.iinfo(dtype).max
            scene = rng.integers(white // 4, white // 2, n)
            noisy = scene + rng.integers(-3, 4, (n_frames, n))
            frames = np.where(rng.random((n_frames, n)) < rng.random(n), noisy, white - 5).astype(dtype)
            hidden = (rng.random((n_frames, n)) < rng.random(n)).astype(np.uint8)
            hidden[:, :9] = 1
            yield frames, hidden, scene.astype(dtype)


def seen_or_not():
    yield from looks()


def supported():
    rng = np.random.default_rng(4)
    for dtype in (np.uint8, np.uint16):
        for n_planes, n in ((1, 1), (1, 7), (3, 6)):
            frames = rng.integers(0, 12, (n_planes, n, 30)).astype(dtype)
            weight = rng.integers(0, 5, (n, 30)).astype(np.float32) / 4
            weight[:, :3] = 0
            for near in (0, 3):
                yield frames, weight, near, np.full((n, 30), 7, np.float32)


def seen_at_all():
    for frames, hidden, scene in looks():
        yield frames, hidden, scene, np.full(scene.size, 7, np.float32)


def stills():
    rng = np.random.default_rng(2)
    for dtype in (np.uint8, np.uint16):
        for full, n_planes, half, step in (
            ((1, 1), 1, True, 1), ((7, 9), 1, False, 1), ((6, 5), 3, False, 2), ((7, 9), 1, True, 1),
            ((7, 10), 1, True, 2), ((11, 8), 1, True, 3), ((9, 7), 3, False, 3),
        ):  # fmt: skip
            grid = -(-full[0] // step), -(-full[1] // step)
            size = n_planes * full[0] * full[1] + half * 2 * ((full[0] + 1) // 2) * ((full[1] + 1) // 2)
            v = rng.integers(0, 256, size).astype(dtype)
            least, change = rng.integers(0, 9, (3, *grid), np.uint8), rng.integers(0, 9, grid, np.uint8)
            looks = rng.integers(0, 256, (3, size)).astype(dtype)
            yield grid[0] // 3, grid[0], change, v, full, half, step, least, looks


TWINS = (
    Twin(
        "quantise_band",
        obvious.quantise_band,
        values,
        (
            ("float(x[p]) * float(white)", "float(x[p]) * float(white) - 0.5"),
            ("in range(start, stop)", "in range(start, stop - 1)"),
            ("white), white)", "white), 2 * white) & 0xFF"),
        ),
        Tolerance(rounded=0.01),
    ),
    Twin(
        "matrix_to_rgb",
        obvious.matrix_to_rgb,
        luma_and_chroma,
        (
            ("int(y[at]) - black", "int(y[at])"),
            ("red_gain * (int(cr[at])", "red_gain * (int(cb[at])"),
            ("red * r - blue * b", "red * b - blue * r"),
            ("rounded(r, white)", "rounded(r - 0.5, white)"),
        ),
        Tolerance(rounded=0.01),
    ),
    Twin(
        "median_of_seen",
        obvious.median_of_seen,
        seen_or_not,
        (("+ 0.5", ""), ("if not covered", "if True"), ("if seen:", "if len(seen) > 1:")),
    ),
    Twin(
        "support_row",
        obvious.support_row,
        supported,
        (
            ("<= near", "< near"),
            (".max(axis=0)", ".min(axis=0)"),
            ("weight[:, p].sum()", "len(weight)"),
            ("np.abs(", "("),
        ),
        Tolerance(relative=1e-6),
    ),
    Twin(
        "spread_of_seen",
        obvious.spread_of_seen,
        seen_at_all,
        (
            ("abs(int(x) - int(plate[p]))", "int(x) - int(plate[p])"),
            ("if not covered", "if True"),
            ("if far else 0", "if len(far) > 1 else 0"),
            ("out[p] = median(far)", "out[p] = int(median(far))"),
        ),
    ),
    Twin(
        "keep_band",
        obvious.keep_band,
        stills,
        (
            (">= at_each", "> at_each"),
            ("(y * part // step, x * part // step)", "(y // step, x // step)"),
            ("index(max(at_each))", "index(min(at_each))"),
            ("2 if half and plane", "2 if half or plane"),
            ("at_each.index(max(at_each))", "2 - at_each[::-1].index(max(at_each))"),
            ("in range(start, stop)", "in range(stop)"),
        ),
    ),
)
