"""The export panel as it looks; what it writes is tested with the main window."""

import re
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QScrollArea

from app import on_screen
from app.panels import export
from app.panels.export import ExportPanel
from app.panels.progress_words import OPENING
from core.export.job_spec import Job
from core.export.plan import PlannedFile
from core.export.products import AS_STACK, FORMATS, place
from core.export.progress import Progress
from core.io.input_spec import InputSpec
from core.project.document import ExportChoice
from core.session.phase import Phase
from core.session.settings import Settings
from tests.app.windows import wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


def planned_panel(tmp_path, n_files, path="film.mp4"):
    files = [PlannedFile(tmp_path / f"result_{i}.png", 1000) for i in range(n_files)]
    job = Job(InputSpec(path), tmp_path / "out", ("plate",), Settings("fast"))
    # Not with the folder of the test, whose name alone fills lines.
    choice = ExportChoice(folder=str(tmp_path))
    panel = ExportPanel(lambda _: job, lambda _: files, choice, command_of=lambda _: "cleanplate run a.mp4 -o b")
    panel.planned = files
    return panel


def await_end(panel):
    wait_for(lambda: not panel.run.is_running, "the end")
    QApplication.processEvents()


@pytest.fixture
def large_screen(monkeypatch):
    """That of the tests has room for no more than the panel needs, and less in some fonts."""
    for module in (export, on_screen):
        monkeypatch.setattr(module, "room_of", lambda _window: QRect(-500, -500, 2000, 2000))


def test_it_is_said_of_which_products_films_are_heard(tmp_path):
    panel = planned_panel(tmp_path, 1)
    heard = {key for key, check in panel.form.checks.items() if "has the sound of the input" in check.toolTip()}
    assert heard == {"background", "foreground", "cleaned", "boxes"}


@pytest.mark.usefixtures("large_screen")
def test_the_export_panel_grows_with_what_will_be_written(tmp_path):
    panel = planned_panel(tmp_path, 3)
    panel.show()
    before = panel.height()
    panel.planned[:] *= 4
    panel.form.changed.emit()
    panel.say("A sentence so long that it takes several lines of this panel. " * 6)
    QApplication.processEvents()
    assert panel.height() > before
    for label in panel.findChildren(QLabel):
        if label.isVisible() and label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
    assert panel.run.start.geometry().bottom() <= panel.run.height()
    panel.close()


def test_what_will_be_written_is_read_to_people_too(tmp_path):
    panel = planned_panel(tmp_path, 2)
    assert panel.plan.accessibleName() == "What will be written"
    assert panel.plan.accessibleDescription() == panel.plan.text()
    assert "result_1.png" in panel.plan.text()


@pytest.mark.usefixtures("large_screen")
def test_the_panel_grows_to_all_sides_as_it_opens(tmp_path):
    panel = planned_panel(tmp_path, 3)
    panel.resize(panel.width(), 100)
    panel.show()
    assert panel.height() > 300
    middle = panel.screen().availableGeometry().center().y()
    assert abs(panel.geometry().center().y() - middle) < 30, "it hung from where its upper edge was"
    panel.close()


@pytest.mark.parametrize(("height", "n_files"), [(400, 3), (None, 100)], ids=["low panel", "long list"])
def test_the_button_is_on_the_screen_when_the_rest_has_no_room(tmp_path, height, n_files):
    panel = planned_panel(tmp_path, n_files)
    panel.show()
    QApplication.processEvents()
    if height:
        panel.resize(panel.width(), height)
        QApplication.processEvents()
    screen = panel.screen().availableGeometry()
    assert panel.height() <= (height or screen.height())
    assert panel.rect().contains(panel.run.start.rect().translated(panel.run.start.mapTo(panel, QPoint())))
    assert screen.contains(panel.frameGeometry())
    bar = panel.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(bar.maximum())
    assert panel.rect().contains(panel.command.mapTo(panel, panel.command.rect().bottomRight())), "out of reach"
    panel.close()


