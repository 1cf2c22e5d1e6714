"""What is done with pictures in the real window: chosen, measured, shown in two windows, kept."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
import tifffile
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.views.panes import BACKGROUND, INPUT, MATTE
from core.project.store import load_project
from tests.app.view_helpers import drag
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")

CHOSEN = ["input", "residual", "outliers", "mask", "probability", "cleaned"]


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "clip.mkv", n_frames=200))


def held(window):
    """Hold what plays in a loop: else it might have ended before."""
    window.worker.pause()
    wait_for(lambda: window.commands.playback.state.name == "PAUSED", "a pause")
    return window.views.panes


def test_pictures_that_were_chosen_are_made_by_the_engine_and_kept_for_the_next_start(clip, tmp_path):
    with open_window(clip, tmp_path, loop=True) as window:
        panes = held(window)
        panes.set_kinds(CHOSEN)
        wait_for(
            lambda: panes.display.pictures.has("residual") and panes.display.pictures.has("probability"),
            "the engine's pictures",
        )
        assert panes.panes[1].picture is panes.display.pictures.residual
        assert panes.panes[4].picture is not None
    assert msgspec.json.decode((tmp_path / "window.json").read_bytes())["panes"] == CHOSEN
    with open_window(clip, tmp_path, loop=True) as window:
        assert list(window.views.panes.kinds) == CHOSEN
        assert window.views.panes.panes[1].header.words == "Residual"


def test_a_project_keeps_which_pictures_are_shown(clip, tmp_path):
    with open_window(clip, tmp_path, loop=True) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        panes = held(window)
        panes.set_kinds(CHOSEN)
        window.commands.project.write(tmp_path / "a.cleanplate")
        wait_for(lambda: window.commands.project.path is not None, "the saving")
        assert load_project(tmp_path / "a.cleanplate").document.layout.panes == tuple(CHOSEN)
        panes.set_kinds([])
        window.commands.opening.open_path(str(tmp_path / "a.cleanplate"))
        wait_for(lambda: list(panes.kinds) == CHOSEN, "the project's pictures")


def passed(history):
    """Tell whether something far brighter than the background was seen, and for how long nothing was."""
    return history.x.size > 10 and history.y[0].max() > history.y[1].max() + 20


def test_a_region_has_statistics_while_it_is_held_and_curves_over_time_that_seek(clip, tmp_path):
    with open_window(clip, tmp_path, loop=True) as window:
        panes, plots = held(window), window.views.plots
        assert not plots.chooser.buttons["profile"].isVisible()
        window.action("measure").trigger()
        pane = panes.panes[INPUT]
        drag(pane, pane.viewport.to_pane(30.2, 20.2), pane.viewport.to_pane(39.8, 29.8))
        wait_for(pane.measured.text, "statistics though nothing plays")
        assert "100 px" in pane.measured.text()
        assert plots.shown == "profile"
        window.worker.play()
        wait_for(lambda: passed(plots.history("profile")), "a curve on which the square passes")
        held(window)
        seen, known, difference = plots.history("profile").y
        assert np.allclose(seen - known, difference, atol=1e-3)
        headings = plots.table().headings
        assert headings == [
            "frames read", "Profile input [samples]", "Profile background [samples]", "Profile residual [samples]",
        ]  # fmt: skip
        QTest.keyClick(pane, Qt.Key.Key_Escape)
        assert not window.action("measure").isChecked()
        assert not pane.measured.text()
        assert plots.shown != "profile"


def test_of_a_stack_with_a_scale_areas_are_measured_in_micrometres_too(tmp_path):
    pages = np.random.default_rng(0).integers(2800, 4000, (12, 96, 128)).astype(np.uint16)
    path, metadata = tmp_path / "a.tif", {"axes": "TYX", "unit": "um"}
    tifffile.imwrite(path, pages, imagej=True, resolution=(2, 2), metadata=metadata)
    with open_window(str(path), tmp_path, loop=True) as window:
        pane = held(window).panes[INPUT]
        window.action("measure").trigger()
        drag(pane, pane.viewport.to_pane(30.2, 20.2), pane.viewport.to_pane(39.8, 29.8))
        wait_for(pane.measured.text, "statistics")
        assert "100 px, 25 µm²" in pane.measured.text()


def test_a_second_window_shows_the_same_frames_looked_at_in_its_own_way(clip, tmp_path):
    with open_window(clip, tmp_path, loop=True) as window:
        panes = held(window)
        panes.choice.window_requested.emit(BACKGROUND)
        window.commands.pictures.open_window()
        first, second = window.commands.pictures.windows
        assert first.panes.enlarged == BACKGROUND
        assert second.panes.enlarged == -1
        assert first.panes.panes[BACKGROUND].picture is not None
        second.panes.choice.show(MATTE, "residual")
        second.panes.zoom_in()
        assert panes.kinds[MATTE] == "matte"
        assert panes.look.scale != second.panes.look.scale
        wait_for(lambda: panes.display.pictures.has("residual"), "what only the second window needs")
        before = panes.report.frame.index
        QTest.keyClick(second.panes.panes[INPUT], Qt.Key.Key_Period)
        wait_for(lambda: panes.report.frame.index != before, "a step, asked for in the second window")
        assert second.panes.report is panes.report
        second.close()
        assert window.commands.pictures.windows == [first]
        wait_for(lambda: not panes.display.pictures.has("residual"), "that it is not made any more")
    assert window.commands.pictures.windows == []


def test_a_fifth_window_is_refused(clip, tmp_path):
    with open_window(clip, tmp_path, loop=True) as window:
        for _ in range(5):
            window.commands.pictures.open_window()
        assert len(window.commands.pictures.windows) == 4
        assert "close one" in window.parts.banner.text
        window.commands.pictures.windows[1].close()
        window.commands.pictures.open_window()
        titles = sorted(other.windowTitle() for other in window.commands.pictures.windows)
        assert titles == [f"Cleanplate – window {number}" for number in (2, 3, 4, 5)]


def test_files_are_written_aside_with_the_scale_of_the_input(tmp_path):
    stack = np.random.default_rng(0).integers(900, 1100, (12, 60, 80)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "s.tif", stack, imagej=True, resolution=(4, 4), metadata={"unit": "um", "axes": "TYX"})
    with open_window(str(tmp_path / "s.tif"), tmp_path, loop=True) as window:
        wait_for(lambda: window.commands.input.info, "the input")
        panes = held(window)
        assert panes.panes[INPUT].scale_bar.size.width == 0.25
        wrote, shown = [], panes.report
        window.commands.pictures.wrote.connect(wrote.append)
        panes.actions_on_pictures[INPUT].save_data(tmp_path / "kept.tif")
        panes.actions_on_pictures[INPUT].save_picture(tmp_path / "shown.png")
        wait_for(lambda: len(wrote) == 2, "two files")
        with tifffile.TiffFile(tmp_path / "kept.tif") as file:
            assert np.array_equal(file.asarray(), shown.input_image)
            assert "unit=um" in file.pages[0].description
        panes.actions_on_pictures[INPUT].save_data(tmp_path / "none" / "kept.tif")
        wait_for(lambda: window.parts.banner.text, "a sentence")


def test_pictures_and_curves_are_saved_beside_the_input_and_then_where_the_last_one_was(clip, tmp_path, monkeypatch):
    begun, there = [], tmp_path / "there"
    there.mkdir()

    def asked(_parent, _title, path, _kinds):
        begun.append(Path(path))
        return str(there / "a.png"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", asked)
    with open_window(clip, tmp_path, loop=True) as window:
        panes, saved = held(window), []
        window.commands.pictures.wrote.connect(saved.append)
        actions = panes.actions_on_pictures[INPUT]
        actions._ask_picture()
        wait_for(lambda: saved, "the picture")
        window.commands.pictures.open_window()
        window.commands.pictures.windows[0].panes.actions_on_pictures[INPUT]._ask_data()
        wait_for(lambda: len(saved) == 2, "the data")
        wait_for(lambda: window.views.plots.plot is not None, "the plots")
        window.views.plots.menu._ask()
        wait_for(lambda: len(saved) == 3, "the curves")
        window.views.plots.menu._ask()
        wait_for(lambda: len(saved) == 4, "the curves again")
        assert window.parts.status.currentMessage() == "Wrote a.png"
    curves = there / "objective.png"
    assert begun == [tmp_path / "input.png", there / "input.tif", curves, curves]


@pytest.mark.parametrize("taken_up", ["correct", "areas", "measure"])
def test_one_tool_at_a_time_has_the_presses_on_the_pictures(clip, tmp_path, taken_up):
    with open_window(clip, tmp_path, loop=True) as window:
        panes, tools = held(window), ("correct", "areas", "measure")
        for other in tools:
            window.action(other).setChecked(True)
            window.action(taken_up).setChecked(True)
            assert [key for key in tools if window.action(key).isChecked()] == [taken_up]
        drag(panes.panes[INPUT], (20, 20), (30, 30))
        wait_for(lambda: window.worker.painted or taken_up != "correct", "the stroke")
        assert (panes.measuring_mode.region is not None) == (taken_up == "measure")
        assert bool(window.worker.painted) == (taken_up == "correct")
