import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import Shift
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.plate_frame import FEWEST
from core.scene.stillest_samples import StillestSamples
from core.session import scene_follower
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.learning_scene import LAYOUT, THING, Scene, begin_again


def test_in_a_pass_that_knows_the_scene_no_sample_of_what_stands_still_is_better(monkeypatch):
    scene, asked = Scene(), []
    monkeypatch.setattr(StillestSamples, "better", lambda *_: asked.append(1))
    for _ in range(100):
        scene.show()
    assert asked
    begin_again(scene.scenes, scene.method.transform(scene.frame().values).samples(LAYOUT))
    asked.clear()
    for _ in range(100):
        scene.show()
    assert not asked


def test_where_a_pass_is_over_the_background_is_sure_but_where_something_hid_it_mostly():
    scene, given = Scene(), []
    for _ in range(60):
        scene.show(thing=True)
    begin_again(scene.scenes, scene.method.transform(scene.frame().values).samples(LAYOUT))
    update = scene.foreground.update
    scene.foreground.update = lambda *all_of_it: given.append(all_of_it[3]) or update(*all_of_it)
    scene.show()
    assert given[0][THING].mean() < 0.1
    assert given[0][:18].mean() > 0.98


def test_frames_of_the_beginning_make_a_plate_by_what_is_known_at_the_end_of_a_pass():
    scene = Scene()
    there = scene.frame(thing=True)
    never = np.zeros(LAYOUT.shapes[0], bool)
    never[THING] = True
    split = scene.method.transform(there.values)
    for _ in range(60):  # As at the beginning of a pass: somebody is taken for the scene.
        scene.scenes.now.take(there, split, np.zeros(LAYOUT.shapes[0], np.uint8))
    for _ in range(20):
        scene.show()
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    assert LAYOUT.plane(scene.scenes.plate(background).samples(), 0)[THING].mean() > 200
    plate = begin_again(scene.scenes, background)
    assert np.abs(LAYOUT.plane(plate, 0).astype(float) - scene.texture[0].reshape(LAYOUT.shapes[0]))[THING].mean() < 5
    # What people exclude is no foreground here either.
    assert LAYOUT.plane(begin_again(scene.scenes, background, never), 0)[THING].mean() > 200


def test_where_another_scene_that_is_known_comes_next_frames_are_looked_at_again_too():
    scene = Scene()
    scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 2))
    there, nothing = scene.frame(thing=True), np.zeros(LAYOUT.shapes[0], np.uint8)
    for _ in range(60):  # Somebody is taken for the scene.
        scene.scenes.now.take(there, scene.method.transform(there.values), nothing)
    for _ in range(20):
        scene.show()
    scene.scenes.end_scene(scene.method.transform(scene.frame().values).samples(LAYOUT))
    plate = LAYOUT.plane(scene.scenes.remembered.at(0).plate, 0).astype(float)
    assert np.abs(plate - scene.texture[0].reshape(LAYOUT.shapes[0]))[THING].mean() < 5


def test_what_was_painted_for_some_frames_alone_is_kept_out_of_the_plate_of_these_frames():
    scene, where = Scene(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    first = scene.n + 1
    for _ in range(20):
        frame, _ = scene.show()
        if frame.index == first:
            scene.corrections.add(where, frame, is_background=False, frames=(first, first + 200))
    before = scene.confidence()[THING].mean()
    begin_again(scene.scenes, scene.method.transform(scene.frame().values).samples(LAYOUT))
    assert scene.confidence()[THING].mean() == pytest.approx(before, abs=0.06)
    assert before < 0.6


def test_a_scene_in_which_a_camera_has_drifted_is_remembered_in_the_run_that_follows():
    scene = Scene()
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 1))
    scene.scenes.rebase(background, Shift(0, 0), background)  # In a single pass: nothing is remembered for another.
    scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 2))
    for _ in range(20):
        scene.show()
    assert scene.scenes.end_pass(background).n_frames == 20


def test_the_view_that_the_plate_shows_is_told_where_a_camera_turns_in_the_last_pass():
    scene, info = Scene(), SourceInfo("Clip", LAYOUT, 25.0, 99)
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    told = []
    for number, first in ((0, 3), (1, 5)):
        scene.scenes.begin_pass(Stage(Phase.LEARNING, number, 2))
        for index in range(first, first + 2):
            scene.scenes.see(index)
        scene.scenes.rebase(background, Shift(0, 0), background)
        told.append(scene.scenes.notes.sentences(info))
    assert told == [[], ["The camera turns: the plate shows the view of frame 7, and is made of the frames since."]]


