import gc
import weakref

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Frame, Layout, Planes, Shift
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.plate_frame import FEWEST
from core.session import feedback
from core.session.feedback import MaskFeedback

LAYOUT = Layout(72, 96, Planes.RGB)
THING = np.s_[20:50, 30:60]


def begin_again(feedback, background, never=None):
    """End a pass and begin the next one, in the scene that it has learnt; return its plate."""
    scene = feedback.end_pass(background, never=never)
    feedback.go_on_in(scene)
    return scene.plate


class Scene:
    """The fast method, what makes its masks and what passes them on, over a textured scene."""

    def __init__(self, *, learning=True, start=None):
        row = catalogue.row("fast")
        values = catalogue.complete(row, {"rank": 1})
        self.method = row.build(LAYOUT, {p.name: values[p.name] for p in row.parameters}, 0)
        self.foreground = Foreground(LAYOUT, {p.name: values[p.name] for p in catalogue.MASK_PARAMETERS})
        self.corrections = Corrections(LAYOUT)
        self.feedback = MaskFeedback(
            LAYOUT,
            self.method,
            self.foreground,
            self.corrections,
            learning=learning,
            makes_masks=False,
            goes_on=start is not None,
        )
        if start is not None:
            self.method.load(start)
            self.foreground.load(start)
        self.rng = np.random.default_rng(0)
        self.texture = np.repeat(self.rng.integers(60, 140, LAYOUT.n_pixels)[None], 3, axis=0).astype(np.float32)
        self.n = 0
        for _ in range(0 if start else 20):
            self.show()

    def frame(self, thing=False):
        picture = self.texture.reshape(3, *LAYOUT.shapes[0]).copy()
        if thing:
            picture[(slice(None), *THING)] = 220
        picture += 2 * self.rng.standard_normal(picture.shape)
        self.n += 1
        return Frame(self.n, self.n / 25, LAYOUT.quantise((picture.ravel() / 255).astype(np.float32)), LAYOUT)

    def show(self, *, thing=False, learns=True):
        frame = self.frame(thing)
        split = self.method.step(frame.values) if learns else self.method.transform(frame.values)
        return frame, self.feedback.mask(frame, split, learns=learns)

    def learnt(self):
        return {**self.method.state(), **self.foreground.state()}


def differing(before, after):
    return {name for name, array in before.items() if not np.array_equal(array, after[name])}


def test_where_nothing_is_learnt_only_the_plate_takes_note():
    scene = Scene()
    before, seen = scene.learnt(), scene.feedback.confidence()
    for _ in range(10):
        _, mask = scene.show(thing=True, learns=False)
        assert mask[THING].mean() > 245, "but for its corners"
    assert not differing(before, scene.learnt())
    assert scene.feedback.confidence()[THING].mean() < 0.8 * seen[THING].mean()
    for _ in range(10):
        scene.show(thing=True)
    assert {"W", "variance", "cover"} <= differing(before, scene.learnt())


@pytest.mark.parametrize("again", [False, True])
def test_what_turns_out_to_be_background_outvotes_the_frames_before_it_in_the_first_pass_alone(again, monkeypatch):
    scene = Scene()
    if again:
        begin_again(scene.feedback, scene.method.transform(scene.frame().values).samples(LAYOUT))
        scene.feedback.begin_pass()
        for _ in range(20):
            scene.show()
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    monkeypatch.setattr(scene.foreground, "update", lambda *_: where)
    scene.show()
    seen = scene.feedback.confidence()[THING].mean()
    assert seen > 0.9 if again else seen < 0.1


def test_where_a_pass_is_over_the_background_is_sure_but_where_something_hid_it_mostly():
    scene, given = Scene(), []
    for _ in range(60):
        scene.show(thing=True)
    begin_again(scene.feedback, scene.method.transform(scene.frame().values).samples(LAYOUT))
    update = scene.foreground.update
    scene.foreground.update = lambda *all_of_it: given.append(all_of_it[3]) or update(*all_of_it)
    scene.show()
    assert given[0][THING].mean() < 0.1
    assert given[0][:18].mean() > 0.98


def test_in_a_pass_that_knows_the_scene_no_sample_of_what_stands_still_is_better(monkeypatch):
    scene, asked = Scene(), []
    monkeypatch.setattr(feedback.StillestSamples, "better", lambda *_: asked.append(1))
    for _ in range(100):
        scene.show()
    assert asked
    begin_again(scene.feedback, scene.method.transform(scene.frame().values).samples(LAYOUT))
    asked.clear()
    for _ in range(100):
        scene.show()
    assert not asked


