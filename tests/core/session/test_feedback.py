import gc
import weakref

import numpy as np
import pytest

from core.scene.illumination import OtherLight
from core.scene.stillest_samples import StillestSamples
from core.session.phase import Phase
from core.session.plan import Stage
from tests.core.session.learning_scene import LAYOUT, THING, Scene, begin_again, differing


def test_where_nothing_is_learnt_only_the_plate_takes_note():
    scene = Scene()
    before, seen = scene.learnt(), scene.confidence()
    for _ in range(10):
        _, mask = scene.show(thing=True, learns=False)
        assert mask[THING].mean() > 245, "but for its corners"
    assert not differing(before, scene.learnt())
    assert scene.confidence()[THING].mean() < 0.8 * seen[THING].mean()
    for _ in range(10):
        scene.show(thing=True)
    assert {"W", "variance", "cover"} <= differing(before, scene.learnt())


@pytest.mark.parametrize("again", [False, True])
def test_what_turns_out_to_be_background_outvotes_the_frames_before_it_in_the_first_pass_alone(again, monkeypatch):
    scene = Scene()
    if again:
        begin_again(scene.scenes, scene.method.transform(scene.frame().values).samples(LAYOUT))
        scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 1))
        for _ in range(20):
            scene.show()
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    monkeypatch.setattr(scene.foreground, "update", lambda *_: where)
    scene.show()
    seen = scene.confidence()[THING].mean()
    assert seen > 0.9 if again else seen < 0.1


def test_corrections_go_before_what_the_foreground_finds():
    scene = Scene()
    frame, mask = scene.show(thing=True)
    assert (mask[THING] > 0).mean() > 0.95
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    scene.corrections.add(where, frame, is_background=True)
    _, mask = scene.show(thing=True)
    assert (mask[THING] > 0).mean() < 0.05


@pytest.mark.parametrize("light_changes", [False, True])
@pytest.mark.parametrize("known", [True, False])
def test_who_stands_still_after_a_scene_was_learnt_is_not_taken_for_what_it_shows_when_all_is_still(
    known, light_changes, monkeypatch
):
    first = Scene()
    scene = Scene(start=first.learnt())
    if not known:  # As if nothing were known of the scene: what stands there is the best guess.
        scene.scenes.now.still = StillestSamples(LAYOUT)
    if light_changes and known:
        lit = iter([OtherLight(scene.frame().values, stays=True)])
        monkeypatch.setattr(scene.scenes.now.light, "offer", lambda *_: next(lit, None))
    for n in range(40):  # Somebody comes, and waits.
        scene.show(thing=n % 8 > 0)
    _, mask = scene.show(thing=True)
    assert (mask[THING].mean() > 230) == known


def test_what_was_still_in_another_light_says_nothing_of_the_scene(monkeypatch):
    scene, always = Scene(), np.ones(LAYOUT.shapes[0], np.float32)
    for n in range(40):  # What passes makes the place restless.
        scene.show(thing=n % 2 > 0)
    still = scene.scenes.now.still
    assert still.better(np.zeros(LAYOUT.n_values, np.uint8), always) is not None
    lit = iter([OtherLight(scene.frame().values, stays=True)])
    monkeypatch.setattr(scene.scenes.now.light, "offer", lambda *_: next(lit, None))
    scene.show()
    assert scene.scenes.now.still.better(np.zeros(LAYOUT.n_values, np.uint8), always) is None


def test_it_goes_without_the_collector():
    scene = Scene()
    held = [weakref.ref(part) for part in (scene.feedback, scene.scenes, scene.of_strokes)]
    gc.disable()
    try:
        del scene
        assert [part() for part in held] == [None] * 3
    finally:
        gc.enable()