@pytest.mark.usefixtures("large_screen")
def test_all_is_shown_without_scrolling_where_there_is_room(tmp_path):
    panel = planned_panel(tmp_path, 3)
    panel.show()
    QApplication.processEvents()
    assert panel.findChild(QScrollArea).verticalScrollBar().maximum() == 0
    panel.close()


def test_a_long_folder_name_does_not_widen_the_export_panel(tmp_path):
    panel = planned_panel(tmp_path / ("x" * 200), 3)
    panel.show()
    assert panel.minimumSizeHint().width() < 700
    panel.close()


def test_a_double_click_on_export_does_not_cancel_it(tmp_path):
    panel = planned_panel(tmp_path, 3, "sample:street")
    panel.show()
    place = panel.run.start.geometry()
    panel.run.start.click()
    QApplication.processEvents()
    assert panel.run.cancel.isVisible()
    assert not panel.run.cancel.geometry().intersects(place)
    assert not panel.run.start.isEnabled()
    panel.shut()


def test_how_far_it_is_and_how_it_has_ended_is_told_where_the_panel_is_closed(tmp_path, monkeypatch):
    monkeypatch.setattr("app.panels.export_run.POLL_MS", 1)
    clip = str(write_clip(tmp_path / "film.mkv", 120))
    panel = ExportPanel(
        lambda _: Job(InputSpec(clip), tmp_path / "out", ("mask",), Settings()), lambda _: [], ExportChoice()
    )
    told = []
    panel.told.connect(told.append)
    panel.run.begin(panel.job())
    wait_for(lambda: told, "how far it is")
    assert told[0].startswith("Exporting: ")
    await_end(panel)
    assert told[-1] == "Export done: 120 frames"
    panel.show()
    assert told[-1] == "", "it says so itself now"
    panel.close()


def test_long_work_between_frames_is_told_where_it_has_room(tmp_path):
    panel = planned_panel(tmp_path, 1, "sample:street")
    panel.show()
    panel.run._show_running(True)
    work = "Working out the plate from 300 frames…"
    pass_1 = "Learning: pass 1 of 4, frame 3 of 12. The window goes on meanwhile."
    for now, told in ((work, work), ("", pass_1)):
        panel.run._background = Mock(worker=Mock(progress=Progress(1, 4, 3, 12, 8.0, 1.0, work=now)))
        panel.run._poll()
        QApplication.processEvents()
        assert panel.message.text() == told
        assert panel.run.left.width() >= panel.run.left.sizeHint().width(), "cut"
    panel.run._background = None
    panel.close()


def test_no_button_moves_under_the_pointer_while_it_is_exported(tmp_path):
    panel = planned_panel(tmp_path, 1, "http://camera/live")
    panel.show()
    run, places = panel.run, set()
    before = panel.size()
    run._show_running(True)
    run.enough.show()
    for progress in (
        Progress(1, 1, 1, None, 0.0, None),
        Progress(1, 1, 12345, None, 123.0, None),
        Progress(1, 2, 9, 12345, 0.05, 3599.0, Phase.ITERATING),
    ):
        run._background = Mock(worker=Mock(progress=progress))
        run._poll()
        QApplication.processEvents()
        assert run.left.width() >= run.left.sizeHint().width(), "cut"
        places.add((panel.width(), *(button.mapTo(panel, QPoint()).toTuple() for button in (run.enough, run.cancel))))
    run._background = None
    run._show_running(False)
    QApplication.processEvents()
    assert len(places) == 1
    assert panel.size() == before
    panel.close()


