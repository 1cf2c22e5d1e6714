"""Small inputs that tests of whole runs share."""

import cv2
import numpy as np
import pytest


def opened(path, **view):
    """Open an input, whole or as ``view`` says in the fields of `InputSpec`."""
    from core.io.sources import InputSpec, open_source

    return open_source(InputSpec(str(path), **view))


def scene(index: int, height: int = 48, width: int = 64) -> np.ndarray:
    """Return a still, textured RGB scene with sensor noise, through which a bright square passes."""
    still = np.random.default_rng(7).integers(40, 160, (height, width, 3)).astype(np.float32)
    image = cv2.GaussianBlur(still, (0, 0), 2) + np.random.default_rng(index).normal(0, 1.5, (height, width, 3))
    left = 2 + 3 * index
    image[16:30, left : left + 12] = (250, 20, 20)
    return image.clip(0, 255).astype(np.uint8)


def save_png(path, image):
    path.write_bytes(cv2.imencode(".png", image if image.ndim == 2 else image[..., ::-1].copy())[1].tobytes())


@pytest.fixture(scope="session")
def photos(tmp_path_factory):
    """A folder of 16 small colour photographs."""
    folder = tmp_path_factory.mktemp("input") / "photos"
    folder.mkdir()
    for index in range(16):
        save_png(folder / f"shot{index}.png", scene(index))
    return folder


@pytest.fixture(scope="session")
def deep_photos(tmp_path_factory):
    """A folder of 8 small 16-bit grey photographs."""
    folder = tmp_path_factory.mktemp("input") / "deep"
    folder.mkdir()
    for index in range(8):
        save_png(folder / f"shot{index}.png", scene(index)[..., 1].astype(np.uint16) * 200 + 5)
    return folder


@pytest.fixture(scope="session")
def film(tmp_path_factory):
    """A lossless film of 16 frames at a variable rate, with the times of its frames in seconds."""
    from core.io.sinks.video import Ffv1

    times = [round(i * 0.04 + (0.3 if i > 7 else 0.0), 3) for i in range(16)]
    sink = Ffv1(tmp_path_factory.mktemp("input") / "film.mkv", 25.0)
    sink.open(sink.final.parent)
    for index, time_s in enumerate(times):
        sink.write(index + 1, time_s, scene(index))
    sink.close()
    return sink.final, times
