import numpy as np
import pytest

from app.rendering.basis_change import KEPT, SPAN, BasisChange

W = np.random.default_rng(0).random((500, 3))


def test_a_basis_that_rests_has_not_changed_and_its_scale_is_no_matter():
    change = BasisChange()
    assert change.changes(W, 1) == [None] * 3
    assert change.changes(W * [1, 5, 0.1], 30) == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_change_is_that_of_the_image_which_changed():
    change = BasisChange()
    change.changes(W, 0)
    other = W.copy()
    other[:, 1] = W[:, 1] + 0.1 * np.linalg.norm(W[:, 1]) * _across(W[:, 1])
    assert change.changes(other, 20) == pytest.approx([0, 0.1, 0], abs=1e-3)


def _across(w):
    noise = np.random.default_rng(1).random(w.size)
    noise -= w * (noise @ w) / (w @ w)
    return noise / np.linalg.norm(noise)


def test_what_is_longer_ago_than_the_span_is_forgotten():
    change = BasisChange()
    change.changes(np.roll(W, 7, axis=0), 0)
    found = [change.changes(W, n)[0] for n in range(1, 2 * SPAN)]
    assert found[0] > 0.1
    assert found[-1] == pytest.approx(0, abs=1e-6)
    assert np.argmax(np.array(found) < 1e-3) <= SPAN + SPAN // KEPT


@pytest.mark.parametrize(("every", "least"), [(1, SPAN - SPAN // KEPT + 1), (5, SPAN - 10 + 1), (8, SPAN - 8 + 1)])
def test_the_change_of_a_basis_that_drifts_is_that_over_the_span(every, least):
    step, w = 1e-3, np.eye(2)[:, :1]
    change = BasisChange()
    for n in range(0, 4 * SPAN, every):
        angle = n * step
        turned = np.cos(angle) * w + np.sin(angle) * w[::-1]
        (found,) = change.changes(turned, n)
        if n > 2 * SPAN:
            frames = 2 * np.arcsin(found / 2) / step
            assert least <= frames + 0.01
            assert frames - 0.01 <= SPAN


def test_another_rank_and_another_run_begin_anew():
    change = BasisChange()
    change.changes(W, 10)
    assert change.changes(W[:, :2], 20) == [None, None]
    assert change.changes(W, 5) == [None] * 3


def test_a_large_basis_is_thinned_and_the_change_is_about_the_same():
    large = np.random.default_rng(0).random((400_000, 4)).astype(np.float32)
    other = large + 0.05 * np.random.default_rng(1).standard_normal(large.shape).astype(np.float32)
    change = BasisChange()
    change.changes(large, 0)
    found = np.array(change.changes(other, 10))
    units = [w / np.linalg.norm(w, axis=0) for w in (large, other)]
    assert found == pytest.approx(np.linalg.norm(units[1] - units[0], axis=0), rel=0.02)