@pytest.mark.parametrize(("is_known", "n_told"), [(False, 1), (True, 0)])
def test_another_scene_after_one_that_an_earlier_pass_has_seen_to_its_end_is_no_cut(is_known, n_told):
    """The earlier pass has told of it, as far as it has found one."""
    scene, info = Scene(), SourceInfo("Clip", LAYOUT, 25.0, 99)
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    if is_known:
        begin_again(scene.scenes, background)
    scene.scenes.begin_scene(50, background, n_before=0)
    assert len(scene.scenes.notes.sentences(info)) == n_told


def test_rebased_it_goes_on_where_everything_lies_now():
    scene = Scene()
    scene.show(thing=True)
    state = scene.foreground.state()
    state["variance"][0, 15, 20] = 77
    scene.foreground.load(state)
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    moved = [np.roll(LAYOUT.plane(background, i), (8, -4), (0, 1)) for i in range(3)]
    scene.texture = np.roll(scene.texture.reshape(3, *LAYOUT.shapes[0]), (8, -4), (1, 2)).reshape(3, -1)
    scene.scenes.rebase(np.concatenate([x.ravel() for x in moved]), Shift(8, -4), background)
    assert np.argwhere(scene.foreground.state()["variance"][0] == 77).tolist() == [[19, 18]]
    assert not scene.confidence().any(), "the plate begins anew"
    _, mask = scene.show()
    assert (mask[10:, :-10] > 0).mean() < 0.01


def test_what_covers_the_scene_lies_where_all_lies_once_it_is_rebased_and_teaches_nothing_there():
    scene, excluded = Scene(), []
    scene.scenes.now.covered = np.zeros(LAYOUT.shapes[0], np.uint8)
    scene.scenes.now.covered[20:30, 40:60] = 255
    scene.method.exclude_pixels = excluded.append
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    scene.scenes.rebase(background, Shift(4, -6), background)
    expected = np.zeros(LAYOUT.shapes[0], np.uint8)
    expected[24:34, 34:54] = 255
    np.testing.assert_array_equal(scene.scenes.now.covered, expected)
    np.testing.assert_array_equal(excluded, [expected])


def test_a_plate_that_nobody_sees_stays_small_when_the_camera_drifts(monkeypatch):
    monkeypatch.setattr(scene_follower, "LEAN_BYTES", 1)
    scene = Scene()
    scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 2, plate="lean"))
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    scene.scenes.rebase(background, Shift(0, 0), background)
    for _ in range(20):
        scene.show()
    assert 0 < scene.scenes.now.plate.n_frames <= FEWEST


@pytest.mark.parametrize(("rate", "n_kept"), [(None, 12), (25.0, 6)])
def test_of_pictures_that_are_no_film_all_are_kept_beyond_the_budget(rate, n_kept, monkeypatch):
    monkeypatch.setattr(scene_follower, "BUDGET_BYTES", 1)
    layout = Layout(48, 64, Planes.GREY)
    pictures = [np.full(layout.n_values, 100 + t, np.uint8) for t in range(12)]
    source = SampleSource(SourceInfo("Square", layout, rate, 12), lambda t: Frame(t, float(t), pictures[t], layout))
    session = Session(source, Settings())
    for _ in session.run():
        pass
    assert session.scene_plate().n_kept == n_kept


@pytest.mark.parametrize(("share", "holds"), [(0.4, False), (0.6, True)])
def test_what_seems_to_hide_most_of_a_frame_at_the_end_of_a_pass_alone_does_not_count(share, holds):
    scene = Scene()
    for _ in range(30):
        scene.show()
    detect = scene.foreground.detect
    rows = round(share * LAYOUT.height)

    def in_the_dark(*args, **how):
        found = detect(*args, **how)
        found.covered[:rows] = 255
        return found

    scene.foreground.detect = in_the_dark
    assert scene.confidence().min() > 0.9
    begin_again(scene.scenes, scene.method.transform(scene.frame().values).samples(LAYOUT))
    known = scene.scenes.remembered.at(0)
    assert known.sure[:rows].all() == holds
    assert known.sure[rows:].all()
