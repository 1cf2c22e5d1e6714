"""A few cases of every attack; ``make hostile`` runs them all."""

import pytest

from tests.hostile.attack import Attack
from tests.hostile.registry import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.key)
def test_no_case_of_the_attack_has_a_fault(attack: Attack, tmp_path):
    outcomes = list(attack.run(attack.n_suite, tmp_path))
    assert len(outcomes) >= attack.n_suite
    assert not [outcome for outcome in outcomes if outcome.fault]
