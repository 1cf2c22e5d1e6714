import numpy as np
import pytest

from core.session.phase import Phase
from core.session.plan import Stage
from tests.core.session.learning_scene import LAYOUT, THING, Scene, differing


@pytest.mark.parametrize("learning", [True, False])
def test_what_is_painted_as_background_is_learnt_unless_a_model_is_applied(learning):
    scene = Scene(learning=learning)
    frame, _ = scene.show(thing=True)
    before, where = scene.learnt(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    scene.of_strokes.overwrite_background(frame.values, where)
    assert ("W" in differing(before, scene.learnt())) == learning
    shown = scene.method.transform(frame.values).samples(LAYOUT)
    difference = LAYOUT.plane(shown.astype(int) - frame.values, 0)[THING]
    assert (np.abs(difference).mean() < 10) == learning


def test_the_plate_of_a_stroke_that_is_taken_back_is_what_it_was_and_that_of_another_pass_stays():
    scene, where = Scene(), np.zeros(LAYOUT.shapes[0], bool)
    where[THING] = True
    frame, _ = scene.show()
    then, seen = scene.scenes.now.plate.hidden(), scene.confidence()
    scene.of_strokes.overwrite_background(frame.values, where)
    assert not scene.confidence()[THING].any()
    scene.scenes.now.plate.restore(then, where)
    np.testing.assert_array_equal(scene.confidence(), seen)
    scene.scenes.begin_pass(Stage(Phase.LEARNING, 0, 1))
    scene.show(thing=True, learns=False)
    hidden = scene.confidence()
    scene.scenes.now.plate.restore(then, where)
    np.testing.assert_array_equal(scene.confidence(), hidden)
