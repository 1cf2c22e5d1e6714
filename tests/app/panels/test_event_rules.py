"""What counts as an event, as the panel shows it."""

import pytest

from app.panels.event_rules import EventRulesForm
from core.events.rules import SHORTEST, Rules


@pytest.mark.usefixtures("qapp")
def test_the_shortest_event_of_a_project_may_have_a_single_frame():
    form = EventRulesForm(SHORTEST)
    assert form.shortest.text() == f"{SHORTEST} frames"
    for shortest, words in ((1, "1 frame"), (2, "2 frames")):
        form.show_rules(Rules(shortest=shortest))
        assert form.shortest.text() == words
