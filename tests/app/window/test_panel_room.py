"""The panels of the real window where it is small."""

from dataclasses import replace

import pytest
from msgspec import structs
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest

from app.window import settings
from tests.app.windows import open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def window(tmp_path):
    with open_window(str(write_clip(tmp_path / "clip.mkv")), tmp_path) as made:
        yield made


def resize(window, width, height):
    window.resize(width, height)
    wait_for(lambda: (window.width(), window.height()) == (width, height), "the size")
    QCoreApplication.processEvents()


def shown(window):
    parts = window.parts
    return parts.source.isVisible(), parts.method.isVisible(), parts.bottom.isVisible()


def test_pictures_have_most_of_a_small_window_and_panels_come_back_with_its_size(window):
    assert shown(window) == (True, True, True)
    resize(window, 1024, 640)
    assert shown(window) == (False, True, False)
    assert not window.action("source_panel").isChecked()
    panes = window.views.panes
    assert panes.width() * panes.height() > 0.5 * 1024 * 640
    resize(window, 1366, 768)
    assert shown(window) == (True, True, True)
    resize(window, 1366, 640)
    assert shown(window) == (True, True, False)


def test_what_a_person_shows_or_hides_in_a_small_window_stays(window):
    resize(window, 1024, 640)
    window.action("source_panel").trigger()
    window.action("bottom_panel").trigger()
    window.action("bottom_panel").trigger()
    resize(window, 1000, 630)
    assert shown(window) == (True, True, False)
    resize(window, 1366, 768)
    assert shown(window) == (True, True, False), "the strip below was hidden by hand"


def test_what_was_hidden_in_a_large_window_does_not_come_back_by_itself(window):
    window.action("source_panel").trigger()
    resize(window, 1024, 700)
    resize(window, 1366, 768)
    assert shown(window) == (False, True, True)


def test_a_project_that_is_saved_in_a_small_window_has_its_panels_in_a_large_one(window):
    resize(window, 1024, 640)
    layout = window.commands.state.project().document.layout
    assert (layout.source_panel, layout.method_panel, layout.bottom_panel) == (True, True, True)
    window.action("source_panel").trigger()
    window.action("source_panel").trigger()
    layout = window.commands.state.project().document.layout
    assert (layout.source_panel, layout.bottom_panel) == (False, True), "it was hidden by hand"


def test_a_project_of_a_large_window_begins_in_a_small_one_without_what_has_no_room(window):
    wait_for(lambda: window.commands.input.info, "the input")
    resize(window, 1024, 640)
    window.action("source_panel").trigger()
    assert shown(window) == (True, True, False)
    project = window.commands.state.project()
    layout = structs.replace(project.document.layout, geometry="")  # It shows all, in a window of any size.
    window.commands.state.show(replace(project, document=structs.replace(project.document, layout=layout)))
    assert shown(window) == (False, True, False)


def test_a_project_that_is_opened_leaves_the_window_as_large_as_it_is(window):
    wait_for(lambda: window.commands.input.info, "the input")
    resize(window, 1366, 768)
    project = window.commands.state.project()
    resize(window, 1180, 700)
    window.commands.state.show(project)
    assert (window.width(), window.height()) == (1180, 700)


def test_a_tab_is_left_of_a_panel_that_is_hidden_and_shows_it_again(window):
    tabs = window.parts.tabs
    assert not any(tab.isVisible() for tab in tabs.values())
    resize(window, 1024, 640)
    assert {key: tab.isVisible() for key, tab in tabs.items()} == {
        "source_panel": True, "method_panel": False, "bottom_panel": True,
    }  # fmt: skip
    source = tabs["source_panel"]
    assert source.height() > source.width()
    assert source.mapTo(window, source.rect().topLeft()).x() == 0
    QTest.mouseClick(source, Qt.MouseButton.LeftButton)
    assert shown(window) == (True, True, False)
    assert not source.isVisible()
    assert window.action("source_panel").isChecked()
    window.action("method_panel").trigger()
    assert tabs["method_panel"].isVisible()


def test_what_a_person_has_hidden_is_so_at_the_next_start_and_so_is_the_loop(tmp_path):
    clip = str(write_clip(tmp_path / "clip.mkv"))
    with open_window(clip, tmp_path) as window:
        resize(window, 1366, 768)
        window.action("method_panel").trigger()
        window.action("loop").trigger()
        wait_for(lambda: settings.load(tmp_path / "window.json").hidden, "the file")
        resize(window, 1024, 640)  # What has no room there has not been hidden by a person.
    kept = settings.load(tmp_path / "window.json")
    assert (kept.hidden, kept.loop) == (["method_panel"], True)
    with open_window(clip, tmp_path) as window:
        resize(window, 1366, 768)
        assert shown(window) == (True, False, True)
        assert window.parts.tabs["method_panel"].isVisible()
        assert window.views.timeline.loop_button.isChecked()
        wait_for(lambda: window.worker.n_learnt > 45, "more frames than the clip has")
        window.action("method_panel").trigger()
        window.action("loop").trigger()
    kept = settings.load(tmp_path / "window.json")
    assert (kept.hidden, kept.loop) == ([], False)


def test_full_screen_and_back_leaves_the_window_as_large_as_it_was(window):
    full = window.action("full_screen")
    for how in (window.showNormal, window.showMaximized):
        how()
        QCoreApplication.processEvents()
        before = window.isMaximized()
        full.trigger()
        assert window.isFullScreen()
        full.trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (False, before)
    assert before


def test_an_ampersand_in_a_name_is_shown_among_the_recent_ones(window):
    window.remembered.recent = ["/films/R&D.mkv"]
    window.menus.fill_recent()
    assert [(entry.text(), entry.toolTip()) for entry in window.menus.recent.actions()] == [
        ("/films/R&&D.mkv", "/films/R&D.mkv")
    ]
