"""Options as records: what typer is shown, and what a command gets."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer

from app.cli.records import gathered, given_options, with_records


@dataclass(frozen=True)
class Look:
    grey: Annotated[bool, typer.Option("--grey")] = False
    size: Annotated[int | None, typer.Option("--size", "-s")] = None


@dataclass(frozen=True)
class Everything:
    name: Annotated[str, typer.Option()] = "usual"
    look: Look = field(default_factory=Look)
    words: Annotated[list[str] | None, typer.Option("--word")] = None


@pytest.fixture
def got():
    return []


@pytest.fixture
def command(got):
    @with_records
    def run(context: typer.Context, source: str, *, before: bool = False, options: Everything, after: int = 3) -> None:
        """Do it."""
        got.append((source, before, options, after, given_options(context)))

    app = typer.Typer(add_completion=False)
    app.command()(run)
    return typer.main.get_command(app)


def test_a_command_gets_its_records_whole(command, got):
    words = ["in", "--before", "--grey", "--name", "usual", "-s", "4", "--word", "a", "--word", "b", "--after", "5"]
    command(words, standalone_mode=False)
    source, before, options, after, given = got.pop()
    assert (source, before, after) == ("in", True, 5)
    assert options == Everything("usual", Look(grey=True, size=4), ["a", "b"])
    assert given >= {"--before", "--grey", "--name", "--size", "--word", "--after"}


def test_what_was_not_said_is_as_usual_and_not_given(command, got):
    command(["in", "--size", "4"], standalone_mode=False)
    _source, _before, options, _after, given = got.pop()
    assert options == Everything(look=Look(size=4))
    assert {option for option in given if option.startswith("-")} == {"--size"}


def test_options_stand_in_the_place_of_their_record(command):
    assert [option.name for option in command.params] == ["source", "before", "name", "grey", "size", "words", "after"]
    assert command.help == "Do it."


def test_a_record_is_made_of_more_than_its_own_parameters():
    params = {"grey": True, "size": 3, "name": "x", "words": None, "after": 4}
    assert gathered(Everything, params) == Everything("x", Look(True, 3))
    with pytest.raises(KeyError):
        gathered(Everything, {"grey": True})
