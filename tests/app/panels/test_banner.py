from itertools import combinations
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QClipboard, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from app import theme
from app.panels.banner import MOST, Banner, Offer
from app.panels.sentence import Sentence
from tests.app.view_helpers import drag, exposed


@pytest.fixture
def banner(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, Banner(), 600, 40)


def dismiss(banner):
    QTest.mouseClick(banner.findChild(QToolButton), Qt.MouseButton.LeftButton)


def read_all(banner):
    """Return each sentence as a person meets it, with what is said of those that wait."""
    read = []
    while banner.isVisible():
        read.append((banner.text, banner.more.text() if banner.more.isVisible() else ""))
        dismiss(banner)
    return read


def test_a_sentence_that_another_follows_is_read_once_that_is_dismissed(banner):
    banner.show_warning("The method is another.")
    banner.show_warning("The file ends early.")
    assert read_all(banner) == [("The file ends early.", "1 more"), ("The method is another.", "")]
    assert banner.text == ""


def test_the_newest_is_read_first_whatever_nobody_has_dismissed_yet(banner):
    banner.show_warning("The method is another.")
    banner.show_error("A camera cannot be compared on.")
    banner.show_error("A camera has no end.")
    banner.show_reading(["The camera is gone."])
    assert read_all(banner) == [
        ("The camera is gone.", "3 more"),
        ("A camera has no end.", "2 more"),
        ("A camera cannot be compared on.", "1 more"),
        ("The method is another.", ""),
    ]


def test_what_is_counted_on_stays_behind_what_came_since_until_more_is_to_be_said(banner):
    banner.show_reading(["1 image was skipped."])
    banner.show_error("The disk is full.")
    banner.show_reading(["2 images were skipped."])
    assert banner.text == "The disk is full."
    banner.show_reading(["2 images were skipped.", "One is grey."])
    assert read_all(banner) == [("2 images were skipped. One is grey.", "1 more"), ("The disk is full.", "")]


def test_what_is_said_twice_is_read_once(banner):
    for sentence in ("One.", "Two.", "One."):
        banner.show_error(sentence)
    assert [sentence for sentence, _ in read_all(banner)] == ["One.", "Two."]


def test_what_was_skipped_stands_there_once_as_it_now_is_and_goes_alone(banner):
    banner.show_reading(["1 image was skipped."])
    banner.show_warning("The method is another.")
    banner.show_reading(["2 images were skipped.", "One is grey."])
    assert banner.text == "2 images were skipped. One is grey."
    assert banner.more.text() == "1 more"
    banner.show_reading([])
    assert read_all(banner) == [("The method is another.", "")]


def test_what_can_be_done_about_what_was_read_goes_with_it(banner, qtbot):
    done = []
    banner.show_reading(["These look like different pictures."], Offer("Use it", "Apply it.", lambda: done.append(1)))
    qtbot.mouseClick(banner.offer, Qt.MouseButton.LeftButton)
    assert (done, banner.text) == ([1], "")
    banner.show_reading(["1 image was skipped."])
    assert not banner.offer.isVisibleTo(banner)


def test_what_goes_well_takes_the_errors_away_and_leaves_the_rest(banner):
    banner.show_warning("The method is another.")
    banner.show_error("The file is absent.")
    banner.clear_error()
    assert banner.text == "The method is another."
    banner.clear()
    assert not banner.isVisible()


def test_sentences_that_nobody_reads_do_not_pile_up(banner):
    for i in range(MOST + 30):
        banner.show_error(f"Error {i}.")
    assert len(read_all(banner)) == MOST


def test_an_error_is_not_lost_among_warnings(banner):
    banner.show_error("The disk is full.")
    for i in range(MOST + 30):
        banner.show_warning(f"Warning {i}.")
    read = [sentence for sentence, _ in read_all(banner)]
    assert len(read) == MOST
    assert read[-1] == "The disk is full."


def test_what_a_person_can_do_about_a_sentence_stands_beside_it_alone(banner):
    done = []
    banner.show_warning("The method is another.", Offer("Reset", "Set it back.", lambda: done.append(banner.text)))
    assert banner.offer.isVisible()
    assert banner.offer.text() == "Reset"
    banner.show_error("The disk is full.")
    assert not banner.offer.isVisible()
    dismiss(banner)
    banner.offer.click()
    assert done == [""]
    assert not banner.isVisible()


def test_what_can_be_done_stays_beside_an_error_whoever_says_it_first(banner):
    done = []
    find = Offer("Find it…", "Say where.", lambda: done.append("find"))
    for first, second in ((None, find), (find, None)):
        banner.clear()
        banner.show_error("It is gone.", first)
        banner.show_error("It is gone.", second)
        assert not banner.more.isVisible()
        banner.offer.click()
    assert done == ["find", "find"]


