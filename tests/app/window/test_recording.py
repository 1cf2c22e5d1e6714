"""What a camera gave is not lost where the window closes: it cannot be exported again."""

import signal
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.engine.state import State
from app.interrupts import ENDING
from core.errors import CleanplateError
from core.export.writer import ResultWriter
from core.io.sources import camera
from tests.app.windows import open_window, wait_for
from tests.plugged import Plugged

pytestmark = pytest.mark.usefixtures("qapp")

FINISH, KEEP, DISCARD = "Finish it and close", "Keep recording", "Discard it and close"
ALL = {"plate.png", "mask", "cleaned"}
AWAIT, STAY = "Close when it is complete", "Keep the window open"


@pytest.fixture
def recording(tmp_path, monkeypatch):
    """Give a window that records a camera into the folder ``out``."""
    monkeypatch.setattr(camera.cv2, "VideoCapture", Plugged().capture)
    with open_window("camera:0", tmp_path) as window:
        export = window.commands.export
        export.open()
        export.panel.form.folder.setText(str(tmp_path / "out"))
        export.panel.run.start.click()
        export.panel.close()
        assert not (tmp_path / "out").exists()
        wait_for(lambda: "frame" in export.panel.run.left.text(), "the first frames")
        before = [signal.getsignal(number) for number in ENDING]
        yield window
        for number, handler in zip(ENDING, before, strict=True):
            signal.signal(number, handler)  # The window's go with it.
        if window.isVisible():
            export.panel.run.give_up()
            wait_for(lambda: not export.is_running, "the end")


def written(folder):
    return {path.name for path in folder.iterdir()}


def answers(window):
    assert window.closing.question.isVisible()
    return {button.text(): button for button in window.closing.question.buttons()}


def test_who_closes_is_offered_to_finish_first_and_the_window_answers_until_that_is_done(recording, tmp_path):
    assert not recording.close()
    question = recording.closing.question
    assert question.text() == "A recording is running."
    assert question.defaultButton().text() == FINISH
    assert question.escapeButton().text() == KEEP
    answers(recording)[FINISH].click()
    assert recording.isVisible(), "nothing is waited for on the window's thread"
    assert recording.parts.status.export.text() == "Completing the recording… · then the window closes"
    wait_for(lambda: not recording.isVisible(), "the end")
    assert written(tmp_path / "out") == ALL


def test_who_keeps_recording_or_discards_gets_that(recording, tmp_path):
    recording.close()
    answers(recording)[KEEP].click()
    assert recording.isVisible()
    n = recording.commands.export.panel.run.left.text()
    wait_for(lambda: recording.commands.export.panel.run.left.text() != n, "more frames")
    recording.close()
    answers(recording)[DISCARD].click()
    assert not recording.isVisible()
    assert not (tmp_path / "out").exists()


def test_work_that_is_not_saved_is_asked_about_before_the_recording_is_ended(recording, tmp_path, monkeypatch):
    project = recording.commands.project
    monkeypatch.setattr(type(project), "unsaved", "There are changes.")
    recording.close()
    answers(recording)[FINISH].click()
    assert recording.closing.question.text() == "There are changes."
    answers(recording)["Stay"].click()
    assert not recording.commands.export.is_completing, "who stays goes on recording"
    recording.close()
    answers(recording)[FINISH].click()
    answers(recording)["Discard"].click()
    wait_for(lambda: not recording.isVisible(), "the end")
    assert written(tmp_path / "out") == ALL


@pytest.mark.parametrize("answer", [AWAIT, STAY, DISCARD])
def test_closing_while_a_recording_is_completed_asks_something_else(recording, tmp_path, monkeypatch, answer):
    run = recording.commands.export.panel.run
    monkeypatch.setattr(run._background.worker, "finish_early", lambda: None)  # It takes long.
    run.enough.click()
    recording.close()
    assert recording.closing.question.text() == "A recording is being completed."
    answers(recording)[answer].click()
    assert recording.isVisible() == (answer != DISCARD)
    if answer != DISCARD:
        run._background.worker._enough.set()
        wait_for(lambda: not run.is_running, "the end")
        assert recording.isVisible() == (answer == STAY)
        assert written(tmp_path / "out") == ALL