def test_it_is_said_for_how_long_no_frame_of_a_live_input_has_come(tmp_path, monkeypatch):
    clock = Mock(perf_counter=Mock(return_value=100.0))
    monkeypatch.setattr("app.panels.export_run.time", clock)
    panel = planned_panel(tmp_path, 1, "http://camera/live")
    told = []
    panel.told.connect(told.append)

    def poll(progress, now_s):
        clock.perf_counter.return_value = now_s
        panel.run._background = Mock(worker=Mock(progress=progress))
        panel.run.job = panel.job()
        panel.run._poll()
        return panel.message.text(), panel.run.left.text(), told[-1]

    fast, slow = Progress(1, 1, 95, None, 15.0, None), Progress(1, 1, 96, None, 0.25, None)
    flows = ("Writing: frame 95. The window goes on meanwhile.", "95 frames · 15 frames/s", "Exporting: 95 frames")
    assert poll(fast, 100.0) == flows
    assert poll(fast, 101.0) == flows
    assert poll(fast, 112.4) == (
        "No new frame for 12 s. The window goes on meanwhile.", "95 frames", "Exporting: 95 frames, none for 12 s",
    )  # fmt: skip
    flows = ("Writing: frame 96. The window goes on meanwhile.", "96 frames · 4.0 s a frame", "Exporting: 96 frames")
    assert poll(slow, 113.0) == flows
    assert poll(slow, 120.0) == flows, "a frame that takes four seconds may be seven seconds old"
    assert poll(slow, 143.0)[0].startswith("No new frame for 30 s.")
    work = Progress(1, 1, 96, None, 0.25, None, work="Working out the plate…")
    assert poll(work, 144.0)[0] == poll(work, 200.0)[0] == work.work
    panel.run._background = None
    panel.close()


def test_frames_of_a_file_may_take_their_time(tmp_path, monkeypatch):
    clock = Mock(perf_counter=Mock(return_value=100.0))
    monkeypatch.setattr("app.panels.export_run.time", clock)
    panel = planned_panel(tmp_path, 1, "film.mp4")
    panel.run.job = panel.job()
    panel.run._background = Mock(worker=Mock(progress=Progress(1, 1, 95, 300, 15.0, 10.0)))
    for clock.perf_counter.return_value in (100.0, 500.0):
        panel.run._poll()
        assert panel.message.text().startswith("Writing: frame 95 of 300.")
    panel.run._background = None
    panel.close()


def test_an_export_says_what_it_does_from_the_first_moment(tmp_path, monkeypatch):
    monkeypatch.setattr("app.panels.export_run.POLL_MS", 1)
    clip = str(write_clip(tmp_path / "film.mkv", 120))
    job = Job(InputSpec(clip), tmp_path / "out", ("mask",), Settings(passes=2))
    panel = ExportPanel(lambda _: job, lambda _: [], ExportChoice())
    said = []
    panel.run.said.connect(said.append)
    panel.run.begin(job)
    assert said == [OPENING]
    await_end(panel)
    assert re.fullmatch(r"Learning: pass 1 of 2, frame \d+ of 120\. The window goes on meanwhile\.", said[1])
    assert any(sentence.startswith("Writing: pass 2 of 2, frame ") for sentence in said)
    panel.close()


def test_an_export_that_is_being_cancelled_says_so_until_it_has_ended(tmp_path):
    panel = planned_panel(tmp_path, 1, "sample:street")
    panel.run._background = Mock(worker=Mock(progress=Progress(1, 4, 3, 12, 8.0, 1.0)))
    panel.run.cancel.click()
    panel.run._poll()
    assert panel.message.text() == "Cancelling…"
    panel.run._background = None
    panel.close()


def test_what_an_export_says_names_the_choices_of_the_panel(tmp_path):
    panel = planned_panel(tmp_path, 1)
    panel.say("1.0 % of the scene was never seen: plate and cleaned frames show a guess there (--save confidence).")
    assert panel.message.text().endswith("show a guess there (tick Confidence).")
    assert panel.form.checks["confidence"].text() == "Confidence"
    panel.close()


def shown_panel(tmp_path, n_frames):
    panel = planned_panel(tmp_path, 1)
    panel.form.show_input(n_frames, live=False, has_rate=True)
    panel.show()
    panel.activateWindow()
    assert QTest.qWaitForWindowActive(panel)
    return panel


def typed(box, text):
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)


@pytest.mark.parametrize(("text", "frame"), [("9999", 1394), ("1395", 1394), ("1394", 1394), ("999", 999), ("0", 0)])
def test_a_frame_behind_the_end_is_the_last_one(tmp_path, text, frame):
    panel = shown_panel(tmp_path, 1394)
    typed(panel.form.last, text)
    QTest.keyClick(panel.form.last, Qt.Key.Key_Tab)
    assert panel.form.last.value() == frame
    assert panel.form.choice.written == (None, frame or None)
    panel.close()


