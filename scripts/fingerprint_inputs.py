"""The inputs of the runs of `fingerprint.py` that are no sample and no real data, drawn by code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray


def make_inputs(folder: Path) -> dict[str, Path]:
    """Make every input in a folder; the same bytes each time."""
    folder.mkdir(parents=True)
    return {name: maker(folder) for name, maker in MAKERS.items()}


def texture(height: int, width: int) -> NDArray[np.float32]:
    """Return a still RGB scene with patches of several sizes, between about 30 and 200."""
    rng = np.random.default_rng(7)
    scene = np.full((height, width, 3), 110, np.float32)
    for size in (1.5, 4, 12):
        patches = cv2.GaussianBlur(rng.standard_normal((height, width, 3)).astype(np.float32), (0, 0), size)
        scene += 22 * patches / patches.std()
    return scene


def with_blob(scene: NDArray, index: int) -> NDArray[np.uint8]:
    """Return a scene with sensor noise, and something yellow that crosses it on a wavy line with a shadow."""
    picture = scene + np.random.default_rng(index).normal(0, 1.5, scene.shape).astype(np.float32)
    height, width = scene.shape[:2]
    x, y = (3 * index + 5) % width, height // 2 + round(height / 5 * np.sin(index / 6))
    picture[y + 6 : y + 11, max(0, x - 9) : x + 9] *= 0.7
    cv2.ellipse(picture, (x, y), (8, 6), 0, 0, 360, (250, 195, 40), -1)
    return picture.clip(0, 255).astype(np.uint8)


def still_pictures() -> list[NDArray[np.uint8]]:
    """Return what a camera sees that stands."""
    scene = texture(80, 112)
    return [with_blob(scene, index) for index in range(48)]


def shaken_pictures() -> list[NDArray[np.uint8]]:
    """Return what a camera sees that is held by hand, and turned a little in the end."""
    scene = texture(140, 200)
    turns = np.clip(np.arange(80) - 50, 0, 16)
    places = [(10 + round(4 * np.cos(i * 1.7)), 10 + round(3 * np.sin(i * 1.1)) + turn) for i, turn in enumerate(turns)]
    return [with_blob(scene[y : y + 120, x : x + 160], index) for index, (y, x) in enumerate(places)]


def lit_pictures() -> list[NDArray[np.uint8]]:
    """Return a scene of which a lamp lights one side from one frame on, and a cut to another."""
    dim, other = 0.6 * texture(96, 128), texture(96, 128)[::-1, ::-1]
    lamp = np.linspace(0.8, 2.2, 128, dtype=np.float32)[:, None]
    scenes = [dim] * 40 + [dim * lamp] * 30 + [other] * 20
    return [with_blob(scene, index) for index, scene in enumerate(scenes)]


def film(path: Path, pictures: Sequence[NDArray[np.uint8]], codec: str) -> Path:
    """Write pictures as a film in 4:2:0, coded on one thread."""
    height, width = pictures[0].shape[:2]
    with av.open(str(path), "w", container_options={"fflags": "+bitexact"}) as container:
        stream = container.add_stream(codec, rate=25)
        stream.height, stream.width, stream.pix_fmt = height, width, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.bit_rate = 2_000_000
        for index, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def photos(folder: Path, count: int, change: Callable[[NDArray[np.uint8]], NDArray]) -> Path:
    """Write a folder of small PNG photographs, each changed before it is stored."""
    folder.mkdir()
    scene = texture(48, 64)
    for index in range(count):
        cv2.imwrite(str(folder / f"shot{index}.png"), change(with_blob(scene, index)[..., ::-1]))
    return folder


def stack(path: Path) -> Path:
    """Write a 16-bit grey TIFF of many pages: bright specks that wander over a dim slope."""
    rng = np.random.default_rng(3)
    places, slope = rng.uniform(0, 64, (6, 2)), np.linspace(2000, 9000, 80)[None, :] + np.zeros((64, 1))
    pages = []
    for _ in range(40):
        places = (places + rng.normal(0.5, 1.5, places.shape)) % (64, 80)
        page = slope + rng.normal(0, 120, slope.shape)
        for y, x in places.astype(int):
            page[max(0, y - 3) : y + 3, max(0, x - 3) : x + 3] += 20000
        pages.append(page.clip(0, 65535).astype(np.uint16))
    tifffile.imwrite(path, np.stack(pages), photometric="minisblack", metadata=None)
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {
    "still": lambda folder: film(folder / "still.mkv", still_pictures(), "ffv1"),
    "shaken": lambda folder: film(folder / "shaken.mp4", shaken_pictures(), "mpeg4"),
    "lit": lambda folder: film(folder / "lit.mkv", lit_pictures(), "ffv1"),
    "photos": lambda folder: photos(folder / "photos", 24, lambda picture: picture),
    "deep": lambda folder: photos(folder / "deep", 20, lambda picture: picture.astype(np.uint16) * 250 + 9),
    "stack": lambda folder: stack(folder / "stack.tif"),
}
"""What makes each input, by the name that runs call it by."""
