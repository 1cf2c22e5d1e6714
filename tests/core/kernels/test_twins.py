"""Every kernel does what a slow, obvious version of it does, and would be found out if it did anything else."""

import numpy as np
import pytest

from tests.core.kernels import (
    twins_cleaning,
    twins_head,
    twins_masks,
    twins_pictures,
    twins_regions,
    twins_registration,
    twins_sampled_nmf,
    twins_shared,
    twins_solvers,
    twins_sway,
)
from tests.core.kernels.twin import EXACT, Tolerance, difference, kernels, mutant

TWINS = [
    *twins_cleaning.TWINS, *twins_head.TWINS, *twins_masks.TWINS, *twins_pictures.TWINS, *twins_regions.TWINS,
    *twins_registration.TWINS,
    *twins_sampled_nmf.TWINS, *twins_shared.TWINS, *twins_solvers.TWINS, *twins_sway.TWINS,
]  # fmt: skip

KERNELS = kernels()

every_twin = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.kernel)


def test_every_kernel_has_a_twin():
    assert sorted(twin.kernel for twin in TWINS) == sorted(KERNELS)


@every_twin
def test_a_kernel_does_what_its_twin_does(twin):
    for number, arguments in enumerate(twin.cases()):
        found = difference(KERNELS[twin.kernel], twin.obvious, arguments, twin.tolerance, twin.scratch)
        assert found is None, f"case {number}: {found}"


@every_twin
def test_that_comparison_finds_a_wrong_twin(twin):
    assert twin.wrong
    for change, wrong in twin.mutants():
        assert any(
            difference(KERNELS[twin.kernel], wrong, arguments, twin.tolerance, twin.scratch)
            for arguments in twin.cases()
        ), f"{change} goes unnoticed"


def doubled(x, out):
    out[:] = 2 * x
    return x.sum()


@pytest.mark.parametrize(
    ("dtype", "change", "tolerance", "found"),
    [
        (np.uint8, ("2 * x", "2 * x + 1"), EXACT, "out: 5 of 5 differ, by 1 at most"),
        (np.uint8, ("2 * x", "2 * x + 1"), Tolerance(rounded=0.5), "out: 5 of 5 differ, by 1 at most"),
        (np.uint8, ("2 * x", "2 * x + (x == 3)"), Tolerance(rounded=0.2), None),
        (np.uint8, ("2 * x", "2 * x + 2 * (x == 3)"), Tolerance(rounded=0.2), "out: 1 of 5 differ, by 2 at most"),
        (np.float32, ("2 * x", "2.1 * x"), Tolerance(0.01), "out: off by 0.4 where the largest is 8.4"),
        (np.float32, ("2 * x", "2.1 * x"), Tolerance(0.1), None),
        (np.float32, ("2 * x", "2 * x / (x != 3)"), Tolerance(0.1), "out: what is not finite differs"),
        (np.uint8, ("x.sum()", "x"), EXACT, "what is returned: shape () instead of (5,)"),
        (np.uint8, ("return x.sum()", ""), EXACT, "what is returned: 10 instead of None"),
        (np.uint8, ("2 * x", "2 * x; x[0] = 9"), EXACT, "what is returned: 1 of 1 differ, by 9 at most"),
    ],
)
def test_the_comparison_says_what_differs(dtype, change, tolerance, found):
    x = np.arange(5).astype(dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        assert difference(doubled, mutant(doubled, *change), (x, np.zeros_like(x)), tolerance) == found
    assert x.tolist() == [0, 1, 2, 3, 4]
