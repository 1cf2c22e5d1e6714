import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from app import theme
from app.focus import tab_order
from app.rendering.clock import time_text
from app.views.timeline import Timeline
from tests.app.view_helpers import exposed, keeps, mouse


@pytest.fixture
def timeline(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, Timeline(), 900, 56)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "00:00.000"), (6.6667, "00:06.667"), (59.9996, "01:00.000"), (3723.4, "1:02:03.400"), (-1, "00:00.000")],
)
def test_time_is_written_to_the_millisecond(seconds, text):
    assert time_text(seconds) == text


def test_position_says_time_frame_and_pass(timeline):
    timeline.set_range(240, 30.0)
    timeline.set_position(199, 199 / 30, 0, 2)
    assert timeline.position.text() == "00:06.633 · 200 / 240"
    assert timeline.pass_label.text() == "pass 1 of"
    assert timeline.passes.value() == 2
    assert timeline.slider.value() == 199


def test_the_place_in_a_long_input_never_lies_over_what_is_beside_it(timeline):
    timeline.set_range(5, None)
    QCoreApplication.processEvents()
    width = timeline.position.width()
    timeline.set_range(12000, 10.0)
    assert timeline.position.width() > width
    assert timeline.position.geometry().right() < timeline.pass_label.geometry().left()


def test_the_place_in_another_input_that_is_shorter_is_not_shown(timeline):
    timeline.set_range(240, 30.0)
    timeline.set_position(199, 199 / 30, 0, 1)
    timeline.set_range(5, None)
    assert timeline.position.text() == "frame 1 / 5"
    assert timeline.slider.value() == 0
    timeline.set_position(3, 0.0, 0, 1)
    timeline.set_range(5, None)
    assert timeline.position.text() == "frame 4 / 5", "the same input, told of again"


def test_the_place_in_the_input_before_is_forgotten_where_another_is_as_long(timeline):
    timeline.set_range(40, None)
    timeline.set_position(18, 0.0, 1, 3)
    timeline.go_to(30)
    timeline.begin_another()
    timeline.set_range(40, None)
    assert timeline.position.text() == "frame  1 / 40"
    assert timeline.slider.value() == 0
    assert timeline.pass_label.text() == "pass 1 of"


def test_the_place_in_an_input_that_is_shorter_than_it_declares_is_shown_and_no_more_can_be_sought(timeline):
    timeline.set_range(240, 30.0)
    timeline.set_position(199, 199 / 30, 0, 1)
    timeline.go_to(230)
    assert timeline.position.text() == "00:07.667 · 231 / 240"
    timeline.set_range(200, 30.0)
    assert timeline.position.text() == "00:06.633 · 200 / 200", "there is no frame 231"
    assert timeline.slider.value() == timeline.slider.maximum() == 199


def test_the_passes_in_force_are_shown_though_the_box_has_the_keys(timeline, monkeypatch):
    timeline.set_range(240, 30.0)
    timeline.passes.setFocus()
    timeline.set_position(1, 0.0, 0, 2)
    assert timeline.passes.value() == 2
    timeline.passes.setValue(5)
    timeline.set_position(2, 0.0, 0, 2)
    assert timeline.passes.value() == 5, "that frame is older than the choice"
    timeline.set_position(3, 0.0, 0, 5)
    timeline.set_position(4, 0.0, 0, 2)
    assert timeline.passes.value() == 2
    timeline.passes.selectAll()
    mouse(timeline.passes.lineEdit(), QEvent.Type.MouseButtonPress, (5, 5))
    timeline.passes.lineEdit().setText("7")
    timeline.set_position(5, 0.0, 0, 3)
    assert timeline.passes.text() == "7", "someone types"


def test_passes_chosen_elsewhere_are_shown_before_a_frame_comes(timeline, qtbot, monkeypatch):
    timeline.set_range(240, 30.0)
    with qtbot.assertNotEmitted(timeline.passes_changed):
        timeline.set_passes(3)
    assert timeline.passes.value() == 3
    monkeypatch.setattr("app.views.passes_box.WAIT_S", 0.0)
    timeline.set_position(1, 0.0, 0, 1)
    assert timeline.passes.value() == 1, "the run goes on with its own: a model is applied, say"


