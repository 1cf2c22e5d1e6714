"""The method, its parameters, and the model that is applied."""

from dataclasses import replace
from pathlib import Path

import pytest

from core import catalogue
from core.io.input_spec import InputSpec


@pytest.fixture
def told(method):
    """How often it was told that settings are others, and whether a model is applied."""
    found = {"changed": 0, "applied": []}
    method.changed.connect(lambda: found.update(changed=found["changed"] + 1))
    method.model_applied.connect(found["applied"].append)
    return found


def fixed_control(panel):
    """Return a control of a number that cannot change while the method runs."""
    return next(c for c in panel.form.controls.values() if not c.parameter.live and c.parameter.high is not None)


def test_a_live_parameter_acts_on_the_next_frame(method, worker, method_panel, told):
    parameter = method_panel.form.controls["rank"].parameter
    assert parameter.live
    method.on_parameter(parameter, 5)
    assert worker.set_values.call_args.args == ({"rank": 5},)
    assert not worker.restart.called
    assert told["changed"] == 1


def test_a_parameter_that_is_fixed_begins_anew_once_when_its_slider_rests(method, worker, method_panel, qtbot):
    method.on_method("bpgd")
    worker.restart.reset_mock()
    control = fixed_control(method_panel)
    for value in (1, 2, 3):
        method.on_parameter(control.parameter, value)
    assert not worker.restart.called
    qtbot.waitUntil(lambda: worker.restart.called)
    assert worker.restart.call_count == 1
    assert "fixed while a run goes on" in method_panel.notice.text()
    method.on_parameter(control.parameter, 4)
    method.shut()
    qtbot.wait(400)
    assert worker.restart.call_count == 1, "the window is closing"


def test_another_method_begins_anew_with_its_defaults(method, worker, method_panel, mask, told):
    method_panel.form.show_values({"rank": 5})
    method.on_method("mog2")
    assert worker.restart.call_args.args[0].method == "mog2"
    assert worker.restart.call_args.args[0].values == {}
    assert not mask.isEnabled(), "it makes masks of its own"
    method.on_method("fast")
    assert mask.isEnabled()
    assert told["changed"] == 2


@pytest.mark.parametrize(("kind", "makes_masks"), [("online", True), ("reference", False)])
def test_the_mask_can_be_set_where_the_method_makes_none_whatever_its_kind(
    method, method_panel, mask, kind, makes_masks, monkeypatch
):
    row = replace(catalogue.row("opgd"), kind=kind, makes_masks=makes_masks)
    monkeypatch.setitem(catalogue.METHODS, "opgd", row)
    method_panel.build(catalogue.GROUPS, "fast")
    method.on_method("opgd")
    assert mask.isEnabled() != makes_masks


def test_settings_are_shown_and_begin_anew(method, worker, choice, method_panel, mask):
    mask.show_values({"sensitivity": 9.0})
    method.show_settings("opgd", {"rank": 4}, 2)
    restarted = worker.restart.call_args.args[0]
    assert (restarted.method, restarted.values, restarted.passes) == ("opgd", {"rank": 4}, 2)
    assert choice.passes == 2
    assert method_panel.key == "opgd"


def test_a_reset_begins_anew_only_where_it_must(method, worker, method_panel, mask):
    method_panel.form.show_values({"rank": 5})
    mask.show_values({"sensitivity": 9.0})
    method.reset()
    assert worker.set_values.call_args.args == ({"rank": 3, "sensitivity": 50},)
    assert not worker.restart.called
    assert method_panel.form.chosen == mask.chosen == {}
    method.on_method("bpgd")
    worker.restart.reset_mock()
    control = fixed_control(method_panel)
    control.show_value(control.parameter.high)
    method.reset()
    assert worker.restart.call_count == 1


def test_what_was_not_taken_is_given_up_where_settings_are_restored(method, method_panel):
    method.on_method("opgd")
    values = {"h_penalty": "group"}
    method_panel.form.show_values(values)
    control = method_panel.form.controls["h_group"]
    control.line.setText("4,x")
    control.line.editingFinished.emit()
    assert control.fault.text()
    method.restore("opgd", values, 1, None, restarts=False)
    assert (control.line.text(), control.fault.text()) == (control.value, "")


def test_a_model_needs_an_input_and_is_shown_only_once_it_is_in_force(
    method, worker, banner, choice, input_, clip_info, method_panel, mask, told
):
    method.apply_model(Path("walk.npz"))
    assert "There is nothing to apply walk.npz to" in banner.show_error.call_args.args[0]
    assert not worker.restart.called
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    method_panel.form.show_values({"rank": 5})
    mask.show_values({"sensitivity": 9.0})
    method.apply_model(Path("walk.npz"))
    asked = worker.restart.call_args.args[0]
    assert (asked.model, asked.values) == (Path("walk.npz"), {"sensitivity": 9.0})
    assert not method.applies_model
    assert choice.model is None
    method.on_started(Path("walk.npz"), "opgd")
    assert method.applies_model
    assert method_panel.key == "opgd"
    assert not method_panel.form.isEnabled()
    assert "Applying walk.npz" in method_panel.notice.text()
    assert told["applied"][-1] is True
    method.learn_again()
    assert not method.applies_model
    assert method_panel.form.isEnabled()
    assert told["applied"][-1] is False
    assert worker.restart.call_args.args[0].model is None
    count = worker.restart.call_count
    method.learn_again()
    assert worker.restart.call_count == count, "there is no model to leave"


def test_passes_reach_choice_and_engine(method, worker, choice, told):
    method.on_passes(3)
    assert choice.current.passes == 3
    assert worker.set_passes.call_args.args == (3,)
    assert told["changed"] == 1


def test_a_model_that_is_applied_again_with_other_cells_keeps_its_parameters(method, worker, method_panel, mask, qtbot):
    method.on_started(Path("walk.npz"), "fast")
    method_panel.form.show_values({"rank": 5})
    mask.show_values({"cell": 1})
    method.on_parameter(mask.controls["cell"].parameter, 1)
    assert "applied from the first frame on" in method_panel.notice.text()
    qtbot.waitUntil(lambda: worker.restart.called)
    asked = worker.restart.call_args.args[0]
    assert asked.model == Path("walk.npz")
    assert dict(asked.values) == {"cell": 1}