@pytest.mark.parametrize("learning", [True, False])
def test_what_is_painted_as_background_is_learnt_unless_a_model_is_applied(learning):
    scene = Scene(learning=learning)
    frame, _ = scene.show(thing=True)
    before, where = scene.learnt(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    scene.feedback.overwrite_background(frame.values, where)
    assert ("W" in differing(before, scene.learnt())) == learning
    shown = scene.method.transform(frame.values).samples(LAYOUT)
    difference = LAYOUT.plane(shown.astype(int) - frame.values, 0)[THING]
    assert (np.abs(difference).mean() < 10) == learning


def test_corrections_go_before_what_the_foreground_finds():
    scene = Scene()
    frame, mask = scene.show(thing=True)
    assert (mask[THING] > 0).mean() > 0.95
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    scene.corrections.add(where, frame, is_background=True)
    _, mask = scene.show(thing=True)
    assert (mask[THING] > 0).mean() < 0.05


def test_the_plate_of_a_stroke_that_is_taken_back_is_what_it_was_and_that_of_another_pass_stays():
    scene, where = Scene(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    frame, _ = scene.show()
    then, seen = scene.feedback.hidden(), scene.feedback.confidence()
    scene.feedback.overwrite_background(frame.values, where)
    assert not scene.feedback.confidence()[THING].any()
    scene.feedback.restore(then, where)
    np.testing.assert_array_equal(scene.feedback.confidence(), seen)
    scene.feedback.begin_pass()
    scene.show(thing=True, learns=False)
    hidden = scene.feedback.confidence()
    scene.feedback.restore(then, where)
    np.testing.assert_array_equal(scene.feedback.confidence(), hidden)


@pytest.mark.parametrize("light_changes", [False, True])
@pytest.mark.parametrize("known", [True, False])
def test_who_stands_still_after_a_scene_was_learnt_is_not_taken_for_what_it_shows_when_all_is_still(
    known, light_changes, monkeypatch
):
    first = Scene()
    scene = Scene(start=first.learnt())
    if not known:  # As if nothing were known of the scene: what stands there is the best guess.
        scene.feedback._scene.still = feedback.StillestSamples(LAYOUT)
    if light_changes and known:
        lit = iter([scene.frame().values])
        monkeypatch.setattr(scene.feedback._scene.light, "offer", lambda *_: next(lit, None))
    for n in range(40):  # Somebody comes, and waits.
        scene.show(thing=n % 8 > 0)
    _, mask = scene.show(thing=True)
    assert (mask[THING].mean() > 230) == known


def test_frames_of_the_beginning_make_a_plate_by_what_is_known_at_the_end_of_a_pass():
    scene = Scene()
    there = scene.frame(thing=True)
    never = np.zeros(LAYOUT.shapes[0], bool)
    never[THING] = True
    split = scene.method.transform(there.values)
    for _ in range(60):  # As at the beginning of a pass: somebody is taken for the scene.
        scene.feedback._offer_to_plate(there, split, np.zeros(LAYOUT.shapes[0], np.uint8), None)
    for _ in range(20):
        scene.show()
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    assert LAYOUT.plane(scene.feedback.plate(background), 0)[THING].mean() > 200
    plate = begin_again(scene.feedback, background)
    assert np.abs(LAYOUT.plane(plate, 0).astype(float) - scene.texture[0].reshape(LAYOUT.shapes[0]))[THING].mean() < 5
    # What people exclude is no foreground here either.
    assert LAYOUT.plane(begin_again(scene.feedback, background, never), 0)[THING].mean() > 200


def test_where_another_scene_that_is_known_comes_next_frames_are_looked_at_again_too():
    scene = Scene()
    scene.feedback.begin_pass(precedes=True)
    there, nothing = scene.frame(thing=True), np.zeros(LAYOUT.shapes[0], np.uint8)
    for _ in range(60):  # Somebody is taken for the scene.
        scene.feedback._offer_to_plate(there, scene.method.transform(there.values), nothing, None)
    for _ in range(20):
        scene.show()
    scene.feedback.end_scene(scene.method.transform(scene.frame().values).samples(LAYOUT))
    plate = LAYOUT.plane(scene.feedback._scenes.at(0).plate, 0).astype(float)
    assert np.abs(plate - scene.texture[0].reshape(LAYOUT.shapes[0]))[THING].mean() < 5


def test_what_was_painted_for_some_frames_alone_is_kept_out_of_the_plate_of_these_frames():
    scene, where = Scene(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    first = scene.n + 1
    for _ in range(20):
        frame, _ = scene.show()
        if frame.index == first:
            scene.corrections.add(where, frame, is_background=False, frames=(first, first + 200))
    before = scene.feedback.confidence()[THING].mean()
    begin_again(scene.feedback, scene.method.transform(scene.frame().values).samples(LAYOUT))
    assert scene.feedback.confidence()[THING].mean() == pytest.approx(before, abs=0.06)
    assert before < 0.6


def test_rebased_it_goes_on_where_everything_lies_now():
    scene = Scene()
    scene.show(thing=True)
    state = scene.foreground.state()
    state["variance"][0, 15, 20] = 77
    scene.foreground.load(state)
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    moved = [np.roll(LAYOUT.plane(background, i), (8, -4), (0, 1)) for i in range(3)]
    scene.texture = np.roll(scene.texture.reshape(3, *LAYOUT.shapes[0]), (8, -4), (1, 2)).reshape(3, -1)
    scene.feedback.rebase(np.concatenate([x.ravel() for x in moved]), Shift(8, -4), background)
    assert np.argwhere(scene.foreground.state()["variance"][0] == 77).tolist() == [[19, 18]]
    assert not scene.feedback.confidence().any(), "the plate begins anew"
    _, mask = scene.show()
    assert (mask[10:, :-10] > 0).mean() < 0.01


def test_a_plate_that_nobody_sees_stays_small_when_the_camera_drifts(monkeypatch):
    monkeypatch.setattr(feedback, "LEAN_BYTES", 1)
    scene = Scene()
    scene.feedback.begin_pass(is_lean=True)
    background = scene.method.transform(scene.frame().values).samples(LAYOUT)
    scene.feedback.rebase(background, Shift(0, 0), background)
    for _ in range(20):
        scene.show()
    assert 0 < scene.feedback.n_kept <= FEWEST


def test_it_goes_without_the_collector():
    scene = Scene()
    held = weakref.ref(scene.feedback)
    gc.disable()
    try:
        del scene
        assert held() is None
    finally:
        gc.enable()
