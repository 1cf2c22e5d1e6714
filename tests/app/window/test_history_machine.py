"""Whatever a person does in the real window, undone to the start and done again to the end it is the same."""

import os
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from PySide6.QtCore import QCoreApplication

from core.events.rules import Rules
from core.scene.areas import Shape
from core.session.model import Model
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")

N_FRAMES = 24
OPERATIONS = 40
EXAMPLES = int(os.environ.get("CLEANPLATE_HISTORIES", "2"))
METHODS = ("fast", "median", "onmf", "mog2")


def settled(window) -> None:
    """Wait until all that was asked for is done, and the window has heard of it."""
    commands, worker = window.commands, window.worker
    done = []
    wait_for(lambda: not commands.method._restart_timer.isActive(), "starting again")
    wait_for(lambda: commands.history.steps._awaited is None, "the input of before")
    wait_for(lambda: commands.playback.state.name != "OPENING", "opening")
    for n in range(2):
        worker.with_session(lambda _: done.append(1))
        wait_for(lambda n=n: len(done) > n, "the engine")
        QCoreApplication.processEvents()


def what_is_set(window) -> tuple[object, ...]:
    """Return all that a person has set and painted."""
    project = window.commands.state.project()
    work = {name: getattr(project.document, name) for name in project.document.__struct_fields__ if name != "layout"}
    sums = {name: zlib.crc32(array.tobytes()) for name, array in project.painted.items()}
    return work, project.model, sums


