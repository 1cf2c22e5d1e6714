"""The options of ``run``: records and command line say the same, to the types of the values."""

import math
from dataclasses import is_dataclass
from pathlib import Path
from types import UnionType
from typing import get_origin, get_type_hints

import pytest

from app.cli.batch import NOT_OF_BATCH
from app.cli.main import command_line
from app.cli.records import gathered
from app.cli.run_options import RunOptions
from core.export.job_spec import Job
from core.io.input_spec import InputSpec

EACH = [
    "in", "-o", "out", "--save", "plate", "--method", "opgd", "--set", "rank=4", "--set", "lam=1", "--preset", "trees",
    "--model", "model.npz", "--passes", "3", "--seed", "4", "--grey", "--size", "8x9", "--roi", "1,2,3,4",
    "--frames", "1:9", "--follow", "--follow-until", "2.5", "--areas", "areas.json", "--write", "2:3",
    "--start", "start.npz", "--run-in", "4", "--spread", "5", "--join", "parts", "--input", "there",
    "--format", "mp4", "--quality", "low", "--speed", "slow", "--fps", "12", "--names", "input", "--corrupt", "laplace",
    "--overwrite", "--event-area", "1,2,3,4,5,6", "--event-line", "1,2,3,4", "--event-length", "6", "--event-size", "7",
    "--json", "--quiet", "--json-progress", "--key", "k",
]  # fmt: skip


def said(*words):
    context = command_line().commands["run"].make_context("run", list(words))
    return context.params, gathered(RunOptions, context.params)


def leaves(record):
    """Yield the name, the type and the value of each option."""
    for name, kind in get_type_hints(type(record)).items():
        value = getattr(record, name)
        if is_dataclass(kind):
            yield from leaves(value)
        else:
            yield name, kind, value


def test_fields_are_the_parameters_of_the_command():
    params, options = said("in")
    assert [name for name, _, _ in leaves(options)] == [
        option.name for option in command_line().commands["run"].params if option.name != "source"
    ]
    assert set(params) == {"source", *(name for name, _, _ in leaves(options))}


@pytest.mark.parametrize("words", [EACH, ["in"]])
def test_values_have_the_types_that_their_fields_tell(words):
    for name, kind, value in leaves(said(*words)[1]):
        kinds = kind.__args__ if isinstance(kind, UnionType) else (kind,)
        # The command line has an empty tuple where an option that may be given again was not given.
        assert value == () or isinstance(value, tuple(get_origin(one) or one for one in kinds)), name


def test_each_option_reaches_a_field_of_its_own():
    usual, given = ({name: value for name, _, value in leaves(said(*words)[1])} for words in (["in"], EACH))
    assert [name for name in usual if usual[name] == given[name]] == []


def test_a_record_that_nobody_filled_is_what_the_command_line_has_as_usual():
    for (name, _, usual), (_, _, value) in zip(leaves(RunOptions()), leaves(said("in")[1]), strict=True):
        assert usual == value or not (usual or value), name


def test_what_is_usual_is_so_of_jobs_too():
    job, options = Job(InputSpec("in"), Path("out")), RunOptions()
    assert job.save == options.products
    for name in ("format", "quality", "speed", "fps", "model", "overwrite", "names", "start", "run_in", "spread"):
        assert getattr(options, name) == getattr(job, name), name
    assert options.events.rules() == job.rules
    assert options.view.input("in", corrupt=options.corrupt, follow_min=options.follow_min) == job.input


def test_what_is_to_be_saved_may_be_said_in_parts():
    options = said("in", "--save", "mask,times", "--save", "times, events")[1]
    assert options.products == ("mask", "times", "events")


@pytest.mark.parametrize(
    ("words", "follow_min"),
    [([], None), (["--follow"], math.inf), (["--follow-until", "2"], 2.0), (["--follow", "--follow-until", "2"], 2.0)],
)
def test_files_are_waited_for_as_long_as_was_said(words, follow_min):
    assert said("in", *words)[1].follow_min == follow_min


def test_what_a_batch_keeps_for_itself_are_options_of_run():
    assert set(NOT_OF_BATCH) <= {name for option in command_line().commands["run"].params for name in option.opts}
