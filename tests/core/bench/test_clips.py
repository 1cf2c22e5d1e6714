"""The clip that speed is measured on: like video, at any size."""

import numpy as np
import pytest

from core.bench.clips import NOISE, street_clip
from core.frames.frame import Layout, Planes


@pytest.mark.parametrize("planes", [Planes.GREY, Planes.YCC420])
def test_frames_are_consecutive_with_noise_of_their_own(planes):
    layout = Layout(361, 481, planes)  # odd: chroma is rounded up
    clip = street_clip(layout, 3)
    assert [f.index for f in clip] == [0, 1, 2]
    assert all(f.values.shape == (layout.n_values,) and f.values.dtype == np.uint8 for f in clip)
    first, second = (layout.plane(f.values, 0).astype(np.float32) for f in clip[:2])
    change = second - first
    calm = np.abs(change) < 15  # not where someone passes
    assert calm.mean() > 0.9
    assert change[calm].std() == pytest.approx(np.sqrt(2) * NOISE, rel=0.15)
    assert not calm.all()
    assert first.std() > 20


def test_colours_are_those_of_the_street():
    layout = Layout(240, 320, Planes.YCC420)
    red, green, blue = (street_clip(layout, 1)[0].image()[..., i].astype(float) for i in range(3))
    assert (green - red)[190:, :].mean() < 20
    assert (blue - red)[:40].mean() > 5  # the sky
    assert green.mean() > 40


def test_the_same_seed_gives_the_same_clip():
    layout = Layout(60, 80, Planes.GREY)
    np.testing.assert_array_equal(street_clip(layout, 1)[0].values, street_clip(layout, 1)[0].values)
