"""What an input of another kind begins with, in the real window."""

import numpy as np
import pytest

from app.rendering.picture_kinds import NO_CLEANED, STANDARD
from core.export.plate_notes import NO_SCENE
from core.io.sources.samples.faces import LAYOUT, face
from tests.app.windows import has_said, open_window, wait_for, write_clip
from tests.small_inputs import save_png

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def faces(tmp_path):
    """A folder of 16 drawn faces: an image set by what it shows."""
    folder = tmp_path / "faces"
    folder.mkdir()
    for index in range(16):
        save_png(folder / f"face{index}.png", LAYOUT.image(face(0, index).values))
    return folder


def test_values_that_were_automatic_for_one_input_are_not_shown_for_another(tmp_path):
    clips = [str(write_clip(tmp_path / name)) for name in ("one.mkv", "other.mkv")]
    with open_window(clips[0], tmp_path) as window:
        controls = [window.parts.method.form.controls["lam"], window.parts.source.mask_form.controls["smallest"]]
        wait_for(lambda: all(control.box.text() != "auto" for control in controls), "what the first input has")
        found = []
        window.commands.input.another_opened.connect(lambda _: found.extend(control.box.text() for control in controls))
        window.commands.input.open_path(clips[1])
        wait_for(lambda: found, "the other input")
        assert found == ["auto", "auto"]
        wait_for(lambda: all(control.box.text() != "auto" for control in controls), "what the other input has")


def test_place_and_strokes_of_one_input_are_not_shown_for_another(tmp_path):
    clips = [str(write_clip(tmp_path / name)) for name in ("one.mkv", "other.mkv")]
    with open_window(clips[0], tmp_path, hold_at=19) as window:
        timeline, panes, input_ = window.views.timeline, window.views.panes, window.commands.input
        wait_for(lambda: not timeline.playing and timeline.slider.value() == 18, "a frame in the middle")
        window.worker.correct(panes.report, np.ones(panes.report.mask.shape, bool), False)
        wait_for(lambda: "Painted" in timeline.marks.accessibleDescription(), "its mark")
        found = []

        def look():
            found.append((timeline.position.text(), timeline.slider.value(), timeline.marks.accessibleDescription()))

        input_.changed.connect(look)
        input_.open_path(clips[1])
        wait_for(lambda: found, "the other input")
        position, place, marks = found[0]
        assert position.endswith("  1 / 40")
        assert place == 0
        assert "Painted" not in marks


def test_a_video_after_image_sets_begins_with_what_videos_had(tmp_path, photos):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(str(photos), tmp_path) as window:
        method = window.parts.method
        method.preset_chosen.emit("Faces, denoise")
        assert window.commands.choice.passes > 1
        wait_for(lambda: has_said(window, "49 basis images for 16 pictures"), "what is said of so few")
        window.commands.input.open_path(clip)
        wait_for(lambda: window.commands.input.request.path == clip, "the clip")
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert window.parts.banner.text == "Method, parameters and passes are again those of videos."
        assert method.key == "fast"
        assert window.views.timeline.passes.value() == 1
        wait_for(lambda: len(window.views.basis.cards) == 3, "its basis")
        found = []
        window.worker.with_session(lambda session: found.append((session.row.key, session.settings.passes)))
        wait_for(lambda: found, "the session")
        assert found == [("fast", 1)]
        window.commands.input.open_path(str(photos))
        wait_for(lambda: method.key == "opgd", "what image sets had")
        assert window.commands.choice.passes > 1


def test_what_videos_had_is_named_where_it_is_not_the_defaults_and_reset_at_a_click(tmp_path, photos):
    first, second = (str(write_clip(tmp_path / name, 20)) for name in ("a.mkv", "b.mkv"))
    with open_window(first, tmp_path) as window:
        parts, input_ = window.parts, window.commands.input
        parts.source.mask_form.controls["sensitivity"].box.setValue(78.1)
        input_.open_path(str(photos))
        wait_for(lambda: input_.request.path == str(photos), "the image set")
        parts.method.preset_chosen.emit("Faces, denoise")
        wait_for(lambda: has_said(window, "49 basis images for 16 pictures"), "what is said of so few")
        input_.open_path(second)
        wait_for(lambda: parts.banner.text, "a sentence")
        assert parts.banner.text == "Method, parameters and passes are again those of videos: Sensitivity = 78.1."
        assert parts.banner.offer.isVisibleTo(window)
        parts.banner.offer.click()
        assert window.commands.choice.current.values == {}
        assert not parts.banner.isVisible()


