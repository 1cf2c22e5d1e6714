"""Frames are shown in any order, and what is learnt does not depend on it."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from core import catalogue
from core.bench.experiments.runs import build
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.frames.motion import Motion, Shift
from core.frames.moved import moved_values
from core.io.sources import InputSpec, open_source
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.flashing import FLASH, Flashing
from tests.core.session.test_scenes import CUT, block, cut, f_of
from tests.core.session.test_scenes import N as N_CUT

N = 16
SMALL = InputSpec("sample:street", size=(48, 36), frames=(1, N))
FEW = {"rank": 2, "iterations": 3}


def known(session) -> str:
    """Return a checksum of all that a session has learnt."""
    sum_ = hashlib.sha256()
    model = session.model()
    for state in (model.method_state, model.mask_state, {"plate": session.plate(), "seen": session.confidence()}):
        for name in sorted(state):
            sum_.update(name.encode() + np.ascontiguousarray(state[name]).tobytes())
    return sum_.hexdigest()


def nothing(_session) -> None:
    """Do nothing between frames."""


def learn(settings, spec, between: Callable[[Session], None] = nothing) -> tuple[str, list[str]]:
    """Run over an input to the end, with something done between frames; return what was learnt, and the masks."""
    source = open_source(spec)
    try:
        return learn_from(source, settings, between)
    finally:
        source.close()


def learn_from(source, settings, between: Callable[[Session], None]) -> tuple[str, list[str]]:
    session = Session(source, settings)
    masks = []
    for report in session.run():
        masks.append(hashlib.sha256(report.mask.tobytes() + report.background_image.tobytes()).hexdigest())
        between(session)
    between(session)
    return known(session), masks


class Shaking:
    """A source before a camera that shakes."""

    def __init__(self, inner, live=False):
        self.inner, self.info, self.warnings = inner, replace(inner.info, live=live), []

    def frames(self, first=0):
        for frame in self.inner.frames(first):
            by = Motion(Shift(*np.random.default_rng(frame.index).integers(-6, 7, 2).tolist()))
            yield replace(frame, values=moved_values(frame.layout, frame.values, by), truth=None)

    def close(self):
        self.inner.close()


def browsing(seed: int):
    """Return what looks at some frames in no order, now and then."""
    random = Random(seed)

    def look(session) -> None:
        for _ in range(random.choice((0, 0, 1, 2))):
            reports = session.browse(random.randrange(N + 3))
            for _ in range(random.randrange(1, 4)):
                next(reports, None)
            reports.close()

    return look


def one_of_each_kind() -> list[str]:
    """Return a method of each class that runs a rule, with each rule; losses make no difference to a session."""
    layout, kinds = Layout(36, 48, Planes.GREY), {}
    for key in catalogue.METHODS:
        method = build(key, layout, {}, 0)
        kinds.setdefault((type(method), type(vars(method).get("_rule"))), key)
    return [*kinds.values()]


@pytest.mark.parametrize("key", one_of_each_kind())
def test_what_is_learnt_does_not_depend_on_how_a_person_browses(key):
    own = catalogue.parameters(catalogue.row(key))
    settings = Settings(key, {name: value for name, value in FEW.items() if name in own})
    assert learn(settings, SMALL, browsing(1)) == learn(settings, SMALL)


def test_nor_does_it_in_a_second_pass():
    spec = InputSpec("sample:street", size=(160, 120), frames=(1, N))
    assert learn(Settings("fast", passes=2), spec, browsing(2)) == learn(Settings("fast", passes=2), spec)


def test_nor_does_it_where_the_camera_shakes():
    shaking = Shaking(open_source(InputSpec("sample:street", size=(240, 180), frames=(1, N))))
    session = Session(shaking, Settings())
    shifts = [report.frame.motion.shift for report in session.run()]
    assert len(set(shifts)) > 5, "frames are aligned"
    assert np.allclose(next(session.browse(7)).frame.motion.shift, shifts[7], atol=0.1)
    assert learn_from(shaking, Settings(), browsing(3)) == learn_from(shaking, Settings(), nothing)


def test_a_frame_is_shown_as_it_is_with_what_is_known_of_it():
    source = open_source(SMALL)
    session = Session(source, Settings())
    run = session.run()
    assert not list(session.browse(3)), "nothing is known before the first frame"
    learnt = [next(run) for _ in range(10)]
    shown = next(session.browse(4))
    assert (shown.frame.index, shown.phase, shown.figures) == (4, Phase.LOOKING, {})
    assert np.array_equal(shown.input_image, learnt[4].input_image)
    assert [report.frame.index for report in session.browse(N - 2)] == [N - 2, N - 1]
    assert next(run).frame.index == 10
    run.close()
    source.close()


def test_parameters_and_strokes_act_on_the_frame_that_is_looked_at():
    source = open_source(InputSpec("sample:street", size=(160, 120), frames=(1, 40)))
    session = Session(source, Settings())
    run = session.run()
    for _ in range(30):
        next(run)
    shown = next(session.browse(20))
    session.control.set({"sensitivity": 99})
    assert np.count_nonzero(session.preview().mask) != np.count_nonzero(shown.mask)
    where = shown.mask > 0
    assert where.any()
    corrected = session.strokes.paint(shown.frame, background=where, frames=(20, 20))
    assert corrected.frame.index == 20
    assert not corrected.mask[where].any()
    run.close()
    source.close()


def test_a_frame_that_is_looked_at_is_compared_with_none_that_the_run_has_reached():
    source = open_source(InputSpec("sample:street", size=(160, 120), frames=(1, 60)))
    session = Session(source, Settings())
    for _ in session.run():
        pass
    shown = next(session.browse(30))
    where = shown.mask > 0
    assert where.any()
    reports, lessons = [], []
    for is_first in (False, True):
        if is_first:  # As where no frame was learnt from.
            session.foreground.begin_pass()
        reports.append(next(session.browse(30)))
        session.strokes.paint(shown.frame, foreground=where)
        lessons.append(session.foreground.lessons)
        session.strokes.undo()
    np.testing.assert_array_equal(reports[1].logits.of_cells, reports[0].logits.of_cells)
    np.testing.assert_array_equal(reports[1].mask, reports[0].mask)
    assert lessons[0]
    np.testing.assert_array_equal(lessons[1][0].painted.cells, lessons[0][0].painted.cells)
    source.close()


def test_a_frame_that_is_looked_at_is_in_its_own_light_whatever_frame_was_shown_before():
    flashing = Flashing()
    session, shown = Session(flashing, Settings(passes=1)), []
    for report in session.run():
        if report.frame.index in {FLASH - 1, FLASH}:
            shown.append(next(session.browse(20)))
        if report.frame.index == FLASH:
            break
    assert report.lit is not None
    assert shown[1].lit is None
    assert np.mean(shown[1].mask != shown[0].mask) < 0.001, "in the light of the other frame it is 0.27"
    flashing.close()


def test_a_camera_cannot_be_browsed():
    session = Session(Shaking(open_source(SMALL), live=True), Settings())
    with pytest.raises(CleanplateError, match="wound back"):
        session.browse(0)


@pytest.mark.parametrize(("passes", "until"), [(1, None), (2, None), (2, 4 * 60 + 130), (2, 130)])
def test_a_frame_of_another_scene_is_compared_with_the_background_of_its_own(passes, until):
    session = Session(cut(n=4 * 60, each=60), Settings(passes=passes))
    run = session.run()
    for _ in islice(run, until):
        pass
    for index in (30, 90) if until == 130 else (30, 90, 150, 210):
        shown = next(session.browse(index))
        assert shown.is_scene_known
        assert f_of([shown])[0] > 0.9, index
        for picture in (shown.background_image, shown.cleaned_image):
            assert np.abs(picture.astype(float) - _empty_of(index // 60))[block(index)].mean() < 8, index
    run.close()


def _empty_of(k):
    source = cut(n=4 * 60, each=60)
    frames = [frame for frame in source.frames() if frame.index // 60 == k]
    return np.median([frame.image() for frame in frames], axis=0)


def test_of_a_scene_that_the_run_has_not_come_to_nothing_is_said():
    session = Session(cut(), Settings(passes=1))
    run = session.run()
    for _ in islice(run, 40):
        pass
    there, ahead = next(session.browse(CUT - 5)), next(session.browse(CUT + 20))
    assert (ahead.is_scene_known, there.is_scene_known) == (False, True)
    assert not ahead.mask.any()
    np.testing.assert_array_equal(ahead.cleaned_image, ahead.input_image)
    assert f_of([there])[0] > 0.9
    session.control.set({"sensitivity": 99})
    assert not session.preview().mask.any()
    run.close()


def test_what_is_painted_on_a_frame_of_another_scene_says_nothing_of_that_which_the_run_shows():
    session = Session(cut(), Settings(passes=2))
    run = session.run()
    for _ in islice(run, N_CUT + CUT + 30):
        pass
    learnt, shown = session.plate().copy(), next(session.browse(20))
    where = shown.mask > 0
    assert where.any()
    corrected = session.strokes.paint(shown.frame, background=where)
    assert not corrected.mask[where].any()
    np.testing.assert_array_equal(corrected.background_image, shown.background_image)
    session.control.set({"grow": 3})
    after = session.preview()
    np.testing.assert_array_equal(after.cleaning.plate.samples, shown.cleaning.plate.samples)
    session.strokes.undo()
    np.testing.assert_array_equal(session.plate(), learnt)
    run.close()
