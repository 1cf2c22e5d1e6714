"""What carries over when an online method starts anew or changes its rank."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.online.state import Learnt
from core.nmf.dictionaries.projected_gradient import ProjectedGradientDictionary

LAYOUT = Layout(6, 8, Planes.GREY)


@pytest.fixture
def plate():
    return np.random.default_rng(0).uniform(0.2, 0.8, LAYOUT.n_values).astype(np.float32)


def agreeing(learnt, rank):
    """Does everything that has a row or an entry per column have ``rank`` of them?"""
    known = learnt.statistics
    sizes = {len(learnt.W), len(learnt.h), learnt.pending_H.shape[1], *known.A.shape, len(known.B), *learnt.gram.shape}
    return sizes | ({len(known.C)} if known.C is not None else set()) == {rank}


@pytest.mark.parametrize("with_outliers", [False, True])
def test_all_parts_agree_on_the_rank_through_every_change(plate, with_outliers):
    learnt = Learnt(np.ones((2, LAYOUT.n_values), np.float32), with_outliers=with_outliers)
    assert agreeing(learnt, 2)
    learnt.begin_at(plate, LAYOUT, 3, 4)
    learnt.wait(plate[None], learnt.h[None])
    for rank in (5, 2, 4, 1):
        learnt.change_rank(rank, LAYOUT)
        assert agreeing(learnt, rank)
        assert len(learnt.pending_V) == 1
    learnt.drop_pending()
    assert agreeing(learnt, 1)
    assert len(learnt.pending_V) == 0


def test_a_start_at_a_plate_explains_it_and_learning_from_nothing_new_leaves_it(plate):
    learnt = Learnt(np.ones((1, LAYOUT.n_values), np.float32), with_outliers=False)
    learnt.begin_at(plate, LAYOUT, 3, 4)
    np.testing.assert_allclose(learnt.h @ learnt.W, plate, atol=1e-3)
    better = ProjectedGradientDictionary(1.0, True, 0.0, 50).update(learnt.W, learnt.statistics)
    np.testing.assert_allclose(better, learnt.W, atol=1e-5)


def test_samples_that_wait_are_fitted_anew_with_the_columns_that_stay(plate):
    learnt = Learnt(np.ones((1, LAYOUT.n_values), np.float32), with_outliers=False)
    learnt.begin_at(plate, LAYOUT, 3, 4)
    learnt.wait(plate[None], learnt.h[None])
    learnt.keep(np.array([1, 2]))
    residual = plate - learnt.pending_H[0] @ learnt.W
    slope = learnt.W @ residual
    assert np.abs(np.minimum(learnt.pending_H[0], -slope)).max() < 1e-2
