"""What a parameter takes: lists; numbers, switches and choices are tested with the catalogue."""

import pytest

from core.errors import CleanplateError
from core.parameter import LONGEST_LIST, Parameter, listed

GROUPS = Parameter("groups", "Groups", "2", 1, 50, kind=str, is_list=True)


@pytest.mark.parametrize(("said", "taken"), [("2", "2"), (2, "2"), ("4,4,8", "4,4,8"), (" 4 , 04,8 ", "4,4,8")])
def test_a_list_is_whole_numbers_with_commas(said, taken):
    assert GROUPS.check(said) == taken
    assert listed(GROUPS.check(said)) == tuple(int(word) for word in taken.split(","))


MANY = ",".join(["1"] * (LONGEST_LIST + 1))


@pytest.mark.parametrize("said", ["", "0", "51", "4,,8", "4;8", "4.5", "-1", "x", "²", "1" * 5000, None, MANY])
def test_anything_else_is_refused_in_one_sentence(said):
    with pytest.raises(CleanplateError, match=r"^groups cannot be .*whole numbers from 1 to 50, with commas|automatic"):
        GROUPS.check(said)
