"""The values in force where a parameter is automatic, and where it is set."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.methods.online.rows import ONMFO_LAM, ONMFO_RECIPE, OPGD_RECIPE
from core.methods.online.settings import IMAGE_SET_BATCH, LAM_PER_NOISE, MOST_BYTES, VIDEO_BATCH, Settings

LAYOUT = Layout(6, 8, Planes.GREY)


def test_automatic_values_follow_the_layout_and_set_ones_hold():
    values = catalogue.row("opgd").defaults()
    faces, film = (Settings(layout, values, OPGD_RECIPE) for layout in (LAYOUT, Layout(240, 320, Planes.YCC420)))
    assert (faces.rank, faces.warm_up, faces.rounds) == (49, 0, 3)
    assert (film.rank, film.warm_up, film.rounds) == (5, 240, 1)
    chosen = Settings(LAYOUT, {**values, "rank": 7, "warm_up": 0, "rounds": 2, "lam": 0.1}, OPGD_RECIPE)
    assert (chosen.rank, chosen.warm_up, chosen.rounds, chosen.loss(9.0).lam) == (7, 0, 2, 0.1)
    assert film.loss(0.02).lam == pytest.approx(LAM_PER_NOISE * 0.02)
    assert film.loss(0.0).lam == pytest.approx((240 * 320 * 1.5) ** -0.5)
    assert Settings(LAYOUT, values, ONMFO_RECIPE).loss(9.0).lam == ONMFO_LAM


@pytest.mark.parametrize(
    ("layout", "at_most"),
    [(LAYOUT, 1000), (Layout(1080, 1920, Planes.RGB), 10), (Layout(4320, 7680, Planes.RGB), VIDEO_BATCH)],
)
def test_samples_that_wait_are_bounded_in_memory_and_the_default_is_kept_to(layout, at_most):
    values = catalogue.row("opgd").defaults()
    settings = Settings(layout, values, OPGD_RECIPE)
    assert settings.batch(0) == settings.automatic(0.0, 0)["batch"] == VIDEO_BATCH
    assert settings.batch(10_000) == (IMAGE_SET_BATCH if layout is LAYOUT else VIDEO_BATCH)
    assert Settings(layout, {**values, "batch": 1000}, OPGD_RECIPE).batch(0) == at_most
    assert 4 * layout.n_values * at_most <= MOST_BYTES or at_most == VIDEO_BATCH
    assert Settings(layout, {**values, "batch": 2}, OPGD_RECIPE).batch(10_000) == 2


def test_the_past_fades_to_a_third_after_memory_and_never_counts_more_than_the_average():
    values = {**catalogue.row("opgd").defaults(), "recency": 1, "memory": 100}
    settings = Settings(LAYOUT, values, OPGD_RECIPE)
    assert settings.keep(4, 1) == 0, "the first mini-batch has no past"
    assert settings.keep(4, 2) == pytest.approx(0.5)
    assert settings.keep(4, 1e6) ** 25 == pytest.approx(np.exp(-1))
    assert Settings(LAYOUT, {**values, "memory": None}, OPGD_RECIPE).keep(4, 1e6) == pytest.approx(1, abs=1e-5)
