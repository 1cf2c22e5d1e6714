"""The last frame, held and looked at again."""

from dataclasses import replace

import numpy as np
import pytest

from core import catalogue
from core.frames.motion import Motion, Shift
from core.frames.split import DenseSplit
from core.io.sources.base import SourceInfo
from core.scene.areas import Areas, Shape
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.area_state import AreaState
from core.session.last_frame import LastFrame
from core.session.phase import Iteration, Phase
from core.session.report import Report
from tests.core.session.test_session import LAYOUT, frame


@pytest.fixture
def parts():
    row = catalogue.row("fast")
    method = row.build(LAYOUT, row.defaults(), 0)
    foreground = Foreground(LAYOUT, {p.name: p.default for p in MASK_PARAMETERS})
    return method, foreground, Corrections(LAYOUT), AreaState(SourceInfo("Clip", LAYOUT, 25.0, 1), Areas())


def report_of(method, index, phase=Phase.LEARNING, **more):
    one = frame(index)
    empty = np.zeros(LAYOUT.shapes[0], np.uint8)
    return Report(one, method.step(one.values), empty, 0, 1, 1, None, 0.01, {}, phase=phase, **more)


def test_before_the_first_frame_there_is_nothing(parts):
    last = LastFrame(*parts)
    assert (last.split, last.report, last.look_again()) == (None, None, None)


def test_a_report_is_held_in_the_scene_and_handed_out_as_the_frame_came(parts):
    last, report = LastFrame(*parts), report_of(parts[0], 0)
    assert last.put(report, report.frame) is report
    came = replace(report.frame, motion=Motion(Shift(2.0, -4.0)))
    shown = last.put(report, came)
    assert shown.frame is came
    assert last.report is report
    assert last.split is report.split


def test_what_is_corrected_leaves_the_split_that_later_frames_go_on_from(parts):
    last, report = LastFrame(*parts), report_of(parts[0], 0)
    last.put(report, report.frame)
    corrected = replace(report, split=report_of(parts[0], 1).split)
    assert last.show(corrected) is corrected
    assert last.report is corrected
    assert last.split is report.split


def test_nothing_is_known_of_a_frame_that_is_gathered(parts):
    last, report = LastFrame(*parts), report_of(parts[0], 0, Phase.GATHERING)
    last.put(report, report.frame)
    assert last.look_again() is None


def test_a_look_makes_the_mask_anew_with_what_was_painted_and_learns_nothing(parts):
    method, foreground, corrections, _ = parts
    last = LastFrame(*parts)
    reports = [report_of(method, index) for index in range(8)]
    last.put(reports[-1], reports[-1].frame)
    before = {name: a.copy() for name, a in {**method.state(), **foreground.state()}.items()}
    found = last.look_again()
    assert found.split is reports[-1].split
    assert (found.mask[found.frame.truth.mask > 0] > 0).mean() > 0.9
    corrections.add(found.frame.truth.mask > 0, found.frame, is_background=True)
    assert not last.look_again().mask[found.frame.truth.mask > 0].any()
    for name, array in {**method.state(), **foreground.state()}.items():
        np.testing.assert_array_equal(array, before[name])
    assert last.look_again(split_anew=True).split is not reports[-1].split


def test_a_frame_in_other_light_is_looked_at_in_that_light_again(parts):
    method, _, _, _ = parts
    last = LastFrame(*parts)
    for index in range(7):
        report = report_of(method, index)
    last.put(report, report.frame)
    assert last.look_again(split_anew=True).mask.any()
    last.put(replace(report, lit=report.frame.values), report.frame)
    assert not last.look_again(split_anew=True).mask.any()


def test_what_an_area_excludes_is_excluded_from_an_iteration_that_is_looked_at_again(parts):
    method, foreground, corrections, _ = parts
    height, width = LAYOUT.shapes[0]
    everywhere = Shape("never", ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), 0.0)
    reports = [report_of(method, index) for index in range(8)]
    iterated = replace(reports[-1], phase=Phase.ITERATING, iteration=Iteration(1, 2, 3, 0.5))
    for areas, is_marked in ((Areas(), True), (Areas((everywhere,)), False)):
        last = LastFrame(method, foreground, corrections, AreaState(SourceInfo("Clip", LAYOUT, 25.0, 1), areas))
        last.put(iterated, iterated.frame)
        assert last.look_again().mask.any() == is_marked
        assert last.look_again().hidden.any() == is_marked


def test_masks_of_the_method_stay_and_iterations_are_not_painted_on(parts):
    method, _, corrections, _ = parts
    last, report = LastFrame(*parts), report_of(method, 0)
    own = np.zeros(LAYOUT.shapes[0], np.uint8)
    own[3, 4] = 255
    v = report.frame.values / np.float32(255)
    last.put(replace(report, split=DenseSplit(v, 0 * v, None, np.ones(1), 0.0, mask=own)), report.frame)
    np.testing.assert_array_equal(last.look_again(split_anew=True).mask, own)
    iterated = replace(report, phase=Phase.ITERATING, iteration=Iteration(1, 2, 3, 0.5))
    last.put(iterated, iterated.frame)
    free = last.look_again(split_anew=True)
    assert free.split is iterated.split
    corrections.add(np.ones(LAYOUT.shapes[0], bool), report.frame, is_background=False)
    np.testing.assert_array_equal(last.look_again().mask, free.mask)