def test_a_recording_that_cannot_be_completed_keeps_the_window(recording, monkeypatch):
    def fail(*_):
        raise CleanplateError("The drive is gone.")

    monkeypatch.setattr(ResultWriter, "finish", fail)
    recording.close()
    answers(recording)[FINISH].click()
    wait_for(lambda: not recording.commands.export.is_running, "the end")
    assert recording.isVisible()
    assert recording.parts.banner.text == "The drive is gone."
    recording.close()
    assert not recording.isVisible(), "nothing is left to be asked"


def test_the_window_stays_where_what_it_waits_for_is_cancelled_in_the_panel(recording, monkeypatch):
    run = recording.commands.export.panel.run
    monkeypatch.setattr(run._background.worker, "finish_early", lambda: None)  # It takes long.
    recording.close()
    answers(recording)[FINISH].click()
    run.give_up()
    wait_for(lambda: not run.is_running, "the end")
    assert recording.isVisible()
    assert recording.parts.status.export.text() == ""
    recording.close()
    assert not recording.isVisible(), "nothing is left to be asked"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_completes_a_recording_and_closes(recording, tmp_path, name):
    recording.closing.close_on_signals()
    signal.raise_signal(getattr(signal, name))
    if hasattr(signal, "SIGHUP"):
        signal.raise_signal(signal.SIGHUP)  # A session that ends sends both at once.
    wait_for(lambda: not recording.isVisible(), "the end")
    assert written(tmp_path / "out") == ALL


def test_a_second_signal_gives_a_recording_up(recording, tmp_path, monkeypatch):
    monkeypatch.setattr(recording.commands.export.panel.run._background.worker, "finish_early", lambda: None)
    recording.closing.close_on_signals()
    signal.raise_signal(signal.SIGTERM)
    wait_for(lambda: recording.commands.export.is_completing, "the first")
    recording.close()
    assert recording.isVisible(), "a click does not give up what a signal completes"
    signal.raise_signal(signal.SIGTERM)
    wait_for(lambda: not recording.isVisible(), "the end")
    assert not (tmp_path / "out").exists()


def test_the_end_of_a_session_waits_for_a_recording_and_the_window_answers_meanwhile(recording, tmp_path):
    recording.closing.close_on_signals()
    answered, states = [], []
    recording.worker.state_changed.connect(states.append)
    QTimer.singleShot(0, lambda: answered.append(recording.commands.export.is_completing))
    recording.closing.on_session_end(SimpleNamespace())
    assert answered == [True]
    assert State.PAUSED in states, "completing it is all that there is time for"
    assert written(tmp_path / "out") == ALL
    assert recording.isVisible(), "whether the session really ends is asked of others, too"
    assert QApplication.instance().receivers("2commitDataRequest(QSessionManager&)") == 1


@pytest.fixture
def cancelling(recording):
    """Give the run of a recording whose *Cancel* was clicked, and the buttons of the question by their words."""
    run = recording.commands.export.panel.run
    recording.commands.export.open()
    run.cancel.click()
    return run, {button.text(): button for button in run.question.buttons()}


def test_who_cancels_a_recording_is_asked_and_keeps_it_unless_it_is_discarded(cancelling, tmp_path):
    run, answers = cancelling
    question = run.question
    assert (question.isVisible(), question.text()) == (True, "A recording is running.")
    assert question.defaultButton() is question.escapeButton() is answers[KEEP]
    answers[KEEP].click()
    n = run.left.text()
    wait_for(lambda: run.left.text() != n, "more frames")
    run.cancel.click()
    next(button for button in run.question.buttons() if button.text() == "Discard it").click()
    wait_for(lambda: not run.is_running, "the end")
    assert not (tmp_path / "out").exists()


def test_who_cancels_a_recording_may_finish_it_instead(cancelling, tmp_path):
    run, answers = cancelling
    answers["Finish it here"].click()
    wait_for(lambda: not run.is_running, "the end")
    assert run.question is None
    assert written(tmp_path / "out") == ALL


def test_the_question_goes_with_the_recording_and_while_that_is_completed_it_is_another(cancelling, tmp_path):
    run, _ = cancelling
    run.complete()
    run.cancel.click()
    assert run.question.text() == "A recording is being completed."
    assert {button.text() for button in run.question.buttons()} == {"Discard it", "Keep completing"}
    wait_for(lambda: not run.is_running, "the end")
    assert run.question is None
    assert written(tmp_path / "out") == ALL
