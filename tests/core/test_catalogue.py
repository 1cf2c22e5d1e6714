import re

import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.parameter import Parameter
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings

SIGNS_FREE = {"orpca"}

EVERY = [(row, p) for row in catalogue.METHODS.values() for p in catalogue.parameters(row).values()]

# Many methods share parameters to the letter: each is asked once, in the last row that has it.
DISTINCT = list({p: (row, p) for row, p in EVERY}.values())
every_parameter = pytest.mark.parametrize(
    ("row", "parameter"), DISTINCT, ids=[f"{r.key}-{p.name}" for r, p in DISTINCT]
)
NUMBERS = [(row, p) for row, p in DISTINCT if p.kind in (int, float)]
every_number = pytest.mark.parametrize(("row", "parameter"), NUMBERS, ids=[f"{r.key}-{p.name}" for r, p in NUMBERS])


def refusal(parameter, value):
    with pytest.raises(CleanplateError) as caught:
        parameter.check(value)
    return str(caught.value)


def assert_one_sentence(text):
    assert text.endswith(".")
    assert "\n" not in text
    assert not re.search(r"[.!?]\s+\S", text), f"more than one sentence: {text}"


def numbers_in(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-\d+)?", text)]


@every_parameter
def test_a_default_passes_its_own_check_and_survives_being_typed(row, parameter):
    checked = parameter.check(parameter.default)
    assert checked == parameter.default
    assert parameter.check("auto" if checked is None else str(checked)) == checked
    assert catalogue.complete(row, {parameter.name: parameter.default})[parameter.name] == parameter.default


@every_number
def test_both_ends_of_the_range_are_allowed_and_of_the_right_type(row, parameter):
    for end in (parameter.low, parameter.high):
        checked = parameter.check(end)
        assert checked == end
        assert type(checked) is parameter.kind


@every_number
def test_out_of_range_is_one_sentence_that_says_the_range(row, parameter):
    below, above = parameter.low - max(1, abs(parameter.low)), 2 * abs(parameter.high) + 1
    for value in (below, above, float("nan"), float("inf"), "many", "", "1,5", [3]):
        text = refusal(parameter, value)
        assert_one_sentence(text)
        assert text.startswith(parameter.name)
        assert numbers_in(text)[-2:] == [parameter.low, parameter.high], text
        assert parameter.unit in text
        assert "e+" not in text, "a count of pixels as a power of ten"
        assert ("auto" in text) == parameter.automatic


@every_number
def test_whole_numbers_stay_whole(row, parameter):
    middle = np.floor(parameter.low) + 0.5
    if parameter.kind is int:
        assert "a whole number" in refusal(parameter, middle)
        assert parameter.check(f"{int(parameter.high)}.0") == parameter.high
    elif middle <= parameter.high:
        assert parameter.check(middle) == middle


@every_parameter
def test_automatic_is_only_where_it_is_said(row, parameter):
    if parameter.automatic:
        assert parameter.check(None) is parameter.check("auto") is None
    else:
        assert_one_sentence(refusal(parameter, "auto"))
        assert_one_sentence(refusal(parameter, None))


@every_parameter
def test_switches_and_choices_refuse_everything_else(row, parameter):
    if parameter.kind is bool:
        assert [parameter.check(v) for v in ("on", "off", True, False, "yes", "No", 1, 0)] == [True, False] * 4
    elif parameter.kind is str:
        assert [parameter.check(c) for c in parameter.choices] == list(parameter.choices)
        assert all(choice in refusal(parameter, "something else") for choice in parameter.choices)
    if parameter.kind in (bool, str):
        for value in ("perhaps", 70 if parameter.is_list else 7, ""):
            assert_one_sentence(refusal(parameter, value))


@every_parameter
def test_every_parameter_says_what_it_does_and_which_way(row, parameter):
    assert parameter.title
    assert_one_sentence(parameter.help)
    if parameter.kind in (int, float):
        assert parameter.low < parameter.high
        assert parameter.effect, f"{parameter.name} does not say which way it works"


def test_every_row_takes_its_own_parameters():
    for row, parameter in EVERY:
        given = {parameter.name: parameter.default}
        assert catalogue.complete(row, given) == catalogue.complete(row, {})
        if parameter.live:
            assert catalogue.check_live(row, given) == given


