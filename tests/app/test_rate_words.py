import pytest

from app.cli.progress import figures
from app.compare.column import times_words
from app.panels.figures import FiguresPanel
from app.panels.progress_words import how_fast
from app.panels.status import StatusBar
from app.rate_words import rate_told, rate_words, took_words
from core.export.progress import Progress
from core.session.phase import Phase
from tests.app.view_helpers import make_report

SLOW = Progress(1, 2, 3, 12, 1 / 12, 108.0, Phase.LEARNING)


@pytest.mark.parametrize(
    ("per_second", "shown", "told"),
    [
        (1234.4, "1234 frames/s", "1234.4 a second"),
        (9.44, "9.4 frames/s", "9.4 a second"),
        (0.97, "1.0 frames/s", "1.0 a second"),
        (0.9, "1.1 s a frame", "1.1 s a frame"),
        (1 / 12, "12 s a frame", "12 s a frame"),
        (0.0, "", ""),
    ],
)
def test_a_rate_below_one_a_second_is_the_time_of_each(per_second, shown, told):
    assert rate_words(per_second) == shown
    assert rate_told(per_second) == told


def test_an_iteration_is_called_one():
    assert rate_words(0.2, "iteration") == "5.0 s an iteration"


@pytest.mark.parametrize(("ms", "said"), [(17.24, "17.2 ms"), (999.96, "1.0 s"), (17686.0, "18 s")])
def test_a_step_of_a_second_and_more_is_in_seconds(ms, said):
    assert took_words(ms) == said


def test_every_place_that_tells_a_rate_says_it_so(qapp, qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show_rate(1 / 12, "learnt 3 frames")
    assert bar.rate.text() == "12 s a frame"
    assert figures(SLOW) == "frame 3 of 12, 12 s a frame, 1:48 left"
    assert how_fast(SLOW) == "1 min 48 s left · 12 s a frame"
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    report = make_report()
    report.stages_ms.update(step=17686.0)
    panel.show_report(report)
    assert panel.text("Step") == "18 s"
    assert times_words(17686.0, 1.04) == "18 s: step 18 s, mask 1.0 ms"
    assert times_words(17.0, 1.04) == "18.0 ms: step 17.0, mask 1.0"