def test_an_end_that_is_moved_past_the_other_takes_it_along(tmp_path):
    form = shown_panel(tmp_path, 100).form
    form.last.setValue(5)
    form.first.setValue(10)
    assert form.choice.written == (form.first.value(), form.last.value()) == (10, 10)
    form.last.setValue(20)
    form.last.setValue(7)
    assert form.choice.written == (form.first.value(), form.last.value()) == (7, 7)
    form.last.setValue(0)
    form.first.setValue(30)
    assert form.choice.written == (30, None)
    form.window().close()


@pytest.mark.parametrize("name", ["first", "last", "passes", "fps"])
def test_a_number_counts_once_when_it_has_been_typed(tmp_path, name):
    panel = shown_panel(tmp_path, 1394)
    panel.form.fps.show()
    changes = []
    panel.form.changed.connect(lambda: changes.append(panel.form.choice))
    typed(box := getattr(panel.form, name), "12")
    assert not changes
    box.clearFocus()
    QApplication.processEvents()
    assert len(changes) == 1
    assert box.value() == 12
    panel.close()


def test_what_is_being_typed_is_exported_by_a_click_that_leaves_it_the_keys(tmp_path, monkeypatch):
    panel = shown_panel(tmp_path, 1394)
    begun = []
    monkeypatch.setattr(panel.run, "begin", lambda _: begun.append(panel.form.choice.written))
    typed(panel.form.last, "120")
    QTest.mouseClick(panel.run.start, Qt.MouseButton.LeftButton)
    assert begun == [(None, 120)]
    panel.close()


def test_quality_is_offered_where_a_format_has_it(tmp_path):
    panel = planned_panel(tmp_path, 1)
    form = panel.form
    assert form.choice.quality == Job(InputSpec("film.mp4"), tmp_path).quality, "not what the command line does"
    for key, offered in {"png": False, "mkv": False, "mp4": True, "hevc": True, "av1": True, "prores": False}.items():
        form.format.setCurrentIndex(form.format.findData(key))
        assert form.quality.isHidden() != offered
        assert form.speed.isHidden() != offered
    form.quality.setCurrentIndex(form.quality.findData("low"))
    assert form.choice.quality == "low"


def test_a_frame_rate_is_asked_for_where_films_are_made_of_what_has_none(tmp_path):
    panel = planned_panel(tmp_path, 1)
    form = panel.form
    for key, has_rate, offered in (("png", False, False), ("mkv", True, False), ("mkv", False, True)):
        form.format.setCurrentIndex(form.format.findData(key))
        form.show_input(9, live=False, has_rate=has_rate)
        assert form.fps.isHidden() != offered
    assert form.choice.fps is None, "what the command line does"
    form.fps.setValue(12.5)
    assert form.choice.fps == 12.5
    form.show_input(9, live=False, has_rate=True)
    assert form.choice.fps is None


def test_names_are_offered_for_images_and_not_for_films_or_pages(tmp_path):
    panel = planned_panel(tmp_path, 3)
    for path, form, offered in (
        ("photos", "png", True), ("photos", "tiff", True), ("photos", "mp4", False), ("cells.tif", "png", True),
        ("cells.tif", "tiff", False), ("photos", "tiff", True),
    ):  # fmt: skip
        job = Job(InputSpec(path), tmp_path / "out", ("mask",), Settings("fast"), format=form)
        panel._job_of = lambda choice, job=job: job
        panel.form.format.setCurrentIndex(panel.form.format.findData(form))
        panel.refresh()
        assert panel.form.names.isVisibleTo(panel) is offered, (path, form)


def choose_format(panel, key):
    panel.form.format.setCurrentIndex(panel.form.format.findData(key))
    panel.form.format.activated.emit(panel.form.format.currentIndex())


