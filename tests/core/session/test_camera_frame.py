from dataclasses import replace

import numpy as np
import pytest

from core.frames.motion import AT_REST, Motion, Shift
from core.scene.masks.cell_logits import CellLogits
from core.session.camera_frame import to_camera_frame
from core.session.report import Report
from tests.core.session.test_alignment import LAYOUT, seen, split_of


def test_a_frame_that_has_not_moved_is_its_own_report():
    frame = replace(seen(0, 0, 0), motion=AT_REST)
    report = Report(frame, split_of(frame.values), np.zeros(LAYOUT.shapes[0], np.uint8), 0, 1, 1, None, 0.0, {})
    assert to_camera_frame(report, frame) is report
    assert to_camera_frame(report, replace(frame, motion=Motion(Shift(2.0, 0.0)))).split.mask is None


@pytest.mark.parametrize("by", [(0.5, 0.5), (-1.5, 2.5), (0.3, -0.6), (2.0, -3.0)])
def test_what_is_covered_in_a_frame_that_has_moved_holds_all_of_its_mask(by):
    rng = np.random.default_rng(0)
    mask = np.where(rng.random(LAYOUT.shapes[0]) < 0.5, 255, 0).astype(np.uint8)
    covered = mask | np.where(rng.random(mask.shape) < 0.5, 255, 0).astype(np.uint8)
    frame = replace(seen(0, 0, 0), motion=AT_REST)
    report = Report(frame, split_of(frame.values, mask), mask, 0, 1, 1, None, 0.0, {}, may_hide=covered)
    shown = to_camera_frame(report, replace(frame, motion=Motion(Shift(*by))))
    assert shown.mask.any()
    assert shown.hidden[shown.mask > 0].all()


def test_what_the_head_says_of_cells_moves_back_with_the_frame():
    logit = np.zeros((48, 64), np.float32)
    logit[20, 30] = 3
    frame = replace(seen(0, 0, 0), motion=AT_REST)
    empty = np.zeros(LAYOUT.shapes[0], np.uint8)
    report = Report(frame, split_of(frame.values), empty, 0, 1, 1, None, 0.0, {}, logits=CellLogits(logit, 2))
    shown = to_camera_frame(report, replace(frame, motion=Motion(Shift(4.0, -6.0))))
    assert np.unravel_index(shown.logits.of_cells.argmax(), logit.shape) == (22, 27)
    assert shown.probability.shape == empty.shape


def test_the_background_in_the_light_of_a_frame_moves_back_with_it():
    frame = replace(seen(0, 0, 0), motion=AT_REST)
    empty, split = np.zeros(LAYOUT.shapes[0], np.uint8), split_of(frame.values)
    report = Report(frame, split, empty, 0, 1, 1, None, 0.0, {}, lit=split.samples(LAYOUT))
    shown = to_camera_frame(report, replace(frame, motion=Motion(Shift(4.0, -6.0))))
    np.testing.assert_array_equal(shown.lit, shown.split.samples(LAYOUT))
    assert (shown.lit != report.lit).any()
