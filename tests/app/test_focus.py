import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QPushButton, QSlider, QSpinBox, QVBoxLayout, QWidget

from app.focus import leave_ends, leave_keys, leave_space, tab_order


class Surroundings(QWidget):
    def __init__(self):
        super().__init__()
        self.keys = []

    def keyPressEvent(self, event):
        self.keys.append(event.key())


@pytest.mark.parametrize("kind", [QSpinBox, QDoubleSpinBox])
def test_the_space_bar_goes_past_a_number_and_digits_do_not(qtbot, kind):
    around = Surroundings()
    qtbot.addWidget(around)
    box = kind(around)
    box.setRange(0, 100)
    box.setValue(7)
    leave_space(box)
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert around.keys == [Qt.Key.Key_Space]
    assert box.value() == 7
    qtbot.keyClick(box, Qt.Key.Key_4)
    assert around.keys == [Qt.Key.Key_Space]
    assert box.value() == 4


def test_a_click_works_a_button_and_leaves_the_focus(qtbot):
    button = QPushButton()
    qtbot.addWidget(button)
    leave_keys(button)
    with qtbot.waitExposed(button):
        button.show()
    with qtbot.waitSignal(button.clicked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_home_and_end_go_past_a_slider_and_arrows_do_not(qtbot):
    around = Surroundings()
    qtbot.addWidget(around)
    slider = QSlider(Qt.Orientation.Horizontal, around)
    slider.setValue(7)
    leave_ends(slider)
    ends = [Qt.Key.Key_Home, Qt.Key.Key_End]
    for key in ends:
        qtbot.keyClick(slider, key)
    assert around.keys == ends
    assert slider.value() == 7
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert around.keys == ends
    assert slider.value() == 8


def test_tab_goes_through_what_is_laid_out_in_its_order_and_then_what_is_not(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    loose, last, inner, first = (QPushButton(name, window) for name in ("loose", "last", "inner", "first"))
    rows, row = QVBoxLayout(window), QHBoxLayout()
    rows.addWidget(first)
    row.addStretch()
    row.addWidget(inner)
    rows.addLayout(row)
    rows.addWidget(last)
    with qtbot.waitExposed(window):
        window.show()
    assert tab_order(window) == [first, inner, last, loose]
    inner.setEnabled(False)
    assert tab_order(window) == [first, last, loose]
