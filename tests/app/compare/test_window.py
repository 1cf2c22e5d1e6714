"""The window that compares methods, on real inputs, driven as a person drives it."""

import os
import threading
from contextlib import contextmanager

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from app import theme
from app.compare.chosen import Chosen
from app.compare.column import LOWER, UPPER
from app.compare.snapshot import Compared, ComparePoint
from app.compare.window import CompareWindow
from app.engine.state import State
from app.views.picture_actions import PictureActions
from core.io.corruption import Corruption
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.scene.areas import Areas, Shape
from tests.app.view_helpers import drag
from tests.app.windows import (
    each_frame_shown,
    in_session,
    number_of,
    open_window,
    wait_for,
    write_clip,
    write_cut_clip,
)

pytestmark = pytest.mark.usefixtures("qapp")

N_FRAMES = 30


@contextmanager
def comparing(request, methods, **options):
    window = CompareWindow(
        request, [m if isinstance(m, Chosen) else Chosen(m) for m in methods], real_time=False, **options
    )
    window.resize(1100, 700)
    window.show()
    try:
        yield window
    finally:
        window.close()
        assert window.wait(), "the engine outlived its window"
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


@pytest.fixture
def clip(tmp_path, qapp):
    theme.apply_theme(qapp, "dark")
    return InputSpec(str(write_clip(tmp_path / "walk.mkv", N_FRAMES)))


def numbers(window):
    """Return the number of the frame that each mask pane shows."""
    return [number_of(column.panes[LOWER].picture) for column in window.parts.view.columns]


def shows(window, index):
    def there():
        pictures = [column.panes[LOWER].picture for column in window.parts.view.columns]
        return all(p is not None for p in pictures) and numbers(window) == [index] * len(pictures)

    wait_for(lambda: there() or window.parts.banner.text, f"frame {index} in every column")
    assert not window.parts.banner.text


def finished(window):
    wait_for(lambda: window.display.state is State.FINISHED or window.parts.banner.text, "the end")
    assert not window.parts.banner.text
    shows(window, N_FRAMES - 1)


def test_every_method_shows_the_same_frame_and_each_its_own_background(clip):
    with comparing(clip, ["median", "mog2", "knn"]) as window:
        finished(window)
        backgrounds = [column.panes[UPPER].picture for column in window.parts.view.columns]
        assert not np.array_equal(backgrounds[0], backgrounds[1])
        history = window.parts.plots.history("residual")
        assert history.n_curves == 3
        assert history.x.size == N_FRAMES
        assert np.isfinite(history.y).all()
        column = window.parts.view.columns[0]
        assert "ms: step" in column.times.text()
        assert column.times.accessibleDescription() == column.times.text()
        assert column.quality.accessibleDescription() == column.quality.text().strip()
        assert window.parts.title.accessibleDescription() == window.parts.title.text()
        wait_for(lambda: "MOG2" in window.parts.plots.reading.text(), "the newest values")


