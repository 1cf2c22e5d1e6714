"""What parameters of the mask do to the frame that is held, before any other frame is read; and the warm-up."""

from unittest.mock import patch

import numpy as np
import pytest

from core.methods.base import WarmUp
from core.scene.tuning import SETTLED_FRAMES
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_session import clip

MASKS = {"smallest": 0, "holes": 0}


def held(n=8, method="fast", n_frames=16, **chosen):
    """A session that holds after n frames, its reports, and the last of them."""
    session = Session(clip(n_frames), Settings(method, {**MASKS, **chosen}))
    reports = session.run()
    for _ in range(n - 1):
        next(reports)
    return session, reports, next(reports)


def test_a_changed_parameter_of_the_mask_shows_on_the_frame_that_is_held():
    session, reports, report = held()
    assert report.mask.any()
    session.control.set({"smallest": 100_000})
    shown = session.preview()
    assert shown.frame is report.frame
    assert shown.split is report.split
    assert not shown.mask.any()
    assert report.mask.any(), "what was shown before is not written again"
    session.control.set({"smallest": 0})
    assert (session.preview().mask != report.mask).mean() < 0.01, "but for what was learnt from that very frame"
    reports.close()


def test_a_preview_leaves_no_trace():
    session, reports, _ = held()
    for smallest in (100_000, 300, 0):
        session.control.set({"smallest": smallest})
        assert session.preview() is not None
    plain = [r.mask for r in Session(clip(16), Settings(values=MASKS)).run()]
    after = [r.mask for r in reports]
    assert len(after) == 8
    for mask, expected in zip(after, plain[8:], strict=True):
        np.testing.assert_array_equal(mask, expected)


def test_there_is_a_preview_only_where_the_mask_may_have_changed():
    session = Session(clip(16), Settings())
    session.control.set({"sensitivity": 6})
    assert session.preview() is None, "no frame was read"
    session, reports, _ = held()
    assert session.preview() is None
    session.control.set({"memory": 200})
    assert session.preview() is None, "it is no parameter of the mask"
    reports.close()
    session, reports, _ = held(method="mog2")
    session.control.set({"sensitivity": 6})
    assert session.preview() is None, "its masks are its own"
    reports.close()


def test_what_was_painted_stays_in_a_preview():
    session, reports, report = held()
    painted = np.zeros(report.mask.shape, bool)
    painted[36:44, 4:30] = True
    session.strokes.paint(report.frame, foreground=painted)
    session.control.set({"sensitivity": 7})
    assert (session.preview().mask[painted] > 0).mean() > 0.9
    session.strokes.undo()
    session.control.set({"sensitivity": 6})
    assert not session.preview().mask[painted].any()
    reports.close()


def test_sliders_that_are_dragged_over_a_held_frame_release_nothing_that_was_painted():
    # The mask finds nothing by itself: what it shows was painted. The block is at the same place every 10 frames.
    session, reports, report = held(n_frames=20, smallest=100_000)
    painted = report.frame.truth.mask > 0
    session.strokes.paint(report.frame, foreground=painted)
    for _ in range(4):  # What was painted moves on, but is not yet believed to have left.
        assert not next(reports).mask[painted].all()
    for n in range(2 * SETTLED_FRAMES):
        session.control.set({"sensitivity": 5 + n % 2})
        assert not session.preview().mask[painted].all()
    back = next(r for r in reports if r.frame.index == report.frame.index + 10)
    assert (back.mask[painted] > 0).mean() > 0.9
    reports.close()


def test_an_iteration_of_a_batch_method_has_a_preview_and_gathering_has_none():
    session = Session(clip(16), Settings("b-l2sq", MASKS))
    reports = session.run()
    next(reports)
    session.control.set({"sensitivity": 6})
    assert session.preview() is None, "nothing is known yet"
    report = next(r for r in reports if r.iteration is not None)
    session.control.set({"smallest": 100_000})
    shown = session.preview()
    assert shown.iteration == report.iteration
    assert not shown.mask.any()
    reports.close()


@pytest.mark.parametrize("method", ["fast", "opgd", "onmf"])
def test_the_warm_up_is_counted_frame_by_frame(method):
    source = clip(9)
    with patch("core.session.stage_loop.heap.give_back") as given_back:
        found = [report.warming for report in Session(source, Settings(method, {"warm_up": 4})).run()]
    assert given_back.call_count == 2, "as the pass begins, and what it took to begin with"
    assert found == [WarmUp(n, 4) for n in range(1, 5)] + [None] * 5


@pytest.mark.parametrize(("method", "values"), [("fast", {"warm_up": 0}), ("onmf", {"warm_up": 0}), ("mog2", {})])
def test_methods_without_a_warm_up_tell_of_none(method, values):
    assert all(report.warming is None for report in Session(clip(4), Settings(method, values)).run())


def test_a_model_that_is_applied_does_not_warm_up():
    learnt = Session(clip(9), Settings())
    list(learnt.run())
    assert all(report.warming is None for report in Session(clip(4), Settings(), learnt.model()).run())
