"""Controls built from the catalogue."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QSpinBox, QVBoxLayout, QWidget

from app.count_words import counted
from app.panels.controls import Column, Facts, Segmented, keep_wheel_off
from app.panels.export import format_bytes
from app.panels.list_control import ListControl
from app.panels.number_box import format_number
from app.panels.parameter import ChoiceControl, SwitchControl
from app.panels.parameters import ParameterForm, control_for
from app.panels.scale import Scale
from app.panels.slider import SliderControl
from app.panels.status import format_time_left
from core.catalogue import MASK_PARAMETERS, METHODS, listed_parameters
from core.parameter import Parameter

pytestmark = pytest.mark.usefixtures("qapp")
# Many methods share parameters to the letter.
EVERY = list(dict.fromkeys([*(p for row in METHODS.values() for p in listed_parameters(row)), *MASK_PARAMETERS]))
NUMBERS = [p for p in EVERY if p.kind in (int, float)]


def told(control):
    said = []
    control.changed.connect(lambda name, value: said.append((name, value)))
    return said


@pytest.mark.parametrize("parameter", EVERY, ids=lambda p: p.name)
def test_every_parameter_has_a_control_that_starts_with_its_default(parameter):
    assert control_for(parameter).value == parameter.default


@pytest.mark.parametrize("parameter", NUMBERS, ids=lambda p: p.name)
def test_a_slider_reaches_both_ends_and_every_value_is_allowed(parameter):
    control = SliderControl(parameter)
    said = told(control)
    for step in (control.slider.maximum(), control.slider.minimum(), control.slider.maximum() // 3):
        control.slider.setValue(step)
        parameter.check(control.value)
    assert said
    control.slider.setValue(control.slider.maximum())
    assert control.value == parameter.high
    control.slider.setValue(control.slider.minimum())
    assert control.value == parameter.low


AUTOMATIC = [p for p in NUMBERS if p.automatic]


@pytest.mark.parametrize("parameter", AUTOMATIC, ids=lambda p: p.name)
def test_leaving_automatic_takes_over_the_value_in_force(parameter):
    control = SliderControl(parameter)
    said = told(control)
    in_force = parameter.kind(parameter.low + (parameter.high - parameter.low) / 50)
    control.show_automatic(in_force)
    assert control.value is None
    assert control.box.value() == pytest.approx(in_force)
    assert control.box.text() != "auto"
    control.auto.click()
    assert said == [(parameter.name, pytest.approx(in_force))]
    control.show_automatic(parameter.high)
    assert control.value == pytest.approx(in_force)
    control.auto.click()
    assert control.value is None
    control.show_automatic(parameter.high)
    assert control.box.value() == parameter.high


@pytest.mark.parametrize("parameter", AUTOMATIC, ids=lambda p: p.name)
def test_what_stood_for_an_automatic_value_is_forgotten_and_a_persons_is_kept(parameter):
    control = SliderControl(parameter)
    said, at_first = told(control), (control.box.text(), control.slider.value())
    control.show_automatic(parameter.high)
    control.forget_automatic()
    assert (control.box.text(), control.slider.value()) == at_first
    control.show_value(parameter.high)
    control.forget_automatic()
    assert (control.value, said) == (parameter.high, [])


def test_a_few_pixels_of_a_region_have_most_of_their_sliders_way():
    smallest = SliderControl(next(p for p in MASK_PARAMETERS if p.name == "smallest"))
    for pixels in (1, 10, 100, 1000):
        smallest.show_value(pixels)
        assert smallest.slider.value() == pytest.approx({1: 0, 10: 200, 100: 400, 1000: 600}[pixels], abs=1)
    smallest.slider.setValue(0)
    assert smallest.value == 0


@pytest.mark.parametrize("parameter", NUMBERS, ids=lambda p: p.name)
def test_a_value_that_is_shown_is_kept_and_not_told(parameter):
    control = SliderControl(parameter)
    said = told(control)
    value = parameter.kind((parameter.low + parameter.high) / 2)
    control.show_value(value)
    assert control.value == pytest.approx(value, rel=1e-6)
    assert not said


def test_arrow_and_page_keys_go_by_plain_numbers():
    control = SliderControl(next(p for p in MASK_PARAMETERS if p.name == "sensitivity"))
    for key, n, value in (
        (Qt.Key.Key_Right, 5, 55.0), (Qt.Key.Key_Left, 15, 40.0), (Qt.Key.Key_PageUp, 2, 60.0),
        (Qt.Key.Key_PageUp, 5, 99.0), (Qt.Key.Key_PageDown, 3, 69.0),
    ):  # fmt: skip
        for _ in range(n):
            QTest.keyClick(control.slider, key)
        assert control.value == value


@pytest.mark.parametrize("parameter", [p for p in NUMBERS if not p.logarithmic], ids=lambda parameter: parameter.name)
def test_keys_move_every_even_slider_by_one_two_or_five_of_some_place(parameter):
    scale = Scale(parameter)
    unit = float(f"{scale.key_step * (parameter.high - parameter.low) / scale.steps:.12g}")
    assert f"{unit:e}"[:8] in {"1.000000", "2.000000", "5.000000"}
    begun = parameter.low if parameter.default is None else parameter.default
    place = scale.step_of(begun)
    for n in range(1, 1 + min(5, (scale.steps - place) // scale.key_step)):
        assert scale.value_at(place + n * scale.key_step) == pytest.approx(begun + n * unit, rel=1e-12)
    assert scale.value_at(scale.steps) == parameter.high


def test_a_whole_number_moves_by_one_with_the_arrow_keys():
    control = SliderControl(Parameter("rank", "Rank", 3, 1, 50, kind=int))
    QTest.keyClick(control.slider, Qt.Key.Key_Right)
    assert control.value == 4


def test_a_logarithmic_slider_moves_by_ratios():
    control = SliderControl(Parameter("lam", "λ", 0.1, 0.001, 1, logarithmic=True))
    control.slider.setValue(500)
    assert control.value == pytest.approx(0.0316, rel=0.01)


def test_moving_a_slider_leaves_automatic_and_tells_once():
    control = SliderControl(Parameter("lam", "λ", None, 0.001, 1, automatic=True))
    said = told(control)
    control.slider.setValue(900)
    assert not control.auto.isChecked()
    assert said == [("lam", control.value)]
    control.auto.click()
    assert said[-1] == ("lam", None)
    assert control.box.text() == "auto"


def test_the_wheel_scrolls_the_panel_and_not_a_control_without_focus():
    control = SliderControl(Parameter("rank", "Rank", 3, 1, 50, kind=int))
    wheel = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(control.slider, wheel)
    assert control.value == 3


def test_switches_and_choices_tell_what_they_are():
    switch = SwitchControl(Parameter("forget", "Forget", True, kind=bool))
    choice = ChoiceControl(Parameter("kind", "Kind", "a", kind=str, choices=("a", "b")))
    said = told(switch)
    switch.switch.click()
    assert said == [("forget", False)]
    assert switch.switch.text() == "off"
    said = told(choice)
    choice.chooser.setCurrentIndex(1)
    choice.chooser.activated.emit(1)
    assert said == [("kind", "b")]


def test_a_list_is_typed_and_what_is_none_stays_with_a_sentence_until_it_is_corrected_or_given_up(qtbot):
    control = control_for(Parameter("groups", "Groups", "2", 1, 50, kind=str, is_list=True))
    assert isinstance(control, ListControl)
    qtbot.addWidget(control)
    control.show()
    said = told(control)
    for typed, shown in (("4, 4,8", "4,4,8"), ("4,x", ""), ("51", ""), ("", ""), ("4,4,8", "4,4,8"), ("x", "")):
        control.line.clear()
        QTest.keyClicks(control.line, typed)
        QTest.keyClick(control.line, Qt.Key.Key_Return)
        assert (control.value, control.line.text()) == ("4,4,8", shown or typed)
        assert control.fault.isVisible() != bool(shown)
        assert shown or control.fault.text().startswith("Not taken. Allowed: up to 100 whole numbers from 1 to 50,")
    QTest.keyClick(control.line, Qt.Key.Key_Escape)
    assert (control.line.text(), control.fault.isVisible()) == ("4,4,8", False)
    assert said == [("groups", "4,4,8")]
    control.show_value("7")
    assert (control.value, len(said)) == ("7", 1)


@pytest.mark.parametrize("how", ["the same values", "idle"])
def test_what_was_not_taken_does_not_outlive_values_that_are_shown_nor_that_it_has_an_effect(qtbot, how):
    form = ParameterForm()
    qtbot.addWidget(form)
    form.build(listed_parameters(METHODS["opgd"]))
    form.show_values({"h_penalty": "group"})
    control, said = form.controls["h_group"], told(form.controls["h_group"])
    taken = control.value
    control.line.setText("4,x")
    control.line.editingFinished.emit()
    assert control.fault.text()
    form.show_values({"h_group": taken} if how == "the same values" else {"h_penalty": "none"})
    assert (control.line.text(), control.fault.text(), control.value, said) == (taken, "", taken, [])


def test_half_a_list_stays_where_values_are_told_meanwhile(qtbot):
    form = ParameterForm()
    qtbot.addWidget(form)
    form.build(listed_parameters(METHODS["opgd"]))
    form.show_values({"h_penalty": "group"})
    form.controls["h_group"].line.setText("4,")
    form.show_values(form.values)
    assert form.controls["h_group"].line.text() == "4,"


def test_what_has_no_effect_is_disabled_and_says_what_it_needs(qtbot):
    form = ParameterForm()
    qtbot.addWidget(form)
    form.build(listed_parameters(METHODS["opgd"]))
    kept = form.controls["h_group"].line.toolTip()

    def enabled():
        return {name for name, control in form.controls.items() if control.parameter.acts_with and control.isEnabled()}

    assert enabled() == {"unit_maximum", "shuffle"}, "what frames show is not known yet"
    assert (
        form.controls["h_group"]
        .line.toolTip()
        .startswith("No effect unless Coefficients' penalty is group or sparse-group. ")
    )
    choice = form.controls["h_penalty"].chooser
    choice.setCurrentText("ridge")
    choice.activated.emit(choice.currentIndex())
    assert "h_weight" in enabled()
    assert "h_group" not in enabled()
    form.show_values({"h_penalty": "sparse-group"})
    assert {"h_weight", "h_group", "h_growth", "group_share"} <= enabled()
    assert kept.endswith(form.controls["h_group"].line.toolTip())
    form.show_decided({"content": "scene"})
    assert "shuffle" not in enabled()
    form.show_values({"content": "images"})
    assert "shuffle" in enabled()
    form.show_defaults()
    assert enabled() == set()


def test_what_a_fixed_parameter_does_is_said():
    control = SliderControl(Parameter("seed", "Seed", 0, 0, 9, help="Start.", kind=int, live=False))
    assert "starts the run anew" in control.tip


def test_a_form_tells_only_what_differs_from_the_defaults():
    form = ParameterForm("method")
    form.build(listed_parameters(METHODS["fast"]))
    assert form.chosen == {}
    form.controls["rank"].box.setValue(7)
    assert form.chosen == {"rank": 7}
    form.show_defaults()
    assert form.chosen == {}
    form.build([])
    assert form.values == {}


def test_a_click_on_a_list_of_choices_leaves_the_keys_to_the_window():
    window = QWidget()
    rows = QVBoxLayout(window)
    chooser, box = QComboBox(), QSpinBox()
    for widget in (QPushButton("first"), chooser, box):
        rows.addWidget(widget)
    keep_wheel_off(chooser, box)
    window.show()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton)
    chooser.hidePopup()
    assert window.focusWidget() is box
    window.close()


def test_advanced_parameters_lie_behind_more():
    form = ParameterForm("method")
    form.build([Parameter("a", "A", 1, 0, 2), Parameter("b", "B", 1, 0, 2, advanced=True)])
    form.show()
    assert not form.controls["b"].isVisible()
    form.more.click()
    assert form.controls["b"].isVisible()
    form.close()


@pytest.mark.parametrize("fits", [True, False])
def test_more_is_scrolled_into_view(qtbot, fits):
    column, form = Column("Method", 288), ParameterForm("method")
    qtbot.addWidget(column)
    column.add_section("Method", form)
    column.rows.addStretch(1)
    form.build([Parameter(str(n), f"P{n}", 1, 0, 2, advanced=n >= 8) for n in range(14)])
    column.show()
    bar, last = column.verticalScrollBar(), form.controls["13"]
    form.more.click()
    QApplication.processEvents()
    opened = last.mapTo(form, QPoint(0, last.height())).y() - form.more.mapTo(form, QPoint()).y()
    form.more.click()
    column.resize(320, opened + 20 if fits else opened // 2)
    QApplication.processEvents()
    column.ensureWidgetVisible(form.more, 0, 0)
    form.more.click()

    def is_shown():
        top, end = form.more.mapTo(column, QPoint()).y(), last.mapTo(column, QPoint(0, last.height())).y()
        assert last.isVisible()
        assert bar.maximum() > 0
        if fits:
            assert 0 <= top < end <= column.height()
        else:
            assert top == 0

    qtbot.waitUntil(is_shown, timeout=2000)


def test_words_for_numbers_times_and_sizes():
    assert [counted(n) for n in (0, 1, 2)] == ["0 frames", "1 frame", "2 frames"]
    assert [format_number(x) for x in (0, 0.02, 5, 0.0158, 120, 7.25)] == ["0", "0.02", "5.0", "0.0158", "120", "7.25"]
    assert [format_time_left(s) for s in (0.2, 59, 60, 80, 3600, 3700)] == [
        "1 s left", "59 s left", "1 min 00 s left", "1 min 20 s left", "1 h 00 min left", "1 h 01 min left",
    ]  # fmt: skip
    assert [format_bytes(n) for n in (2, 12, 1500, 12_345, 2_500_000, 7e9, 3e12)] == [
        "2 bytes",
        "12 bytes",
        "1.5 kB",
        "12 kB",
        "2.5 MB",
        "7.0 GB",
        "3.0 TB",
    ]


def test_facts_and_segments_say_what_they_show():
    facts = Facts([("Size", "tip")])
    facts.show_fact("Size", "3 × 2")
    assert facts.text("Size") == "3 × 2"
    parts = Segmented([("One", "first"), ("Two", "second")], "Work on")
    said = []
    parts.chosen.connect(said.append)
    parts.choose(1)
    assert parts.index == 1
    assert not said