def test_pause_step_and_seek_move_all_alike(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        window.worker.seek(7)
        shows(window, 7)
        window.parts.timeline.step_button.click()
        shows(window, 8)
        QTest.keyClick(window, Qt.Key.Key_Period)
        shows(window, 9)
        # The key goes where the focus is, which no chooser has that would take it for itself.
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
        finished(window)


def test_a_clip_that_is_shorter_than_it_declares_has_the_frames_that_there_are(tmp_path):
    cut = InputSpec(str(write_cut_clip(tmp_path / "cut.mkv")))
    n_frames = len(list(open_source(cut).frames()))
    with comparing(cut, ["median", "mog2"]) as window:
        slider = window.parts.timeline.slider
        wait_for(lambda: slider.maximum() == n_frames - 1, "the frames that there are")
        assert window.display.info.n_frames == n_frames


def test_panes_zoom_pan_and_point_together(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        panes = window.parts.view.visible_panes()
        assert len(panes) == 4
        panes[0].zoom(3.0, QPointF(40, 40))
        drag(panes[3], (60, 60), (65, 53))
        assert len({(p.look.x, p.look.y, p.look.scale) for p in panes}) == 1
        for point, level in (((5, 4), "90"), ((4, 5), "120")):  # every fourth row of the clip is darker
            panes[1].probe.pointed.emit(point)
            assert panes[0].readout.text() == level
            assert panes[2].readout.text() == "background"
        window.parts.view.toggle_enlarged(LOWER)
        assert window.parts.view.visible_panes() == [column.panes[LOWER] for column in window.parts.view.columns]
        QTest.keyClick(window, Qt.Key.Key_Escape)
        assert len(window.parts.view.visible_panes()) == 4
        assert window.isVisible()


def pictures_of(window, row):
    return [column.panes[row].picture for column in window.parts.view.columns]


def test_a_row_shows_of_every_method_what_people_choose_while_it_stands_too(clip, tmp_path):
    with comparing(clip, ["fast", "median"]) as window:
        finished(window)
        view = window.parts.view
        pane = view.columns[1].panes[UPPER]
        menu = view.choice.menu(UPPER, pane)
        assert [action.data() for action in menu.actions() if action.isChecked()] == ["background"]
        assert "confidence" not in [action.data() for action in menu.actions()]
        chosen = next(action for action in menu.actions() if action.data() == "residual")
        backgrounds = pictures_of(window, UPPER)
        chosen.trigger()
        assert pictures_of(window, UPPER) == [None, None], "no picture stands below another's name"
        assert {column.panes[UPPER].header.words for column in view.columns} == {"Residual"}
        wait_for(lambda: all(picture is not None for picture in pictures_of(window, UPPER)), "the residuals")
        for residual, background in zip(pictures_of(window, UPPER), backgrounds, strict=True):
            assert not np.array_equal(residual, background)
        seen, known = pictures_of(window, LOWER)[1], backgrounds[1]
        pane.probe.pointed.emit((40, 22))
        assert int(pane.readout.text()) == int(seen[22, 40]) - int(known[22, 40])
        shows(window, N_FRAMES - 1)
        pane.findChild(PictureActions).save_data(tmp_path / "residual.tif")
        wait_for(lambda: window.parts.banner.text == "Wrote residual.tif.", "the data")
        assert (tmp_path / "residual.tif").exists()
        window.parts.add_button.click()
        finished(window)
        assert view.columns[2].panes[UPPER].title == "Residual"
        assert all(picture is not None for picture in pictures_of(window, UPPER))


def test_of_image_sets_is_shown_what_methods_set_aside(qapp):
    request = InputSpec("sample:faces", corruption=Corruption("salt-and-pepper", 0.1))
    with comparing(request, ["opgd", "oadmm"], is_image_set=True) as window:
        wait_for(lambda: all(p is not None for p in pictures_of(window, LOWER)) or window.parts.banner.text, "pictures")
        assert [pane.title for pane in window.parts.view.columns[0].panes] == ["Background", "Outliers"]
        assert not window.parts.banner.text


def test_methods_are_chosen_added_and_removed(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        columns = window.parts.view.columns
        assert not columns[0].remove_button.isEnabled()
        window.parts.add_button.click()
        window.parts.add_button.click()
        assert [one.method for one in window.chosen.all] == ["median", "mog2", "opgd", "knn"]
        assert not window.parts.add_button.isEnabled()
        chooser = window.parts.view.columns[1].chooser
        chooser.setCurrentIndex(chooser.findData("fast"))
        chooser.activated.emit(chooser.currentIndex())
        window.parts.view.columns[2].remove_button.click()
        assert [one.method for one in window.chosen.all] == ["median", "fast", "knn"]
        finished(window)
        assert [column.title for column in window.parts.view.columns][1] == "Fast online robust NMF"
        assert window.parts.plots.history("residual").n_curves == 3


def test_a_batch_method_learns_first_and_says_how_far_it_is(clip):
    said, waited = set(), set()
    with comparing(clip, [Chosen("bpgd", {"rank": 2, "iterations": 400, "tolerance": 1e-9}), "median"]) as window:
        batch, median = window.parts.view.columns

        def looked():
            said.add(batch.times.text()[:9])
            waited.add(median.times.text())
            return window.display.state is State.FINISHED or window.parts.banner.text

        with each_frame_shown(window.worker):
            wait_for(lambda: looked() or {"learning:", "waits for the others"} <= said | waited, "both")
        assert "learning:" in said
        assert "waits for the others" in waited
        wait_for(looked, "the end")
        assert not window.parts.banner.text
        shows(window, N_FRAMES - 1)
        assert window.parts.plots.history("residual").x.size == N_FRAMES


def test_what_is_known_of_the_truth_is_shown(qapp):
    theme.apply_theme(qapp, "light")
    request = InputSpec("sample:faces", corruption=Corruption("salt-and-pepper", 0.1))
    with comparing(request, ["median", "mog2"]) as window:
        wait_for(lambda: "dB" in window.parts.view.columns[0].quality.text() or window.parts.banner.text, "PSNR")
        assert "error" in window.parts.view.columns[0].quality.text()
        assert "F " not in window.parts.view.columns[0].quality.text()
        wait_for(window.parts.plots.chooser.buttons["psnr_db"].isVisible, "the plot of PSNR")
        assert not window.parts.plots.chooser.buttons["f_measure"].isVisible()
        window.parts.plots.choose("psnr_db")
        assert window.parts.plots.history("psnr_db").n_curves == 2


def test_parameters_start_all_anew(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        window.chosen.open_settings(0)
        control = window.chosen.dialog.form.controls["difference"]
        control.show_value(200.0)
        window.chosen.dialog.form.changed.emit(control.parameter, 200.0)
        assert window.chosen.all[0] == Chosen("median", {"difference": 200.0})
        wait_for(lambda: not window.display.is_current, "the rest that starts it anew")
        wait_for(lambda: window.display.is_current, "a new start")
        finished(window)
        assert not window.parts.view.columns[0].panes[LOWER]._picture.shown.mask.any()
        assert window.parts.plots.history("residual").x.size == N_FRAMES


def test_the_input_is_read_as_often_as_in_the_main_window(tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv", N_FRAMES)), tmp_path) as window:
        window.parts.method.preset_chosen.emit("Faces, denoise")
        wait_for(lambda: window.views.plots.plot is not None and window.display.index, "the plots")
        window.action("compare").trigger()
        compared = window.commands.compare.window
        with each_frame_shown(compared.worker):
            wait_for(lambda: "pass 1 of 3" in compared.parts.view.columns[0].times.text(), "the first of three passes")
        assert compared.parts.timeline.passes.value() == 3


def test_passes_and_a_start_over_begin_anew(clip):
    with comparing(clip, ["opgd", "median"]) as window:
        finished(window)
        with each_frame_shown(window.worker):
            window.parts.timeline.passes.setValue(2)
            wait_for(lambda: "pass 1 of 2" in window.parts.view.columns[0].times.text(), "the first of two passes")
        finished(window)


def test_sixteen_bits_are_compared_in_one_contrast(deep_photos):
    with comparing(InputSpec(str(deep_photos)), ["fast", "median", "mog2"]) as window:
        wait_for(lambda: window.display.state is State.FINISHED or window.parts.banner.text, "the end")
        wait_for(lambda: window.display.index == 7, "the last frame")
        assert not window.parts.banner.text
        panes = window.parts.view.visible_panes()
        assert {pane.picture.dtype for pane in panes} == {np.dtype(np.uint16)}
        assert len({(pane.contrast.levels.low, pane.contrast.levels.high) for pane in panes}) == 1


def test_going_to_a_frame_is_answered_at_once_however_busy_the_methods_are(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        holds, timeline, title = threading.Event(), window.parts.timeline, window.parts.title
        window.worker._post(lambda: holds.wait(60))
        window._go_to_first()
        wait_for(lambda: "Going to frame 1…" in title.text(), "the word")
        assert timeline.slider.value() == 0
        holds.set()
        wait_for(lambda: window.display.index == 0 and "Going" not in title.text(), "the frame")


def test_in_a_low_window_the_plot_gives_way_and_nothing_lies_over_anything(clip):
    with comparing(clip, ["fast", "median", "mog2"]) as window:
        finished(window)
        column, split = window.parts.view.columns[0], window.parts.split
        assert window.minimumSizeHint().height() <= 500, "as of 1080 rows at twice the size, less what frames take"
        split.setSizes([1000, 0])
        wait_for(lambda: split.sizes()[1] < 100, "a low plot")
        parts = [*column.panes, column.times, column.quality]
        below = [part.mapTo(window, part.rect().topLeft()).y() for part in parts]
        ends = [top + part.height() for top, part in zip(below, parts, strict=True)]
        assert all(end <= top for end, top in zip(ends, below[1:], strict=False))


def test_every_control_has_a_name_and_a_tip(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        window.chosen.open_settings(0)
        nameless = [
            widget for part in (window, window.chosen.dialog) for widget in part.findChildren(QAbstractButton)
            if widget.isVisible() and not (widget.accessibleName() and widget.toolTip())
        ]  # fmt: skip
        assert not nameless
        assert all(column.chooser.accessibleName() for column in window.parts.view.columns)


def test_a_picture_of_a_method_is_kept_as_it_is_shown_and_what_cannot_be_written_is_said(clip, tmp_path):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        actions = window.parts.view.columns[1].findChildren(PictureActions)[UPPER]
        actions.save_picture(tmp_path / "background.png")
        wait_for(lambda: window.parts.banner.text, "a sentence")
        assert window.parts.banner.text == "Wrote background.png."
        assert not QImage(str(tmp_path / "background.png")).isNull()
        window.parts.plots.menu.save(tmp_path / "curves.csv")
        wait_for((tmp_path / "curves.csv").exists, "the curves")
        actions.save_picture(tmp_path / "nowhere" / "background.png")
        wait_for(lambda: "could not be written" in window.parts.banner.text, "a sentence")


def test_it_is_asked_where_to_save_beside_the_input_at_first_and_then_where_the_last_file_is(
    clip, tmp_path, monkeypatch
):
    asked, kept = [], tmp_path / "kept"
    kept.mkdir()

    def ask(_parent, _title, path, *_):
        asked.append(path)
        return str(kept / "curves.csv") if len(asked) == 2 else "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        pane, menu = window.parts.view.columns[1].panes[UPPER], window.parts.plots.menu
        pane.contrast.menu.aboutToShow.emit()
        entry = next(one for one in pane.contrast.menu.actions() if one.text() == "Save the picture…")
        for action in (entry, menu.actions()[-1], entry):
            action.trigger()
        wait_for(lambda: window.parts.banner.text, "the curves")
    assert [os.path.dirname(path) for path in asked] == [str(tmp_path), str(tmp_path), str(kept)]


def test_parameters_open_on_the_screen(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        window.move(0, 0)
        window.chosen.open_settings(0)
        assert window.screen().availableGeometry().contains(window.chosen.dialog.geometry())


def test_a_figure_that_was_known_once_stays_where_it_is_read(clip):
    with comparing(clip, ["median", "mog2"]) as window:
        finished(window)
        f = window.parts.plots.chooser.buttons["f_measure"]
        assert not f.isVisible()
        for values in ({"residual": [0.1, 0.2], "f_measure": [0.5, 0.6]}, {"residual": [0.1, 0.2]}):
            window.worker.slot.put(Compared(points=[ComparePoint(31, values)]))
            window.display.tick()
            assert f.isVisible(), "the curve cannot be reached any more"


def test_what_cannot_be_opened_is_one_sentence(tmp_path):
    with comparing(InputSpec(str(tmp_path / "absent.mp4")), ["median", "mog2"]) as window:
        wait_for(lambda: window.parts.banner.text, "the sentence")
        assert "absent.mp4" in window.parts.banner.text


def test_the_main_window_holds_while_its_input_is_compared(tmp_path):
    path = write_clip(tmp_path / "walk.mkv", 40)
    with open_window(str(path), tmp_path) as window:
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        window.action("loop").setChecked(True)
        window.worker.play()
        wait_for(lambda: window.commands.playback.is_playing, "playing")
        window.parts.top.compare.click()
        compared = window.commands.compare.window
        assert [one.method for one in compared.chosen.all] == ["fast", "opgd", "mog2"]
        wait_for(lambda: not window.commands.playback.is_playing, "the main window to hold")
        wait_for(lambda: compared.parts.view.columns[0].panes[LOWER].picture is not None, "frames in the comparison")
        window.action("compare").trigger()
        assert window.commands.compare.window is compared
        compared.close()
        wait_for(
            lambda: window.commands.compare.window is None and window.commands.playback.is_playing, "playing again"
        )
        window.action("compare").trigger()
        assert window.commands.compare.window is not None
        window.commands.compare.window.close()
        wait_for(
            lambda: window.commands.compare.window is None and window.commands.playback.is_playing, "playing again"
        )
        window.commands.playback.on_state(State.PREPARING)  # As before the first frame, when it is about to play.
        window.action("compare").trigger()
        wait_for(lambda: not window.commands.playback.is_playing, "the main window to hold")
        window.commands.compare.window.close()
        wait_for(lambda: window.commands.compare.window is None and window.commands.playback.is_playing, "playing")


def test_the_program_is_ended_from_the_comparison_too(tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv", 40)), tmp_path) as window:
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        window.action("compare").trigger()
        compared = window.commands.compare.window
        compared.action("quit").trigger()
        assert not window.isVisible()
        assert not compared.isVisible()


def test_the_main_window_goes_on_with_the_method_that_people_use(tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv", 40)), tmp_path) as window:
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        for number, changes in ((1, {"recency": 3}), (0, {})):
            before = window.commands.choice.current
            window.action("compare").trigger()
            compared = window.commands.compare.window
            compared.chosen._on_values(number, {**compared.chosen.all[number].values, **changes})
            compared.parts.timeline.passes.setValue(2)
            chosen = compared.chosen.all[number]
            compared.parts.view.columns[number].use_button.click()
            wait_for(lambda: window.commands.compare.window is None, "the end of the comparison")
            now = window.commands.choice.current
            assert (now.method, now.values, now.passes) == (chosen.method, chosen.values, 2)
            assert now.method == ("opgd" if number else before.method)
        assert window.parts.method.key == "opgd"


def test_the_main_window_learns_again_with_the_method_that_people_use(tmp_path):
    with open_window(str(write_clip(tmp_path / "walk.mkv", 40)), tmp_path) as window:
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        window.commands.models.write(tmp_path / "walk.npz")
        wait_for((tmp_path / "walk.npz").exists, "the model")
        window.commands.method.apply_model(tmp_path / "walk.npz")
        wait_for(lambda: window.action("learn_again").isEnabled(), "the model to be applied")
        window.action("compare").trigger()
        window.commands.compare.window.parts.view.columns[0].use_button.click()
        wait_for(lambda: window.commands.compare.window is None, "the end of the comparison")
        assert not window.commands.method.applies_model
        wait_for(lambda: in_session(window, lambda s: s.learning), "a run that learns")


def test_what_a_person_holds_while_the_comparison_is_open_stays_held(tmp_path):
    clips = [str(write_clip(tmp_path / name, 40)) for name in ("walk.mkv", "other.mkv")]
    with open_window(clips[0], tmp_path) as window:
        playback, compare = window.commands.playback, window.commands.compare
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        window.action("loop").setChecked(True)

        def compared(meanwhile):
            window.worker.play()
            wait_for(lambda: playback.is_playing, "playing")
            window.action("compare").trigger()
            wait_for(lambda: not playback.is_playing, "the main window to hold")
            meanwhile()
            compare.window.close()
            wait_for(lambda: compare.window is None, "the end of the comparison")
            done = []
            window.worker.with_session(lambda _: done.append(1))
            wait_for(lambda: done, "the engine")

        def play_and_hold():
            window.action("play").trigger()
            wait_for(lambda: playback.is_playing, "playing")
            window.action("play").trigger()
            wait_for(lambda: not playback.is_playing, "the pause")

        def open_another():
            window.commands.input.open_path(clips[1])
            wait_for(lambda: window.commands.input.request.path == clips[1], "the other clip")
            window.worker.pause()
            wait_for(lambda: playback.state is State.PAUSED, "the pause")

        for meanwhile in (play_and_hold, open_another):
            compared(meanwhile)
            assert not playback.is_playing
            assert playback.state is State.PAUSED


def test_the_comparison_is_offered_once_there_can_be_one(tmp_path):
    from app.window.main_window import MainWindow

    with open_window(str(write_clip(tmp_path / "walk.mkv", N_FRAMES)), tmp_path) as window:
        wait_for(lambda: window.views.plots.plot is not None, "the plotting library")
        assert window.parts.top.compare.isEnabled()
        assert window.action("compare").isEnabled()
    window = MainWindow(None, tmp_path / "window.json")
    assert not window.parts.top.compare.isEnabled()
    assert not window.action("compare").isEnabled()
    window.close()
    window.deleteLater()


def test_nothing_opens_before_there_is_an_input(tmp_path, qapp):
    from app.window.main_window import MainWindow

    window = MainWindow(str(tmp_path / "absent.mp4"), tmp_path / "window.json")
    window.commands.compare.open()
    assert window.commands.compare.window is None
    window.close()
    window.deleteLater()


def test_areas_count_for_every_method(clip):
    areas = Areas((Shape("never", ((0, 0), (64, 0), (64, 48), (0, 48))),))
    with comparing(clip, ["median", "fast"], areas=areas) as window:
        finished(window)
        for column in window.parts.view.columns:
            assert not column.panes[LOWER]._picture.shown.mask.any()
