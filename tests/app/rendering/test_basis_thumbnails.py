"""The small pictures of the basis."""

import numpy as np
import pytest

from app.rendering.basis_thumbnails import WIDTH, basis_pictures
from core.frames.frame import Layout, Planes


@pytest.mark.parametrize("neutral", [0.0, 128 / 255], ids=["from neutral", "from zero"])
def test_of_luma_and_chroma_the_luma_is_shown_in_grey_wherever_the_chroma_counts_from(neutral):
    layout = Layout(40, 60, Planes.YCC420)
    luma = np.tile(np.linspace(0, 0.5, 60), (40, 1))
    rng = np.random.default_rng(0)
    column = np.concatenate([luma.ravel(), neutral + rng.normal(0, 0.02, layout.n_values - layout.n_pixels)])
    (picture,) = basis_pictures(column[:, None].astype(np.float32), layout)
    assert picture.shape == (40, 60)
    np.testing.assert_allclose(picture, np.minimum(255 * luma / np.percentile(luma, 99.5), 255), atol=1)


def test_the_planes_of_rgb_are_stretched_together():
    layout = Layout(40, 60, Planes.RGB)
    column = np.repeat([0.4, 0.2, 0.1], layout.n_pixels).astype(np.float32)
    (picture,) = basis_pictures(column[:, None], layout)
    assert picture.shape == (40, 60, 3)
    np.testing.assert_allclose(picture[20, 30], [255, 127, 63], atol=1)


def test_only_what_is_enlarged_is_as_large_as_the_frames():
    layout = Layout(300, 4 * WIDTH, Planes.GREY)
    small, large = basis_pictures(np.ones((layout.n_values, 2), np.float32), layout, enlarged={1})
    assert small.shape == (75, WIDTH)
    assert large.shape == (300, 4 * WIDTH)