def test_news_are_told_apart_from_warnings_and_go_by_themselves(banner, qtbot, monkeypatch):
    banner._news_timer.setInterval(30)
    banner.show_warning("The file ends early.")
    warned = banner.grab().toImage()
    banner.show_news("The method is another.")
    assert banner.text == "The method is another."
    assert banner.grab().toImage() != warned
    monkeypatch.setattr(banner, "underMouse", lambda: True)
    qtbot.wait(100)
    assert banner.text == "The method is another.", "while the pointer is on it, it may be read"
    monkeypatch.setattr(banner, "underMouse", lambda: False)
    qtbot.waitUntil(lambda: banner.text == "The file ends early.")
    qtbot.wait(100)
    assert banner.text == "The file ends early.", "a warning stays"
    banner.show_news("The method is another.")
    banner.show_error("The disk is full.")
    qtbot.wait(100)
    dismiss(banner)
    assert banner.text == "The method is another.", "nobody has read it yet"
    qtbot.waitUntil(lambda: banner.text == "The file ends early.")


def test_what_was_skipped_goes_from_sight_once_nothing_is(banner):
    banner.show_reading(["1 image was skipped."])
    assert "1 image was skipped." in [label.text() for label in banner.findChildren(QLabel)]
    banner.show_reading([])
    assert not banner.isVisible()
    assert "1 image was skipped." not in [label.text() for label in banner.findChildren(QLabel)]


def test_errors_warnings_and_news_are_told_apart_by_their_looks(banner):
    looks = []
    for show in (banner.show_error, banner.show_warning, banner.show_news):
        show("The same sentence.")
        looks.append(banner.grab().toImage())
        banner.clear()
    assert all(a != b for a, b in combinations(looks, 2))


def test_a_name_longer_than_a_line_is_shown_whole_and_copied_as_it_is(banner):
    name = "a_long_walk_through_the_town" * 8 + ".mkv"
    banner.show_error(f"The input {name} is not there any more.")
    sentence = banner.findChild(Sentence)
    assert banner.minimumSizeHint().width() < 600
    shown = sentence.fontMetrics().boundingRect(
        QRect(0, 0, sentence.width(), 1000), Qt.TextFlag.TextWordWrap, sentence.text()
    )
    assert shown.width() <= sentence.width()
    assert sentence.heightForWidth(sentence.width()) >= 3 * sentence.fontMetrics().height()
    assert sentence.accessibleName() == banner.text
    sentence.setSelection(0, len(sentence.text()))
    QTest.keyClick(sentence, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == banner.text


def dark_rows(image):
    """Return how many rows of an image differ from its upper left corner."""
    ground = image.pixel(0, 0)
    return sum(any(image.pixel(x, y) != ground for x in range(image.width())) for y in range(image.height()))


def test_the_dots_of_a_capital_are_drawn_whole(qtbot):
    sentence = Sentence()
    sentence.say("Ü")
    drawn = exposed(qtbot, sentence, 40, sentence.sizeHint().height()).grab().toImage()
    free = QImage(40, 80, QImage.Format.Format_RGB32)
    free.fill(sentence.palette().window().color())
    painter = QPainter(free)
    painter.setPen(sentence.palette().windowText().color())
    painter.setFont(sentence.font())
    painter.drawText(5, 40, "Ü")
    painter.end()
    assert dark_rows(drawn) == dark_rows(free)


class Clipboard:
    """That of a desktop where what is marked is pasted by the middle button."""

    def __init__(self):
        self.marked = "something else"

    def supportsSelection(self):
        return True

    def setText(self, text, mode):
        assert mode is QClipboard.Mode.Selection
        self.marked = text


def test_what_is_marked_with_the_mouse_is_pasted_as_it_was_said(banner, monkeypatch):
    clipboard = Clipboard()
    monkeypatch.setattr("app.panels.sentence.QGuiApplication", Mock(clipboard=lambda: clipboard))
    banner.show_error(f"/films/{'a_long_walk_through_the_town' * 3}.mkv is not there any more.")
    sentence = banner.findChild(Sentence)
    start, end = (1.0, sentence.height() / 2), (sentence.width() - 1.0, sentence.height() - 2.0)
    drag(sentence, start, end)
    assert "\u200b" in sentence.selectedText()
    assert len(clipboard.marked) > 20
    assert clipboard.marked in banner.text
    drag(sentence, start, start)
    assert not sentence.hasSelectedText(), "Qt would let it be dragged elsewhere, gaps and all"


def test_what_was_not_saved_is_said_until_something_is(banner):
    banner.show_error("The file is absent.")
    banner.show_not_saved("day.json could not be written; choose another folder.")
    assert banner.text.startswith("day.json")
    banner.withdraw_not_saved()
    assert read_all(banner) == [("The file is absent.", "")]


def test_a_run_that_begins_or_another_input_leave_what_was_not_saved(banner):
    for forget in (banner.clear_error, banner.clear):
        banner.show_error("The file is absent.")
        banner.show_not_saved("The disk is full.")
        forget()
        assert read_all(banner) == [("The disk is full.", "")]
