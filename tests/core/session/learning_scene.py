"""A textured scene that the fast method learns, with what makes its masks and what passes them on."""

import numpy as np

from core import catalogue
from core.frames.frame import Frame, Layout, Planes
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.session.feedback import MaskFeedback
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.scene_follower import SceneFollower
from core.session.stroke_feedback import StrokeFeedback

LAYOUT = Layout(72, 96, Planes.RGB)
THING = np.s_[20:50, 30:60]


def begin_again(scenes, background, never=None):
    """End a pass and begin the next one, in the scene that it has learnt; return its plate."""
    scene = scenes.end_pass(background, never=never)
    scenes.go_on_in(scene)
    return scene.plate


class Scene:
    """The fast method, what makes its masks and what passes them on, over a textured scene."""

    def __init__(self, *, learning=True, start=None):
        row = catalogue.row("fast")
        values = catalogue.complete(row, {"rank": 1})
        self.method = row.build(LAYOUT, {p.name: values[p.name] for p in row.parameters}, 0)
        self.foreground = Foreground(LAYOUT, {p.name: values[p.name] for p in catalogue.MASK_PARAMETERS})
        self.corrections = Corrections(LAYOUT)
        self.scenes = SceneFollower(
            LAYOUT, self.method, self.foreground, self.corrections, makes_masks=False, goes_on=start is not None
        )
        self.feedback = MaskFeedback(LAYOUT, self.method, self.foreground, self.corrections, self.scenes)
        self.of_strokes = StrokeFeedback(
            LAYOUT, self.method, self.foreground, self.corrections, self.scenes, learning=learning
        )
        if start is not None:
            self.method.load(start)
            self.foreground.load(start)
        self.rng = np.random.default_rng(0)
        self.texture = np.repeat(self.rng.integers(60, 140, LAYOUT.n_pixels)[None], 3, axis=0).astype(np.float32)
        self.n = 0
        self.scenes.begin_pass(Stage(Phase.LEARNING, 0, 2))
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
        return frame, self.feedback.mask(frame, split, learns=learns).marks.mask

    def confidence(self):
        return self.scenes.now.plate.confidence()

    def learnt(self):
        return {**self.method.state(), **self.foreground.state()}


def differing(before, after):
    return {name for name, array in before.items() if not np.array_equal(array, after[name])}
