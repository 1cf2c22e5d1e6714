"""The residual of a frame: of luma, in units of white."""

import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.frames.residual import residual_rms
from core.frames.split import DenseSplit


def split_of(background):
    return DenseSplit(background / np.float32(255), np.zeros(1), None, np.ones(1), 0.0)


@pytest.mark.parametrize("matrix", ["bt601", "bt709"])
@pytest.mark.parametrize("full_range", [True, False])
def test_the_residual_does_not_depend_on_the_planes_that_a_method_works_in(full_range, matrix):
    video = Layout(20, 30, Planes.YCC420, full_range=full_range, matrix=matrix)
    rgb = Layout(20, 30, Planes.RGB, matrix=matrix)
    values = np.random.default_rng(0).integers(110, 140, video.n_values).astype(np.uint8)
    background = values.copy()
    background[: 20 * 15] += 20
    background[20 * 30 : 20 * 30 + 75] -= 30  # Of no luma.
    found = []
    for layout, planes in ((video, lambda x: x), (rgb, lambda x: video.image(x).transpose(2, 0, 1).ravel())):
        found.append(residual_rms(Frame(0, 0.0, planes(values), layout), split_of(planes(background))))
    assert found[0] == pytest.approx(found[1], rel=0.02)


def test_the_residual_is_measured_in_units_of_white():
    layout = Layout(20, 30, Planes.GREY)
    values = np.random.default_rng(0).integers(0, 256, layout.n_values).astype(np.uint8)
    found = residual_rms(Frame(0, 0.0, values, layout), split_of(np.zeros(layout.n_values)))
    assert found == pytest.approx(np.sqrt(np.mean(np.square(values / 255))), rel=1e-5)
