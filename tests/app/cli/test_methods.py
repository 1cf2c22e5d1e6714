"""What of the methods is told on the command line."""

from app.cli.methods import described
from core.catalogue import METHODS, listed_parameters
from core.parameter import Parameter

SETS = {"acts_with": (("content", ("images",)),)}


def test_where_a_parameter_acts_is_told_with_and_without_which_way():
    assert described(Parameter("a", "A", 1, help="It is a.", effect="higher: more")) == "It is a. higher: more"
    assert described(Parameter("a", "A", 1, help="It is a.", effect="higher: more", **SETS)) == (
        "It is a. higher: more; no effect unless content is images"
    )
    assert described(Parameter("a", "A", 1, help="It is a.", **SETS)) == "It is a. No effect unless content is images"
    for row in METHODS.values():
        assert not any(" ;" in described(parameter) for parameter in listed_parameters(row))
