"""Strokes on a film are those of its frames, in whichever planes a method takes them."""

from dataclasses import replace

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture
from core.scene.masks.corrections import Corrections
from tests.core.scene.masks.test_corrections import area, frame_of

FILM = Layout(49, 63, Planes.YCC420, full_range=False, matrix="bt709")
RGB = FILM.expanded()
PLACE = (slice(13, 31), slice(21, 42))


def film_frame(level):
    v = np.full(FILM.n_values, 128.0)
    v[: FILM.n_pixels] = 90
    FILM.plane(v, 0)[PLACE] = level
    FILM.plane(v, 1)[7:15, 11:21] = 128 + level / 10
    return frame_of(FILM, v, 5)


def in_rgb(frame):
    return replace(frame, values=PlanarPicture.of(frame).expanded().samples, layout=RGB)


@pytest.mark.parametrize("of_film", [True, False], ids=["film, then RGB", "RGB, then film"])
def test_what_was_painted_in_one_kind_of_planes_is_known_again_in_the_other(of_film):
    frame, other = film_frame(180), film_frame(90)
    if of_film:
        painted_on, shown, hidden = frame, in_rgb(frame), in_rgb(other)
    else:
        painted_on, shown, hidden = in_rgb(frame), frame, other
    before, after = Corrections(painted_on.layout), Corrections(shown.layout)
    before.add(area(FILM, PLACE), painted_on, is_background=True)
    before.add(area(FILM, (slice(2, 7), slice(3, 60))), painted_on, is_background=False, frames=(2, 9))
    assert after.load(before.state(), FILM)
    for one, was in zip(after.strokes, before.strokes, strict=True):
        for name in ("is_background", "index", "box", "frames"):
            assert getattr(one, name) == getattr(was, name)
        np.testing.assert_array_equal(one.where, was.where)
    stroke = after.strokes[0]
    inner = np.zeros_like(stroke.where)
    inner[4:-4, 4:-4] = stroke.where[4:-4, 4:-4]
    assert stroke.shows(shown.layout, shown.values, 0.01)[inner].all()
    assert not stroke.shows(shown.layout, hidden.values, 0.01)[inner].any()
    Corrections.schema(shown.layout).check_contents(after.state())


def test_strokes_of_another_size_or_on_grey_frames_are_left_out():
    painted = Corrections(FILM)
    painted.add(area(FILM, PLACE), film_frame(180), is_background=True)
    for layout in (replace(RGB, width=61), FILM.grey()):
        other = Corrections(layout)
        assert not other.load(painted.state(), replace(FILM, width=layout.width))
        assert other.strokes == ()
