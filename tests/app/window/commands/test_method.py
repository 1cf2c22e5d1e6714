"""The method, its parameters, and the model that is applied."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.engine.choice import kind_of
from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.io.sources.base import SourceInfo


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


FACES = SourceInfo("faces", Layout(32, 32, Planes.GREY, 8), None, 400)


@pytest.fixture
def opened(method, choice):
    """Open an input as the window does."""

    def open_it(info, path):
        choice.kept_for(path)
        method.on_opened(info, InputSpec(path))

    return open_it


def test_what_is_opened_with_settings_of_its_own_keeps_them(method, choice, method_panel, opened, clip_info):
    opened(FACES, "/faces")
    method.show_settings("opgd", {"rank": 30}, 3)
    method.on_opened(clip_info, InputSpec("/films/of_a_project.mp4"))
    assert (method_panel.key, choice.passes) == ("opgd", 3)


def test_each_kind_of_input_has_its_own_method_parameters_and_passes(
    method, worker, choice, method_panel, mask, clip_info, opened, qtbot
):
    opened(clip_info, "/films/clip.mp4")
    mask.show_values({"sensitivity": 70})
    with qtbot.assertNotEmitted(method.told):
        opened(FACES, "/faces")
    assert choice.current.values == {"sensitivity": 70}, "nothing was chosen for image sets yet"
    method.show_settings("opgd", {"rank": 30}, 3)
    worker.restart.reset_mock()
    assert choice.kept_for("/films/other.mp4")["scene"].method == "fast"
    with qtbot.waitSignal(method.kept) as kept, qtbot.assertNotEmitted(method.told):
        opened(clip_info, "/films/other.mp4")
    assert kept.args == ["Method, parameters and passes are again those of videos: Sensitivity = 70."]
    assert method_panel.key == "fast"
    assert (choice.current.values, choice.current.passes) == ({"sensitivity": 70}, 1)
    opened(FACES, "/faces")
    assert (method_panel.key, choice.current.values["rank"], choice.current.passes) == ("opgd", 30, 3)
    assert not worker.restart.called, "the engine has begun with them already"


def test_what_the_window_starts_with_is_for_videos(method, choice, method_panel, clip_info, opened, qtbot):
    opened(FACES, "/faces")
    method.show_settings("opgd", {"rank": 30}, 3)
    with qtbot.waitSignal(method.told) as told, qtbot.assertNotEmitted(method.kept):
        opened(clip_info, "/films/clip.mp4")
    assert told.args == ["Method, parameters and passes are again those of videos."]
    assert (method_panel.key, dict(choice.current.values), choice.passes) == ("fast", {}, 1)


def test_it_is_said_which_settings_are_taken_along_to_another_input(method, method_panel, mask, opened, clip_info):
    said = []
    method.kept.connect(said.append)
    opened(clip_info, "/films/clip.mp4")
    assert not said, "all are at their defaults"
    method_panel.form.show_values({"rank": 6})
    mask.show_values({"sensitivity": 78.1})
    opened(clip_info, "/films/other.mp4")
    assert said == ["Settings of the last input are kept: Rank K = 6, Sensitivity = 78.1."]
    method.on_opened(clip_info, InputSpec("/films/other.mp4"))
    assert len(said) == 1, "another view of the same"
    method.show_settings("opgd", {"rank": 4}, 2)
    opened(clip_info, "/films/third.mp4")
    assert said[1] == f"Settings of the last input are kept: {catalogue.row('opgd').title}, 2 passes, Rank K = 4."
    method.reset_all()
    opened(clip_info, "/films/fourth.mp4")
    assert len(said) == 2
    assert (method_panel.key, method_panel.form.chosen, mask.chosen) == ("fast", {}, {})


def test_of_many_settings_that_are_taken_along_some_are_named(method, method_panel, mask, opened, clip_info):
    said = []
    method.kept.connect(said.append)
    mask.show_values({name: control.parameter.high for name, control in list(mask.controls.items())[:6]})
    assert len(mask.chosen) > 4
    opened(clip_info, "/films/clip.mp4")
    assert said[0].endswith(f" {len(mask.chosen) - 3} more.")


def test_a_folder_with_the_frames_of_a_film_is_a_scene():
    assert kind_of(SourceInfo("frames", Layout(480, 640, Planes.RGB, 8), None, 400)) == "scene"
    assert kind_of(FACES) == "images"


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


def test_a_basis_image_is_dropped_by_the_engine_and_the_rank_in_force_is_told(method, worker, qtbot):
    class Session:
        def __init__(self):
            self.control = SimpleNamespace(values={"rank": 2})

        def drop_basis(self, k, *, replace=False):
            self.dropped = k, replace

    session = Session()
    worker.with_session.side_effect = lambda action: action(session)
    with qtbot.waitSignal(method.rank_changed) as rank:
        method.drop_basis(1)
    assert rank.args == [{"rank": 2}]
    assert session.dropped == (1, False)
    with qtbot.assertNotEmitted(method.rank_changed):
        method.reset_basis(0)
    assert session.dropped == (0, True)
    assert worker.show_basis.call_count == 2