class Person(RuleBasedStateMachine):
    """Does anything that the history knows of, and some of what it does not."""

    window, model = None, None

    def __init__(self):
        super().__init__()
        settled(self.window)
        self.stack = self.window.commands.history.steps.stack
        self.stack.clear()
        self.start = what_is_set(self.window)

    @initialize(seed=st.integers(0, 2**16))
    def is_not_the_simplest(self, seed):
        """Refuse the example that hypothesis begins with, which does the first thing of all over and over."""
        assume(seed)

    def reopens(self, change) -> None:
        """Do something after which the input is opened anew, and wait for that; no model fits another view."""
        settled(self.window)
        if self.window.commands.method.applies_model:
            return
        opened = []
        connection = self.window.commands.input.changed.connect(lambda: opened.append(1))
        change()
        wait_for(lambda: opened, "the view")
        self.window.commands.input.changed.disconnect(connection)
        settled(self.window)

    @rule(data=st.data())
    def set_a_parameter(self, data):
        forms = self.window.parts.method.form, self.window.parts.source.mask_form
        controls = {name: control for form in forms if form.isEnabled() for name, control in form.controls.items()}
        control = controls[data.draw(st.sampled_from(sorted(controls)))]
        if hasattr(control, "box"):
            low, high = control.box.minimum(), control.box.maximum()
            control.box.setValue(low + data.draw(st.floats(0, 1)) * min(high - low, 9))
        elif hasattr(control, "switch"):
            control.switch.click()
        else:
            n = control.chooser.count()
            control.chooser.setCurrentIndex(data.draw(st.integers(0, n - 1)))
            control.chooser.activated.emit(control.chooser.currentIndex())
        if getattr(control, "auto", None) is not None and data.draw(st.booleans()):
            control.auto.click()

    @rule(key=st.sampled_from(METHODS))
    def choose_a_method(self, key):
        self.window.commands.method.on_method(key)

    @rule(index=st.integers(0, 3))
    def choose_a_preset(self, index):
        box = self.window.parts.method.preset
        self.window.commands.presets.choose(box.itemText(index % box.count()))

    @rule(passes=st.integers(1, 3))
    def choose_passes(self, passes):
        self.window.views.timeline.passes.setValue(passes)

    @rule(index=st.integers(0, 1))
    def choose_the_colour(self, index):
        source = self.window.parts.source
        self.reopens(lambda: (source.colour.choose(index), source.view_changed.emit()))

    @rule(index=st.integers(0, 1))
    def choose_the_size(self, index):
        source = self.window.parts.source
        self.reopens(lambda: (source.scale.choose(index), source.view_changed.emit()))

    @rule(left=st.integers(0, 5), top=st.integers(0, 5))
    def draw_a_region(self, left, top):
        self.reopens(lambda: self.window.commands.input.set_region((left, top, 40, 32)))

    @rule()
    def clear_the_region(self):
        self.reopens(self.window.commands.input.clear_region)

    @rule(index=st.integers(0, N_FRAMES - 1))
    def look_at_another_frame(self, index):
        self.window.views.timeline.go_to(index)

    @rule(key=st.sampled_from(("play", "step", "step_back", "next_mark", "last_mark", "learn_on")))
    def press_a_key_that_sets_nothing(self, key):
        self.window.action(key).trigger()

    @rule(key=st.sampled_from(("mark_in", "mark_out", "clear_range", "marker")))
    def mark(self, key):
        self.window.action(key).trigger()

    @rule(name=st.text("abc", max_size=3), index=st.integers(0, N_FRAMES - 1))
    def name_a_marker(self, name, index):
        self.window.commands.marks.rename(index, name)

    @rule(left=st.integers(0, 30), width=st.integers(1, 9), is_background=st.booleans(), learns=st.booleans())
    def paint(self, left, width, is_background, learns):
        panes = self.window.views.panes
        settled(self.window)
        wait_for(lambda: panes.report is not None, "a frame")
        where = np.zeros(panes.report.full_mask.shape, bool)
        where[10:20, left : left + width] = True
        self.window.parts.brush.holds.choose(0 if learns else 2)
        panes.stroke_painted.emit(panes.report, where, is_background)
        settled(self.window)

    @rule(kind=st.sampled_from(("never", "keep")), left=st.floats(0, 30), waits=st.booleans())
    def exclude_an_area(self, kind, left, waits):
        areas = self.window.commands.areas
        areas.set_areas(areas.areas.with_shape(Shape(kind, ((left, 2.0), (left + 20, 2.0), (left + 9, 30.0)), 0.0)))
        if waits:
            settled(self.window)

    @rule()
    def exclude_nothing(self):
        self.window.commands.areas.remove_all()

    @rule(column=st.integers(1, 60), shortest=st.integers(5, 9), is_shown=st.booleans())
    def count_events_over_a_line(self, column, shortest, is_shown):
        events = self.window.commands.events
        if is_shown:
            events.open()
            events.panel.form.shortest.setValue(shortest)
            events.panel.form.set_drawn("line", [(column, 47), (column, 0)])
        else:
            events.set_rules(Rules((), shortest, 0, (((column, 47.0), (column, 0.0)),)))

    @rule()
    def forget_what_was_painted(self):
        self.window.commands.correcting.forget()
        settled(self.window)

    @rule(key=st.sampled_from(("plate", "mask", "cleaned")), form=st.integers(0, 2))
    def choose_what_is_exported(self, key, form):
        panel = self.window.commands.export.panel.form
        panel.checks[key].click()
        panel.format.setCurrentIndex(form)
        panel.format.activated.emit(form)

    @rule()
    def reset(self):
        self.window.commands.method.reset()

    @rule()
    def apply_the_model_or_learn_again(self):
        commands = self.window.commands
        settled(self.window)
        if commands.method.applies_model:
            commands.method.learn_again()
        else:
            commands.method.apply_model(self.model)
        settled(self.window)

    @rule(n=st.integers(1, 3), waits=st.booleans())
    def undo(self, n, waits):
        for _ in range(n):
            self.window.action("undo").trigger()
        if waits:
            settled(self.window)

    @precondition(lambda self: self.stack.canRedo())
    @rule(n=st.integers(1, 3))
    def redo(self, n):
        for _ in range(n):
            self.window.action("redo").trigger()

    def teardown(self):
        settled(self.window)
        end, index = what_is_set(self.window), self.stack.index()
        while self.stack.canUndo():
            self.stack.undo()
        settled(self.window)
        assert what_is_set(self.window) == self.start
        while self.stack.canRedo():
            self.stack.redo()
        self.stack.setIndex(index)  # What had been undone at the end is done by now.
        settled(self.window)
        assert what_is_set(self.window) == end


@pytest.fixture
def window(tmp_path, monkeypatch):
    path = str(write_clip(tmp_path / "clip.mkv", N_FRAMES))
    with open_window(path, tmp_path) as made:
        wait_for(lambda: made.worker.n_learnt > 2, "something learnt")
        models: list[Model] = []
        made.worker.with_session(lambda session: models.append(session.model()))
        wait_for(lambda: models, "a model")
        models[0].save(tmp_path / "model.npz")
        made.commands.export.open()
        monkeypatch.setattr(Person, "window", made)
        monkeypatch.setattr(Person, "model", tmp_path / "model.npz")
        yield made


@pytest.mark.usefixtures("window")
def test_undone_to_the_start_and_done_again_to_the_end_it_is_the_same():
    run_state_machine_as_test(
        Person,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=OPERATIONS, deadline=None, derandomize=True, database=None,
            suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate],
        ),
    )  # fmt: skip
