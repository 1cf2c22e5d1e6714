"""The status bar."""

import pytest
from PySide6.QtWidgets import QApplication, QMainWindow

from app import theme
from app.panels.status import StatusBar


@pytest.fixture
def bar(qtbot):
    theme.apply_theme(QApplication.instance(), "dark")
    window, made = QMainWindow(), StatusBar()
    qtbot.addWidget(window)
    made.the_window = window  # It would be gone with its last name.
    window.setStatusBar(made)
    with qtbot.waitExposed(window):
        window.show()
    made.show_state("Learning: iteration 118 of 500", "good")
    made.show_rate(1234.0, "applied to 123456 frames")
    made.show_progress(0.4, 8900)
    made.show_zoom(143)
    return made


def labels(bar):
    return (bar.state, bar.rate, bar.learnt, bar.memory, bar.left, bar.zoom)


@pytest.mark.parametrize("width", [600, 900, 1000, 1440])
def test_nothing_is_cut_whatever_the_width(bar, qtbot, width):
    bar.window().resize(width, 300)
    qtbot.waitUntil(lambda: bar.width() == width)
    seen = [label for label in labels(bar) if label.isVisible()]
    assert bar.state in seen
    for label in seen:
        assert bar.rect().contains(label.geometry()), label.text()
        assert label.width() >= label.sizeHint().width()
        assert label.height() >= label.fontMetrics().height()
    if width == 1440:
        assert len(seen) == len(labels(bar))


def test_how_far_an_export_is_has_room_before_all_that_is_needed_less(bar, qtbot):
    bar.window().resize(900, 300)
    qtbot.waitUntil(lambda: bar.width() == 900)
    bar.show_export("Exporting: 34 %, 2 min 10 s left")
    qtbot.waitUntil(lambda: bar.export.width() >= bar.export.sizeHint().width())
    for label in (bar.state, bar.export):
        assert bar.rect().contains(label.geometry())
        assert label.width() >= label.sizeHint().width()
    bar.show_export("")
    assert not bar.export.isVisible()


def test_that_the_window_closes_afterwards_stands_with_the_export(bar):
    bar.show_export("Exporting: 34 %")
    bar.show_closes(True)
    assert bar.export.text() == "Exporting: 34 % · then the window closes"
    bar.show_export("Exporting: 35 %")
    assert bar.export.text() == "Exporting: 35 % · then the window closes"
    bar.show_closes(False)
    assert bar.export.text() == "Exporting: 35 %"
    bar.show_export("")
    assert not bar.export.isVisible()


def test_what_was_undone_is_said_until_something_else_is_done(bar):
    bar.say_went("Sensitivity back to 50", False)
    assert bar.currentMessage() == "Undone: Sensitivity back to 50"
    bar.forget_went()
    assert bar.currentMessage() == ""
    bar.say_went("Brush", True)
    bar.say_wrote("plate.png")
    bar.forget_went()
    assert bar.currentMessage() == "Wrote plate.png", "that is something else"


def test_what_had_no_room_comes_back(bar, qtbot):
    bar.window().resize(600, 300)
    qtbot.waitUntil(lambda: not bar.zoom.isVisible())
    bar.showMessage("Wrote plate.png")
    bar.window().resize(1440, 300)
    bar.clearMessage()
    qtbot.waitUntil(lambda: all(label.isVisible() for label in labels(bar)))


def test_the_end_of_a_long_name_that_was_written_is_seen(bar, qtbot):
    bar.window().resize(1000, 300)
    qtbot.waitUntil(lambda: bar.width() == 1000)
    bar.say_wrote("/" + "a long folder/" * 30 + "plate.png")
    said = bar.currentMessage()
    assert said.startswith("Wrote /a long")
    assert said.endswith("plate.png")
    assert bar.fontMetrics().horizontalAdvance(said) <= bar.width()


def test_long_work_stands_in_the_place_of_the_state_until_it_is_done(bar):
    work = "Working out the plate from 301 frames…"
    bar.show_work(work)
    assert not bar.rate.text(), "no frame comes meanwhile"
    assert not bar.left.text()
    bar.show_state("Learning", "good")
    assert bar.state.text() == bar.state.accessibleName() == work
    bar.show_work("")
    assert bar.state.text() == "Learning"


def test_a_frame_that_is_on_its_way_stands_in_the_place_of_the_state_and_work_before_both(bar):
    bar.show_state("Finished", "muted")
    bar.show_going("Going to frame 1…")
    assert bar.state.text() == "Going to frame 1…"
    bar.show_state("Paused", "muted")
    assert bar.state.text() == "Going to frame 1…"
    bar.show_work("Compiling for this machine")
    assert bar.state.text() == "Compiling for this machine"
    bar.show_work("")
    assert bar.state.text() == "Going to frame 1…"
    bar.show_going("")
    assert bar.state.text() == "Paused"


def test_learning_on_is_offered_whatever_the_width_and_under_no_message(bar, qtbot):
    bar.window().resize(600, 300)
    bar.show_state("Showing, not learning", "warn")
    assert not bar.learn_on.isVisible()
    bar.offer_learning(True)
    qtbot.waitUntil(lambda: bar.learn_on.isVisible() and bar.width() == 600)
    assert bar.rect().contains(bar.learn_on.geometry())
    with qtbot.waitSignal(bar.learn_on_requested):
        bar.learn_on.click()
    bar.showMessage("Wrote plate.png")
    assert not bar.learn_on.isVisible()
    bar.offer_learning(False)
    bar.clearMessage()
    assert not bar.learn_on.isVisible()
    bar.showMessage("Wrote plate.png")
    bar.offer_learning(True)
    assert not bar.learn_on.isVisible()
    bar.clearMessage()
    assert bar.learn_on.isVisible()


def test_what_is_left_out_makes_all_the_room_that_is_needed_and_no_more(bar, qtbot):
    seen = []
    for width in range(600, 1441, 24):
        bar.window().resize(width, 300)
        qtbot.waitUntil(lambda width=width: bar.width() == width)
        shown = [widget for widget in (*labels(bar), bar.progress) if widget.isVisible()]
        assert bar.progress in shown
        for widget in shown:
            assert bar.rect().contains(widget.geometry()), width
            assert widget.width() >= min(widget.sizeHint().width(), 120), width
        seen.append(len(shown))
    assert seen == sorted(seen)
    assert len(set(seen)) > 2
