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
    assert settings.keep(4, 0) == 0, "the first mini-batch has no past"
    assert settings.keep(4, 4) == pytest.approx(0.5)
    assert settings.keep(4, 4_000_000) ** 25 == pytest.approx(np.exp(-1))
    assert Settings(LAYOUT, {**values, "memory": None}, OPGD_RECIPE).keep(4, 4_000_000) == pytest.approx(1, abs=1e-5)


def of_recency(recency):
    return Settings(LAYOUT, {**catalogue.row("opgd").defaults(), "recency": recency}, OPGD_RECIPE)


def unrolled(settings, n):
    """Weights of ``n`` samples in the mean, of 1 together, at mini-batches as they grow; the last is what is left."""
    weights = np.zeros(0)
    while (n_past := len(weights)) < n:
        size = min(settings.batch(n_past), n - n_past)
        keep = settings.keep(size, n_past)
        weights = np.concatenate([keep * weights, np.full(size, (1 - keep) / size)])
    return weights


@pytest.mark.parametrize("n", [2429, 2417, 101, 3])
def test_samples_of_an_image_set_count_the_same_whatever_the_mini_batches(n):
    np.testing.assert_allclose(n * unrolled(of_recency(1), n), 1, rtol=1e-9)


def test_later_samples_count_more_also_where_mini_batches_grow():
    n = 2429
    weights = n * unrolled(of_recency(2), n)
    assert (np.diff(weights) > -1e-9).all()
    np.testing.assert_allclose(weights, 2 * (np.arange(n) + 0.5) / n, atol=0.01)


@pytest.mark.parametrize("recency", [1, 2, 5])
def test_the_past_stands_for_as_many_samples_as_its_weights_are_worth(recency):
    settings = of_recency(recency)
    for n in (240, 1011, 2429):
        assert settings.counted(n) == pytest.approx(1 / np.square(unrolled(settings, n)).sum(), rel=0.03)
