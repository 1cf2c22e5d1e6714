"""The kernels of regions and of the matte beside their twins."""

import cv2
import numpy as np

from core.kernels.regions import runs_of
from tests.core.kernels.twin import Tolerance, Twin
from tests.core.kernels.twins_masks import marks
from tests.reference import kernels_regions as obvious

DOUBT = np.float32(-1.5)


def masks():
    rng = np.random.default_rng(0)
    for share in (0.1, 0.35, 0.5, 0.65, 0.9):
        for shape in ((13, 21), (1, 17), (16, 1), (6, 140)):
            yield marks(rng, shape, share)
    yield np.zeros((5, 200), np.uint8)
    yield np.full((5, 200), 255, np.uint8)


def specks():
    for mask in masks():
        for smallest, holes in ((0, 0), (2, 1), (1, 2), (3, 4), (6, 9), (2000, 2000)):
            rng = np.random.default_rng(2)
            covered = marks(rng, mask.shape, 0.2)
            side = 1 + smallest % 2
            logit = rng.normal(-1.5, 1, -(-np.array(mask.shape) // side)).astype(np.float32)
            stays = rng.random(logit.shape) < 0.1
            yield runs_of(mask), smallest, holes, stays, logit, side, DOUBT, mask, covered
    for notch in (np.s_[0, 3:5], np.s_[8, 3:5], np.s_[3:5, 0], np.s_[3:5, 8], np.s_[3:5, 4]):
        mask = np.full((9, 9), 255, np.uint8)
        mask[notch] = 0
        none, logit = np.zeros((9, 9), bool), np.zeros((9, 9), np.float32)
        yield runs_of(mask), 1, 2, none, logit, 1, DOUBT, mask, np.zeros_like(mask)


def apart():
    """Where cells are in doubt, those around are doubted, and some of the mask is there or there."""
    rng = np.random.default_rng(4)
    for shape, share in (
        ((9, 14), 0.1),
        ((1, 17), 0.2),
        ((16, 1), 0.2),
        ((12, 15), 0.3),
        ((12, 15), 0.45),
        ((5, 8), 1),
    ):
        for side in (1, 3):
            logit = np.where(rng.random(shape) < share, rng.normal(0, 1, shape), -4).astype(np.float32)
            logit[-1, -1] = -1.5  # No more than that is none in doubt.
            size = tuple(n * side - (side > 1) for n in shape)
            for marked in (0, 0.02, 0.2):
                reach = cv2.dilate((logit > DOUBT).astype(np.uint8), np.ones((3, 3), np.uint8))
                doubted = np.kron(255 * reach, np.ones((side, side), np.uint8))[: size[0], : size[1]].copy()
                yield logit, DOUBT, marks(rng, size, marked), side, doubted


def wholes():
    for mask in masks():
        yield (mask,)


def resting():
    rng = np.random.default_rng(1)
    for regions in masks():
        marked, still = marks(rng, regions.shape, 0.7), marks(rng, regions.shape, 0.6)
        for share in (0.75, 0.5, 0.4, 0.0):
            yield regions, marked, still, share, np.full(regions.shape, 7, np.uint8)


def objects(dtype, channels, seed, size=(13, 70)):
    """A picture, a mask with a block and thin things, what is surely inside, and the edge of both."""
    rng = np.random.default_rng(seed)
    mask = marks(rng, size, 0.03)
    mask[3:10, 5:30] = 255
    inside, outside = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for i, j in np.ndindex(*size):
        near = mask[max(i - 2, 0) : i + 3, max(j - 2, 0) : j + 3]
        inside[i, j], outside[i, j] = near.min(), near.max()
    picture, known = (rng.integers(0, np.iinfo(dtype).max + 1, (*size, channels)).astype(dtype) for _ in range(2))
    return picture, known, mask, inside, outside, np.argwhere(inside != outside).T.astype(np.int32)


def edges():
    for seed in range(3):
        _, _, _, inside, outside, _ = objects(np.uint8, 1, seed)
        yield inside, outside
    yield np.zeros((3, 80), np.uint8), np.zeros((3, 80), np.uint8)
    yield np.zeros((9, 5), np.uint8), np.full((9, 5), 255, np.uint8)


def spreading():
    for seed, (dtype, channels) in enumerate([(np.uint8, 1), (np.uint8, 3), (np.uint16, 3)]):
        picture, _, mask, inside, _, (rows, columns) = objects(dtype, channels, seed)
        room = np.zeros(mask.shape, np.int32), np.full((rows.size, channels), 7, np.float32)
        yield rows, columns, picture, mask, inside, *room


def covering():
    for seed, (dtype, channels) in enumerate([(np.uint8, 1), (np.uint8, 3), (np.uint16, 3)]):
        picture, known, mask, _, _, (rows, columns) = objects(dtype, channels, seed)
        rng, white = np.random.default_rng(seed), np.iinfo(dtype).max
        soft = rng.integers(0, 256, mask.shape).astype(np.uint8)
        reached = rng.choice(3, rows.size, p=(0.1, 0.6, 0.3)).astype(np.uint8)
        colour = rng.integers(0, white + 1, (rows.size, channels)).astype(np.float32)
        colour[::7] = known[rows[::7], columns[::7]]  # Too alike to tell.
        near = np.float32(channels * (0.03 * white) ** 2)
        yield (
            rows,
            columns,
            picture,
            known,
            soft,
            reached,
            near,
            colour,
            np.empty(rows.size, np.float32),
        )


def uncovering():
    for rows, columns, picture, known, _, reached, _, colour, _ in covering():
        yield rows, columns, picture, known, reached, np.random.default_rng(5).random(rows.size).astype("f"), colour


def boxes():
    rng = np.random.default_rng(8)
    for n, m in ((0, 3), (3, 0), (12, 9)):
        a, b = (rng.integers(0, 30, (k, 2)).astype(float) for k in (n, m))
        a, b = (np.concatenate([low, low + rng.integers(1, 9, low.shape)], axis=1) for low in (a, b))
        yield a, b, np.argsort(b[:, 0], kind="stable")


TWINS = (
    Twin(
        "drop_apart",
        obvious.drop_apart,
        apart,
        (
            ("logit > low", "logit >= low"),
            ("CORNERS", "EDGES"),
            ("if any(mask", "if all(mask"),
            ("not any(kept", "not all(kept"),
            ("around(y // side, x // side, logit.shape)", "[(y // side, x // side)]"),
            ("i * side : i * side + side", "i * side : i * side + 1"),
            ("j * side : j * side + side", "j * side : j * side + 1"),
            ("doubted[y, x] = 0", "pass"),
        ),
    ),
    Twin(
        "drop_small",
        obvious.drop_small,
        specks,
        (
            ("connected(mask > 0, CORNERS)", "connected(mask > 0, EDGES)"),
            ("< smallest", "<= smallest"),
            ("connected(mask == 0, EDGES)", "connected(mask == 0, CORNERS)"),
            ("< holes", "<= holes"),
            ("if mask.any():", "if True:"),
            ("inside and ", ""),
            ("0 < y <", "0 <= y <"),
            ("< width - 1", "< width"),
            ("> doubt", "< doubt"),
            ("stays[y // side, x // side]", "stays[0, 0]"),
            ("any(stays", "all(stays"),
            ("logit[y // side, x // side]", "logit[0, 0]"),
            (" / len(hole)", ""),
            ("covered[mask > 0]", "covered[:]"),
            ("    covered[mask > 0] = 255", "    pass"),
        ),
        scratch=("runs",),
    ),
    Twin(
        "find_meeting",
        obvious.find_meeting,
        boxes,
        (
            ("across > 0", "across >= 0"),
            ("down > 0", "down >= 0"),
            ("and down > 0", ""),
            ("across > 0 and ", ""),
            ("min(one[2], b[j][2])", "one[2]"),
            ("for j in order", "for j in range(len(b))"),
        ),
    ),
    Twin("runs_of", obvious.runs_of, wholes, (("range(mask.shape[0])", "range(mask.shape[0] - 1)"),)),
    Twin(
        "keep_resting",
        obvious.keep_resting,
        resting,
        (
            ("CORNERS", "EDGES"),
            ("n_marked and ", ""),
            (">= share * n_marked", "> share * n_marked"),
            ("share * n_marked", "share * len(region)"),
            ("out[:] = 0", ""),
        ),
    ),
    Twin("edge_of", obvious.edge_of, edges, (("inside[at] != outside[at]", "outside[at]"),)),
    Twin(
        "spread",
        obvious.spread_colours,
        spreading,
        (
            ("= 1 + k", "= k"),
            ("CORNERS) if other in colours", "EDGES) if other in colours"),
            (" and mask[at]", ""),
            (" or mask[at]", ""),
            ("at in near_inside or ", ""),
            ("CORNERS) if inside", "EDGES) if inside"),
            ("{at: picture", "{at: 0 * picture"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "cover",
        obvious.cover,
        covering,
        (
            ("+ kappa * soft[at] / 255", ""),
            ("max(beside, 0)", "0"),
            ("reached[k] == 2", "reached[k] == 1"),
            ("max(apart, 1)", "max(apart, 1e6)"),
            ("soft[at] / 255\n", "0\n"),
        ),
        Tolerance(1e-4),
    ),
    Twin(
        "without_background",
        obvious.without_background,
        uncovering,
        (
            ("(1 - a) * (v - b + colour[k])", "(1 - a) * colour[k]"),
            ("a * v + (1 - a)", "(1 - a)"),
            ("if reached[k] else v", ""),
        ),
        Tolerance(1e-4),
    ),
)
