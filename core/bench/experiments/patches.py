"""An image under salt and pepper, taken apart into patches: Shen et al. (2012), section 6.2.2, figure 4."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.experiments.base import Claim, Progress, Result, Run, Table, number
from core.bench.experiments.runs import fit
from core.bench.salt_and_pepper import with_salt_and_pepper
from core.bench.sequences import find_sequences
from core.frames.frame import Layout, Planes
from core.frames.metrics import psnr_db
from core.io.sources import InputSpec, open_source

SIDE, STRIDE = 8, 4
"""Of a patch, and from one to the next, pixels; the paper does not tell its own."""

RANK, LAM, DENSITY = 10, 0.04, 0.05
"""k, λ and the share of spoiled pixels, as in the paper."""

SIZE, QUICK_SIZE = (160, 120), (48, 36)

METHODS = {"l2": "NMF", "robust-nmf": "RobustNMF", "robust-nmf+wnmf": "RobustNMF+WNMF"}

WHITE_GAP = 16
"""Columns of white between the pictures of the sheet."""


def to_patches(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the patches of an image (H, W) as rows (n, SIDE²); the last ones reach to its edges."""
    return np.stack([image[y : y + SIDE, x : x + SIDE].ravel() for y, x in _corners(image.shape)])


def from_patches(patches: NDArray[np.floating], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return the image (H, W) of which these are the patches; where they overlap, their mean."""
    total, count = np.zeros(shape), np.zeros(shape)
    for (y, x), patch in zip(_corners(shape), patches, strict=True):
        total[y : y + SIDE, x : x + SIDE] += patch.reshape(SIDE, SIDE)
        count[y : y + SIDE, x : x + SIDE] += 1
    return (total / count).astype(np.float32)


def _corners(shape: tuple[int, ...]) -> list[tuple[int, int]]:
    along = [[*range(0, length - SIDE, STRIDE), length - SIDE] for length in shape]
    return [(y, x) for y in along[0] for x in along[1]]


def run(data: Path | None, seed: int, quick: bool) -> Run:
    """Spoil images, and put them together again from what each method makes of their patches."""
    found: dict[str, dict[str, float]] = {}
    rows = []
    images = _images(data, seed, quick)
    total = len(images) * len(METHODS)
    for place, (name, clean) in enumerate(images.items()):
        rng = np.random.default_rng((seed, place))
        spoiled = with_salt_and_pepper(clean, DENSITY, rng)
        V = to_patches(spoiled)
        pictures, found[name] = [spoiled], {"spoiled": psnr_db(spoiled, clean)}
        for key, method in METHODS.items():
            yield Progress(place * len(METHODS) + len(pictures) - 1, total, f"{name}, {method}")
            chosen = {"rank": RANK, "lam_squared": LAM, "frames": len(V), "content": "images"}
            learnt = fit(key, Layout(SIDE, SIDE, Planes.GREY), V, chosen, seed)
            pictures.append(from_patches(learnt.background, clean.shape))
            found[name][key] = psnr_db(pictures[-1], clean)
        rows.append(np.hstack([np.pad(p, ((0, 0), (0, WHITE_GAP)), constant_values=1) for p in (*pictures, clean)]))
    headings = ("Image", "spoiled", *METHODS.values())
    return Result(
        title="An image from its patches",
        paper="Shen, Si, Ji & Liu 2012, section 6.2.2, figure 4, which is printed without numbers",
        data=f"{', '.join(images)}, grey; {DENSITY:.0%} of the pixels black or white.",
        setting=f"Patches of {SIDE}×{SIDE} pixels, one every {STRIDE}; k = {RANK} and λ = {LAM} as in the paper. The "
        "paper does not tell its images or patches.",
        tables=(
            Table(
                "PSNR against the clean image, dB", headings,
                tuple((name, *(number(value, 1) for value in values.values())) for name, values in found.items()),
            ),
        ),
        claims=(
            Claim(
                "RobustNMF reconstructs better than NMF.",
                all(values["robust-nmf"] > values["l2"] for values in found.values()),
                ", ".join(f"{number(v['robust-nmf'], 1)} against {number(v['l2'], 1)} dB" for v in found.values()),
            ),
        ),
        figures={"psnr_db": found, "seed": seed},
        sheet=np.rint(255 * np.clip(np.vstack(rows), 0, 1)).astype(np.uint8),
        notes=("The sheet shows the spoiled image, what each method makes of it, and the clean one.",),
    )  # fmt: skip


def _images(data: Path | None, seed: int, quick: bool) -> dict[str, NDArray[np.float32]]:
    """Return the first frame of two sequences, or one drawn, as (H, W) in units of white."""
    size = QUICK_SIZE if quick else SIZE
    if data is None:
        return {"drawn street": _first("sample:street", size, seed)}
    folder = data / "sequences"
    sequences = find_sequences(folder if folder.is_dir() else data)
    return {one.name: _first(str(one.folder), size, seed) for one in sequences[:2]}


def _first(source: str, size: tuple[int, int], seed: int) -> NDArray[np.float32]:
    opened = open_source(InputSpec(source, grey=True, size=size, frames=(1, 1), seed=seed))
    try:
        frame = next(opened.frames())
    finally:
        opened.close()
    return frame.layout.in_white(frame.values).reshape(frame.layout.height, frame.layout.width)
