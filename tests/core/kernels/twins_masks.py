"""The kernels of the mask beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_masks as obvious

F = np.float32


def marks(rng, size, share):
    return np.where(rng.random(size) < share, 255, 0).astype(np.uint8)


def rgb():
    for seed, (dtype, white) in enumerate([(np.uint8, 255), (np.uint16, 65535)]):
        rng = np.random.default_rng(seed)
        for size in ((1, 1), (7, 10), (8, 9)):
            picture = [rng.integers(0, white + 1, size).astype(dtype) for _ in range(3)]
            half = ((size[0] + 1) // 2, (size[1] + 1) // 2)
            written = [np.full(shape, 77, dtype) for shape in (size, half, half)]
            yield 0, max(half[0] - 1, 1), *picture, np.float32((white + 1) // 2), *written


def planes_in_cells():
    rng = np.random.default_rng(1)

    def plane(dtype, white, unit, side, size, start, peak):
        seen, known = (rng.integers(0, white + 1, size).astype(dtype) for _ in range(2))
        grid = [-(-n // side) for n in size]
        written = [np.full(shape, 7, F) for shape in (grid, grid, grid if peak else (0, 0), grid)]
        return min(start, grid[0] - 1), grid[0], seen, known, side, F(16), F(unit), *written

    depths = (np.uint8, 255, 1), (np.uint16, 4095, 255 / 4095)
    for depth in depths:
        for side in (1, 2, 3, 4):
            for size in ((1, 1), (9, 13), (12, 8), (9, 8)):
                for peak in (True, False):
                    yield plane(*depth, side, size, 1, peak)
    for depth in depths:
        for side in (1, 2, 3, 4):  # Wide enough that each row of cells is taken by itself.
            yield plane(*depth, side, (3 * side, 4200 // side), 1, True)


def learning():
    rng = np.random.default_rng(2)
    for n_planes in (1, 3):
        for most in (14, -9.5):  # Of the second nothing is likely.
            size = (n_planes, 9, 30)
            variance, square = rng.integers(1, 60, (3, 9, 30)).astype(F), rng.integers(0, 400, size).astype(F)
            luma, before = (rng.uniform(0, 255, size[1:]).astype(F) for _ in range(2))
            logit = rng.uniform(-14, most, size[1:]).astype(F)
            usual, unrest, cover = (a * rng.random(size[1:]).astype(F) for a in (9, 30, 1))
            numbers = F(0.1), F(0.02), F(4), F(3), F(9)
            unseen, marked = marks(rng, size[1:], 0.2), np.full(size[1:], 7, np.uint8)
            known = variance, usual, unrest, cover
            yield 1, 8, square, luma, before, logit, unseen, *numbers, *known, marked


def darker():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        usual = rng.integers(0, 9, (3, 5)).astype(F)
        yield usual, rng.integers(0, 9, (3, 5)).astype(F), F(8), F(0.75)


def beyond():
    rng = np.random.default_rng(5)
    for size in ((1, 1), (9, 30)):
        usual, shown, expected = (rng.integers(244, 251, size).astype(F) for _ in range(3))
        square, variance = rng.integers(0, 9, size).astype(F), rng.integers(1, 3, size).astype(F)
        yield usual, shown, expected, square, variance, F(247), F(2), np.full(size, 7, np.uint8)


def light():
    rng = np.random.default_rng(6)
    shown, usual = (rng.uniform(0, 255, (9, 30)).astype(F) for _ in range(2))
    usual[rng.random((9, 30)) < 0.2] = 0
    yield shown, *(marks(rng, (9, 30), 0.2) for _ in range(2)), F(0.02), usual


def ageing():
    rng = np.random.default_rng(3)
    for n_planes in (1, 3):
        for share in (0.6, 0.03):  # Of the second most are passed over many at once.
            shown, seen = (rng.integers(0, 9 - n, (n_planes + n, 9, 150)).astype(F) for n in (0, 2))
            marked, age = marks(rng, (9, 150), share), rng.choice([0, 1, 2, 3, 9, 65535], (9, 150)).astype(np.uint16)
            marked[4, :32], marked[4, 32] = 0, 255  # The first behind what is passed over.
            yield 1, 8, shown, marked, F(3), seen, age


def surely(rng, grid):
    """Logits with foreground at the left, background at the right, both sure of it at the ends."""
    sure = np.linspace(1, -1, grid[1]) * (14 if grid[1] > 1 else 0)
    return (sure + rng.normal(0, 3, grid)).astype(F)


def edges():
    rng = np.random.default_rng(4)
    for dtype, unit in ((np.uint8, 1), (np.uint16, 1 / 257)):
        for side in (1, 2, 3, 4, 6, 8):
            for size in ((1, 1), (17, 22), (24, 16)):
                seen, known = (rng.integers(0, 60 / unit, size).astype(dtype) for _ in range(2))
                grid = [-(-n // side) for n in size]
                cells = [rng.uniform(0, most, grid).astype(F) for most in (60, 60, 30)]
                for logit in (surely(rng, grid), np.full(grid, -14, F)):
                    for bar in (0, -1.4):
                        mask = np.full(size, 7, np.uint8)
                        yield (min(1, grid[0] - 1), grid[0], seen, known, side, F(unit), logit, *cells, F(3), F(bar),
                               F(6), mask)  # fmt: skip


def covers():
    rng = np.random.default_rng(5)
    for side in (1, 2, 3, 4, 6, 8):
        for size in ((1, 1), (17, 22), (24, 16)):
            grid = [-(-n // side) for n in size]
            logit = np.where(rng.random(grid) < 0.1, 2, rng.choice([-3, -1], grid)).astype(F)
            for some in (logit, np.full(grid, -3, F)):
                written = (np.full(size, 7, np.uint8) for _ in range(2))
                yield min(1, grid[0] - 1), grid[0], some, F(-1), F(-2), side, *written


def balanced():
    rng = np.random.default_rng(7)
    mix = np.array([[1.05, 0.1, -0.1], [0.04, 1.1, -0.02], [-0.05, 0.03, 0.9]], np.float32)
    for dtype, white, dark in ((np.uint8, 255, 16), (np.uint16, 1023, 0), (np.uint16, 65535, 4096)):
        for height, width in ((40, 52), (41, 53)):
            half = (-(-height // 2), -(-width // 2))
            luma = rng.integers(0, white + 1, (height, width)).astype(dtype)
            blue, red = (rng.integers(0, white + 1, half).astype(dtype) for _ in range(2))
            numbers = (np.float32(x) for x in (dark, (white + 1) // 2, white))
            written = [np.full(plane.shape, 7, dtype) for plane in (luma, blue, red)]
            yield 1, half[0], luma, blue, red, mix, *numbers, *written


TWINS = (
    Twin(
        "mix_band",
        obvious.mix_band,
        balanced,
        (
            ("float(dark)", "0"),
            ("+ 0.5", ""),
            ("mixed(1, (2 * i, 2 * j)", "mixed(1, (i, j)"),
            ("mixed(2,", "mixed(1,"),
            ("0), white)", "9), white)"),
            ("white))", "white - 9))"),
            ("i, j, 2, luma.shape", "i, j, 2, (luma.shape[0] - 1, luma.shape[1])"),
        ),
        Tolerance(rounded=0.03),
    ),
    Twin(
        "opponent_band",
        obvious.opponent_band,
        rgb,
        (
            ("0.564", "0.713"),
            ("grey + 0.5", "grey"),
            ("int(b[y, x]) - grey", "grey - int(b[y, x])"),
            ("sum(from_red) / len(from_red)", "sum(from_red) / 4"),
            ("0.587 * int(g", "0.587 * int(r"),
        ),
        Tolerance(rounded=0.03),
    ),
    Twin(
        "measure_band",
        obvious.measure_band,
        planes_in_cells,
        (
            ("leaves_range_by(seen, known, at)", "abs(int(seen[at]) - int(known[at]))"),
            ("int(seen[at]) for at in pixels]) - zero", "int(seen[at]) for at in pixels])"),
            ("unit * max(apart)", "unit * mean(apart)"),
            ("unit**2 *", "unit *"),
            ("int(known[at]) for", "int(seen[at]) for"),
            ("pixels_of(i, j, side, seen.shape)", "pixels_of(i, j, side, (side * i + 1, seen.shape[1]))"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "learn_cells_band",
        obvious.learn_cells_band,
        learning,
        (
            ("else max(1 - 2 * p, 0)", "else 1"),
            ("min(e2, clip * s)", "e2"),
            (", floor)", ", 0)"),
            ("> bar * variance[0", "> variance[0"),
            (" or logit[i, j] > 0 else", " else"),
            ("> LEAST", "> 0"),
            ("- float(before[i, j])", ""),
            ("rate * (abs", "slow * (abs"),
            ("rate * (sqrt", "slow * (sqrt"),
            ("if not unseen[i, j]:", "if True:"),
            ("0 if unseen[i, j] else max(1 - 2 * p, 0)", "1 - p"),
            ("slow * (p - cover", "rate * (p - cover"),
        ),
        Tolerance(1e-6),
    ),
    Twin(
        "is_darker",
        obvious.is_darker,
        darker,
        (
            ("(usual > 0) & ", ""),
            (" & (usual < full)", ""),
            ("usual < full", "usual <= full"),
            ("float(share) * usual", "usual"),
            ("> known.sum()", ">= known.sum()"),
        ),
    ),
    Twin(
        "find_beyond",
        obvious.find_beyond,
        beyond,
        (
            ("usual[at] >= full", "usual[at] > full"),
            ("expected[at] < full", "expected[at] <= full"),
            ("shown[at] > expected[at]", "shown[at] != expected[at]"),
            ("> bar * variance[at]", "> bar"),
            ("found.sum()", "found.any()"),
        ),
    ),
    Twin(
        "learn_usual_light",
        obvious.learn_usual_light,
        light,
        (
            ("differs[at] or ", ""),
            (" or unseen[at]", ""),
            ("1 if usual[at] == 0 else float(rate)", "float(rate)"),
            ("float(rate)", "1"),
        ),
        Tolerance(1e-6),
    ),
    Twin(
        "age_band",
        obvious.age_band,
        ageing,
        (
            ("<= near ", "< near "),
            ("// 2\n            else", "- 1\n            else"),
            ("age[i, j] > 0 and alike", "alike"),
            ("65535)", "65534)"),
            ("age[i, j] > 1", "age[i, j] > 2"),
            ("in range(len(shown))", "in range(1)"),
            ("seen[: len(shown), i, j] = shown[:, i, j]", "seen[0, i, j] = shown[0, i, j]"),
        ),
    ),
    Twin(
        "refine_band",
        obvious.refine_band,
        edges,
        (
            (" - pull * departs(far, variance, half)", ""),
            ("between(level, y, x, side)", "level[i, j]"),
            ("departs(d, variance[i, j], half)", "departs(d, variance[i, j], 4)"),
            ("departs(d, variance[i, j], half)", "departs(d, variance[0, 0], half)"),
            ("astype(float) - expected", "astype(float)"),
            ("float(unit) * abs", "abs"),
            ("<= bar - pull", "<= bar"),
            ("z > bar", "z > 0"),
        ),
    ),
    Twin(
        "cover_band",
        obvious.cover_band,
        covers,
        (
            ("> bar", ">= bar"),
            ("> low", "> bar"),
            ("max([", "min(["),
            ("255 if most > bar", "1 if most > bar"),
            ("255 if most > low", "1 if most > low"),
            ("x // side", "x // 2"),
            ("around(y // side, x // side, logit.shape)", "[(y // side, x // side)]"),
        ),
    ),
)
