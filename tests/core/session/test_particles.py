"""Small particles before a background that bleaches, or whose lamp drifts, as the preset for microscopes finds them."""

import cv2
import numpy as np
import pytest
import tifffile

from core.export.preset import built_in_presets
from core.session.model import Model
from core.session.particles import FOR_PARTICLES
from core.session.session import Session
from core.session.settings import Settings
from tests.small_inputs import opened

NOISE, WIDTH = 60, 2.2
"""Standard deviations: of the noise, samples, and of a particle, pixels."""


def drawn(n_frames=40, *, size=(120, 160), scales=24, bleach=0.0, drift=0.0, dtype=np.uint16, unit=1.0, seed=5):
    """Return frames (T, H, W) of 8 particles, ``scales`` times the noise, and where they bring half of their light.

    Parameters
    ----------
    bleach : float
        Share of the light of the background that is lost from frame to frame.
    drift : float
        Samples that the lamp brings more at the right end in the end.
    unit : float
        Samples of the result to one of 16 bits.
    """
    rng, (height, width) = np.random.default_rng(seed), size
    y, x = np.mgrid[:height, :width]
    scene = cv2.GaussianBlur(rng.random(size), (0, 0), 6)
    scene = 8000 + 6000 * (scene - scene.min()) / np.ptp(scene)
    starts, speeds = rng.uniform((0, 0), size, (8, 2)), rng.uniform(1, 2.5, (8, 2)) * rng.choice((-1, 1), (8, 2))
    frames, where = np.empty((n_frames, *size), dtype), np.empty((n_frames, *size), bool)
    for t in range(n_frames):
        light = sum(
            np.exp(-((y - row) ** 2 + (x - column) ** 2) / (2 * WIDTH**2))
            for row, column in (starts + t * speeds) % size
        )
        picture = scene * (1 - bleach) ** t + drift * t / n_frames * x / width + scales * NOISE * light
        frames[t] = np.rint(unit * (picture + rng.normal(0, NOISE, size)))
        where[t] = light > 0.5
    return frames, where


def stack_of(path, frames):
    tifffile.imwrite(path, frames, photometric="minisblack")


def masks_of(path, settings):
    """Return the masks (T, H, W) of a stack."""
    session = Session(opened(path), settings)
    return np.array([report.full_mask > 0 for report in session.run() if report.pass_index == settings.passes - 1])


