"""Batch methods in the window and on the command line: what is said and shown while they gather, iterate and apply."""

import numpy as np
import pytest

from app.cli.progress import figures, stage
from app.engine.choice import Choice
from app.engine.presenter import Presenter
from app.engine.slot import NewestSlot
from app.engine.snapshot import Shown
from app.panels.status import StatusBar
from app.views.plots import PlotsView
from app.views.quantities import QUANTITIES
from app.views.timeline import Timeline
from core.export.progress import Progress, Writing
from core.io.sources import InputSpec, open_source
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from tests.app.windows import each_frame_shown, open_window, running_worker, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")
FEW = {"rank": 3, "iterations": 30, "tolerance": 1e-9}
BATCH = Choice("bpgd", FEW)


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "walk.mkv"))


def test_points_are_of_iterations_then_of_the_frames_that_it_is_applied_to(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), BATCH)
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        seen.take()
        iterations, frames = seen.points[:30], seen.points[30:]
        assert [p.n for p in iterations] == list(range(1, 31))
        assert all(p.iterates and p.values.keys() == {"objective"} and p.values["objective"] > 0 for p in iterations)
        assert [p.n for p in frames] == list(range(1, 41))
        assert all(not p.iterates and p.values.keys() == {"residual", "h", "fps"} for p in frames)
        assert all(p.values["residual"] >= 0 and p.values["h"].shape == (3,) for p in frames)
        assert "APPLYING" in [state.name for state in seen.states]
        assert {key for p in seen.points for key in p.values} <= {quantity.key for quantity in QUANTITIES}
        assert not seen.failures
        last = seen.reports[-1]
    source = open_source(InputSpec(clip))
    *_, plain = Session(source, Settings("bpgd", FEW)).run()
    source.close()
    assert np.array_equal(last.mask, plain.mask)
    assert np.array_equal(last.split.background, plain.split.background)


def test_no_basis_is_drawn_before_anything_is_learnt(clip):
    slot: NewestSlot[Shown] = NewestSlot()
    presenter, drawn = Presenter(slot), {}
    source = open_source(InputSpec(clip))
    session = Session(source, Settings("bpgd", FEW))
    for n, report in enumerate(session.run(), 1):
        presenter.show(report, session, n, 0.0, at_once=True)
        drawn.setdefault(report.phase, set()).add(len(slot.take().basis))
    source.close()
    assert drawn == {Phase.GATHERING: {0}, Phase.ITERATING: {3}, Phase.APPLYING: {3}}


def test_it_can_be_paused_stepped_and_sought_between_iterations(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), Choice("bpgd", {**FEW, "iterations": 100_000}))
        with each_frame_shown(seen.worker):  # It may be at its tolerance before a test that is held up says pause.
            wait_for(lambda: seen.take().reports and seen.reports[-1].iteration, "an iteration")
            seen.worker.pause()
            wait_for(lambda: seen.state == "PAUSED", "a pause")
        held = seen.take().reports[-1].iteration.number
        seen.worker.step()
        wait_for(lambda: seen.take().reports[-1].iteration.number == held + 1, "one iteration more")
        seen.worker.set_values({"iterations": held + 3})
        seen.worker.seek(0)
        wait_for(lambda: seen.take().reports[-1].frame.index == 0, "the first frame")
        seen.worker.set_passes(3)
        seen.worker.play()
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert seen.take().reports[-1].n_passes == 2
        seen.worker.seek(7)
        wait_for(lambda: seen.take().reports[-1].frame.index == 7, "frame 7, with what was learnt")
        assert seen.reports[-1].phase is Phase.LOOKING
        assert not seen.failures


