"""Panes whose pictures people choose, measure, copy and keep."""

import gc
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from app import theme
from app.rendering.picture_kinds import KINDS, STANDARD, draw
from app.rendering.report_images import Pictures
from app.views.contrast import Contrast
from app.views.kind_menu import open_below_title
from app.views.panes import BACKGROUND, FOREGROUND, INPUT, MASK, MATTE, PanesView
from app.views.tools.brush import Brush
from core.io.calibration import Calibration
from tests.app.rendering.test_picture_kinds import LOGITS
from tests.app.view_helpers import drag, exposed, make_report
from tests.app.views.test_panes import CONFIDENCE, INSIDE, OUTSIDE, colour_at, point_on


@pytest.fixture
def view(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, PanesView(), 900, 560)


def choose(view, index, key):
    """Choose as a person does: in the menu of the title."""
    menu = view.choice.menu(index)
    next(action for action in menu.actions() if action.data() == key).trigger()


def test_a_title_offers_every_picture_and_names_the_one_that_is_shown(view):
    view.show_report(replace(make_report(), logits=LOGITS))
    for key, kind in KINDS.items():
        choose(view, MATTE, key)
        assert view.kinds[MATTE] == key
        if key != "confidence":
            assert view.panes[MATTE].header.words == kind.title
            assert view.panes[MATTE].picture is not None
        assert view.panes[MATTE].accessibleName() == f"{kind.title} pane"
    menu = view.choice.menu(MATTE)
    assert [action.data() for action in menu.actions() if action.isChecked()] == ["confidence"]


