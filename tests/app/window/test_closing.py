"""What was agreed to for one closing of the window does not hold for the next."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.window import closing
from app.window.closing import Closing

pytestmark = pytest.mark.usefixtures("qapp")

EXPORT, QUEUE, UNSAVED = "An export is still running.", "The queue is still at work.", "day has changes."


class Queue(SimpleNamespace):
    """At work, until the window has gone."""

    def __init__(self):
        super().__init__(is_busy=True, may_go_on=False)

    def let_go_on(self):
        self.may_go_on = True
        return True

    def let_stop(self):
        self.may_go_on = False


class Export(QObject):
    """Writes a file, and could do so again."""

    failed, cancelled, settled = Signal(str), Signal(), Signal()
    is_running, is_recording, is_completing = True, False, False


class Project(QObject):
    """Has changes, which cannot be saved at first."""

    settled, worked, kept = Signal(), Signal(), Signal(bool)
    is_modified = True
    unsaved = UNSAVED

    def save(self):
        self.settled.emit()


class Window(QWidget):
    """Closes as the main window does."""

    def __init__(self):
        super().__init__()
        self.export, self.queue, self.project = Export(), Queue(), Project()
        self.closing = Closing(self, self.export, self.queue, self.project, lambda: None, self.keep)
        self.n_kept = 0

    def keep(self):
        self.n_kept += 1
        return True

    def closeEvent(self, event):
        event.setAccepted(self.closing.may_close())

    def asks(self):
        return self.closing.question.text()

    def push(self, words):
        next(button for button in self.closing.question.buttons() if button.text() == words).click()


@pytest.fixture
def window():
    window = Window()
    window.show()
    window.close()
    yield window
    window.closing.close_unasked()


def test_a_saving_that_fails_ends_neither_the_export_nor_the_queue_of_the_next_closing(window):
    window.push("Cancel the export and close")
    window.push("Stop and close")
    assert window.asks() == UNSAVED
    window.push("Save")
    assert window.isVisible()
    window.close()
    assert window.asks() == EXPORT
    window.push("Cancel the export and close")
    assert window.asks() == QUEUE


def test_who_keeps_the_queue_keeps_the_export_too(window):
    window.push("Cancel the export and close")
    window.push("Do not close")
    window.close()
    assert window.asks() == EXPORT


def test_the_queue_stops_where_that_was_said_last(window):
    window.push("Cancel the export and close")
    window.push("Keep running")
    assert window.queue.may_go_on
    window.push("Stay")
    assert not window.queue.may_go_on
    window.close()
    window.push("Cancel the export and close")
    window.queue.may_go_on, window.project.unsaved = True, ""
    window.push("Stop and close")
    assert not window.queue.may_go_on
    assert not window.isVisible()


def test_what_was_agreed_to_holds_until_the_project_is_saved(window):
    window.push("Cancel the export and close")
    window.push("Keep running")
    window.project.is_modified, window.project.unsaved = False, ""
    window.push("Save")
    assert window.queue.may_go_on
    assert not window.isVisible()


def test_work_that_was_to_be_discarded_is_asked_for_again_where_the_window_stayed(window):
    window.export.is_running = window.queue.is_busy = False
    window.push("Cancel the export and close")
    window.queue.is_busy = True  # This window takes over what another has begun.
    window.push("Discard")
    assert window.asks() == QUEUE
    window.push("Do not close")
    window.queue.is_busy = False
    window.close()
    assert window.isVisible()
    assert window.asks() == UNSAVED
    window.closing.close_unasked()
    assert not window.closing.is_settled


WAITS = "Close when it is done"


def end_export(window):
    window.export.is_running = False
    window.export.settled.emit()


def test_the_window_closes_once_the_export_is_done_where_that_was_said(window):
    window.push(WAITS)
    window.push("Stop and close")
    window.push("Discard")
    assert window.isVisible(), "the export is not done yet"
    end_export(window)
    assert not window.isVisible()


def test_it_is_told_that_the_window_will_close_and_can_be_taken_back(window):
    window.queue.is_busy, window.project.unsaved, told = False, "", []
    window.closing.waits_changed.connect(told.append)
    window.push(WAITS)
    assert told == [True]
    window.close()
    window.push(WAITS)
    assert told == [True], "it is as it was"
    window.closing.keep_open()
    assert told == [True, False]
    end_export(window)
    assert window.isVisible()


def test_work_that_was_done_while_the_export_ended_is_asked_for(window):
    window.queue.is_busy, window.project.unsaved = False, ""
    window.push(WAITS)
    assert window.isVisible()
    window.project.unsaved = UNSAVED
    end_export(window)
    assert window.isVisible()
    assert window.asks() == UNSAVED


@pytest.mark.parametrize("leave", ["Save", "Discard"])
def test_work_that_was_done_after_other_work_was_discarded_is_asked_for(window, leave):
    window.queue.is_busy = False
    window.push(WAITS)
    window.push("Discard")
    assert window.isVisible(), "the export is not done yet"
    window.project.worked.emit()
    end_export(window)
    assert window.isVisible()
    assert window.asks() == UNSAVED
    if leave == "Save":
        window.project.is_modified, window.project.unsaved = False, ""
    window.push(leave)
    assert not window.isVisible()


@pytest.mark.parametrize("leave", ["Keep exporting", "failed", "cancelled"])
def test_who_closes_when_the_export_is_done_may_change_their_mind_and_stays_where_nothing_comes_of_it(window, leave):
    window.queue.is_busy, window.project.unsaved = False, ""
    window.push(WAITS)
    if leave == "failed":
        window.export.failed.emit("The disk is full.")
    elif leave == "cancelled":
        window.export.cancelled.emit()
    else:
        window.close()
        assert window.asks() == EXPORT
        window.push(leave)
    end_export(window)
    assert window.isVisible()


def test_who_waits_for_the_export_may_cancel_it_and_close(window):
    window.queue.is_busy, window.project.unsaved = False, ""
    window.push(WAITS)
    window.close()
    window.push("Cancel the export and close")
    assert not window.isVisible()


def test_the_queue_goes_on_where_the_window_closes_on_an_export_that_it_cancels(window):
    window.project.unsaved = ""
    window.push("Cancel the export and close")
    window.push("Keep running")
    window.export.cancelled.emit()
    assert window.queue.may_go_on
    assert not window.isVisible()


def test_what_ends_the_program_waits_for_no_export_that_a_person_waits_for(window):
    window.push(WAITS)
    window.closing.close_unasked()
    assert not window.isVisible()


def test_a_window_that_a_signal_closes_stays_where_that_is_asked_for(qapp):
    window = Window()
    window.queue.is_busy, window.project.unsaved = False, ""
    window.export.is_recording, window.export.complete_recording = True, lambda: None
    window.show()
    window.closing.close_unasked()
    window.closing.keep_open()
    window.export.is_running = window.export.is_recording = False
    window.export.settled.emit()
    assert window.isVisible()
    window.close()


def test_the_end_of_a_session_waits_until_the_work_is_kept(window):
    QTimer.singleShot(0, lambda: window.project.kept.emit(window.n_kept == 1))
    answers = []
    window.project.kept.connect(answers.append)
    window.closing.on_session_end(SimpleNamespace())
    assert answers == [True]
    window.project.is_modified = False
    window.closing.on_session_end(SimpleNamespace())
    assert window.n_kept == 1, "what is saved is not kept once more"
    assert window.isVisible()


def test_the_end_of_a_session_is_not_held_up_for_ever(window, monkeypatch):
    monkeypatch.setattr(closing, "KEEPING_MS", 1)
    window.closing.on_session_end(SimpleNamespace())
    assert window.n_kept == 1
