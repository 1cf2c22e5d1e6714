"""Frames against the scene: aligned, and the scene's coordinates moved along with a camera that drifts."""

import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.frames.moved import moved
from core.frames.split import DenseSplit
from core.session.alignment import Aligner
from core.session.camera_frame import to_camera_frame
from core.session.report import Report

LAYOUT = Layout(96, 128, Planes.GREY)


def texture():
    rough = np.random.default_rng(0).integers(40, 200, (200, 260)).astype(np.float32)
    for _ in range(3):
        rough = (rough + moved(rough, 1, 0) + moved(rough, 0, 1) + moved(rough, 1, 1)) / 4
    return np.clip(3 * (rough - rough.mean()) + 110, 10, 240)


TEXTURE = texture()


def seen(index, down, right):
    """The scene from a camera that has turned, so that all lies lower and further right."""
    picture = moved(TEXTURE, 50 - down, 60 - right)[: LAYOUT.height, : LAYOUT.width]
    return Frame(index, index / 25, LAYOUT.quantise(picture.ravel() / 255), LAYOUT)


def split_of(values, mask=None):
    unit = values / np.float32(255)
    return DenseSplit(unit, 0 * unit, None, np.ones(1), 0.0, mask=mask)


def test_where_no_shift_is_looked_for_frames_stay_as_they_come():
    aligner, known = Aligner(LAYOUT, 0), split_of(seen(0, 0, 0).values)
    for index in range(12):
        frame = seen(index, 3 * (-1) ** index, 2)
        found = aligner.align(frame, known, learns=True)
        assert (found.camera, found.is_lost, found.rebased) == (frame, False, None)
        assert found.scene is frame


def test_the_first_frame_is_the_scene():
    frame = seen(0, 3, 4)
    assert Aligner(LAYOUT, 10).align(frame, None, learns=True).scene is frame


def test_a_frame_is_brought_to_the_scene_and_back():
    aligner, known = Aligner(LAYOUT, 10), split_of(seen(0, 0, 0).values)
    path = np.random.default_rng(1).uniform(-4, 4, (12, 2))
    for index, by in enumerate(path):
        found = aligner.align(seen(index, *by), known, learns=True)
    np.testing.assert_allclose(found.camera.motion.shift, path[-1], atol=0.2)
    inner = np.zeros(LAYOUT.shapes[0], bool)
    inner[8:-8, 8:-8] = True
    off = np.abs(found.scene.values.astype(float) - seen(0, 0, 0).values).reshape(inner.shape)
    assert off[inner].mean() < 3
    own = np.zeros(LAYOUT.shapes[0], np.uint8)
    own[40:60, 50:80] = 255
    report = Report(found.scene, split_of(found.scene.values, own), own, 0, 1, 1, None, 0.0, {})
    shown = to_camera_frame(report, found.camera)
    assert shown.frame is found.camera
    np.testing.assert_array_equal(shown.split.mask, shown.mask)
    top, left = np.argwhere(shown.mask).min(axis=0)
    np.testing.assert_allclose((top - 40, left - 50), path[-1], atol=1)
    aligner.set_largest(0)
    fresh = seen(12, 2, 2)
    assert aligner.align(fresh, known, learns=True).scene is fresh


@pytest.mark.parametrize("learns", [True, False])
def test_coordinates_move_along_with_a_drift_only_where_it_learns(learns):
    aligner, known = Aligner(LAYOUT, 10), split_of(seen(0, 0, 0).values)
    origin, n_rebased = np.zeros(2), 0
    for index in range(40):
        by = np.array([0.0, 0.3 * index])
        found = aligner.align(seen(index, *by), known, learns=learns)
        if found.rebased is not None:
            n_rebased += 1
            known = split_of(found.rebased.background)
            origin += found.rebased.by
        if index > 20:
            np.testing.assert_allclose(found.camera.motion.shift, by - origin, atol=0.3)
    assert (n_rebased > 0) == learns


def test_of_a_frame_that_shows_nothing_the_background_is_what_is_looked_for():
    aligner, white = Aligner(LAYOUT, 0.0), np.float32(1 / 255)
    known, other = (np.random.default_rng(seed).integers(0, 255, LAYOUT.n_values, np.uint8) for seed in range(2))
    of_known = DenseSplit(known * white, known * white, None, np.ones(1), 0.0)
    of_nothing = DenseSplit(np.full(LAYOUT.n_values, 90) * white, known * white, None, np.ones(1), 0.0)
    blank = Frame(5, 0.2, np.full(LAYOUT.n_values, 90, np.uint8), LAYOUT)
    found = aligner.align(blank, of_known, learns=True)
    assert (found.is_blank, found.is_lost, found.camera) == (True, True, blank)
    assert (found.scene.values == known).all()
    assert (aligner.align(blank, of_known, learns=True, begun=other).scene.values == other).all()
    assert (aligner.look(blank, of_known).scene.values == known).all(), "and so for who looks at it later"
    assert not aligner.align(blank, of_nothing, learns=True).is_lost, "it is a scene of one level"
    assert not Aligner(LAYOUT, 0.0, is_film=False).align(blank, of_known, learns=True).is_lost
    lost = [aligner.align(blank, of_known, learns=True).is_lost for _ in range(12)]
    assert sum(lost) == 10, "it stays: another scene"
    assert all(aligner.align(blank, of_known, learns=True, is_known=True).is_lost for _ in range(12))
