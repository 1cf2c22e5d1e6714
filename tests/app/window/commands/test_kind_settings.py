"""What another input begins with, and what is said of it."""

import pytest

from app.engine.choice import kind_of
from app.window.commands.kind_settings import KindSettings
from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.io.sources.base import SourceInfo

FACES = SourceInfo("faces", Layout(32, 32, Planes.GREY, 8), None, 400)


@pytest.fixture
def kinds(choice, method, method_panel, mask):
    return KindSettings(choice, method, method_panel, mask)


@pytest.fixture
def opened(kinds, choice):
    """Open an input as the window does."""

    def open_it(info, path):
        choice.kept_for(path)
        kinds.on_opened(info, InputSpec(path))

    return open_it


def test_what_is_opened_with_settings_of_its_own_keeps_them(method, kinds, choice, method_panel, opened, clip_info):
    opened(FACES, "/faces")
    method.show_settings("opgd", {"rank": 30}, 3)
    kinds.on_opened(clip_info, InputSpec("/films/of_a_project.mp4"))
    assert (method_panel.key, choice.passes) == ("opgd", 3)


def test_each_kind_of_input_has_its_own_method_parameters_and_passes(
    method, kinds, worker, choice, method_panel, mask, clip_info, opened, qtbot
):
    opened(clip_info, "/films/clip.mp4")
    mask.show_values({"sensitivity": 70})
    with qtbot.assertNotEmitted(kinds.told):
        opened(FACES, "/faces")
    assert choice.current.values == {"sensitivity": 70}, "nothing was chosen for image sets yet"
    method.show_settings("opgd", {"rank": 30}, 3)
    worker.restart.reset_mock()
    assert choice.kept_for("/films/other.mp4")["scene"].method == "fast"
    with qtbot.waitSignal(kinds.kept) as kept, qtbot.assertNotEmitted(kinds.told):
        opened(clip_info, "/films/other.mp4")
    assert kept.args == ["Method, parameters and passes are again those of videos: Sensitivity = 70."]
    assert method_panel.key == "fast"
    assert (choice.current.values, choice.current.passes) == ({"sensitivity": 70}, 1)
    opened(FACES, "/faces")
    assert (method_panel.key, choice.current.values["rank"], choice.current.passes) == ("opgd", 30, 3)
    assert not worker.restart.called, "the engine has begun with them already"


def test_what_the_window_starts_with_is_for_videos(method, kinds, choice, method_panel, clip_info, opened, qtbot):
    opened(FACES, "/faces")
    method.show_settings("opgd", {"rank": 30}, 3)
    with qtbot.waitSignal(kinds.told) as told, qtbot.assertNotEmitted(kinds.kept):
        opened(clip_info, "/films/clip.mp4")
    assert told.args == ["Method, parameters and passes are again those of videos."]
    assert (method_panel.key, dict(choice.current.values), choice.passes) == ("fast", {}, 1)


def test_it_is_said_which_settings_are_taken_along_to_another_input(
    method, kinds, method_panel, mask, opened, clip_info
):
    said = []
    kinds.kept.connect(said.append)
    opened(clip_info, "/films/clip.mp4")
    assert not said, "all are at their defaults"
    method_panel.form.show_values({"rank": 6})
    mask.show_values({"sensitivity": 78.1})
    opened(clip_info, "/films/other.mp4")
    assert said == ["Settings of the last input are kept: Rank K = 6, Sensitivity = 78.1."]
    kinds.on_opened(clip_info, InputSpec("/films/other.mp4"))
    assert len(said) == 1, "another view of the same"
    method.show_settings("opgd", {"rank": 4}, 2)
    opened(clip_info, "/films/third.mp4")
    assert said[1] == f"Settings of the last input are kept: {catalogue.row('opgd').title}, 2 passes, Rank K = 4."
    method.reset_all()
    opened(clip_info, "/films/fourth.mp4")
    assert len(said) == 2
    assert (method_panel.key, method_panel.form.chosen, mask.chosen) == ("fast", {}, {})


def test_of_many_settings_that_are_taken_along_some_are_named(kinds, method_panel, mask, opened, clip_info):
    said = []
    kinds.kept.connect(said.append)
    mask.show_values({name: control.parameter.high for name, control in list(mask.controls.items())[:6]})
    assert len(mask.chosen) > 4
    opened(clip_info, "/films/clip.mp4")
    assert said[0].endswith(f" {len(mask.chosen) - 3} more.")


def test_a_folder_with_the_frames_of_a_film_is_a_scene():
    assert kind_of(SourceInfo("frames", Layout(480, 640, Planes.RGB, 8), None, 400)) == "scene"
    assert kind_of(FACES) == "images"