def test_the_window_says_what_goes_on(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        parts, plots = window.parts, window.views.plots
        window.commands.method.show_settings("bpgd", {**FEW, "iterations": 100_000}, 2)
        wait_for(lambda: parts.status.state.text().startswith("Learning: iteration"), "iterations")
        assert parts.status.state.text().endswith("of 100000")
        wait_for(lambda: parts.status.rate.text().endswith("iterations/s"), "a rate, which the first one has not")
        assert parts.status.learnt.text() == "from 40 frames"
        assert not window.views.timeline.passes.isEnabled()
        plots.choose("objective")
        wait_for(lambda: plots.history("objective").x.size > 2, "a curve")
        assert plots.history("residual").x.size == 0
        window.worker.set_values({"iterations": 1})
        wait_for(lambda: parts.status.state.text() == "Finished", "the end")
        wait_for(lambda: parts.status.learnt.text().startswith("applied to "), "the last frame on the screen")
        assert window.views.timeline.pass_label.text() == "pass 2 of"
        window.commands.method.on_method("fast")
        wait_for(window.views.timeline.passes.isEnabled, "passes that can be chosen")
        wait_for(lambda: parts.status.state.text() == "Finished", "the end")
        assert window.commands.choice.passes == 2, "what was chosen before is chosen again"
        wait_for(lambda: window.views.timeline.passes.value() == 2, "two passes")


def test_passes_cannot_be_chosen_where_the_method_decides(qtbot):
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.set_range(10, 25.0)
    timeline.set_passes_fixed(True)
    timeline.set_range(20, 25.0)
    assert not timeline.passes.isEnabled()
    assert "twice" in timeline.passes.toolTip()
    timeline.set_passes_fixed(False)
    assert timeline.passes.isEnabled()
    timeline.set_range(None, 25.0, live=True)
    timeline.set_passes_fixed(False)
    assert not timeline.passes.isEnabled()


def test_the_plot_counts_iterations_for_the_objective_alone_until_the_run_is_forgotten(qtbot):
    plots = PlotsView()
    qtbot.addWidget(plots)
    plots.build()
    plots.count_iterations()
    plots.append(1, objective=3.0)
    plots.append(2, objective=2.0)
    plots.refresh()
    assert plots.unit.text() == "loss over iterations"
    plots.choose("residual")
    assert plots.unit.text() == "% of white over frames read"
    plots.choose("objective")
    plots.clear()
    assert plots.unit.text() == "loss over frames read"


def test_the_status_bar_counts_what_it_is_told_to(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show_rate(0.0, "learnt 1 frame")
    assert bar.rate.text() == "", "no speed is known of the first frame"
    bar.show_rate(12.3, "from 200 frames", what="iteration")
    assert (bar.rate.text(), bar.learnt.text()) == ("12 iterations/s", "from 200 frames")


def test_progress_leaves_a_message_readable_and_comes_back_after_it(qtbot):
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_progress(0.5, 3.0)
    bar.showMessage("Wrote model.npz")
    bar.show_progress(0.6, 2.0)
    assert not bar.progress.isVisible(), "it lies over the message"
    bar.clearMessage()
    assert bar.progress.isVisible()


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Progress(1, 2, 3, 40, 80.0, None, Phase.GATHERING), "Gathering frames: frame 3 of 40, 80.0 a second"),
        (Progress(1, 2, 12, 100, 20.0, 4.4, Phase.ITERATING), "Learning: iteration 12 of 100, 20.0 a second, 4 s left"),
        (Progress(2, 2, 3, 40, 80.0, 1.0, Phase.APPLYING), "Pass 2 of 2: frame 3 of 40, 80.0 a second, 1 s left"),
        (
            Progress(1, 1, 3, 40, 80.0, 1.0, writing=Writing(8, 12, is_end=True)),
            "Separating: frame 3 of 12 (written from 8 on), 80.0 a second, 1 s left",
        ),
    ],
)
def test_the_command_line_tells_the_phases(step, text):
    assert f"{stage(step)}: {figures(step)}" == text


@pytest.mark.parametrize(("method", "told"), [("opgd", "scene"), ("fast", "")])
def test_the_window_hears_what_an_input_was_taken_for(method, told):
    with running_worker() as seen:
        heard = []
        seen.worker.content_decided.connect(heard.append)
        seen.worker.open(InputSpec("sample:street", size=(32, 24)), Choice(method), play=False)
        wait_for(lambda: seen.indices and heard, "a frame")
        assert heard == [told]
