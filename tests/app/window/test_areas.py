"""Excluded areas in the real window: drawn with the mouse, kept in a project, and exported as they were seen."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from app.cli.main import invoke
from app.equivalent_command import command_line
from app.panels.areas import BRUSH, ERASE, KEEP, NEVER
from app.views.panes import INPUT, MASK
from app.window.dialogs import FileDialogs
from core.export.job import run_job
from core.project.document import ExportChoice
from core.project.store import load_project
from core.scene.areas import Areas, Shape
from core.session.areas_file import write_areas
from tests.app.view_helpers import drag, hover, mouse
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")

N = 40


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def clip(tmp_path):
    (tmp_path / "films").mkdir()
    return write_clip(tmp_path / "films" / "clip.mkv", N)


def rest(window) -> None:
    wait_for(lambda: window.display is not None and window.display.index == N - 1, "the end")
    wait_for(lambda: not window.commands.playback.is_playing, "a rest")


def draw_areas(window) -> None:
    """Take the tool up, and let the panes make room for its bar."""
    window.action("areas").trigger()
    for _ in range(3):
        QCoreApplication.processEvents()


def choose(group, index: int) -> None:
    group.findChildren(QAbstractButton)[index].click()
    QCoreApplication.processEvents()


def click(pane, x, y, kind=QEvent.Type.MouseButtonPress) -> None:
    point = pane.viewport.to_pane(x, y)
    mouse(pane, kind, point)
    mouse(pane, QEvent.Type.MouseButtonRelease, point, held=Qt.MouseButton.NoButton)


def polygon(pane, *points) -> None:
    """Click corners, the last one twice as people do."""
    for point in points:
        click(pane, *point)
    click(pane, *points[-1], kind=QEvent.Type.MouseButtonDblClick)


def shown(window):
    return window.views.panes.report


def square_of(report) -> tuple[slice, slice]:
    """Where the square of the clip is on its last frame."""
    left = report.frame.index % 54
    return slice(20, 30), slice(left, left + 10)


def test_a_polygon_that_is_clicked_empties_the_mask_and_its_corners_can_be_dragged(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        bar, pane = window.parts.areas, window.views.panes.panes[INPUT]
        part = square_of(shown(window))
        assert shown(window).full_mask[part].any()
        assert not bar.isVisible()
        draw_areas(window)
        assert bar.isVisible()
        look = pane.look
        polygon(pane, (32, 15), (60, 15), (60, 35), (32, 35))
        wait_for(lambda: not shown(window).full_mask[part].any(), "the empty mask")
        assert pane.look == look, "the picture was panned too"
        assert window.views.panes.enlarged == -1, "a double click closes a polygon here"
        (shape,) = window.commands.areas.areas.shapes
        assert shape.kind == "never"
        np.testing.assert_allclose(shape.points, [(32, 15), (60, 15), (60, 35), (32, 35)], atol=0.1)
        assert shown(window).frame.index == N - 1
        drag(pane, pane.viewport.to_pane(32, 35), pane.viewport.to_pane(60, 16))
        wait_for(lambda: np.any(shown(window).full_mask[part]), "a part of the mask")
        (shape,) = window.commands.areas.areas.shapes
        np.testing.assert_allclose(shape.points[3], (60, 16), atol=0.1)
        hover(pane, pane.viewport.to_pane(57, 15.2))
        QTest.keyClick(pane, Qt.Key.Key_Delete)
        wait_for(lambda: window.commands.areas.areas == Areas(), "no area")
        click(pane, 10, 10)
        QTest.keyClick(pane, Qt.Key.Key_Escape)
        assert bar.isVisible(), "only the corner is given up"
        QTest.keyClick(pane, Qt.Key.Key_Escape)
        assert not bar.isVisible()
        assert not window.parts.top.areas.isChecked()
        assert not window.parts.banner.text


def test_a_brush_paints_what_cleaned_frames_keep_and_erases_it_again(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        bar, pane = window.parts.areas, window.views.panes.panes[MASK]
        part = square_of(shown(window))
        draw_areas(window)
        choose(bar.kind, KEEP)
        choose(bar.tool, BRUSH)
        # Looked at again the frame is judged by what was learnt from it, too: so is all that follows.
        drag(pane, pane.viewport.to_pane(3, 44), pane.viewport.to_pane(5, 44))
        wait_for(lambda: shown(window).areas.cleaned is not None, "an area elsewhere")
        bar.clear.click()
        wait_for(lambda: shown(window).areas.cleaned is None, "no area")
        before = shown(window)
        assert (before.cleaned_image[part] != before.input_image[part]).any()
        bar.slider.setValue(24)
        QTest.keyClick(pane, Qt.Key.Key_BracketRight)
        assert bar.slider.value() > 24
        drag(pane, pane.viewport.to_pane(30, 25), pane.viewport.to_pane(60, 25))
        wait_for(lambda: shown(window) is not before, "the area on the frame")
        np.testing.assert_array_equal(shown(window).cleaned_image[part], shown(window).input_image[part])
        np.testing.assert_array_equal(shown(window).full_mask, before.full_mask)
        choose(bar.kind, ERASE)
        drag(pane, pane.viewport.to_pane(20, 25), pane.viewport.to_pane(63, 25))
        wait_for(lambda: np.array_equal(shown(window).cleaned_image, before.cleaned_image), "the area erased")
        assert [shape.kind for shape in window.commands.areas.areas.shapes] == ["keep", "none"]
        bar.clear.click()
        assert window.commands.areas.areas == Areas()
        window.action("correct").trigger()
        assert window.parts.brush.isVisible()
        assert not bar.isVisible(), "one of the two has the mouse"
        window.action("areas").trigger()
        assert not window.parts.brush.isVisible()
        bar.done.click()
        assert not bar.isVisible()


def test_areas_come_back_with_a_project_and_every_export_gives_the_same_bytes(clip, tmp_path):
    path = clip.parent / "day.cleanplate"
    save = ("mask", "cleaned", "matte", "plate")
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        pane = window.views.panes.panes[INPUT]
        draw_areas(window)
        polygon(pane, (2, 15), (30, 15), (30, 35), (2, 35))
        choose(window.parts.areas.kind, KEEP)
        polygon(pane, (40, 10), (60, 10), (60, 24), (40, 24))
        areas = window.commands.areas.areas
        assert [shape.kind for shape in areas.shapes] == ["never", "keep"]
        window.parts.source.mask_form.controls["mask_grow"].box.setValue(3)
        window.parts.source.mask_form.controls["mask_feather"].box.setValue(2)
        wait_for(lambda: window.commands.project.is_modified, "the mark of a change")
        wanted = ExportChoice(folder=str(tmp_path / "window"), save=save)
        job = window.commands.export.job(wanted)
        assert job.settings.areas == areas
        assert command_line(job).endswith("  # and the areas: save a project, and run that")
        window.commands.project.write(path)
        wait_for(lambda: window.commands.project.path == path and not window.commands.project.is_modified, "saving")
        assert command_line(job, path) == f"cleanplate run {path} -o {tmp_path / 'window'}"
        run_job(job)
    whole = files_in(tmp_path / "window")
    assert load_project(path).document.areas == areas
    words = ["--save", ",".join(save), "--quiet"]
    assert invoke(["run", str(path), "-o", str(tmp_path / "line"), *words]) == 0
    assert files_in(tmp_path / "line") == whole
    moved = clip.parent.rename(tmp_path / "elsewhere") / path.name
    with open_window(str(moved), tmp_path) as window:
        wait_for(lambda: window.display is not None and window.display.index == N - 1, "the frame that was shown")
        assert window.commands.areas.areas == areas
        assert window.views.panes.areas.board.areas == areas
        assert not shown(window).full_mask[16:34, 4:29].any()
        assert not window.commands.project.is_modified
        run_job(window.commands.export.job(ExportChoice(folder=str(tmp_path / "again"), save=save)))
        window.commands.areas.remove_all()
        assert window.commands.project.is_modified
        window.commands.areas.set_areas(areas)
        assert not window.commands.project.is_modified, "one call takes a change back"
    assert files_in(tmp_path / "again") == whole


def test_areas_stay_with_their_input_whatever_is_shown_of_it(clip, tmp_path):
    other = write_clip(tmp_path / "other.mkv", 12)
    areas = Areas((Shape("never", ((0, 0), (64, 0), (64, 48), (0, 48))),))
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        window.commands.areas.set_areas(areas)
        wait_for(lambda: not shown(window).full_mask.any(), "no mask")
        window.commands.input.set_region((10, 8, 40, 30))
        wait_for(lambda: shown(window).full_mask.shape == (30, 40), "the region")
        assert window.commands.areas.areas == areas
        assert window.views.panes.areas.board.corner == (10, 8)
        rest(window)
        assert not shown(window).full_mask.any()
        draw_areas(window)
        polygon(window.views.panes.panes[INPUT], (5, 5), (20, 5), (20, 20))
        np.testing.assert_allclose(window.commands.areas.areas.shapes[1].points[0], (15, 13), atol=0.1)
        window.commands.method.restart()
        rest(window)
        assert not shown(window).full_mask.any()
        window.commands.input.open_path(str(other))
        wait_for(lambda: window.commands.input.request.path == str(other), "the other clip")
        assert window.commands.areas.areas == Areas()
        assert window.views.panes.areas.board.areas == Areas()
        wait_for(lambda: window.display.index > 6 and shown(window).full_mask.any(), "a mask")


def test_too_many_areas_are_one_sentence(clip, tmp_path, monkeypatch):
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        monkeypatch.setattr("core.scene.areas.MOST_SHAPES", 1)
        draw_areas(window)
        choose(window.parts.areas.kind, NEVER)
        pane = window.views.panes.panes[INPUT]
        polygon(pane, (2, 15), (30, 15), (30, 35))
        polygon(pane, (40, 15), (60, 15), (60, 35))
        assert len(window.commands.areas.areas.shapes) == 1
        assert "draw them with fewer" in window.parts.banner.text


def test_every_control_of_the_bar_has_a_name_and_a_tip(clip, tmp_path):
    with open_window(str(clip), tmp_path) as window:
        for control in window.parts.areas.findChildren(QAbstractButton):
            assert control.accessibleName()
            assert control.toolTip()


def test_areas_are_loaded_from_a_file_and_saved_to_one_by_menu(clip, tmp_path, monkeypatch):
    whole = Areas((Shape("never", ((0, 0), (64, 0), (64, 48), (0, 48))),))
    with open_window(str(clip), tmp_path) as window:
        rest(window)
        commands, banner, asked = window.commands, window.parts.banner, window.commands.area_files
        window.action("save_areas").trigger()
        assert "no areas to save" in banner.text
        path = tmp_path / "areas.json"
        monkeypatch.setattr(FileDialogs, "save", lambda *_: path)
        monkeypatch.setattr(FileDialogs, "open", lambda *_: path)
        commands.areas.set_areas(whole)
        window.action("save_areas").trigger()
        wait_for(lambda: path.name in window.parts.status.currentMessage(), "the file")
        commands.areas.remove_all()
        wait_for(lambda: np.any(shown(window).full_mask), "a mask")
        commands.opening.open_dropped([str(path)])
        wait_for(lambda: not shown(window).full_mask.any(), "no mask")
        commands.areas.remove_all()
        window.action("load_areas").trigger()
        wait_for(lambda: not shown(window).full_mask.any(), "no mask")
        assert commands.areas.areas.shapes == whole.shapes
        assert window.views.panes.areas.board.areas == commands.areas.areas
        commands.history.undo()
        wait_for(lambda: commands.areas.areas == Areas(), "the areas before")
        commands.history.redo()
        wait_for(lambda: commands.areas.areas.shapes == whole.shapes, "the areas of the file")
        write_areas(whole, tmp_path / "other.json", (640, 480))
        asked.read(tmp_path / "other.json")
        assert "640×480" in banner.text
        asked.write(tmp_path / "areas.txt")
        wait_for(lambda: ".json or .png" in banner.text, "why not")
        assert commands.areas.areas.shapes == whole.shapes
