"""The real window on real inputs, driven as a person drives it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app import theme
from app.command_window import FRAME
from app.equivalent_command import command_line
from app.shortcuts import Where, commands_of
from app.window import settings
from app.window.main_window import MainWindow
from core.export.job import run_job
from core.export.job_spec import Job
from tests.app.windows import at_home, in_session, number_of, open_window, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "walk.mkv"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory, qapp):
    """A window for tests that leave it as it was, but for values of parameters; it has come to the end of a clip."""
    folder = tmp_path_factory.mktemp("window")
    with at_home(folder), open_window(str(write_clip(folder / "walk.mkv")), folder) as window:
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        yield window


def shown_index(window):
    return window.display.index


def drop(window, *paths):
    drop_urls(window, *(QUrl.fromLocalFile(str(path)) for path in paths))


def drop_urls(window, *urls):
    data = QMimeData()
    data.setUrls(urls)
    event = QDropEvent(
        QPointF(500, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def test_the_first_start_plays_the_sample(tmp_path):
    with open_window(None, tmp_path) as window:
        parts = window.parts
        wait_for(
            lambda: re.fullmatch(r"Warming up: \d+ frames? learnt, settles at 240.*", parts.status.state.text()),
            "the warm-up",
        )
        wait_for(lambda: shown_index(window) > 3, "some frames")
        assert parts.source.facts.text("Size") == "320 × 240"
        assert parts.method.chooser.currentText() == "Fast online robust NMF"
        assert parts.method.figures.text("Foreground").endswith("% of pixels")
        assert not parts.banner.isVisible()
        wait_for(lambda: window.views.timeline.playing, "the button that pauses")


def test_frames_that_were_learnt_are_counted_once_while_it_warms_up(tmp_path):
    clip = str(write_clip(tmp_path / "long.mkv", 100))
    with open_window(clip, tmp_path, real_time=True) as window:
        status = window.parts.status
        wait_for(lambda: re.match("Warming up: [1-9]", status.state.text()), "the warm-up")
        assert status.learnt.text() == ""
        QTest.keyClick(window, Qt.Key.Key_Space)
        wait_for(lambda: status.state.text() == "Paused", "the pause")
        learnt = window.worker.n_learnt
        wait_for(lambda: status.learnt.text() == f"learnt {learnt} frames; more passes help", "how many were learnt")
        window.worker.set_real_time(False)
        QTest.keyClick(window, Qt.Key.Key_Space)
        wait_for(lambda: status.state.text() == "Finished", "the end")
        wait_for(lambda: status.learnt.text() == "learnt 100 frames; more passes help", "what helps")


def test_the_space_bar_pauses_from_the_start(tmp_path):
    with open_window(None, tmp_path) as window:
        wait_for(lambda: shown_index(window) > 3 and window.commands.playback.is_playing, "some frames")
        assert not isinstance(window.focusWidget(), QAbstractButton)
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
        wait_for(lambda: window.parts.status.state.text() == "Paused", "a pause")


def test_play_pause_step_and_seek(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        timeline = window.views.timeline
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        timeline.slider.setValue(12)
        wait_for(lambda: shown_index(window) == 12, "frame 12")
        assert number_of(window.views.panes.report.input_image) == 12
        timeline.step_button.click()
        wait_for(lambda: shown_index(window) == 13, "frame 13")
        QTest.keyClick(window, Qt.Key.Key_Period)
        wait_for(lambda: shown_index(window) == 14, "frame 14")
        QTest.keyClick(window, Qt.Key.Key_Space)
        wait_for(lambda: shown_index(window) == 39, "the end again")
        session = in_session(window, lambda s: s)
        learnt = window.worker.n_learnt
        for go_to_first in (lambda: QTest.keyClick(window, Qt.Key.Key_Home), timeline.first_button.click):
            go_to_first()
            wait_for(lambda: shown_index(window) == 0, "the first frame")
            assert in_session(window, lambda s: s) is session
            assert window.worker.n_learnt == learnt, "it is looked at, and teaches nothing"
            QTest.keyClick(window, Qt.Key.Key_Period)
            wait_for(lambda: shown_index(window) == 1, "the frame behind it")
        assert "Forget what was learnt" in window.action("restart").toolTip()
        assert window.action("restart").shortcut().toString() == "Ctrl+Home"
        window.action("restart").trigger()
        wait_for(lambda: in_session(window, lambda s: s) is not session, "a fresh start")


def test_going_to_a_frame_is_answered_at_once_however_busy_the_engine_is(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        timeline, state, holds = window.views.timeline, window.parts.status.state, threading.Event()
        wait_for(lambda: state.text() == "Finished", "the end")
        window.worker.with_session(lambda _: holds.wait(60))
        QTest.keyClick(window, Qt.Key.Key_Home)
        assert timeline.slider.value() == 0
        assert timeline.position.text().endswith("·  1 / 40")
        wait_for(lambda: state.text() == "Going to frame 1…", "the word")
        QTest.keyClick(window, Qt.Key.Key_Right)
        QTest.keyClick(window, Qt.Key.Key_Left)
        assert (timeline.slider.value(), shown_index(window)) == (0, 39)
        holds.set()
        wait_for(lambda: shown_index(window) == 0, "the first frame")
        wait_for(lambda: state.text() == "Paused", "the state")
        assert timeline.slider.value() == 0


@pytest.mark.parametrize("by_key", [False, True])
def test_the_way_back_to_learning_is_seen_where_frames_are_only_looked_at(tmp_path, by_key):
    clip = str(write_clip(tmp_path / "long.mkv", 200))
    with open_window(clip, tmp_path, real_time=True) as window:
        status, marks, slider = window.parts.status, window.views.timeline.marks, window.views.timeline.slider
        QTest.keyClick(window, Qt.Key.Key_Space)
        wait_for(lambda: status.state.text() == "Paused", "a pause")
        assert not status.learn_on.isVisible()
        learnt = window.worker.n_learnt
        window.views.timeline.go_to(190)
        wait_for(status.learn_on.isVisible, "the offer")
        assert f"Learning stands at frame {learnt + 1};" in marks.accessibleDescription()
        slider.setFocus()
        if by_key:
            QTest.keyClick(slider, Qt.Key.Key_End)
        else:
            status.learn_on.click()
        wait_for(lambda: window.worker.looked_at is None, "learning")
        wait_for(lambda: not status.learn_on.isVisible(), "no offer")
        assert "Learning" not in marks.accessibleDescription()


def test_a_slider_acts_on_the_next_frame(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        window.action("loop").setChecked(True)
        control = window.parts.source.mask_form.controls["sensitivity"]
        control.slider.setFocus()
        before = control.value
        QTest.keyClick(control.slider, Qt.Key.Key_Right)
        assert control.value > before
        assert in_session(window, lambda s: s.control.values["sensitivity"]) == control.value
        assert in_session(window, lambda s: s.method is not None)


def test_a_typed_value_acts_and_automatic_can_be_left_and_taken_up(shared):
    control = shared.parts.method.form.controls["lam"]
    assert control.value is None
    assert control.box.value() == pytest.approx(in_session(shared, lambda s: s.method.lam))
    control.box.setFocus()
    control.box.selectAll()
    QTest.keyClicks(control.box, "0.05")
    QTest.keyClick(control.box, Qt.Key.Key_Return)
    assert not control.auto.isChecked()
    assert in_session(shared, lambda s: s.control.values["lam"]) == pytest.approx(0.05)
    control.auto.click()
    assert in_session(shared, lambda s: s.control.values["lam"]) is None


def test_rank_changes_while_it_plays(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        window.action("loop").setChecked(True)
        window.worker.play()
        window.parts.method.form.controls["rank"].box.setValue(5)
        wait_for(lambda: len(window.views.basis.cards) == 5, "five basis images")
        window.views.basis.drop_requested.emit(0)
        wait_for(lambda: len(window.views.basis.cards) == 4, "four")
        wait_for(lambda: window.parts.method.form.values["rank"] == 4, "the slider following")
        window.worker.pause()
        wait_for(lambda: window.parts.status.state.text() == "Paused", "a pause")
        window.views.basis.drop_requested.emit(0)
        wait_for(lambda: window.parts.method.form.values["rank"] == 3, "the slider following while nothing plays")


def test_a_file_that_cannot_be_opened_leaves_the_window_alive(tmp_path, clip):
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"not a video at all" * 50)
    with open_window(clip, tmp_path) as window:
        for path in (bad, tmp_path / "absent.png"):
            window.commands.input.open_path(str(path))
            wait_for(lambda path=path: path.name in window.parts.banner.text, "the sentence")
            assert window.parts.banner.isVisible()
        window.commands.input.open_path("sample:faces")
        wait_for(lambda: window.commands.input.info.title == "Faces", "the sample")
        wait_for(lambda: window.views.panes.report is not None, "frames of it")
        assert window.views.panes.report.frame.layout == window.commands.input.info.layout
        assert not window.parts.banner.isVisible()


def test_what_needs_an_input_says_so_where_none_is_open(tmp_path, clip):
    (tmp_path / "empty.mp4").write_bytes(b"")
    with open_window(str(tmp_path / "empty.mp4"), tmp_path) as window:
        banner = window.parts.banner
        assert "empty.mp4" in banner.text
        wait_for(lambda: window.views is not None and window.views.plots.plot is not None, "the plotting library")
        top = window.parts.top
        assert not any(button.isEnabled() for button in (top.export, top.wipe, top.correct, top.areas, top.compare))
        for key in "WBA":
            QTest.keyClick(window, key)
        assert not any(button.isChecked() for button in (top.wipe, top.correct, top.areas))
        assert not window.parts.brush.isVisible()
        said = []
        for key in ("export", "save_model", "compare"):
            window.action(key).trigger()
            said.append(banner.text)
        window.commands.method.apply_model(tmp_path / "walk.npz")
        said.append(banner.text)
        assert [sentence.removesuffix(" yet; open an input first.") for sentence in said] == [
            f"There is nothing to {what}" for what in ("export", "save", "compare on", "apply walk.npz to")
        ]
        window.commands.input.open_path(clip)
        wait_for(lambda: window.commands.input.info is not None, "an input")
        assert all(button.isEnabled() for button in (top.export, top.wipe, top.correct, top.areas, top.compare))
        QTest.keyClick(window, "B")
        assert top.correct.isChecked()


def test_a_folder_with_one_bad_image_says_so(tmp_path):
    from core.io.sinks.images import png_bytes

    folder = tmp_path / "images"
    folder.mkdir()
    for i in range(6):
        (folder / f"{i}.png").write_bytes(png_bytes(np.full((24, 32), 30 * i, np.uint8)))
    (folder / "3.png").write_bytes(b"broken")
    with open_window(str(folder), tmp_path) as window:
        wait_for(window.parts.banner.isVisible, "the warning")
        assert window.parts.banner.text == "1 image was skipped: 3.png in images is damaged or not an image."
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")


def test_dropping_a_file_opens_it(tmp_path, clip):
    with open_window("sample:faces", tmp_path) as window:
        drop(window, clip)
        wait_for(lambda: window.commands.input.info.title == "walk.mkv", "the clip")
        assert window.remembered.recent == [clip]
        window.menus.fill_recent()
        assert [action.text() for action in window.menus.recent.actions()] == [clip]


def test_grey_scale_and_region_open_the_input_anew(tmp_path, clip):
    with open_window("sample:street", tmp_path) as window:
        QTest.mouseClick(buttons(window.parts.source.colour)[1], Qt.MouseButton.LeftButton)
        wait_for(lambda: window.commands.input.request.grey, "grey")
        QTest.mouseClick(buttons(window.parts.source.scale)[1], Qt.MouseButton.LeftButton)
        wait_for(lambda: window.commands.input.request.size == (160, 120), "half size")
        window.views.panes.region_selected.emit(40, 20, 200, 160)
        wait_for(lambda: window.commands.input.request.roi == (40, 20, 200, 160), "the region")
        wait_for(lambda: window.views.panes.report.input_image.shape == (160, 200), "its picture")
        assert window.views.panes.report.mask.shape == (80, 100)
        window.views.panes.region_selected.emit(10, 10, 100, 100)
        wait_for(lambda: window.commands.input.request.roi == (50, 30, 100, 100), "a region in the region")
        window.parts.source.clear_region.click()
        wait_for(lambda: window.commands.input.request.roi is None, "the whole picture")


def buttons(widget):
    return widget.findChildren(QAbstractButton)


def test_corruption_shows_how_much_better_the_result_is(tmp_path):
    with open_window("sample:faces", tmp_path) as window:
        form = window.parts.source.corruption
        form.kind.setCurrentIndex(form.kind.findData("salt-and-pepper"))
        form.kind.activated.emit(form.kind.currentIndex())
        wait_for(lambda: window.commands.input.request.corruption is not None, "the corruption")
        figures = window.parts.method.figures
        wait_for(lambda: figures.text("PSNR, cleaned").endswith("dB"), "the figure")
        assert float(figures.text("PSNR, input").split()[0]) > 5


def test_the_seed_in_force_is_that_of_the_panel_which_an_export_takes(tmp_path):
    with open_window("sample:faces", tmp_path) as window:
        corruption = window.parts.source.corruption
        corruption.kind.setCurrentIndex(corruption.kind.findData("salt-and-pepper"))
        corruption.kind.activated.emit(corruption.kind.currentIndex())
        corruption.form.show_values({"seed": 5})
        window.commands.input.reopen()
        wait_for(
            lambda: window.commands.input.request.corruption and window.commands.input.request.corruption.seed == 5,
            "the seed",
        )
        assert in_session(window, lambda s: s.settings.seed) == window.commands.choice.current.seed == 5
        window.commands.input.open_path("sample:street")
        wait_for(lambda: window.commands.input.request.path == "sample:street", "another input")
        assert in_session(window, lambda s: s.settings.seed) == window.commands.choice.current.seed == 0


def test_a_preset_sets_the_sliders_and_is_saved_as_shown(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        window.parts.method.form.controls["rank"].box.setValue(4)
        window.commands.presets.write(tmp_path / "mine.json")
        wait_for(lambda: "mine.json" in window.parts.status.currentMessage(), "the preset")
        window.parts.method.reset.click()
        assert window.commands.choice.current.values == {}
        (tmp_path / "mine.json").rename(tmp_path / "MINE.JSON")
        drop(window, tmp_path / "MINE.JSON")
        assert window.commands.choice.current.values == {"rank": 4}
        assert in_session(window, lambda s: s.control.values["rank"]) == 4
        names = [window.parts.method.preset.itemText(i) for i in range(window.parts.method.preset.count())]
        assert len(names) > 1
        window.parts.method.preset.setCurrentIndex(1)
        window.parts.method.preset.activated.emit(1)


def test_the_address_of_a_stream_can_be_dropped(shared, monkeypatch):
    opened = []
    monkeypatch.setattr(shared.commands.opening, "_open_input", opened.append)
    for address in ("rtsp://192.168.0.10/stream", "http://192.168.0.10/a%20b.json"):
        drop_urls(shared, QUrl(address))
    drop_urls(shared, QUrl("http://192.168.0.10/a.mp4"), QUrl("http://192.168.0.10/b.mp4"))
    drop_urls(shared, QUrl("ftp://192.168.0.10/a.mp4"))
    assert opened == ["rtsp://192.168.0.10/stream", "http://192.168.0.10/a%20b.json", "http://192.168.0.10/a.mp4"]
    assert "Only 192.168.0.10-a.mp4 was opened; 192.168.0.10-b.mp4 was left out." in shared.parts.banner.text


def test_a_saved_model_is_applied_without_learning(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        window.commands.models.write(tmp_path / "walk.npz")
        wait_for((tmp_path / "walk.npz").exists, "the model")
        learnt = in_session(window, lambda s: s.method.W.copy())
        (tmp_path / "walk.npz").rename(tmp_path / "WALK.NPZ")
        drop(window, tmp_path / "WALK.NPZ")
        wait_for(lambda: not window.parts.method.form.isEnabled(), "applying")
        wait_for(lambda: in_session(window, lambda s: not s.learning), "the model in use")
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        assert np.array_equal(in_session(window, lambda s: s.method.W.copy()), learnt)
        window.commands.method.learn_again()
        wait_for(lambda: in_session(window, lambda s: s.learning), "learning")


def test_a_model_that_cannot_be_applied_changes_nothing_and_its_sentence_goes(tmp_path, clip):
    (tmp_path / "junk.npz").write_bytes(b"junk")
    with open_window(clip, tmp_path) as window:
        form, notice, banner = window.parts.method.form, window.parts.method.notice, window.parts.banner
        window.commands.method.apply_model(tmp_path / "junk.npz")
        wait_for(banner.isVisible, "the sentence")
        assert "junk.npz" in banner.text
        assert form.isEnabled()
        assert not notice.isVisible(), "it says that the model is applied"
        assert not window.action("learn_again").isEnabled(), "there is nothing to leave"
        window.commands.method.restart()
        wait_for(lambda: not banner.isVisible(), "a run that began anew")


def test_a_model_shows_its_method_and_another_method_or_preset_leaves_it(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        method = window.parts.method
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        window.commands.models.write(tmp_path / "walk.npz")
        wait_for((tmp_path / "walk.npz").exists, "the model")
        window.commands.method.on_method("opgd")
        method.form.controls["batch"].box.setValue(2)
        window.commands.method.apply_model(tmp_path / "walk.npz")
        wait_for(lambda: window.commands.method.applies_model, "applying")
        assert method.key == "fast", "the panel shows another method than is applied"
        window.parts.source.mask_form.controls["sensitivity"].box.setValue(4)
        assert "walk.npz" in method.notice.text()
        window.commands.method.on_method("opgd")
        wait_for(lambda: in_session(window, lambda s: s.learning and s.row.key == "opgd"), "learning")
        assert method.form.isEnabled(), "its parameters cannot be reached"
        window.commands.method.apply_model(tmp_path / "walk.npz")
        wait_for(lambda: window.commands.method.applies_model, "applying")
        method.preset_chosen.emit(method.preset.itemText(1))
        wait_for(lambda: in_session(window, lambda s: s.learning), "learning")
        assert method.form.isEnabled()
        assert not method.notice.text()


def test_the_export_is_the_same_as_the_command_lines_byte_for_byte(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        window.parts.method.form.controls["rank"].box.setValue(2)
        window.parts.source.mask_form.controls["sensitivity"].box.setValue(4)
        window.commands.export.open()
        panel = window.commands.export.panel
        panel.form.folder.setText(str(tmp_path / "window"))
        for key, check in panel.form.checks.items():
            check.setChecked(key in ("plate", "mask", "cleaned", "model"))
        whole = panel.plan.text()
        panel.form.first.setValue(3)
        panel.form.last.setValue(30)
        assert "about" in panel.plan.text() != whole, "fewer frames take less room"
        job = panel.job()
        panel.run.start.click()
        wait_for(lambda: not panel.run.is_running, "the export")
        assert panel.message.text().startswith("Wrote 28 frames"), panel.message.text()
        panel.form.folder.setText(str(tmp_path / "window"))
        assert not panel.run.start.isEnabled(), "what is there is not replaced unasked"
        panel.form.overwrite.setChecked(True)
        assert panel.run.start.isEnabled()
    run_job(Job(job.input, tmp_path / "job", job.save, job.settings, written=(3, 30)))
    words = command_line(job)
    assert words.startswith("cleanplate run ")
    import shlex

    arguments = shlex.split(words.replace(str(tmp_path / "window"), str(tmp_path / "line")))[1:]
    subprocess.run(
        [sys.executable, "-c", "from app.cli.main import main; main()", *arguments],
        check=True,
        cwd=Path(__file__).parents[3],
    )
    files = sorted(p.relative_to(tmp_path / "window") for p in (tmp_path / "window").rglob("*") if p.is_file())
    assert len(files) == 58
    for other in ("job", "line"):
        for name in files:
            same = (tmp_path / "window" / name).read_bytes() == (tmp_path / other / name).read_bytes()
            assert same, f"{name} differs from that of the {other}"


def test_cancelling_an_export_leaves_nothing(tmp_path):
    with open_window("sample:street", tmp_path) as window:
        window.commands.export.open()
        panel = window.commands.export.panel
        panel.form.folder.setText(str(tmp_path / "out"))
        panel.run.start.click()
        wait_for(lambda: panel.run.progress.value() > 0, "the first frames")
        panel.run.cancel.click()
        wait_for(lambda: not panel.run.is_running, "the end")
        assert not (tmp_path / "out").exists()
        assert "Cancelled" in panel.message.text()


def start_export(window, folder):
    window.commands.export.open()
    panel = window.commands.export.panel
    panel.form.folder.setText(str(folder))
    panel.run.start.click()
    wait_for(lambda: panel.run.progress.value() > 0, "the first frames")


def answer(window, words):
    """Press a button of the question that the window asks before it closes."""
    assert window.closing.question.isVisible()
    next(button for button in window.closing.question.buttons() if button.text() == words).click()


def test_closing_during_an_export_asks_first(tmp_path):
    with open_window("sample:street", tmp_path) as window:
        start_export(window, tmp_path / "out")
        assert not window.close()
        answer(window, "Keep exporting")
        assert window.isVisible()
        assert window.commands.export.is_running
        assert not window.close()
        answer(window, "Cancel the export and close")
        assert not window.isVisible()
    assert not (tmp_path / "out").exists()


def test_who_cancels_an_export_to_close_is_asked_about_what_is_not_saved_too(tmp_path):
    with open_window("sample:street", tmp_path) as window:
        wait_for(lambda: window.worker.n_learnt > 2, "some frames")
        project = window.commands.project
        project.write(tmp_path / "day.cleanplate")
        wait_for(lambda: project.path, "the project")
        control = window.parts.source.mask_form.controls["sensitivity"]
        control.show_value(61.0)
        control.changed.emit("sensitivity", 61.0)
        wait_for(lambda: project.is_modified, "the mark of a change")
        start_export(window, tmp_path / "out")
        assert not window.close()
        answer(window, "Cancel the export and close")
        assert window.isVisible()
        assert "day.cleanplate has changes" in window.closing.question.text()
        answer(window, "Stay")
        assert window.commands.export.is_running, "who stays keeps the export"
        assert not window.close()
        answer(window, "Cancel the export and close")
        answer(window, "Discard")
        assert not window.isVisible()


def test_what_asks_the_program_to_end_closes_without_a_question(tmp_path):
    with open_window("sample:street", tmp_path) as window:
        start_export(window, tmp_path / "out")
        window.closing.close_unasked()
        assert not window.isVisible()
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals to other processes are another thing on Windows")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_close_the_window_cleanly(tmp_path, number):
    code = (
        "import os, sys\nfrom app.window import startup\nfrom PySide6.QtCore import QTimer\n"
        f"def kill():\n    os.kill(os.getpid(), {int(number)})\n"
        "app = startup.application()\nQTimer.singleShot(300, kill)\nsys.exit(startup.main('sample:street'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300,
        cwd=Path(__file__).parents[3], env={**os.environ, "CLEANPLATE_SETTINGS": str(tmp_path / "window.json")},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert settings.load(tmp_path / "window.json").geometry


def test_what_is_remembered_is_written_at_each_change(tmp_path, clip):
    path = tmp_path / "window.json"
    with open_window(clip, tmp_path) as window:
        wait_for(lambda: settings.load(path).recent == [clip], "the recent file")
        window.menus.themes.actions()[2].trigger()
        assert settings.load(path).theme == "light"
        before = settings.load(path).real_time
        window.action("real_time").trigger()
        assert settings.load(path).real_time is not before
        geometry = settings.load(path).geometry
        window.resize(1180, 760)
        wait_for(lambda: settings.load(path).geometry != geometry, "the place")
        assert not list(tmp_path.glob("*.tmp"))


def test_closing_in_the_midst_of_playing_is_clean_every_time(tmp_path, clip):
    for i in range(4):
        with open_window(clip if i % 2 else "sample:street", tmp_path) as window:
            if i > 1:
                window.commands.input.open_path("sample:faces")


def test_closing_before_the_engine_is_there_is_clean():
    code = (
        "import sys\nfrom app.window.startup import application\nfrom app.window.main_window import MainWindow\n"
        "from PySide6.QtCore import QTimer\napp = application()\nwindow = MainWindow(None)\nwindow.show()\n"
        "QTimer.singleShot(int(sys.argv[1]), window.close)\nsys.exit(app.exec())\n"
    )
    for wait_ms in (0, 200):
        done = subprocess.run(
            [sys.executable, "-c", code, str(wait_ms)], capture_output=True, text=True, check=False, timeout=300,
            cwd=Path(__file__).parents[3], env={**os.environ, "CLEANPLATE_SETTINGS": os.devnull + "x/none"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "QThread" not in done.stderr
        assert "Traceback" not in done.stderr


def test_closing_while_the_engine_hangs_ends_the_program_without_an_abort():
    code = (
        "import sys, time\nfrom app.engine import threads\nfrom app.window import startup\n"
        "from PySide6.QtCore import QTimer\n"
        "threads.PATIENCE_MS = 200\n"
        "def hang():\n"
        "    window = next(w for w in app.topLevelWidgets() if isinstance(w, startup.MainWindow))\n"
        "    hangs = []\n"
        "    def shown():\n"
        "        window.worker.with_session(lambda _: (hangs.append(1), time.sleep(600)))\n"
        "    def look():\n"
        "        if hangs:\n"
        "            window.close()\n"
        "    window.report_shown.connect(shown)\n"
        "    window.look = QTimer(window, interval=20, timeout=look)\n"
        "    window.look.start()\n"
        "app = startup.application()\nQTimer.singleShot(0, hang)\nsys.exit(startup.main('sample:street'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300,
        cwd=Path(__file__).parents[3], env={**os.environ, "CLEANPLATE_SETTINGS": os.devnull + "x/none"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "QThread" not in done.stderr


def test_every_control_has_a_name_and_a_tip(tmp_path):
    with open_window("sample:street", tmp_path) as window:
        form = window.parts.source.corruption
        form.kind.setCurrentIndex(form.kind.findData("uniform"))
        form.kind.activated.emit(form.kind.currentIndex())
        for toggle in (window.parts.method.form, window.parts.source.mask_form, form.form):
            if hasattr(toggle, "more"):
                toggle.more.setChecked(True)
        window.commands.export.open()
        nameless = []
        for top in (window, window.commands.export.panel):
            for widget in top.findChildren(QWidget):
                internal = (
                    widget.objectName().startswith("qt_") or "QComboBoxPrivate" in widget.metaObject().className()
                )
                if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or internal or not widget.isVisibleTo(top):
                    continue
                if not widget.accessibleName():
                    nameless.append(f"{widget.metaObject().className()} in {type(widget.parent()).__name__}: no name")
                elif not (widget.toolTip() or widget.accessibleDescription()):
                    nameless.append(f"{widget.accessibleName()}: no tip")
        assert not nameless, "\n".join(nameless)


def test_every_command_stands_in_a_menu_and_the_pages_of_help_open(shared):
    listed = {action for menu in shared.menus.by_title.values() for action in menu.actions()}
    assert {shared.action(command.key) for command in commands_of(Where.MAIN)} <= listed
    for key in ("shortcuts", "words", "about"):
        shared.action(key).trigger()
    pages = [w for w in QApplication.topLevelWidgets() if w.windowTitle() == "Keyboard shortcuts"]
    assert pages
    for page in QApplication.topLevelWidgets():
        if page is not shared and page.isVisible():
            page.close()


def test_plain_keys_do_not_disturb_typing(shared):
    wait_for(lambda: shared.parts.status.state.text() == "Finished", "the end")
    box = shared.parts.method.form.controls["rank"].box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "12")
    assert shared.views.panes.enlarged == -1, "digits are typed, not taken as commands"
    assert box.value() in (12, 3)


def test_return_and_escape_end_typing_and_space_plays_from_a_number(tmp_path, clip):
    with open_window(clip, tmp_path) as window:
        window.activateWindow()
        wait_for(window.isActiveWindow, "the keys")
        wait_for(lambda: window.parts.status.state.text() == "Finished", "the end")
        panes, rank = window.views.panes, window.parts.method.form.controls["rank"].box
        rank.setFocus()
        rank.selectAll()
        QTest.keyClicks(rank, "4")
        QTest.keyClick(rank, Qt.Key.Key_Return)
        assert rank.value() == 4
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_2)
        assert (rank.value(), panes.enlarged) == (4, 1), "the key went into the number"
        rank.setFocus()
        rank.selectAll()
        QTest.keyClicks(rank, "7")
        QTest.keyClick(rank, Qt.Key.Key_Escape)
        assert (rank.value(), rank.text(), rank.hasFocus()) == (4, "4", False)
        played = []
        window.action("play").triggered.connect(lambda *_: played.append(1))
        for times, box in enumerate((rank, window.views.timeline.passes), start=1):
            box.setFocus()
            box.selectAll()
            text = box.text()
            QTest.keyClick(box, Qt.Key.Key_Space)
            assert (len(played), box.text()) == (times, text)


def test_wipe_theme_and_panels_can_be_switched(tmp_path):
    with open_window("sample:faces", tmp_path) as window:
        window.parts.top.wipe.click()
        assert window.views.panes.wipe
        assert window.action("wipe").isChecked()
        QTest.keyClick(window, Qt.Key.Key_W)
        assert not window.views.panes.wipe
        for action in window.menus.themes.actions():
            action.trigger()
        assert window.remembered.theme == "light"
        window.action("source_panel").setChecked(False)
        assert not window.parts.source.isVisible()


def test_the_colour_of_masks_is_chosen_and_remembered(tmp_path):
    with open_window("sample:faces", tmp_path) as window:
        try:
            chosen = next(action for action in window.menus.mask_tints.actions() if action.text() == "Green")
            chosen.trigger()
            assert theme.mask_tint() == theme.MASK_TINTS["green"]
        finally:
            theme.set_mask_tint("red")
    assert settings.load(tmp_path / "window.json").mask_tint == "green"
    with open_window("sample:faces", tmp_path) as window:
        assert [action.text() for action in window.menus.mask_tints.actions() if action.isChecked()] == ["Green"]


def test_what_is_remembered_survives_and_a_corrupt_file_does_no_harm(tmp_path):
    path = tmp_path / "window.json"
    with open_window("sample:faces", tmp_path) as window:
        window.menus.themes.actions()[2].trigger()
        window.resize(1180, 760)
    kept = settings.load(path)
    assert kept.theme == "light"
    assert kept.geometry
    endless = b'{"x": ' + b"[" * 100_000
    long = b'{"recent": ["' + b"x" * 5000 + b'"]}'
    many = b'{"recent": [' + b'"x",' * 999 + b'"x"]}'
    large = b'{"theme": "light", "x": "' + b"x" * (1 << 20) + b'"}'
    for bad in (b"", b"{", b'{"version": 7}', b'{"theme": 3}', b"\xff\xfe", bytes(100), endless, long, many, large):
        path.write_bytes(bad)
        assert settings.load(path) == settings.Remembered()
    for bad in (b"{", b'{"geometry": "zz"}'):
        path.write_bytes(bad)
        with open_window("sample:faces", tmp_path) as window:
            assert window.isVisible()
            assert "remembered in" in window.parts.banner.text
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes of this kind")
def test_a_pipe_or_a_folder_in_the_place_of_what_is_remembered_stops_nothing_and_stays(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        assert settings.load(tmp_path / name) == settings.Remembered()
        settings.save(settings.Remembered(theme="light"), tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


def test_a_place_that_cannot_be_looked_at_is_no_reason_to_complain(tmp_path):
    for path in (tmp_path / ("x" * 300), tmp_path / ("x" * 300) / "window.json"):
        settings.save(settings.Remembered(theme="light"), path)
    assert list(tmp_path.iterdir()) == []


def test_names_that_are_no_text_are_not_remembered(tmp_path):
    remembered = settings.Remembered(recent=["/a.mp4", "/b\udcff.mp4"], export_folder="/c\udcff")
    settings.save(remembered, tmp_path / "window.json")
    kept = settings.load(tmp_path / "window.json")
    assert (kept.recent, kept.export_folder) == (["/a.mp4"], "")


def test_an_address_with_a_password_is_not_remembered():
    remembered = settings.Remembered()
    for address in ("rtsp://camera/1", "rtsp://me:secret@camera/1", "/films/a:b@c.mp4", "rtsp://me@camera/1"):
        remembered.add_recent(address)
    assert remembered.recent == ["rtsp://me@camera/1", "/films/a:b@c.mp4", "rtsp://camera/1"]


def test_two_windows_at_once_remember_what_either_opened(tmp_path):
    path = tmp_path / "window.json"
    first, second = settings.load(path), settings.load(path)
    first.add_recent("/a.mp4")
    second.add_recent("/b.mp4")
    settings.save(first, path)
    settings.save(second, path)
    assert settings.load(path).recent == ["/b.mp4", "/a.mp4"]


def test_the_pointer_reads_pixels_and_leaves(shared):
    wait_for(lambda: shared.parts.status.state.text() == "Finished", "the end")
    pane = shared.views.panes.panes[0]
    QTest.mouseMove(pane, QPoint(pane.width() // 2, pane.height() // 2))
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))
    assert shared.parts.status.zoom.text().startswith("zoom ")


def test_a_method_of_reference_makes_its_own_masks(shared):
    assert shared.parts.source.mask_form.isEnabled()
    shared.commands.method.on_method("mog2")
    wait_for(lambda: in_session(shared, lambda session: session.row.key) == "mog2", "MOG2")
    assert not shared.parts.source.mask_form.isEnabled()
    shared.commands.method.on_method("fast")
    assert shared.parts.source.mask_form.isEnabled()
    wait_for(lambda: in_session(shared, lambda session: session.row.key) == "fast", "the method of before")


def test_the_window_is_no_larger_than_its_screen(tmp_path, monkeypatch):
    small = QSize(800, 500)
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: small)
    window = MainWindow(None, tmp_path / "window.json")
    try:
        window.resize(1, 1)
        assert window.minimumSize() == small - FRAME
        window.resize_on_screen(QSize(9000, 9000))
        assert window.size() == small, "what hangs over the edge cannot be reached"
    finally:
        window.close()
        window.deleteLater()


def test_the_status_says_how_long_a_frame_takes_and_that_a_pause_was_asked_for(tmp_path, monkeypatch):
    may_end, begun = threading.Event(), []
    with open_window(str(write_clip(tmp_path / "clip.mkv", 40)), tmp_path, loop=True) as window:
        status, advance = window.parts.status, window.worker._player.advance
        wait_for(status.rate.text, "a rate")

        def slow():
            begun.append(1)
            may_end.wait(60)
            advance()

        monkeypatch.setattr(window.worker._player, "advance", slow)
        try:
            wait_for(lambda: begun, "a frame")
            window.commands.playback.toggle()
            wait_for(lambda: "Pausing after this frame" in status.state.text(), "the pause that was asked for")
            wait_for(lambda: "2 s so far" in status.state.text(), "the time")
            assert not status.rate.text()
            assert not status.left.text()
        finally:
            may_end.set()
        wait_for(lambda: status.state.text() == "Paused", "the pause")
        assert not window.worker.pauses
        window.commands.playback.toggle()
        wait_for(lambda: status.state.text() == "Learning" and status.rate.text(), "what goes on")