def test_tiff_is_called_what_it_becomes_of_the_input(tmp_path):
    panel = planned_panel(tmp_path, 1)
    tiff = panel.form.format.findData("tiff")
    for path, form, called in (
        ("photos", "png", "TIFF images"), ("cells.tif", "png", AS_STACK), ("cells.tif", "tiff", AS_STACK),
        ("film.mp4", "tiff", "TIFF images"),
    ):  # fmt: skip
        job = Job(InputSpec(path), tmp_path / "out", ("mask",), Settings("fast"), format=form)
        panel._job_of = lambda choice, job=job: job
        panel.refresh()
        assert panel.form.format.itemText(tiff) == called, (path, form)
    assert all(words[0].isupper() for words in (*FORMATS.values(), AS_STACK))


def test_a_film_that_is_not_as_deep_as_the_input_says_so_before_it_is_written(tmp_path):
    panel = planned_panel(tmp_path, 1)
    note = panel.form.depth_note
    panel.form.show_input(9, live=False, has_rate=False, bit_depth=16, levels=(715, 2084))
    for key, said in (
        ("png", ""), ("tiff", ""), ("mkv", ""),
        ("mp4", "The film has 8 bits of a sample, the input 16. Its samples from 715 to 2084 become 6 grey levels of "
         "256. PNG images, TIFF images and Lossless film (FFV1) keep all."),
    ):  # fmt: skip
        choose_format(panel, key)
        assert (note.text(), note.isHidden()) == (said, not said), key
    choose_format(panel, "prores4444")
    assert (
        "10 bits of a sample, the input 16. Its samples from 715 to 2084 become 22 grey levels of 1024" in note.text()
    )
    panel.form.show_input(9, live=False, has_rate=True, bit_depth=10)
    assert note.isHidden(), "it keeps them"
    choose_format(panel, "mp4")
    assert note.text().startswith("The film has 8 bits of a sample, the input 10. PNG images,")
    panel.form.show_input(9, live=False, has_rate=True, bit_depth=8)
    assert note.isHidden()


def test_it_is_said_before_that_the_foreground_is_another_film_where_the_one_that_is_chosen_has_no_alpha(tmp_path):
    panel = planned_panel(tmp_path, 1)
    note, foreground = panel.form.alpha_note, panel.form.checks["foreground"]
    foreground.setChecked(True)
    for key in FORMATS:
        choose_format(panel, key)
        is_other = place("foreground", tmp_path, key).suffix != place("cleaned", tmp_path, key).suffix
        assert note.isHidden() is not (is_other or key == "prores"), key
    choose_format(panel, "mp4")
    assert note.text() == "H.264 film has no transparency: the foreground is a ProRes 4444 film (.mov)."
    foreground.setChecked(False)
    assert note.isHidden()


def test_a_film_of_what_was_recorded_at_an_interval_says_how_fast_it_plays(tmp_path):
    panel = planned_panel(tmp_path, 1)
    form = panel.form
    choose_format(panel, "mkv")
    form.show_input(9, live=False, has_rate=False, interval_s=0.5)
    assert form.pace.text() == "12.5 times as fast as recorded: one every 0.5 s"
    form.as_recorded.click()
    assert (form.choice.fps, form.pace.text()) == (2, "as fast as recorded: one every 0.5 s")
    assert form.as_recorded.isHidden()
    form.show_input(9, live=False, has_rate=False, interval_s=1 / 3)
    form.as_recorded.click()
    assert form.as_recorded.isHidden(), "it cannot be closer"
    form.show_input(9, live=False, has_rate=False, interval_s=600.0)
    assert form.pace.text().endswith("one every 10 min")
    assert form.as_recorded.isHidden(), "no film is so slow"
    choose_format(panel, "png")
    assert form.pace.isHidden()
    choose_format(panel, "mkv")
    form.show_input(9, live=False, has_rate=False)
    assert form.pace.isHidden()


def test_where_nothing_opens_the_folder_it_is_said_where_it_is(tmp_path, monkeypatch):
    panel = planned_panel(tmp_path, 3)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    panel.run.written = tmp_path
    panel.run.show_folder.click()
    assert str(tmp_path) in panel.message.text()
    assert panel.message.text().startswith("No program of this desktop opens it. The folder is at ")
    panel.close()