def saved(window):
    return window.commands.export.choice.save


def test_each_kind_of_input_has_what_is_written_of_it(tmp_path, faces):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(str(faces), tmp_path) as window:
        assert saved(window) == ("plate", "mask", "cleaned")
        window.parts.method.preset_chosen.emit("Faces, denoise")
        wait_for(lambda: saved(window) == ("background",), "what is meant of an image set")
        window.commands.export.open()
        form = window.commands.export.panel.form
        assert [key for key, check in form.checks.items() if check.isChecked()] == ["background"]
        assert not form.no_scene.isVisible()
        form.checks["plate"].setChecked(True)
        assert form.no_scene.isVisible()
        assert form.no_scene.text() == NO_SCENE
        window.commands.input.open_path(clip)
        wait_for(lambda: saved(window) == ("plate", "mask", "cleaned"), "what is meant of films")
        assert not form.no_scene.isVisible()
        window.commands.input.open_path(str(faces))
        wait_for(lambda: set(saved(window)) == {"plate", "background"}, "what was chosen of the image set")


def test_the_cleaned_pane_says_why_it_is_empty_for_an_image_set(tmp_path, faces):
    with open_window(str(faces), tmp_path) as window:
        cleaned = window.views.panes.panes[STANDARD.index("cleaned")]
        wait_for(lambda: cleaned.picture is not None, "a scene's cleaned frame")
        window.parts.method.preset_chosen.emit("Faces, denoise")
        wait_for(lambda: cleaned.hint == NO_CLEANED and cleaned.picture is None, "the sentence")


def test_settings_that_are_kept_for_another_clip_are_named_and_reset_at_a_click(tmp_path):
    first, second = (str(write_clip(tmp_path / name, n)) for name, n in (("a.mkv", 20), ("b.mkv", 25)))
    with open_window(first, tmp_path) as window:
        parts = window.parts
        assert parts.method.preset.currentText() == "Defaults"
        parts.method.form.controls["rank"].box.setValue(6)
        parts.source.mask_form.controls["sensitivity"].box.setValue(78.1)
        assert parts.method.preset.shown_text == "Own settings"
        window.commands.input.open_path(second)
        wait_for(lambda: parts.banner.text, "a sentence")
        assert parts.banner.text == "Settings of the last input are kept: Rank K = 6, Sensitivity = 78.1."
        parts.banner.offer.click()
        assert window.commands.choice.current.values == {}
        assert parts.method.preset.currentText() == "Defaults"
        assert not parts.banner.isVisible()
        wait_for(lambda: window.parts.method.form.values["rank"] == 3, "the default")


def test_what_is_said_of_kept_settings_goes_once_they_are_others(tmp_path):
    first, second = (str(write_clip(tmp_path / name, n)) for name, n in (("a.mkv", 20), ("b.mkv", 25)))
    with open_window(first, tmp_path) as window:
        parts = window.parts
        parts.source.mask_form.controls["sensitivity"].box.setValue(78.1)
        window.commands.input.open_path(second)
        wait_for(lambda: parts.banner.text, "a sentence")
        found = []
        window.worker.with_session(lambda session: found.append(session.settings.values))
        wait_for(lambda: found, "the session")
        assert parts.banner.text == "Settings of the last input are kept: Sensitivity = 78.1."
        parts.banner.show_warning("Another sentence.")
        parts.method.preset_chosen.emit("Faces, denoise")
        assert parts.banner.text == "Another sentence."
        parts.banner.withdraw("Another sentence.")
        assert parts.banner.text == ""
        assert parts.method.key == "opgd"


def test_what_an_input_of_another_kind_brings_along_is_no_step(tmp_path, photos):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(str(photos), tmp_path) as window:
        window.parts.method.preset_chosen.emit("Faces, denoise")
        assert window.commands.history.steps.stack.canUndo()
        window.commands.input.open_path(clip)
        wait_for(lambda: window.commands.input.request.path == clip, "the clip")
        assert window.parts.method.key == "fast"
        assert window.commands.history.steps.stack.count() == 0


def test_real_time_is_offered_in_both_places_where_the_input_has_a_rate(tmp_path, photos):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(str(photos), tmp_path) as window:
        offered = window.parts.speed.isEnabled(), window.action("real_time").isEnabled()
        assert offered == (False, False)
        window.commands.input.open_path(clip)
        wait_for(lambda: window.commands.input.request.path == clip, "the clip")
        assert (window.parts.speed.isEnabled(), window.action("real_time").isEnabled()) == (True, True)
