"""A contact sheet of drawn clips: `python -m core.training.sheet OUT.png --seeds 0:24`."""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.labelled import FOREGROUND, NOT_SCORED, SHADOW, LabelledFrame
from core.training.scene import drawn_clip

OVERLAY = {SHADOW: (60, 90, 255), NOT_SCORED: (255, 220, 0), FOREGROUND: (255, 0, 0)}
"""Colours (RGB) laid over labels."""

CELL = (240, 180)
"""Width and height of one picture of the sheet, pixels."""


def cell(frame: LabelledFrame, overlay: bool) -> NDArray[np.uint8]:
    """Return a frame as RGB of `CELL` pixels, deep samples stretched to their range, with or without labels."""
    picture = frame.picture
    if picture.dtype != np.uint8:
        low, high = np.percentile(picture, (0.5, 99.5))
        picture = np.clip((picture - low) * (255 / max(high - low, 1)), 0, 255).astype(np.uint8)
    shown = np.repeat(picture[..., None], 3, 2) if picture.ndim == 2 else picture
    shown = shown.astype(np.uint8)
    if overlay:
        for label, colour in OVERLAY.items():
            at = frame.labels == label
            shown[at] = shown[at] // 2 + np.array(colour, np.uint8) // 2
    return np.asarray(cv2.resize(shown, CELL, interpolation=cv2.INTER_AREA), np.uint8)


def sheet(seeds: range, columns: int, at: tuple[float, ...]) -> NDArray[np.uint8]:
    """Return a sheet (H, W, 3) RGB: of each seed one frame at each part `at` of its length, beside its labels."""
    rows = []
    for seed in seeds:
        clip = drawn_clip(seed)
        wanted = {min(int(part * clip.n_frames), clip.n_frames - 1) for part in at}
        shown = []
        for t, frame in enumerate(clip.frames()):
            if t in wanted:
                shown += [cell(frame, False), cell(frame, True)]
            if t >= max(wanted):
                break
        shown += [np.zeros_like(shown[0])] * (2 * len(at) - len(shown))
        strip = np.concatenate(shown, 1)
        words = f"{seed} {clip.kind} {clip.size[0]}x{clip.size[1]} n{clip.n_frames} b{clip.bit_depth}"
        cv2.putText(strip, words, (4, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 0), 1)
        rows.append(strip)
    rows += [np.zeros_like(rows[0])] * (-len(rows) % columns)
    return np.concatenate([np.concatenate(rows[i : i + columns], 1) for i in range(0, len(rows), columns)])


def main() -> None:
    """Write a sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", default="0:24", help="first:stop")
    parser.add_argument("--columns", type=int, default=2)
    parser.add_argument("--at", default="0.6", help="parts of the length, separated by commas")
    options = parser.parse_args()
    first, stop = (int(number) for number in options.seeds.split(":"))
    made = sheet(range(first, stop), options.columns, tuple(float(part) for part in options.at.split(",")))
    cv2.imwrite(str(options.out), cv2.cvtColor(made, cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