def test_a_folder_of_nobody_s_home_can_be_typed_letter_by_letter(tmp_path):
    panel = planned_panel(tmp_path, 1)
    panel.form.folder.clear()
    QTest.keyClicks(panel.form.folder, "~nobody-is-called-so/out")
    assert panel.form.choice.folder == "~nobody-is-called-so/out"
    panel.form.folder.clear()
    assert not panel.run.start.isEnabled()
    assert panel.message.text() == "Name a folder for the results."
    panel.close()


def test_a_folder_that_cannot_be_called_so_is_told_before_anything_is_begun(tmp_path):
    panel = planned_panel(tmp_path, 1)
    panel.form.folder.setText(f"{tmp_path}/\0x")
    assert panel.message.text() == "No folder can have this name: a character in it is NUL."
    assert not panel.run.start.isEnabled()
    assert not panel.queue.isEnabled()


def free_panel(folder, clip):
    """Return a panel that writes a mask into what its form names."""

    def job(choice):
        return Job(InputSpec(clip), Path(choice.folder), ("mask",), Settings())

    def plan(job):
        return [PlannedFile(job.output / "mask", 1000)]

    return ExportPanel(job, plan, ExportChoice(folder=str(folder)))


def test_at_the_end_it_is_told_what_was_written_and_why_it_cannot_be_again(tmp_path):
    panel = free_panel(tmp_path / "out", str(write_clip(tmp_path / "film.mkv")))
    panel.show()
    panel.run.start.click()
    await_end(panel)
    said = panel.message.text()
    assert said.startswith("Wrote 40 frames in ")
    assert said.endswith("To write again, tick “Replace what is there already” or choose another folder.")
    assert "exists" not in said, "that would read as if it had failed"
    assert not panel.run.start.isEnabled()
    panel.form.overwrite.click()
    assert panel.run.start.isEnabled()
    told = []
    panel.cancelled.connect(lambda: told.append("cancelled"))
    panel.settled.connect(lambda: told.append("settled"))
    panel.run.start.click()
    panel.run.cancel.click()
    await_end(panel)
    assert panel.message.text() == "Cancelled; nothing was written."
    assert told == ["cancelled", "settled"], "a window that waits for its files must learn first that there are none"
    assert panel.form.overwrite.isChecked(), "it was not replaced yet"
    assert panel.run.start.isEnabled()
    panel.run.start.click()
    await_end(panel)
    assert panel.message.text().startswith("Wrote ")
    assert not panel.form.overwrite.isChecked(), "other results are there now"
    panel.form.folder.setText(str(tmp_path))
    (tmp_path / "mask").mkdir()
    panel.refresh()
    assert panel.message.text() == "Output exists: mask. Replace, or choose another folder.", "of somebody else"
    panel.close()


def test_what_lets_an_export_replace_is_in_sight_on_a_low_screen(tmp_path):
    (tmp_path / "out" / "mask").mkdir(parents=True)
    panel = free_panel(tmp_path / "out", str(write_clip(tmp_path / "film.mkv")))
    panel.show()
    panel.resize(600, 420)
    QCoreApplication.processEvents()
    box = panel.form.overwrite
    corner = box.mapTo(panel, box.rect().bottomLeft())
    assert panel.rect().contains(corner)
    assert not box.visibleRegion().isEmpty(), "and not scrolled away"
    panel.close()


def test_the_folder_is_offered_while_it_is_the_one_that_was_written_into(tmp_path):
    panel = free_panel(tmp_path / "out", str(write_clip(tmp_path / "film.mkv")))
    panel.show()
    panel.run.start.click()
    await_end(panel)
    shown = panel.run.show_folder
    assert shown.isVisible()
    panel.form.folder.setText(str(tmp_path / "another"))
    assert not shown.isVisible()
    panel.form.folder.setText(str(tmp_path / "out"))
    assert shown.isVisible()
    panel.close()


