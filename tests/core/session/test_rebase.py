"""A scene in new coordinates, as the camera has drifted: what is remembered of its places moves along."""

import numpy as np

from core.frames.frame import Frame, Layout, Planes
from core.frames.moved import moved
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.session import Session
from core.session.settings import Settings

LAYOUT = Layout(96, 128, Planes.GREY)
SIDE, TOP, LEFT = 16, 30, 40


def wandering(n, per_frame=(0.2, 0.6)):
    """A textured scene with a bright block that stands in it, before a camera that wanders off."""
    rng = np.random.default_rng(0)
    rough = rng.integers(40, 200, (LAYOUT.height + 200, LAYOUT.width + 200)).astype(np.float32)
    for _ in range(3):
        rough = (rough + moved(rough, 1, 0) + moved(rough, 0, 1) + moved(rough, 1, 1)) / 4
    rough = np.clip(3 * (rough - rough.mean()) + 110, 10, 210)
    rough[100 + TOP : 100 + TOP + SIDE, 100 + LEFT : 100 + LEFT + SIDE] = 250

    def render(index):
        down, right = (index * by for by in per_frame)
        picture = moved(rough, 100 - down, 100 - right)[: LAYOUT.height, : LAYOUT.width]
        return Frame(index, index / 25, LAYOUT.quantise(picture.ravel() / 255), LAYOUT)

    return SampleSource(SourceInfo("Wandering", LAYOUT, 25.0, n), render)


def test_a_stroke_stays_on_the_thing_that_it_was_painted_on():
    session = Session(wandering(60), Settings(values={"steady": 10}))
    last = None
    for last in session.run():
        if last.frame.index == 5:
            where = np.zeros(LAYOUT.shapes[0], bool)
            top, left = TOP + 1, LEFT + 3  # Where the block is by then.
            where[top : top + SIDE, left : left + SIDE] = True
            session.strokes.paint(last.frame, foreground=where)
    assert max(last.frame.motion.shift) < 13, "it was rebased: the camera has moved by 35 pixels"
    top, _, left, _ = session.strokes.painted["painted_strokes"][0][2:]
    shown = np.add((top, left), last.frame.motion.shift)
    np.testing.assert_allclose(shown, (TOP + 0.2 * 59, LEFT + 0.6 * 59), atol=3)


def test_what_covers_a_place_moves_even_where_a_frame_is_one_row():
    layout = Layout(1, 64, Planes.YCC420)
    foreground = Foreground(layout, {p.name: p.default for p in MASK_PARAMETERS})
    state = foreground.state()
    state["variance"][:, 0, 15] = 77
    foreground.load(state)
    foreground.move(0, 8)
    after = foreground.state()
    assert np.argwhere(after["variance"] == 77).tolist() == [[plane, 0, 19] for plane in range(3)]
