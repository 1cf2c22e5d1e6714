"""What the command line reads is what the window writes, and junk is refused in one sentence."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import command_words as words
from app.cli.main import invoke
from app.equivalent_command import command_words
from core import catalogue
from core.errors import CleanplateError
from core.events.rules import Rules
from core.export.frame_names import NAMES
from core.export.job_spec import Job
from core.export.products import FORMATS, PRODUCTS, QUALITIES, SPEEDS
from core.io.input_spec import ALL_FRAMES, InputSpec
from tests import strategies

PARSERS = {
    "size": words.parse_size,
    "region": words.parse_region,
    "frames": words.parse_frames,
    "corruption": lambda text: words.parse_corruption(text, 0),
    "settings": lambda text: words.parse_settings([text]),
}

NEAR = st.from_regex(r"[-\d:;,.xX×= a-z²٣∞]*", fullmatch=True) | st.builds(
    ":".join, st.tuples(st.sampled_from(["laplace", "uniform", "occlusion"]), st.text("0123456789.-naif", max_size=5))
)
"""Texts that come near to what can be read."""


def job_of(arguments):
    """Return the job that the command line would run."""
    with patch("app.cli.run.run_and_tell") as run:
        assert invoke(arguments) == 0
    return run.call_args.args[0]


def what_is_said(act):
    """Return the sentence of a refusal, or a full stop where there is none; any other error is one of the test."""
    try:
        act()
    except CleanplateError as error:
        return str(error)
    return "."


PLACES = st.floats(-1e4, 1e5).map(lambda number: number + 0.0)
POINTS = st.tuples(PLACES, PLACES)


@st.composite
def event_rules(draw):
    lines = draw(st.lists(st.tuples(POINTS, POINTS).filter(lambda line: line[0] != line[1]), max_size=2))
    area = draw(st.just([]) | st.lists(POINTS, min_size=3, max_size=5))
    return Rules(tuple(area), draw(st.integers(1, 10**6)), draw(st.integers(0, 10**9)), tuple(lines))


@st.composite
def jobs(draw):
    spec = draw(strategies.input_specs())
    return Job(
        spec,
        Path(draw(st.sampled_from(["out", "a b/é", "-o", "it's $HOME"]))),
        tuple(draw(st.lists(st.sampled_from(sorted(PRODUCTS)), min_size=1, unique=True))),
        draw(strategies.settings(seed=spec.seed)),
        format=draw(st.sampled_from(sorted(FORMATS))),
        quality=draw(st.sampled_from(sorted(QUALITIES))),
        speed=draw(st.sampled_from(sorted(SPEEDS))),
        fps=draw(st.none() | st.floats(0.01, 1000)),
        names=draw(st.sampled_from(sorted(NAMES))),
        overwrite=draw(st.booleans()),
        rules=draw(event_rules()),
    )


@hypothesis.settings(max_examples=20)
@given(jobs())
def test_the_command_of_a_job_runs_that_very_job(job):
    assert job_of(command_words(job)) == job


def test_an_input_that_looks_like_an_option_is_still_read():
    job = Job(InputSpec("--help"), Path("out"))
    assert job_of(command_words(job)) == replace(job, input=InputSpec("./--help"))


@given(strategies.BIG, strategies.BIG)
def test_sizes_come_back(width, height):
    assert words.parse_size(words.format_size((width, height))) == (width, height)


@given(st.tuples(*[strategies.BIG] * 4))
def test_regions_come_back(roi):
    assert words.parse_region(words.format_region(roi)) == roi


@given(strategies.frame_ranges())
def test_frames_come_back(frames):
    assert words.parse_frames(words.format_frames(frames)) == frames


@pytest.mark.parametrize("word", ["laplace:share=0.5:0.2", "laplace:0.2:share=", "laplace:share=2", "laplace:part=1"])
def test_a_share_that_cannot_be_read_is_one_sentence(word):
    with pytest.raises(CleanplateError, match=r"share=SHARE|share cannot"):
        words.parse_corruption(word, 0)


@given(strategies.corruptions())
def test_corruptions_come_back(corruption):
    assert words.parse_corruption(words.format_corruption(corruption), corruption.seed) == corruption


@given(strategies.settings())
def test_parameters_come_back(settings):
    said = words.parse_settings(words.format_settings(settings.values))
    checked = catalogue.complete(catalogue.row(settings.method), said)
    assert {name: checked[name] for name in settings.values} == settings.values
    assert [type(checked[name]) for name in settings.values] == [type(value) for value in settings.values.values()]


@pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)
@given(text=st.text() | NEAR)
def test_junk_is_read_or_refused_in_one_sentence(parse, text):
    assert what_is_said(lambda: parse(text)).endswith(".")


@given(method=st.sampled_from(sorted(catalogue.METHODS)), name=st.text(), value=st.text() | NEAR | st.integers())
def test_junk_for_parameters_is_refused_in_one_sentence(method, name, value):
    row = catalogue.row(method)
    for key in (name, *catalogue.parameters(row)):
        assert what_is_said(lambda key=key: catalogue.complete(row, {key: value})).endswith(".")


@given(st.data())
def test_an_input_that_cannot_be_is_refused_and_every_other_is_made(data):
    number = st.integers(-3, 10)
    given_values = {
        "path": data.draw(st.sampled_from(["film.mp4", "", " "])),
        "size": data.draw(st.none() | st.tuples(number, number)),
        "roi": data.draw(st.none() | st.tuples(number, number, number, number)),
        "frames": data.draw(st.tuples(st.none() | number, st.none() | number)),
        "seed": data.draw(number),
    }
    first, last = given_values["frames"]
    possible = (
        given_values["path"].strip()
        and min(given_values["size"] or (1,)) > 0
        and (given_values["roi"] is None or (min(given_values["roi"]) >= 0 and min(given_values["roi"][2:]) > 0))
        and (first is None or first > 0)
        and (last is None or last >= (first or 1))
        and given_values["seed"] >= 0
    )
    if possible:
        assert InputSpec(**given_values).frames == (given_values["frames"] or ALL_FRAMES)
    else:
        with pytest.raises(CleanplateError, match=r"^[^\n]+\.$"):
            InputSpec(**given_values)


@given(NEAR)
def test_points_that_cannot_be_read_are_refused_in_one_sentence(text):
    for option in ("--event-area", "--event-line"):
        assert what_is_said(lambda option=option: words.parse_points(option, text)).endswith((".", "pixels."))
    assert what_is_said(lambda: words.parse_line(text)).endswith(".")


@pytest.mark.parametrize("text", ["rank", "=4", " =4", "rank=", "rank= "])
def test_a_setting_without_a_name_or_a_value_is_refused(text):
    with pytest.raises(CleanplateError, match="cannot be read; write it as NAME=VALUE"):
        words.parse_settings([text])