def test_it_is_said_at_once_where_there_is_no_room_and_where_a_relative_name_leads(tmp_path, monkeypatch):
    panel = planned_panel(tmp_path, 3)
    assert panel.message.text() == ""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=2_500))
    panel.refresh()
    assert panel.message.text() == "There may be no room: about 3.0 kB are to be written, 2.5 kB are free."
    assert panel.run.start.isEnabled(), "it is an estimate"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=3_500))
    panel.refresh()
    assert panel.message.text() == ""
    monkeypatch.chdir(tmp_path)
    panel._job_of = lambda choice: Job(InputSpec("film.mp4"), Path(choice.folder), ("plate",), Settings("fast"))
    panel.form.folder.setText("results")
    assert panel.message.text() == f"The folder is {tmp_path / 'results'}."


def test_a_bar_says_how_far_an_export_is_and_moves_by_itself_where_no_end_is_known(tmp_path):
    panel = planned_panel(tmp_path, 1, "sample:street")
    panel.run._show_running(True)
    bar = panel.run.progress
    panel.run._background = Mock(worker=Mock(progress=Progress(1, 4, 1, 2, 8.0, 1.0)))
    panel.run._poll()
    assert (bar.minimum(), bar.maximum(), bar.value()) == (0, 8, 1)
    panel.run._background.worker.progress = Progress(1, 1, 5, None, 8.0, None)
    panel.run._poll()
    assert (bar.minimum(), bar.maximum()) == (0, 0)
    panel.run._background = None


def test_a_folder_that_refuses_is_told_apart_from_other_failures(tmp_path):
    clip = write_clip(tmp_path / "film.mkv", 4)
    for source, folder, is_refused in ((clip, clip / "out", True), (tmp_path / "none.mkv", tmp_path / "out", False)):
        job = Job(InputSpec(str(source)), folder, ("mask",), Settings())
        panel = ExportPanel(lambda _, job=job: job, lambda _: [], ExportChoice())
        refused, failed = [], []
        panel.refused.connect(refused.append)
        panel.failed.connect(failed.append)
        panel.run.begin(job)
        await_end(panel)
        assert (refused, len(failed)) == ([job] * is_refused, 1)
        assert failed[0] in panel.message.text()
        panel.close()


def test_a_recording_is_ended_by_a_click_and_one_after_its_end_does_nothing(tmp_path):
    panel = planned_panel(tmp_path, 1, "sample:street")
    panel.run._background = background = Mock()
    panel.run.enough.click()
    panel.run.cancel.click()
    panel.run._background = None
    panel.run.enough.click()
    panel.run.cancel.click()
    background.worker.finish_early.assert_called_once_with()
    background.worker.cancel.assert_called_once_with()


@pytest.mark.parametrize("typed", ["", "30"], ids=["as it opens", "a number is typed"])
def test_enter_exports(tmp_path, monkeypatch, typed):
    chooses = Mock(return_value="")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", chooses)
    panel = planned_panel(tmp_path, 3)
    begun = []
    monkeypatch.setattr(panel.run, "begin", begun.append)
    panel.show()
    QApplication.processEvents()
    target = panel.form.last if typed else panel.focusWidget() or panel
    target.setFocus()
    if typed:
        target.selectAll()
    QTest.keyClicks(target, typed)
    QTest.keyClick(target, Qt.Key.Key_Return)
    assert len(begun) == 1
    assert not chooses.called
    assert panel.form.choice.written == (None, int(typed) if typed else None)
    panel.close()


def test_the_choice_of_a_folder_begins_where_there_is_one_and_enter_exports_into_it_then(tmp_path, monkeypatch):
    chooses = Mock(return_value=str(tmp_path))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", chooses)
    panel = planned_panel(tmp_path, 3)
    panel.form.folder.setText(str(tmp_path / "none yet" / "film"))
    begun = []
    monkeypatch.setattr(panel.run, "begin", begun.append)
    panel.show()
    QApplication.processEvents()
    choose = next(b for b in panel.findChildren(QPushButton) if b.text() == "Choose…")
    choose.setFocus()
    QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    assert chooses.call_args.args[2] == str(tmp_path)
    assert panel.form.choice.folder == str(tmp_path)
    QTest.keyClick(panel.focusWidget(), Qt.Key.Key_Return)
    assert (chooses.call_count, len(begun)) == (1, 1)
    panel.close()