def scored(tmp_path, frames, where, **values):
    """Return the share of particles that masks of the preset touch, and recall and precision of their pixels."""
    stack_of(tmp_path / "drawn.tif", frames)
    preset = built_in_presets()["microscopy"].settings()
    masks = masks_of(tmp_path / "drawn.tif", Settings(preset.method, {**preset.values, **values}, preset.passes))
    found = total = 0
    for mask, truth in zip(masks, where, strict=True):
        count, labels = cv2.connectedComponents(truth.astype(np.uint8))
        found, total = found + len(set(np.unique(labels[mask])) - {0}), total + count - 1
    near = np.array([cv2.dilate(truth.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0 for truth in where])
    return found / total, (masks & where).sum() / where.sum(), (masks & near).sum() / masks.sum()


@pytest.mark.parametrize(
    ("stack", "least"),
    [
        ({}, 0.98), ({"bleach": 0.01}, 0.97), ({"drift": 3000.0}, 0.95), ({"drift": -3000.0}, 0.93),
        ({"dtype": np.uint8, "unit": 1 / 64}, 0.97), ({"n_frames": 24, "size": (600, 90)}, 0.98),
    ],
    ids=["still", "bleaches", "lit more at one end", "and less", "8 bits", "as high as large cells are usual for"],
)  # fmt: skip
def test_particles_that_are_well_above_the_noise_are_found(tmp_path, stack, least):
    found, recall, precision = scored(tmp_path, *drawn(**stack))
    assert found > least
    assert recall > least - 0.1
    assert precision > 0.9


def test_a_stack_without_particles_has_empty_masks(tmp_path):
    stack_of(tmp_path / "drawn.tif", drawn(24, scales=0, drift=3000.0)[0])
    preset = built_in_presets()["microscopy"].settings()
    assert not masks_of(tmp_path / "drawn.tif", preset).any()


def slow(seed, n_frames=80, size=(384, 448)):
    """Return frames (T, H, W) of 14 particles that wander, some so slowly that they rest, and where they are."""
    rng, (y, x) = np.random.default_rng(seed), np.mgrid[: size[0], : size[1]]
    scene = 3000 + 1500 * np.exp(-((y - 200) ** 2 + (x - 180) ** 2) / (2 * 150**2))
    for row, column in rng.uniform((0, 0), size, (25, 2)):
        scene += 1800 * np.exp(-((y - row) ** 2 + (x - column) ** 2) / (2 * 3.0**2))
    places = np.stack([rng.uniform(0, side, 14) for side in size], axis=1)
    speeds = rng.normal(0, 3, (14, 2))
    frames, where = np.empty((n_frames, *size), np.uint16), np.zeros((n_frames, *size), bool)
    for t in range(n_frames):
        places += speeds + rng.normal(0, 0.6, places.shape)
        light = np.zeros(size)
        for row, column in places:
            near = tuple(slice(max(0, int(at) - 32), max(0, int(at) + 33)) for at in (row, column))  # No bit is lost.
            apart = (y[near] - row) ** 2 + (x[near] - column) ** 2
            where[t][near] |= apart < 5.6**2
            light[near] += 2600 * np.exp(-apart / (2 * 3.5**2))
        picture = (scene + light) * (1 - 0.002 * t)
        noise = rng.normal(0, 40, size) + 0.8 * np.sqrt(picture) * rng.normal(0, 1, size)
        frames[t] = picture + noise
    return frames, where


@pytest.mark.parametrize("seed", [2, 4])
def test_where_something_rested_next_to_nothing_is_found_while_it_is_not_there(tmp_path, seed):
    """Where single pixels had to be still by themselves there were 1.4 and 3.7 such regions in each frame."""
    frames, where = slow(seed)
    stack_of(tmp_path / "drawn.tif", frames)
    masks = masks_of(tmp_path / "drawn.tif", built_in_presets()["microscopy"].settings())
    n_false = 0
    for mask, truth in zip(masks, where, strict=True):
        near = cv2.dilate(truth.astype(np.uint8), np.ones((9, 9), np.uint8))
        count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
        n_false += count - len(set(np.unique(labels[near > 0])) | {0})
    assert n_false < 0.2 * len(frames)


@pytest.mark.parametrize(("n_frames", "is_told"), [(1, False), (2, True), (9, True), (10, False)])
def test_a_stack_of_few_frames_is_told_to_show_little_movement(tmp_path, n_frames, is_told):
    stack_of(tmp_path / "drawn.tif", drawn(n_frames)[0])
    session = Session(opened(tmp_path / "drawn.tif"), Settings())
    told = [note for note in session.warnings if note != FOR_PARTICLES]
    assert [note for note in told if f"The input has {n_frames} frames" in note] == told
    assert len(told) == is_told


def test_a_model_that_is_applied_needs_no_frames_to_learn_from(tmp_path):
    frames, _ = drawn(12)
    for name, part in (("long", frames), ("short", frames[:4])):
        stack_of(tmp_path / f"{name}.tif", part)
    first = Session(opened(tmp_path / "long.tif"), Settings(values={"cell": 1}))
    list(first.run())
    second = Session(opened(tmp_path / "short.tif"), Settings(), model=first.model())
    assert second.warnings == []


def test_noise_that_a_model_knows_of_cells_of_another_size_is_learnt_anew(tmp_path):
    stack_of(tmp_path / "drawn.tif", drawn(12)[0])
    first = Session(opened(tmp_path / "drawn.tif"), Settings(values={"cell": 1}))
    list(first.run())
    path = tmp_path / "learnt.model"
    first.model().save(path)
    model = Model.load(path)
    assert Session(opened(tmp_path / "drawn.tif"), Settings(), model=model).foreground.cells == (120, 160)
    other = Session(opened(tmp_path / "drawn.tif"), Settings(values={"cell": 2}), model=model)
    assert other.foreground.cells == (60, 80)
    assert any("another cell size" in note for note in other.warnings)
