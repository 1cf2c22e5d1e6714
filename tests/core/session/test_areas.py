"""What areas do to the frames of a session: masks, plate, cleaned frames, and what is learnt."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.frames.motion import Motion, Shift
from core.io.sources.base import SourceInfo
from core.io.sources.views import Cropped, Scaled
from core.scene.areas import Areas, Shape
from core.scene.masks.finish import MaskFinish
from core.session.area_state import AreaState
from core.session.scene_follower import SceneFollower
from core.session.session import Session
from core.session.settings import Settings
from tests.core.scene.masks.test_corrections import clip as standing
from tests.core.session.test_session import LAYOUT, clip

LEFT = Shape("never", ((0, 0), (32, 0), (32, 48), (0, 48)))
"""The left half, and the next column: OpenCV draws the border of a polygon too."""

HALF = np.s_[:, :32]


def areas(kind):
    return Areas((Shape(kind, LEFT.points),))


def run(settings, source=None):
    session = Session(source or clip(40), settings)
    return list(session.run()), session


@pytest.fixture(scope="module")
def plain():
    return run(Settings())


@pytest.mark.parametrize("method", ["fast", "opgd", "knn"])
def test_where_nothing_is_ever_foreground_it_is_not_and_elsewhere_it_is(method):
    settings = Settings(method, areas=areas("never"))
    reports, session = run(settings)
    without, _ = run(replace(settings, areas=Areas()))
    assert any(r.full_mask[HALF].any() for r in without)
    for r in reports:
        assert not r.mask[HALF].any()
        assert not r.hidden[HALF].any()
        assert not r.full_mask[HALF].any()
        assert not r.matte[HALF].any()
        assert not r.deep_matte[HALF].any()
        assert not r.foreground_rgba[HALF].any()
    assert any(r.full_mask[:, 40:].any() for r in reports)
    assert session.confidence()[HALF].min() == 1, "the plate learns it as usual"


def test_the_plate_of_a_first_pass_knows_where_nothing_is_foreground(monkeypatch):
    told = []
    end = SceneFollower.end_pass
    monkeypatch.setattr(
        SceneFollower,
        "end_pass",
        lambda self, known, first, never: (told.append(never), end(self, known, first, never))[1],
    )
    run(Settings(areas=areas("never"), passes=2))
    assert len(told) == 1
    assert told[0][HALF].all()
    assert not told[0][:, 34:].any()


def test_a_finish_does_not_reach_into_what_is_never_foreground(plain):
    for r in plain[0][-6:]:
        report = replace(r, finish=MaskFinish(20, 10), areas=AreaState(plain[1].source.info, areas("never")).maps)
        for found in (report.full_mask, report.matte, report.deep_matte, report.foreground_rgba, report.finished_mask):
            assert not found[HALF].any()
        assert np.count_nonzero(report.full_mask) >= np.count_nonzero(r.full_mask[:, 34:])


def test_cleaned_frames_keep_what_they_are_to_keep_and_nothing_else_changes(plain):
    reports, session = run(Settings(areas=areas("keep")))
    changed = False
    for r, before in zip(reports, plain[0], strict=True):
        np.testing.assert_array_equal(r.full_mask, before.full_mask)
        np.testing.assert_array_equal(r.matte, before.matte)
        np.testing.assert_array_equal(r.background_image, before.background_image)
        np.testing.assert_array_equal(r.cleaned_image[HALF], r.input_image[HALF])
        np.testing.assert_array_equal(r.cleaned_image[:, 34:], before.cleaned_image[:, 34:])
        changed |= bool((before.cleaned_image[HALF] != r.input_image[HALF]).any())
    assert changed
    np.testing.assert_array_equal(session.plate(), plain[1].plate())


def test_areas_that_are_set_while_it_runs_show_on_the_last_frame_and_from_then_on():
    session = Session(clip(30), Settings())
    reports = session.run()
    shown = [next(reports) for _ in range(22)][-1]
    assert shown.full_mask[HALF].any()
    again = session.areas.set(areas("never"))
    assert session.areas.now == areas("never")
    assert again.frame.index == shown.frame.index
    assert not again.full_mask[HALF].any()
    assert not again.mask[HALF].any()
    assert not next(reports).mask[HALF].any()
    painted = np.zeros(LAYOUT.shapes[0], bool)
    painted[20:30, 10:20] = True
    assert not session.strokes.paint(next(reports).frame, foreground=painted).mask[HALF].any(), (
        "areas go before strokes"
    )
    session.areas.set(Areas())
    assert any(r.full_mask[HALF].any() for r in reports)


def test_a_region_and_a_working_size_leave_areas_where_they_are():
    corner = (12, 6)
    source = Scaled(Cropped(clip(30), (*corner, 48, 36)), (24, 18))
    reports, _ = run(Settings(areas=areas("never")), source)
    assert source.info.corner == corner
    assert source.info.uncut == (64, 48)
    for r in reports:
        assert r.full_mask.shape == (36, 48)
        assert not r.full_mask[:, : 32 - corner[0]].any()
        assert not r.mask[:, : (32 - corner[0]) // 2].any()
    assert any(r.full_mask[:, 24:].any() for r in reports)


def test_areas_stay_in_the_picture_while_the_camera_shakes():
    state = AreaState(SourceInfo("Clip", LAYOUT, 25.0, 1), areas("never"))
    frame = next(clip(1).frames())
    np.testing.assert_array_equal(state.never(frame), state.maps.never)
    shaken = replace(frame, motion=Motion(Shift(0.0, -4.0)))
    in_scene = state.never(shaken)
    moved = np.flatnonzero(in_scene.any(axis=0))[-1] - np.flatnonzero(state.maps.never.any(axis=0))[-1]
    assert abs(moved) == 4


def test_areas_of_another_size_are_refused_and_those_in_force_stay():
    wrong = Areas(size=(10, 10), codes=bytes(100))
    with pytest.raises(CleanplateError, match="10×10"):
        Session(clip(3), Settings(areas=wrong))
    cut = Cropped(clip(3), (0, 0, 32, 24))
    Session(cut, Settings(areas=Areas(size=(64, 48), codes=bytes(64 * 48))))
    session = Session(clip(30), Settings(areas=areas("never")))
    reports = session.run()
    next(reports)
    with pytest.raises(CleanplateError):
        session.areas.set(wrong)
    assert session.areas.now == areas("never")
    assert not any(r.mask[HALF].any() for r in reports)


@pytest.mark.parametrize("layout", [Layout(48, 64, Planes.GREY), Layout(49, 63, Planes.YCC420)], ids=["grey", "4:2:0"])
def test_grey_and_odd_chroma_frames_have_areas_too(layout):
    reports, _ = run(Settings(areas=areas("never")), standing(layout, comes=10, goes=40, n=20))
    assert not any(r.full_mask[HALF].any() for r in reports)
    assert any(r.full_mask[:, 34:].any() for r in reports)