def test_each_note_on_what_was_written_has_a_line_of_its_own(tmp_path):
    panel = planned_panel(tmp_path, 3)
    panel.run.job = panel.job()
    notes = ("Part of the picture changes at once.", "The sound ends early.")
    panel.run.done.emit(Mock(frames=4, seconds=1.0, warnings=notes, cut_short=""))
    assert panel.message.text().splitlines()[1:] == list(notes)
    panel.close()


def panel_that_exports(source, folder):
    """Return a panel whose run reads a file that is there or not, into a folder that can be one or not."""
    job = Job(InputSpec(str(source)), folder, ("mask",), Settings())
    panel = ExportPanel(lambda _: job, lambda _: [PlannedFile(folder / "mask", 1)], ExportChoice(folder="out"))
    panel.show()
    QApplication.processEvents()
    return panel


@pytest.mark.parametrize("how", ["enter", "click"])
def test_a_folder_that_was_refused_is_marked_to_be_typed_anew(tmp_path, how):
    clip = write_clip(tmp_path / "film.mkv", 4)
    panel = panel_that_exports(clip, clip / "out")
    folder = panel.form.folder
    folder.setFocus()
    if how == "enter":
        QTest.keyClick(folder, Qt.Key.Key_Return)
    else:
        panel.form.first.setFocus()
        QTest.mouseClick(panel.run.start, Qt.MouseButton.LeftButton)
    await_end(panel)
    assert panel.focusWidget() is folder, "what is typed now went nowhere"
    QTest.keyClicks(panel.focusWidget(), "elsewhere")
    assert folder.text() == "elsewhere"
    panel.close()


@pytest.mark.parametrize("is_there", [True, False], ids=["done", "failed"])
def test_the_keys_are_where_they_were_once_an_export_has_ended(tmp_path, is_there):
    clip = write_clip(tmp_path / "film.mkv", 4)
    panel = panel_that_exports(clip if is_there else tmp_path / "none.mkv", tmp_path / "out")
    panel.form.last.setFocus()
    QTest.keyClick(panel.form.last, Qt.Key.Key_Return)
    await_end(panel)
    assert panel.focusWidget() is panel.form.last
    panel.close()


def test_who_has_gone_on_elsewhere_in_the_panel_meanwhile_stays_there(tmp_path):
    panel = panel_that_exports(write_clip(tmp_path / "film.mkv", 4), tmp_path / "out")
    panel.form.last.setFocus()
    QTest.keyClick(panel.form.last, Qt.Key.Key_Return)
    panel.command.setFocus()
    await_end(panel)
    assert panel.focusWidget() is panel.command
    panel.close()


def test_a_failure_is_no_hint(tmp_path):
    panel = planned_panel(tmp_path, 1, "sample:street")
    panel.run.failed.emit("The disk is full.")
    assert (panel.message.text().splitlines()[0], panel.message.property("role")) == ("The disk is full.", "bad")
    panel.say("Something else.")
    assert panel.message.property("role") == "caption"
    panel.close()


def test_why_nothing_could_be_exported_goes_with_its_reason(tmp_path):
    why_not = ["A project is being opened; export when it is there."]
    job = Job(InputSpec("film.mp4"), tmp_path / "out", ("plate",), Settings("fast"))
    files = [PlannedFile(tmp_path / "plate.png", 1000)]
    choice = ExportChoice(folder=str(tmp_path))
    panel = ExportPanel(lambda _: job, lambda _: files, choice, why_not=lambda: why_not[0])
    panel.run.start.click()
    assert panel.message.text() == why_not[0]
    panel.refresh()
    assert panel.message.text() == why_not[0]
    why_not[0] = ""
    panel.refresh()
    assert panel.message.text() == ""