def test_an_unknown_method_names_the_known_ones():
    with pytest.raises(CleanplateError) as caught:
        catalogue.row("magic")
    assert_one_sentence(str(caught.value))
    assert all(key in str(caught.value) for key in ("magic", *catalogue.METHODS))


def test_of_a_method_that_is_misspelt_the_nearest_alone_is_named():
    with pytest.raises(CleanplateError, match=r"no method 'fats' \(perhaps fast\); cleanplate methods lists them\.$"):
        catalogue.row("fats")
    with pytest.raises(CleanplateError, match=r"fast has no parameter 'rnak' \(perhaps rank\); it has rank, "):
        catalogue.complete(catalogue.row("fast"), {"rnak": 3})


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_an_unknown_parameter_names_the_known_ones(key):
    row = catalogue.row(key)
    for ask in (catalogue.complete, catalogue.check_live):
        with pytest.raises(CleanplateError) as caught:
            ask(row, {"sharpness": 3})
        assert_one_sentence(str(caught.value))
        assert all(name in str(caught.value) for name in ("sharpness", key, *catalogue.parameters(row)))


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_a_method_starts_from_its_defaults(key):
    row = catalogue.row(key)
    assert row.key == key
    values = catalogue.complete(row, {})
    beside = {"steady": 10} if row.aligned else {}
    beside |= {"unit_maximum": False, "shuffle": False} if "content" in row.defaults() else {}
    every = (*catalogue.MASK_PARAMETERS, *catalogue.CLEANING_PARAMETERS)
    assert values == {**row.defaults(), **beside, **{p.name: p.default for p in every}}
    assert not {p.name for p in catalogue.listed_parameters(row)} & {p.name for p in every}


@every_parameter
def test_what_cannot_change_mid_run_is_refused_then(row, parameter):
    if parameter.live:
        assert catalogue.check_live(row, {parameter.name: parameter.default}) == {parameter.name: parameter.default}
    else:
        with pytest.raises(CleanplateError) as caught:
            catalogue.check_live(row, {parameter.name: parameter.default})
        assert_one_sentence(str(caught.value))
        assert parameter.name in str(caught.value)


def test_the_first_wrong_change_spoils_them_all():
    row = catalogue.row("fast")
    with pytest.raises(CleanplateError, match="sensitivity"):
        catalogue.check_live(row, {"rank": 4, "sensitivity": 100})


def test_large_ends_are_written_out():
    assert Parameter("x", "X", 1, 0.25, 123_456_789).allowed == "it is a number from 0.25 to 123456789"


def test_a_parameter_of_several_methods_is_the_same_thing_in_each():
    """A person who changes the method finds the control where it was, and what is typed keeps its unit."""
    seen = {}
    for row, parameter in EVERY:
        same = (parameter.title, parameter.unit, parameter.kind, parameter.logarithmic, parameter.advanced)
        assert seen.setdefault(parameter.name, same) == same, f"{parameter.name} of {row.key}"
    assert {"rank", "lam", "memory", "warm_up"} <= set(catalogue.row("fast").defaults())
    assert {"rank", "lam", "memory", "warm_up"} <= set(catalogue.row("opgd").defaults())


def test_help_on_an_automatic_parameter_says_what_automatic_is():
    for row in catalogue.METHODS.values():
        for parameter in catalogue.listed_parameters(row):
            assert not parameter.automatic or "automatic: " in parameter.help, f"{parameter.name} of {row.key}"


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_every_method_separates_faces_into_finite_factors(key):
    row = catalogue.row(key)
    chosen = {name: 4 for name in ("rank", "iterations") if name in row.defaults()}
    session = Session(open_source(InputSpec("sample:faces", frames=(1, 12))), Settings(key, chosen))
    reports = list(session.run())
    assert len(reports) >= 12
    assert np.isfinite(session.method.W).all()
    assert all(np.isfinite(report.split.h).all() for report in reports if report.phase is not Phase.GATHERING)
    if key not in SIGNS_FREE:
        assert session.method.W.min() >= 0
        assert all(report.split.h.min() >= 0 for report in reports if report.phase is not Phase.GATHERING)


def test_a_method_that_is_aligned_offers_how_far_and_never_reads_it_itself():
    assert [row.key for row in catalogue.METHODS.values() if row.aligned] == ["fast"]
    for row in catalogue.METHODS.values():
        assert ("steady" in catalogue.parameters(row)) == row.aligned
        assert "steady" not in row.defaults()