def test_frames_without_time_show_no_time(timeline):
    timeline.set_range(12, None)
    timeline.set_position(3, 0.0, 0, 1)
    assert timeline.position.text() == "frame  4 / 12"


def test_a_time_lapse_shows_the_time_in_the_scene_and_pages_go_by_several_frames(timeline):
    timeline.set_range(200, 1 / 90)
    timeline.set_position(3, 270.0, 0, 1)
    assert timeline.position.text() == "04:30.000 ·   4 / 200"
    assert timeline.slider.pageStep() == 10
    timeline.go_to(100)
    assert timeline.position.text() == "2:30:00.000 · 101 / 200", "where it is sought, too"
    timeline.set_range(200, 25.0)
    assert timeline.slider.pageStep() == 25, "else by a second"


def test_an_unknown_length_shows_the_position_only_and_cannot_be_sought(timeline):
    timeline.set_range(None, 25.0)
    timeline.set_position(50, 2.0, 0, 1)
    assert timeline.position.text() == "00:02.000 · 51"
    assert not timeline.slider.isEnabled()
    assert timeline.loop_button.isEnabled()


def test_a_camera_cannot_be_sought_looped_or_read_twice(timeline):
    timeline.set_range(None, 25.0, live=True)
    timeline.set_position(50, 2.0, 0, 1)
    assert not any(
        widget.isEnabled() for widget in (timeline.slider, timeline.first_button, timeline.loop_button, timeline.passes)
    )
    assert timeline.play_button.isEnabled()


def test_a_file_longer_than_it_declared_stretches_the_slider(timeline):
    timeline.set_range(10, 25.0)
    timeline.set_position(14, 14 / 25, 0, 1)
    assert timeline.slider.maximum() == 14
    assert timeline.position.text() == "00:00.560 · 15 / 15"


def test_position_does_not_ask_for_anything(timeline, qtbot):
    timeline.set_range(240, 30.0)
    with qtbot.assertNotEmitted(timeline.seek_requested, wait=200), qtbot.assertNotEmitted(timeline.passes_changed):
        timeline.set_position(100, 3.3, 0, 3)


def handle_x(timeline, index):
    """The point of the slider at which the handle's middle is on a frame."""
    slider = timeline.slider
    return next(x for x in range(slider.width()) if slider.value_at(x) == index)


