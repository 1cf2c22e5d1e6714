"""What begins once an input is open: what was asked for, and what was set since."""

from types import SimpleNamespace
from unittest.mock import Mock, create_autospec

import pytest

from app.engine.choice import Choice
from app.engine.kept_runs import KeptRuns
from app.engine.opening import Asked, Opening
from app.engine.resume import Resume
from app.engine.session_player import SessionPlayer
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.io.sources.base import SourceInfo
from core.scene.areas import Areas
from core.session.model import Model

FILM = SimpleNamespace(info=SourceInfo("walk.mp4", Layout(48, 64, Planes.RGB, 8), 25.0, 40))
FACES = SimpleNamespace(info=SourceInfo("faces", Layout(48, 64, Planes.GREY, 8), None, 40))
REQUEST = InputSpec("walk.mp4")


@pytest.fixture
def player():
    return create_autospec(SessionPlayer, instance=True)


def begun_with(player):
    """Return the settings that a player has begun with, and whether it plays."""
    (call,) = player.start.call_args_list
    return call.args[1], call.kwargs["play"]


@pytest.mark.parametrize(
    ("play", "was_held", "plays"), [(True, True, True), (False, False, False), (None, True, False), (None, False, True)]
)
def test_it_is_held_where_that_was_asked_for_or_else_where_what_is_open_is_held(player, play, was_held, plays):
    opening = Opening(Asked(REQUEST, Choice("mog2", {"memory": 50}, 2, 7), play), was_held=was_held)
    opening.begin(player, FILM, KeptRuns())
    settings, began = begun_with(player)
    assert (settings.method, dict(settings.values), settings.passes, settings.seed) == ("mog2", {"memory": 50}, 2, 7)
    assert began is plays
    assert not opening.missed


def test_what_was_begun_meanwhile_holds_and_areas_and_seed_are_those_of_the_input(player):
    areas = Areas(size=(64, 48))
    opening = Opening(Asked(REQUEST, Choice(seed=7, areas=areas)), was_held=False)
    opening.set_values({"sensitivity": 3.0})
    opening.restart(Choice("mog2", {"memory": 50}, seed=1))
    opening.begin(player, FILM, KeptRuns())
    settings, _ = begun_with(player)
    assert (settings.method, settings.seed, settings.areas) == ("mog2", 7, areas)
    assert not opening.missed, "what began anew knew of them"


def test_of_what_was_changed_meanwhile_the_newest_is_to_be_told(player):
    opening = Opening(Asked(REQUEST, Choice()), was_held=False)
    opening.restart(Choice("mog2"))
    opening.set_values({"sensitivity": 3.0, "memory": 50})
    opening.set_values({"memory": 60})
    assert opening.missed == {"sensitivity": 3.0, "memory": 60}
    opening.begin(player, FILM, KeptRuns())
    player.set_values.assert_not_called()


def test_what_is_kept_for_its_kind_goes_before_all_that_was_chosen(player):
    kept = {"images": Choice("onmf")}
    for source, method in ((FILM, "mog2"), (FACES, "onmf")):
        player.start.reset_mock()
        opening = Opening(Asked(REQUEST, Choice("fast"), kept=kept), was_held=False)
        opening.restart(Choice("mog2"))
        opening.begin(player, source, KeptRuns())
        assert begun_with(player)[0].method == method


@pytest.mark.parametrize(("method", "goes_on"), [("fast", True), ("mog2", False)])
def test_it_goes_on_from_what_the_method_that_it_begins_with_had_learnt(player, method, goes_on):
    learnt = Mock(spec=Model, method="fast")
    opening = Opening(Asked(REQUEST, Choice("fast"), resume=Resume(learnt=learnt, shown=7)), was_held=False)
    if method != "fast":
        opening.restart(Choice(method))
    opening.begin(player, FILM, KeptRuns())
    player.start.assert_not_called()
    _, settings, resume, model = player.resume.call_args.args
    assert (settings.method, resume.shown, model) == (method, 7, None)
    assert resume.learnt is (learnt if goes_on else None)


def test_a_source_that_nothing_begins_with_stays_the_callers(player):
    player.start.side_effect = CleanplateError("This does not fit.")
    source = Mock(info=FILM.info)
    with pytest.raises(CleanplateError, match="does not fit"):
        Opening(Asked(REQUEST, Choice()), was_held=False).begin(player, source, KeptRuns())
    source.close.assert_not_called()
