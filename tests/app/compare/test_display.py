"""What the comparison says while there are no curves yet, and what it offers to plot."""

import pytest

from core.io.corruption import Corruption
from core.io.input_spec import InputSpec
from tests.app.compare.test_window import comparing, finished
from tests.app.windows import wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def offered(window) -> set[str]:
    return {key for key, button in window.parts.plots.chooser.buttons.items() if button.isVisible()}


def shown_words(window) -> str:
    hint = window.parts.plots.hint
    return hint.text() if hint.isVisible() else ""


def in_pass(window, words: str):
    wait_for(lambda: words in window.parts.view.columns[0].times.text() or window.parts.banner.text, words)
    window._set_playing(False)
    assert not window.parts.banner.text


def test_while_passes_only_learn_it_is_said_when_curves_begin(tmp_path):
    clip = InputSpec(str(write_clip(tmp_path / "walk.mkv", 30)))
    with comparing(clip, ["median", "mog2"], passes=2) as window:
        in_pass(window, "pass 1 of 2")
        assert shown_words(window) == "Curves begin with pass 2 of 2: those before only learn"
        assert offered(window) == {"residual", "ms"}, "nothing is known of the truth"
        window._set_playing(True)
        finished(window)
        wait_for(lambda: not shown_words(window), "the curves")
        assert offered(window) == {"residual", "ms"}
        window._on_passes(1)
        wait_for(lambda: "pass" not in window.parts.view.columns[0].times.text(), "one pass")
        finished(window)


def test_where_the_truth_is_known_it_is_offered_in_the_first_pass_too(qapp):
    request = InputSpec("sample:faces", corruption=Corruption("salt-and-pepper", 0.1))
    with comparing(request, ["median", "mog2"], passes=2) as window:
        in_pass(window, "pass 1 of 2")
        assert offered(window) == {"residual", "ms", "psnr_db", "relative_error"}