def test_a_click_seeks_to_exactly_the_frame_it_shows(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(0, 0.0, 0, 1)
    x = handle_x(timeline, 171)
    with qtbot.waitSignal(timeline.seek_requested) as caught:
        mouse(timeline.slider, QEvent.Type.MouseButtonPress, (x, 9))
        mouse(timeline.slider, QEvent.Type.MouseButtonRelease, (x, 9))
    assert caught.args == [171]
    assert timeline.position.text() == "00:05.700 · 172 / 240"


def test_dragging_asks_seldom_and_ends_with_the_frame_let_go_on(timeline, qtbot):
    timeline.set_range(240, 30.0)
    asked = []
    timeline.seek_requested.connect(asked.append)
    mouse(timeline.slider, QEvent.Type.MouseButtonPress, (10, 9))
    for x in range(10, 300, 2):
        mouse(timeline.slider, QEvent.Type.MouseMove, (x, 9), held=Qt.MouseButton.LeftButton)
    last = timeline.slider.value()
    mouse(timeline.slider, QEvent.Type.MouseButtonRelease, (298, 9))
    qtbot.waitUntil(lambda: bool(asked) and asked[-1] == last)
    assert len(asked) <= 3


def test_frames_from_before_a_seek_do_not_move_the_slider_back(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(5, 0.2, 0, 1)
    with qtbot.waitSignal(timeline.seek_requested):
        timeline.slider.setValue(200)
    timeline.set_position(6, 0.2, 0, 1)
    assert timeline.slider.value() == 200
    timeline.set_position(200, 6.7, 0, 1)
    timeline.set_position(201, 6.7, 0, 1)
    assert timeline.slider.value() == 201


def test_arrow_keys_seek_by_one_frame_and_are_the_sliders_own(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(100, 3.3, 0, 1)
    with qtbot.waitSignal(timeline.seek_requested) as caught:
        qtbot.keyClick(timeline.slider, Qt.Key.Key_Right)
    assert caught.args == [101]


def test_a_click_on_the_slider_leaves_the_arrow_keys_to_the_window_and_the_tab_key_gives_them_to_it(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(100, 3.3, 0, 1)
    timeline.play_button.setFocus()
    with qtbot.waitSignal(timeline.seek_requested):
        QTest.mouseClick(timeline.slider, Qt.MouseButton.LeftButton, pos=timeline.slider.rect().center())
    assert not timeline.slider.hasFocus()
    assert timeline.slider in tab_order(timeline)
    timeline.slider.setFocus(Qt.FocusReason.TabFocusReason)
    assert keeps(timeline.slider, Qt.Key.Key_Left)


def test_buttons_ask_and_the_answer_is_shown(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(0, 0.0, 0, 1)
    with qtbot.waitSignal(timeline.play_toggled) as play:
        timeline.play_button.click()
    assert play.args == [True]
    assert timeline.play_button.accessibleName() == "Play"
    timeline.set_playing(True)
    assert timeline.play_button.accessibleName() == "Pause"
    with qtbot.waitSignal(timeline.play_toggled) as pause:
        timeline.play_button.click()
    assert pause.args == [False]
    with qtbot.waitSignal(timeline.step_requested):
        timeline.step_button.click()
    with qtbot.waitSignal(timeline.seek_requested) as first:
        timeline.first_button.click()
    assert first.args == [0]
    with qtbot.waitSignal(timeline.loop_changed) as loop:
        timeline.loop_button.click()
    assert loop.args == [True]
    with qtbot.waitSignal(timeline.passes_changed) as passes:
        timeline.passes.setValue(3)
    assert passes.args == [3]


def test_without_input_nothing_can_be_pressed(timeline):
    timeline.set_range(None, None)
    timeline.show_nothing()
    assert timeline.position.text() == "no input"
    assert not timeline.play_button.isEnabled()


def test_every_control_has_a_name_and_says_what_it_does(timeline):
    for widget in (
        timeline.first_button, timeline.play_button, timeline.step_button, timeline.loop_button, timeline.slider,
        timeline.passes,
    ):  # fmt: skip
        assert widget.accessibleName()
        assert len(widget.toolTip()) > 3


@pytest.mark.parametrize(("n_frames", "shown"), [(200, 199), (199, 0)], ids=["the last frame", "one behind it"])
def test_a_place_just_behind_the_end_is_one_of_another_input(timeline, n_frames, shown):
    timeline.set_range(240, 30.0)
    timeline.set_position(199, 199 / 30, 0, 1)
    timeline.set_range(n_frames, None)
    assert timeline.position.text() == f"frame {shown + 1:>3} / {n_frames}"
    assert timeline.slider.value() == shown


def test_a_frame_that_was_sought_is_waited_for_until_it_is_said_that_it_does_not_come(timeline, qtbot):
    timeline.set_range(240, 30.0)
    with qtbot.waitSignal(timeline.seek_requested):
        timeline.slider.setValue(200)
    timeline.show_going_to(200)
    timeline.set_position(6, 0.2, 0, 1)
    assert timeline.slider.value() == 200
    timeline.show_going_to(None)
    assert timeline.slider.value() == 6
    timeline.set_position(7, 0.2, 0, 1)
    assert timeline.slider.value() == 7


def test_the_handle_and_the_number_go_at_once_to_a_frame_that_was_sought_elsewhere(timeline, qtbot):
    timeline.set_range(240, 30.0)
    timeline.set_position(239, 239 / 30, 0, 1)
    with qtbot.assertNotEmitted(timeline.seek_requested, wait=200):
        timeline.show_going_to(0)
        assert timeline.slider.value() == 0
        assert timeline.position.text() == "00:00.000 ·   1 / 240"
        timeline.set_position(239, 239 / 30, 0, 1)  # One from before.
        assert timeline.slider.value() == 0


def test_a_handle_in_someones_hand_stays_there_whatever_was_sought(timeline):
    timeline.set_range(240, 30.0)
    mouse(timeline.slider, QEvent.Type.MouseButtonPress, (handle_x(timeline, 171), 9))
    for sought in (20, None):
        timeline.show_going_to(sought)
        assert timeline.slider.value() == 171
