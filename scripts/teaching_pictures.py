"""Draw what rank, λ and the solvers do: rows of pictures for docs/teaching.md, from the sample of drawn faces.

A row is a setting; its pictures are the input, W h, the outliers r (grey is none), and six basis images.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.runtime import blas_threads  # noqa: E402

blas_threads.limit()

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from core.io.corruption import Corruption  # noqa: E402
from core.io.sources import InputSpec, open_source  # noqa: E402
from core.session.session import Session  # noqa: E402
from core.session.settings import Settings  # noqa: E402

N_FACES, PASSES, SHOWN_FACE = 80, 3, 59
N_BASIS = 6
CELL, GAP, LABEL = 96, 6, 150
GROUND, INK = 255, 40

ROWS = {
    "rank": [("K = 2", "opgd", {"rank": 2}), ("K = 8", "opgd", {"rank": 8}), ("K = 30", "opgd", {"rank": 30})],
    "lambda": [
        ("lambda = 0.01", "opgd", {"rank": 30, "lam": 0.01}),
        ("lambda = auto", "opgd", {"rank": 30}),
        ("lambda = 1", "opgd", {"rank": 30, "lam": 1.0}),
    ],
    "solvers": [
        ("opgd", "opgd", {"rank": 30}), ("oadmm", "oadmm", {"rank": 30}), ("onmf", "onmf", {"rank": 30}),
        ("orpca", "orpca", {"rank": 30}),
    ],
}  # fmt: skip
"""For each picture its rows: label, method, what is set."""


def main() -> int:
    """Write the pictures; each learns each setting once."""
    for name, rows in ROWS.items():
        picture = np.concatenate([row(*setting) for setting in rows])
        path = ROOT / "docs" / "teaching" / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB", flush=True)
    return 0


def row(label: str, method: str, values: dict[str, float]) -> NDArray[np.uint8]:
    """Return what a setting gives, as a row of pictures (height, width) uint8."""
    spec = InputSpec("sample:faces", frames=(1, N_FACES), corruption=Corruption("salt-and-pepper", 0.1))
    session = Session(open_source(spec), Settings(method, values, PASSES))
    shown = [report for report in session.run() if report.frame.index == SHOWN_FACE][-1]
    outliers = shown.split.outliers
    layout = shown.frame.layout
    r = np.zeros(layout.n_values, np.float32) if outliers is None else outliers
    signed = layout.image(np.rint(np.clip(0.5 + r / 2, 0, 1) * 255).astype(np.uint8))
    basis = [_stretched(layout.plane(image, 0)) for image in session.basis()[:N_BASIS]]
    basis += [np.full_like(basis[0], GROUND)] * (N_BASIS - len(basis))
    cells = [_cell(picture) for picture in (shown.input_image, shown.background_image, signed, *basis)]
    name = np.full((CELL + GAP, LABEL), GROUND, np.uint8)
    psnr = shown.figures.get("psnr_db")
    cv2.putText(name, label, (4, 44), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    if psnr is not None:
        cv2.putText(name, f"{psnr:.1f} dB", (4, 66), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    print(label, f"{psnr:.1f} dB", flush=True)
    return np.concatenate([name, *cells], axis=1)


def _stretched(image: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a basis image from its darkest to its brightest value."""
    low, high = float(image.min()), float(image.max())
    return np.rint((image - low) / max(high - low, 1e-9) * 255).astype(np.uint8)


def _cell(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    large = cv2.resize(picture, (CELL, CELL), interpolation=cv2.INTER_AREA)
    return cv2.copyMakeBorder(large, 0, GAP, 0, GAP, cv2.BORDER_CONSTANT, value=GROUND)


if __name__ == "__main__":
    sys.exit(main())
