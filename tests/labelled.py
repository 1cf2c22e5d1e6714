"""A small labelled sequence, laid out as on changedetection.net."""

import cv2
import numpy as np

HEIGHT, WIDTH, N = 48, 64, 40
FIRST, LAST, UNLABELLED = 21, 38, 24


def labels_of(number):
    """Return the labels (H, W) of a frame, from 1."""
    truth = np.zeros((HEIGHT, WIDTH), np.uint8)
    left = number % (WIDTH - 12)
    truth[16:30, left : left + 12] = 255
    truth[30:33, left : left + 12] = 50
    truth[14:16, left : left + 12] = 170
    truth[:4] = 85
    return truth


def empty_sequence(folder):
    """Write a sequence in whose labels nothing passes."""
    make_sequence(folder)
    for path in (folder / "groundtruth").iterdir():
        cv2.imwrite(str(path), np.zeros((HEIGHT, WIDTH), np.uint8))
    return folder


def make_sequence(folder, *, grey=False):
    """Write a scene with noise through which a red square passes, with its shadow and borders not to be scored."""
    rng = np.random.default_rng(3)
    scene = cv2.resize(rng.integers(60, 180, (6, 8, 3)).astype(np.float32), (WIDTH, HEIGHT))
    for part in ("input", "groundtruth"):
        (folder / part).mkdir(parents=True)
    for number in range(1, N + 1):
        truth = labels_of(number)
        picture = scene + rng.normal(0, 2, scene.shape)
        picture[truth == 255] = (40, 40, 230)
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        picture = picture[..., 1] if grey else picture
        cv2.imwrite(str(folder / "input" / f"{number:06d}.png"), picture)
        if number >= FIRST - 10 and number != UNLABELLED:
            cv2.imwrite(str(folder / "groundtruth" / f"{number:06d}.png"), truth)
    (folder / "scored.txt").write_text(f"{FIRST} {LAST}\n")
    return folder
