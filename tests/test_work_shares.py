"""In which order workers run the suite."""

from types import SimpleNamespace

import pytest

from tests.work_shares import with_kernels_first


def a_test(name, kernel=None):
    parameters = {} if kernel is None else {"twin": SimpleNamespace(kernel=kernel)}
    return SimpleNamespace(name=name, callspec=SimpleNamespace(params=parameters))


def shares(items, n_workers):
    """Return the names that each worker is given, as xdist divides them."""
    names, given = [item.name for item in with_kernels_first(items, n_workers)], []
    for worker in range(n_workers):
        n = len(names) // (n_workers - worker)
        given.append(" ".join(names[:n]))
        del names[:n]
    return given


def test_each_worker_begins_with_all_that_is_asked_of_kernels_of_its_own():
    items = [a_test("a"), a_test("b"), a_test("P1", "p"), a_test("Q1", "q"), a_test("P2", "p"), a_test("Q2", "q")]
    items += [a_test("c"), a_test("d"), a_test("e")]
    assert shares(items, 1) == ["P1 Q1 P2 Q2 a b c d e"]
    assert shares(items, 2) == ["P1 P2 a b", "Q1 Q2 c d e"]
    assert shares(items, 3) == ["a b c", "P1 P2 d", "Q1 Q2 e"]


@pytest.mark.parametrize("n_workers", [1, 2, 5])
def test_none_is_lost_where_there_are_few(n_workers):
    plain = SimpleNamespace(name="plain")
    for items in ([], [plain], [plain, a_test("P1", "p"), a_test("P2", "p"), a_test("P3", "p")]):
        ordered = with_kernels_first(items, n_workers)
        assert sorted(item.name for item in ordered) == sorted(item.name for item in items)