def test_a_click_on_a_title_opens_the_menu(view, qtbot):
    qtbot.mouseClick(view.panes[MATTE].header.title_chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    assert QApplication.activePopupWidget().accessibleName() == "Picture of pane 5"
    QApplication.activePopupWidget().close()


def test_differences_are_red_above_and_blue_below_zero_and_read_out_with_their_sign(view):
    view.show_report(make_report())
    choose(view, FOREGROUND, "residual")
    red, _, blue = colour_at(view, FOREGROUND, INSIDE)
    assert blue > red + 50
    assert min(colour_at(view, FOREGROUND, OUTSIDE)) > 230
    assert view.display.readout_text(FOREGROUND, *INSIDE) == "-190"
    assert view.display.readout_text(FOREGROUND, *OUTSIDE) == "+0"
    assert view.panes[FOREGROUND].header.display_chip.text() == "display: 1–99 %"
    choose(view, FOREGROUND, "foreground")
    assert view.panes[FOREGROUND].contrast.choice is Contrast.FULL, "samples keep a choice of their own"


def test_every_kind_says_what_there_is_at_a_pixel(view):
    view.show_report(replace(make_report(), logits=LOGITS))
    view.set_kinds(["probability", "outliers", "mask", "confidence", "matte", "input"])
    texts = [view.display.readout_text(index, *INSIDE) for index in range(6)]
    assert texts == ["49 %", "-190", "foreground", "200 201 202", "100 % foreground", "x 50 y 45 · 10 11 12"]


def test_the_switch_of_the_background_goes_with_the_menu(view):
    view.show_report(make_report())
    choose(view, BACKGROUND, "confidence")
    assert view.confidence_switch.isChecked()
    view.show_confidence(CONFIDENCE)
    assert view.panes[BACKGROUND].header.words == "Plate confidence"
    choose(view, BACKGROUND, "residual")
    assert view.kinds[BACKGROUND] == "residual"
    assert not view.confidence_switch.isEnabled()
    choose(view, BACKGROUND, "background")
    assert view.confidence_switch.isEnabled()
    assert not view.confidence_switch.isChecked()


def test_any_pane_shows_the_confidence(view):
    view.show_report(make_report())
    choose(view, MATTE, "confidence")
    view.show_confidence(CONFIDENCE)
    assert view.display.readout_text(MATTE, 60, 44) == "never seen"
    assert colour_at(view, MATTE, (100, 80)) == (255, 255, 255)
    view.panes[INPUT].contrast.menu.choices[Contrast.PERCENTILES].trigger()
    view.show_confidence(np.full_like(CONFIDENCE, 255))
    assert colour_at(view, MATTE, (100, 80)) == (255, 255, 255), "shares have no percentiles of their own"


def test_what_panes_need_follows_what_was_chosen(view, qtbot):
    assert view.needed == set(STANDARD)
    with qtbot.waitSignal(view.kinds_changed):
        view.set_kinds(["input"] * 6)
    assert view.needed == {"input"}
    view.set_wipe(True)
    assert view.needed == {"input", "background"}


def test_a_picture_that_was_not_made_beforehand_is_waited_for(view):
    report = make_report()
    pictures = Pictures(report)
    draw(pictures, STANDARD)
    view.show_report(report, pictures)
    shown = view.panes[MATTE].picture
    choose(view, MATTE, "residual")
    assert "residual" not in vars(pictures), "it is not made on the window's thread"
    assert view.panes[MATTE].picture is shown
    more = Pictures(report)
    draw(more, view.needed)
    view.show_report(report, more)
    assert view.panes[MATTE].picture is more.residual


def test_the_wipe_and_the_brush_go_with_the_input(view):
    view.show_report(make_report())
    view.set_kinds(["residual", "input", "foreground", "residual", "matte", "cleaned"])
    view.set_wipe(True)
    assert view.panes[BACKGROUND].header.words == "Input | Background"
    view.set_brush(Brush(True, 5))
    assert [pane.brush.brush is not None for pane in view.panes] == [False, True, True, False, True, True]
    choose(view, MASK, "mask")
    assert view.panes[MASK].brush.brush is not None
    view.set_kinds(["residual"] * 6)
    view.set_wipe(False)
    view.set_wipe(True)
    assert view.kinds[INPUT] == "input", "there has to be one to compare with"


def test_a_region_is_marked_in_all_panes_and_measured_in_each(view, qtbot):
    view.show_report(make_report())
    view.measuring_mode.set_active(True)
    with qtbot.waitSignal(view.measuring_mode.chosen) as caught:
        drag(view.panes[FOREGROUND], point_on(view, FOREGROUND, (45, 35)), point_on(view, FOREGROUND, (54, 54)))
    assert caught.args == [(45, 35, 10, 20)]
    assert {pane.measure.region for pane in view.panes} == {(45, 35, 10, 20)}
    view.show_report(make_report())
    words = [pane.measured.text().replace("\n", " · ") for pane in view.panes]
    assert words[INPUT] == "11.0 ± 0.0 · 11 to 11 · 200 px"
    assert words[BACKGROUND].startswith("201.0 ± 0.0")
    assert words[MASK].startswith("100.0 ± 0.0 %")
    qtbot.keyClick(view.panes[INPUT], Qt.Key.Key_Escape)
    with qtbot.waitSignal(view.measuring_mode.chosen) as caught:
        view.measuring_mode.set_active(False)
    assert caught.args == [None]
    assert all(pane.measured.isHidden() for pane in view.panes)


def test_a_mark_goes_where_another_input_has_no_such_place(view):
    view.show_report(make_report())
    view.measuring_mode.set_active(True)
    view.measuring_mode.mark((100, 70, 10, 10))
    view.show_report(make_report(size=(30, 30)))
    assert view.measuring_mode.region is None
    assert not any(pane.measured.text() for pane in view.panes)


def test_the_picture_is_copied_and_saved_as_it_is_shown(view, tmp_path):
    view.show_report(make_report())
    actions, wanted = view.actions_on_pictures[INPUT], []
    actions.save_requested.connect(wanted.append)
    view.panes[INPUT].contrast.set_table("fire")
    actions.copy()
    copied = QGuiApplication.clipboard().image()
    actions.save_picture(tmp_path / "shown")
    (save,) = wanted
    assert save.path == tmp_path / "shown.png"
    save.write(save.path)
    saved = QImage(str(save.path))
    assert saved.size() == copied.size()
    assert saved.width() / saved.height() == pytest.approx(120 / 90, abs=0.02), "the ground around it is left out"
    shown = colour_at(view, INPUT, INSIDE)
    middle = saved.pixelColor(saved.width() * 50 // 120 + 2, saved.height() * 45 // 90 + 2)
    assert (middle.red(), middle.green(), middle.blue()) == shown


def test_data_are_saved_of_what_is_chosen_and_offered_where_there_are_some(view, tmp_path):
    actions, pane = view.actions_on_pictures[MATTE], view.panes[MATTE]
    pane.contrast.menu.aboutToShow.emit()
    entry = next(action for action in pane.contrast.menu.actions() if action.text() == "Save the data…")
    assert not entry.isEnabled()
    view.show_report(make_report())
    choose(view, MATTE, "residual")
    pane.contrast.menu.aboutToShow.emit()
    assert entry.isEnabled()
    wanted = []
    actions.save_requested.connect(wanted.append)
    actions.save_data(tmp_path / "residual")
    wanted[0].write(wanted[0].path)
    assert (tmp_path / "residual.tif").stat().st_size > 500
    choose(view, MATTE, "confidence")
    pane.contrast.menu.aboutToShow.emit()
    assert not entry.isEnabled(), "it is not known yet"


def test_a_scale_of_the_file_gives_every_pane_a_bar(view):
    view.display.set_calibration(Calibration("imagej", ((2, 1), (2, 1)), 1, (), {"unit": "um"}))
    assert {pane.scale_bar.size.width for pane in view.panes} == {0.5}
    view.display.set_calibration(None)
    assert all(pane.scale_bar.size is None for pane in view.panes)


def test_black_and_white_by_hand_hold_for_all_panes_with_samples_but_not_for_differences(view):
    view.show_report(make_report())
    choose(view, FOREGROUND, "residual")
    input_ = view.panes[INPUT].contrast
    input_.set_gamma(0.5)
    input_.menu.choices[Contrast.PERCENTILES].trigger()
    assert view.panes[BACKGROUND].contrast.gamma == 0.5
    assert view.panes[FOREGROUND].contrast.gamma == 1
    input_.set_table("viridis")
    assert view.panes[BACKGROUND].contrast.table == "grey", "colours are of one pane"
    before = view.panes[INPUT].picture.copy()
    assert np.array_equal(view.report.input_image, before), "the data are as they were"


def test_the_menu_of_a_title_has_what_the_contrast_button_opens(view):
    menu, contrast = view.choice.menu(MATTE), view.panes[MATTE].contrast.menu
    assert contrast.menuAction() in menu.actions()
    assert contrast.title()
    menu.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert contrast.actions(), "which outlives it"


@pytest.mark.parametrize("comes_first", ["title", "right click"])
def test_the_contrast_of_a_pane_outlives_the_menu_of_its_title(view, comes_first):
    pane = view.panes[MATTE]
    contrast = pane.contrast.menu
    if comes_first == "right click":
        contrast.aboutToShow.emit()
    for _ in range(2):
        menu = view.choice.menu(MATTE)
        open_below_title(menu, pane)
        menu.close()
        del menu
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        contrast.aboutToShow.emit()
        texts = [action.text() for action in contrast.actions()]
        assert texts.count("Colours") == texts.count("Histogram…") == 1
        assert contrast.choices[Contrast.FULL].isChecked()
